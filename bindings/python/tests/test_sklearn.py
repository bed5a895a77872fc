"""scikit-learn takes the estimators for its own: its checks, clones, pipelines, searches, frames."""
import pickle
import unittest
import warnings

import numpy as np
import scipy.sparse

import vtemper
from corpus import WORDS, counts, points, themes, walks
from vtemper import drop_in

try:
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.utils.estimator_checks import check_estimator
except ImportError:
    raise unittest.SkipTest("scikit-learn is not installed") from None


class Signs:
    """The checks bring any numbers, and some kinds take rows of 0 and 1: their signs."""

    def _data(self, X, lengths, reset):
        if not scipy.sparse.issparse(X):
            values = np.asarray(X)
            if values.dtype.kind in "fiu" and values.ndim == 2 and not np.isinf(values).any():
                X = np.where(np.isnan(values), np.nan, values > 0)
        return super()._data(X, lengths, reset)


class NetworkOfSigns(Signs, vtemper.SigmoidBeliefNetwork):
    pass


class ClassesOfSigns(Signs, vtemper.BernoulliMixture):
    pass


CHECKED = [vtemper.LDA(3, max_passes=3), vtemper.GaussianMixture(2), ClassesOfSigns(2), vtemper.FactorialMixture(3, max_passes=5),
           vtemper.DeepExponentialFamily(3, max_passes=2, local_iterations=10), NetworkOfSigns(3, max_passes=2),
           vtemper.VariationalAutoencoder(3, hidden=[5], likelihood="gaussian", max_passes=2), vtemper.HiddenMarkov(2),
           drop_in.LatentDirichletAllocation(), drop_in.BayesianGaussianMixture()]


