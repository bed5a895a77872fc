"""The examples in docstrings run, and every public name has a docstring."""
import doctest
import importlib
import inspect
import pkgutil
import unittest
import warnings

import vtemper

OPTIONAL = {"plot": "matplotlib"}


class Documents(unittest.TestCase):
    def test_examples(self):
        attempted = 0
        for found in pkgutil.iter_modules(vtemper.__path__):
            try:
                importlib.import_module(OPTIONAL.get(found.name, "vtemper"))
            except ImportError:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", vtemper.VTemperWarning)  # examples of few passes have not converged
                result = doctest.testmod(importlib.import_module("vtemper." + found.name))
            self.assertEqual(result.failed, 0, found.name)
            attempted += result.attempted
        self.assertGreater(attempted, 40)

    def test_public_names_are_documented(self):
        for name in vtemper.__all__:
            thing = getattr(vtemper, name)
            self.assertTrue(inspect.getdoc(thing), name)
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and callable(value):
                        self.assertTrue(inspect.getdoc(value), "%s.%s" % (name, member))


if __name__ == "__main__":
    unittest.main()
