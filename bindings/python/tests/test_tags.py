"""What the estimators tell scikit-learn 1.6 and newer of themselves, by stand-ins with the fields and the rule of its documentation:
classes that have `_more_tags` or `__sklearn_tags__` have both, and mixins come before BaseEstimator."""
import os
import subprocess
import sys
import unittest

# Only what the package asks of scikit-learn; fields and defaults as in the reference of sklearn.utils.Tags.
STAND_IN = '''
import sys, types
from dataclasses import dataclass, field
from typing import Any

@dataclass
class InputTags:
    one_d_array: bool = False
    two_d_array: bool = True
    three_d_array: bool = False
    sparse: bool = False
    categorical: bool = False
    string: bool = False
    dict: bool = False
    positive_only: bool = False
    allow_nan: bool = False
    pairwise: bool = False

@dataclass
class TransformerTags:
    preserves_dtype: list = field(default_factory=lambda: ["float64"])

@dataclass
class Tags:
    estimator_type: Any = None
    transformer_tags: Any = None
    requires_fit: bool = True
    input_tags: InputTags = field(default_factory=InputTags)

class BaseEstimator:
    def __sklearn_tags__(self):
        return Tags()

class TransformerMixin:
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags()
        return tags

class NotFittedError(ValueError, AttributeError):
    pass

for name, members in (("sklearn", {}), ("sklearn.base", dict(BaseEstimator=BaseEstimator, TransformerMixin=TransformerMixin)),
                      ("sklearn.exceptions", dict(NotFittedError=NotFittedError, ConvergenceWarning=UserWarning))):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)
'''

TOLD = '''
from vtemper import drop_in
from vtemper.estimator import CLASSES
for cls in [*CLASSES.values(), drop_in.LatentDirichletAllocation, drop_in.BayesianGaussianMixture]:
    assert issubclass(cls, BaseEstimator)
    for base in cls.__mro__:
        ours = "_more_tags" in vars(base)
        assert not ours or "__sklearn_tags__" in vars(base), "%s has the old method only" % base
    tags = cls.__new__(cls).__sklearn_tags__()
    told = [name for name, value in vars(tags.input_tags).items() if value]
    print(cls.__name__, ",".join(told) or "-", tags.transformer_tags.preserves_dtype if tags.transformer_tags else "-")
'''


class Tags(unittest.TestCase):
    def test_newer_scikit_learn(self):
        done = subprocess.run([sys.executable, "-c", STAND_IN + TOLD], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, cwd=os.path.dirname(os.path.abspath(__file__)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), [
            "BernoulliMixture two_d_array,allow_nan ['float64']",
            "DeepExponentialFamily two_d_array,sparse,positive_only ['float64']",
            "FactorialMixture two_d_array ['float64']",
            "GaussianMixture two_d_array,allow_nan ['float64']",
            "HiddenMarkov - -",
            "LDA two_d_array,sparse,positive_only ['float64']",
            "SigmoidBeliefNetwork two_d_array ['float64']",
            "VariationalAutoencoder two_d_array ['float64']",
            "LatentDirichletAllocation two_d_array,sparse,positive_only ['float64']",
            "BayesianGaussianMixture two_d_array,allow_nan ['float64']"])

    def test_installed_scikit_learn(self):
        import vtemper
        try:
            from sklearn.utils import get_tags
        except ImportError:
            try:
                from sklearn.utils._tags import _safe_tags
            except ImportError:
                self.skipTest("scikit-learn is not installed")
            self.assertTrue(_safe_tags(vtemper.LDA(2), "requires_positive_X"))
            self.assertEqual(_safe_tags(vtemper.LDA(2), "X_types"), ["2darray", "sparse"])
            self.assertTrue(_safe_tags(vtemper.GaussianMixture(2), "allow_nan"))
        else:
            tags = get_tags(vtemper.LDA(2)).input_tags
            self.assertTrue(tags.sparse and tags.positive_only and tags.two_d_array)
            self.assertTrue(get_tags(vtemper.GaussianMixture(2)).input_tags.allow_nan)


if __name__ == "__main__":
    unittest.main()