class ScikitLearn(unittest.TestCase):
    def test_classes_where_transform_gives_frames(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = pandas.DataFrame(points(60), columns=["a", "b"])
        model = vtemper.GaussianMixture(3, method="vi", random_state=0, n_jobs=1)
        wanted = model.fit_predict(frame)
        model.set_output(transform="pandas")
        self.assertIsInstance(model.transform(frame), pandas.DataFrame)
        np.testing.assert_array_equal(model.predict(frame), wanted)
        self.assertIsInstance(model.predict_proba(frame), np.ndarray)

    def test_check_estimator(self):
        self.assertEqual({one._kind for one in CHECKED}, set(vtemper.kinds()))
        for estimator in CHECKED:
            done = 0
            for one, check in check_estimator(estimator, generate_only=True):
                with self.subTest(type(estimator).__name__, check=str(check)), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        check(one)
                        done += 1
                    except unittest.SkipTest:  # a check without meaning; tags of the class say why
                        pass
            if not isinstance(estimator, vtemper.HiddenMarkov):  # not for tables of numbers: see below
                self.assertGreater(done, 30, estimator)

    def test_checks_without_data_for_sequences(self):
        from sklearn.utils import estimator_checks
        for name in ("check_no_attributes_set_in_init", "check_get_params_invariance", "check_set_params", "check_estimator_get_tags_default_keys"):
            getattr(estimator_checks, name)("HiddenMarkov", vtemper.HiddenMarkov(2))
        estimator_checks.check_parameters_default_constructible("HiddenMarkov", vtemper.HiddenMarkov(2))

    def test_exceptions_are_still_exceptions(self):
        # Each check that a class excuses itself from must fail: else the excuse is out of date.
        excused = {type(one): one._more_tags().get("_xfail_checks", {}) for one in CHECKED if not isinstance(one, Signs)}
        self.assertEqual({name for checks in excused.values() for name in checks}, {
            "check_sample_weights_invariance", "check_pipeline_consistency", "check_fit_score_takes_y",
            "check_methods_sample_order_invariance", "check_methods_subset_invariance", "check_estimator_sparse_data",
            "check_estimators_nan_inf"})
        from sklearn.utils import estimator_checks
        one = vtemper.LDA(3, max_passes=3)
        for name in "check_pipeline_consistency", "check_fit_score_takes_y", "check_estimator_sparse_data":
            with self.assertRaises(Exception, msg=name):
                getattr(estimator_checks, name)("LDA", one)

    def test_clones_and_pickles(self):
        one = vtemper.LDA(3, alpha=0.2, random_state=1)
        copy = clone(one)
        self.assertEqual(copy.get_params(), one.get_params())
        one.fit(counts())
        self.assertFalse(hasattr(clone(one), "model_"))
        again = pickle.loads(pickle.dumps(one))
        np.testing.assert_array_equal(again.transform(counts()), one.transform(counts()))
        self.assertEqual(repr(one), "LDA(alpha=0.2, n_components=3, random_state=1)")
        with self.assertRaises(NotFittedError):
            clone(one).transform(counts())

    def test_pipelines_of_text(self):
        from sklearn.feature_extraction.text import CountVectorizer
        texts = [" ".join(document) for document in themes()]
        pipeline = make_pipeline(CountVectorizer(), vtemper.LDA(3, random_state=0)).fit(texts)
        self.assertEqual(pipeline.transform(texts[:5]).shape, (5, 3))
        self.assertEqual(list(pipeline.get_feature_names_out()), ["lda0", "lda1", "lda2"])

    def test_searches_find_the_number_of_components(self):
        search = GridSearchCV(vtemper.GaussianMixture(random_state=0, restarts=3), {"n_components": [1, 3]}, cv=3, n_jobs=2)
        self.assertEqual(search.fit(points()).best_params_, {"n_components": 3})
        search = GridSearchCV(vtemper.LDA(random_state=0), {"n_components": [1, 3]}, cv=3)
        self.assertEqual(search.fit(counts()).best_params_, {"n_components": 3})
        search = GridSearchCV(vtemper.HiddenMarkov(random_state=0), {"n_components": [1, 2]}, cv=3)
        self.assertEqual(search.fit(np.array(walks())).best_params_, {"n_components": 2})

    def test_frames_out(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = pandas.DataFrame(counts().toarray(), columns=WORDS, index=["d%d" % row for row in range(120)])
        one = vtemper.LDA(2, random_state=0).set_output(transform="pandas")
        out = one.fit_transform(frame)
        self.assertEqual((list(out.columns), out.index[3]), (["lda0", "lda1"], "d3"))


class ByName(unittest.TestCase):
    def test_parameters_reach_the_library(self):
        one = drop_in.LatentDirichletAllocation(3, doc_topic_prior=0.3, learning_method="online", random_state=0).fit(counts())
        self.assertEqual((one.model_.options["alpha"], one.model_.options["topic_posterior"]), ("0.3", "dirichlet"))
        self.assertAlmostEqual(one.doc_topic_prior_, 0.3)
        self.assertAlmostEqual(np.log(one.perplexity(counts())), -one.score(counts()) / counts().sum())
        self.assertGreater(one.bound_, 1)
        gamma = one.transform(counts(), normalize=False)
        np.testing.assert_allclose(gamma / gamma.sum(axis=1, keepdims=True), one.transform(counts()))
        mixture = drop_in.BayesianGaussianMixture(n_components=3, degrees_of_freedom_prior=4, covariance_prior=np.eye(2) * 8,
                                                  random_state=0).fit(points())
        self.assertEqual(mixture.model_.options["covariance_prior"], "2,0,0,2")
        with self.assertRaisesRegex(ValueError, "full covariances only"):
            drop_in.BayesianGaussianMixture(covariance_type="diag").fit(points())

    def test_step_sizes_of_minibatches(self):
        def used(**parameters):
            runs = []
            one = drop_in.LatentDirichletAllocation(3, random_state=0, max_iter=2, **parameters)
            went_on = one._went_on
            one._went_on = lambda work, monitor: runs.append(one.run_) or went_on(work, monitor)
            one.fit(counts())
            options = runs[0].options
            return options["step_size"], options.get("step_size_power"), options.get("step_size_delay")

        for batch_size in 20, 1000:  # fewer and more than there are rows
            own = used(learning_method="online", batch_size=batch_size)
            self.assertEqual(own[0], "auto")
            self.assertEqual(used(learning_method="online", batch_size=batch_size, learning_decay=0.9, learning_offset=4.0),
                             ("robbins_monro", "0.9", "5"))
        online = dict(learning_method="online", batch_size=20)
        self.assertEqual(used(learning_decay=0.9, **online)[1:], ("0.9", "auto"))
        self.assertEqual(used(learning_offset=4.0, **online)[1:], ("0.7", "5"))
        self.assertEqual(used(learning_decay=0.9, learning_offset=4.0), used())
        one = drop_in.LatentDirichletAllocation(3, random_state=0, max_iter=1, learning_method="online", learning_decay=0.9,
                                                learning_offset=4.0, batch_size=1000).fit(counts())
        self.assertAlmostEqual(one.report_.step_size, 5 ** -0.9)  # scikit-learn's of the first step

    def test_fed_rows_are_not_annealed_unless_their_number_is_given(self):
        one = drop_in.LatentDirichletAllocation(3, random_state=0).partial_fit(counts(20))
        self.assertEqual((one.report_.temperature, one.run_.options["method"]), (1, "svi"))
        one = drop_in.LatentDirichletAllocation(3, random_state=0, total_samples=10000).partial_fit(counts(20))
        self.assertEqual(one.run_.options["method"], "auto")
        self.assertGreater(one.report_.temperature, 1)


if __name__ == "__main__":
    unittest.main()
