"""Estimators of every kind: fit, results, parameters, files, feeding; without scikit-learn as well."""
import contextlib
import io
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import vtemper
import vtemper.estimator
from corpus import WORDS, containers, counts, points, themes, walks


def rows_of(name):
    """Rows that a kind is of."""
    return {"LDA": counts(), "DeepExponentialFamily": counts(), "HiddenMarkov": walks(),
            "GaussianMixture": points()}.get(name, (points() > 3).astype(float))


SMALL = {"DeepExponentialFamily": dict(max_passes=2, local_iterations=20), "VariationalAutoencoder": dict(hidden=[5], max_passes=2),
         "SigmoidBeliefNetwork": dict(max_passes=2)}


def small(name, **parameters):
    """An estimator that is quick to fit."""
    return getattr(vtemper, name)(3, random_state=0, **dict(SMALL.get(name, {}), **parameters))


BY_GRADIENTS = ["DeepExponentialFamily", "SigmoidBeliefNetwork", "VariationalAutoencoder"]
NAMES = [estimator.__name__ for estimator in vtemper.estimator.CLASSES.values()]


class EveryKind(unittest.TestCase):
    def test_all_kinds_are_there(self):
        self.assertEqual(sorted(vtemper.estimator.CLASSES), sorted(vtemper.kinds()))

    def test_fit_results_and_files(self):
        for name in NAMES:
            with self.subTest(name):
                X = rows_of(name)
                one = small(name).fit(X)
                again = small(name).fit(X)
                self.assertGreater(one.n_iter_, 0)
                self.assertEqual((one.converged_, str(one.lower_bound_)), (bool(one.report_.converged), str(one.report_.elbo)))
                self.assertTrue(np.isfinite(one.score(X)))
                self.assertFalse(hasattr(one, "run_"))
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "model.vtemper")
                    one.save(path)
                    loaded = vtemper.load(path)
                self.assertIs(type(loaded), type(one))
                self.assertEqual(np.ravel(loaded.n_components).tolist(), [3])
                for other in again, loaded, pickle.loads(pickle.dumps(one)):
                    for parameter, values in one.parameters_.items():
                        np.testing.assert_array_equal(values, other.parameters_[parameter])
                    self.assertEqual(one.score(X), other.score(X))
                if hasattr(one, "transform"):
                    self.assertEqual(one.transform(X).shape, (X.shape[0], 3))
                    self.assertEqual(len(one.get_feature_names_out()), 3)

    def test_layers(self):
        X = rows_of("SigmoidBeliefNetwork")
        one = vtemper.SigmoidBeliefNetwork([4, 3], max_passes=1, random_state=0).fit(X)
        self.assertEqual(one.transform(X).shape, (X.shape[0], 7))
        self.assertEqual(len(one.get_feature_names_out()), 7)
        np.testing.assert_array_equal(one.components_, one.parameters_["model.weights.0"])
        self.assertEqual(vtemper.estimator.of_model(one.model_).n_components, [4, 3])

    def test_before_a_fit(self):
        for name in NAMES:
            with self.subTest(name):
                one = small(name)
                self.assertFalse(hasattr(one, "components_"))
                self.assertFalse(hasattr(one, "parameters_"))
                with self.assertRaisesRegex(ValueError, "not fitted yet"):
                    one.score(rows_of(name))

    def test_feeding(self):
        for name in NAMES:
            with self.subTest(name):
                X = rows_of(name)
                count = len(X) if isinstance(X, list) else X.shape[0]
                batches = [X[start:start + 10] for start in range(0, count, 10)]
                one = small(name, rows_total=count).feed(batches)
                self.assertEqual(one.n_iter_, len(batches))
                self.assertEqual(one.report_.rows_seen, count)
                self.assertTrue(np.isfinite(one.score(X)))

    def test_feeding_a_fitted_model_does_not_heat_it(self):
        for name in NAMES:
            with self.subTest(name):
                X = rows_of(name)
                longer = {"max_passes": 5000} if name == "HiddenMarkov" else {}  # so that it converges
                one = small(name, rows_total=1000, **longer).fit(X)
                loaded = vtemper.estimator.of_model(one.model_.copy()).set_params(rows_total=1000, random_state=0)
                for fed in one, loaded:
                    fed.partial_fit(X[:10])
                    self.assertEqual(fed.report_.temperature, 1)
                    self.assertEqual(fed.run_.options["method"], "auto" if name in BY_GRADIENTS else "svi")
        heated = small("LDA", rows_total=1000, temperature_start=3).fit(counts())
        self.assertEqual(heated.partial_fit(counts(10)).report_.temperature, 1)
        heated = small("LDA", rows_total=1000, temperature_start=3, method="annealing").fit(counts())
        self.assertGreater(heated.partial_fit(counts(10)).report_.temperature, 1)
        self.assertGreater(small("LDA", rows_total=1000).partial_fit(counts(10)).report_.temperature, 1)

    def test_series_and_arrays_of_documents(self):
        for documents in [["a", "b"], ["b"], ["b", "c", "a"]], [["a", "b"], ["b", "c"]]:
            for make in containers():
                held = make(documents)
                with self.subTest(type(held).__name__, rows=len(documents)):
                    expected = vtemper.LDA(2, random_state=0).fit(documents)
                    one = vtemper.LDA(2, random_state=0).fit(held)
                    self.assertEqual(list(one.feature_names_in_), ["a", "b", "c"])
                    np.testing.assert_array_equal(one.components_, expected.components_)
                    np.testing.assert_array_equal(one.transform(held), expected.transform(documents))
                    self.assertEqual(one.score(held), expected.score(documents))
                    self.assertEqual(one.pyldavis_data(held)["term_frequency"].tolist(),
                                     expected.pyldavis_data(documents)["term_frequency"].tolist())
                    fed = [vtemper.LDA(2, random_state=0, rows_total=9, method="svi").partial_fit(X).partial_fit(X) for X in (held, documents)]
                    np.testing.assert_array_equal(fed[0].components_, fed[1].components_)
        for make in containers():
            with self.assertRaisesRegex(ValueError, "document 0 is a string"):
                vtemper.LDA(2).fit(make(["the sun", "stars"]))

    def test_fractions_are_told_once(self):
        X = counts(dtype=np.float64) * 0.5
        with self.assertLogs("vtemper", "WARNING") as told:
            one = vtemper.LDA(3, random_state=0, max_passes=2).fit(X)
            one.transform(X)
        self.assertEqual(len(told.output), 1)
        self.assertIn("fractions", told.output[0])

    def test_minibatch_parameters_do_not_hinder_feeding(self):
        with self.assertLogs("vtemper", "WARNING") as told:
            vtemper.LDA(3, batch_size=7, restarts=2, random_state=0).partial_fit(counts())
        self.assertIn("rows_total is not given", told.output[0])

    def test_fits_that_have_not_converged_say_so(self):
        draws = np.random.RandomState(1)
        rows = draws.normal(size=(200, 3)) + 20 * draws.randint(2, size=(200, 1))
        with self.assertWarnsRegex(vtemper.VTemperWarning, "has not converged after 2 steps"):
            vtemper.GaussianMixture(2, method="vi", max_passes=2, random_state=1).fit(rows)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            vtemper.GaussianMixture(2, random_state=1).fit(rows)

    def test_a_fit_that_a_monitor_ends_goes_on(self):
        X = counts()
        whole = small("LDA", max_passes=4).fit(X)
        with self.assertWarnsRegex(vtemper.VTemperWarning, "hot"):
            part = small("LDA", max_passes=4, report_every=1).fit(X, monitor=lambda report: report.iteration == 5)
        self.assertEqual(part.n_iter_, 5)
        part.resume(2)
        self.assertEqual(part.n_iter_, 7)
        part.resume()
        np.testing.assert_array_equal(part.components_, whole.components_)
        with self.assertRaisesRegex(ValueError, "reached its end"):
            part.resume()

    def test_fed_runs_go_on_by_feeding_only(self):
        fed = small("LDA", rows_total=120).partial_fit(counts(10))
        for steps in None, 2:
            with self.assertRaisesRegex(vtemper.errors.StateError, "without data"):
                fed.resume(steps)
        self.assertEqual(fed.partial_fit(counts(10)).n_iter_, 2)
        self.assertIn("cannot be resumed", vtemper.LDA.resume.__doc__)

    def test_a_monitor_cannot_fit_its_own_estimator(self):
        one = small("LDA", report_every=1)
        for work in (lambda: one.fit(counts()), lambda: one.partial_fit(counts()), lambda: one.resume(1)):
            with self.assertRaisesRegex(RuntimeError, "this LDA is being fitted"), self.assertWarnsRegex(vtemper.VTemperWarning, "hot"):
                one.fit(counts(), monitor=lambda report: work())
            self.assertEqual(one.n_iter_, 1)
        copies = []
        one.fit(counts(), monitor=lambda report: copies.append(pickle.loads(pickle.dumps(one))))
        np.testing.assert_array_equal(copies[0].fit(counts()).components_, one.components_)

    def test_parameters(self):
        one = vtemper.LDA(4, alpha=0.1)
        self.assertEqual((one.get_params()["n_components"], one.get_params()["alpha"], one.get_params()["verbose"]), (4, 0.1, 0))
        self.assertEqual(one.set_params(n_components=2).fit(counts()).components_.shape, (2, 12))
        self.assertEqual(one.model_.options["alpha"], "0.1")
        for wrong, near in (("topics", "n_components"), ("k", "n_components"), ("K", "n_components"), ("n_topics", "n_components"),
                            ("num_topics", "n_components"), ("seed", "random_state"), ("batch_sise", "batch_size")):
            with self.assertRaisesRegex(TypeError, "%r; did you mean '%s'" % (wrong, near)):
                vtemper.LDA(**{wrong: 3})
        with self.assertRaisesRegex(vtemper.errors.OptionError, "method"):
            vtemper.LDA(method="nothing").fit(counts())

    def test_seeds_and_threads(self):
        X = counts()
        same = [small("LDA", n_jobs=jobs).fit(X).components_ for jobs in (None, 1, 2, -1)]
        for other in same[1:]:
            np.testing.assert_array_equal(same[0], other)
        states = [vtemper.LDA(3, random_state=state).fit(X).components_
                  for state in (np.random.RandomState(4), np.random.RandomState(4), np.random.default_rng(5))]
        np.testing.assert_array_equal(states[0], states[1])
        self.assertFalse(np.array_equal(states[0], states[2]))
        np.random.seed(3)
        first = vtemper.LDA(3).fit(X).components_
        np.random.seed(3)
        np.testing.assert_array_equal(first, vtemper.LDA(3).fit(X).components_)

    def test_weights_count_rows(self):
        X = points()
        twice = small("GaussianMixture").fit(X, sample_weight=np.full(len(X), 2.0))
        self.assertAlmostEqual(twice.parameters_["rows"].sum(), 2 * len(X))
        with self.assertRaisesRegex(ValueError, "expected"):
            small("GaussianMixture").fit(X, sample_weight=[1.0])

    def test_documents_help_and_html(self):
        one = small("LDA")
        self.assertIn("not fitted", one._repr_html_())
        self.assertIn("<td>lambda</td>", one.fit(themes())._repr_mimebundle_()["text/html"])
        self.assertIn("n_components : integer, default 100", vtemper.LDA.__doc__)
        self.assertIn("random_state : integer, RandomState, Generator or None, default None", vtemper.LDA.__doc__)
        self.assertIn("n_jobs : integer or None, default None", vtemper.LDA.__doc__)


class ProgressOfRuns(unittest.TestCase):
    def test_with_and_without_a_bar(self):
        import vtemper.progress
        bar = vtemper.progress._bar
        for chosen, shown in ((bar, "100%") if bar else (None, "step "), (None, "step ")):
            vtemper.progress._bar = chosen
            try:
                told = io.StringIO()
                with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()) as printed:
                    small("LDA", verbose=1).fit(counts())
                    small("LDA").fit(counts())
            finally:
                vtemper.progress._bar = bar
            self.assertIn(shown, told.getvalue())
            self.assertIn("temperature 1", told.getvalue())
            self.assertTrue(told.getvalue().endswith("\n"))
            self.assertEqual(printed.getvalue(), "")


class Topics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.topics = vtemper.LDA(3, random_state=0).fit(themes())

    def test_words(self):
        found = sorted(sorted(row) for row in self.topics.top_words(4))
        self.assertEqual(found, sorted(sorted(WORDS[start:start + 4]) for start in (0, 4, 8)))
        self.assertEqual(len(self.topics.top_words(5, "relevance:0.3")[0]), 5)
        self.assertEqual(self.topics.coherence(themes()).shape, (3,))
        self.assertEqual(self.topics.coherence(measure="topic_diversity", top_words=4).tolist(), [1.0] * 3)
        np.testing.assert_allclose(self.topics.topic_words().sum(axis=1), 1)
        self.assertEqual({topic for topic, _ in self.topics.similar(1)}, {0, 2})

    def test_topic_map(self):
        """Classical scaling written out, up to the signs of the axes."""
        p = self.topics.topic_words()

        def entropy(q):
            return -np.sum(q * np.log(np.where(q > 0, q, 1)), axis=-1)

        divergence = entropy((p[:, None] + p) / 2) - (entropy(p)[:, None] + entropy(p)) / 2
        centring = np.eye(3) - 1 / 3
        for by, squares in (("distance", divergence), ("divergence", divergence ** 2)):
            values, vectors = np.linalg.eigh(-centring @ squares @ centring / 2)
            expected = vectors[:, [2, 1]] * np.sqrt(np.maximum(values[[2, 1]], 0))
            places = self.topics.topic_map(by)
            np.testing.assert_allclose(np.abs(places), np.abs(expected), atol=1e-5)
            self.assertTrue(all(axis[np.argmax(np.abs(axis))] > 0 for axis in places.T))
        with self.assertRaises(ValueError):
            self.topics.topic_map("beauty")

    def test_documents(self):
        documents = themes(9, seed=5)
        proportions = self.topics.transform(documents)
        np.testing.assert_allclose(proportions.sum(axis=1), 1)
        np.testing.assert_array_equal(self.topics.predict(documents), proportions.argmax(axis=1))
        with self.assertLogs("vtemper", "WARNING"):
            self.topics.transform([["sun", "unheard"]])
        prepared = self.topics.pyldavis_data(documents)
        self.assertEqual(prepared["doc_lengths"].tolist(), [25] * 9)
        self.assertEqual((prepared["topic_term_dists"].shape, prepared["vocab"]), ((3, 12), sorted(WORDS)))
        self.assertEqual(prepared["term_frequency"].sum(), 225)

    def test_texts_are_not_documents(self):
        with self.assertRaisesRegex(ValueError, "document 0 is a string"):
            vtemper.LDA(2).fit(["the sun and the moon", "stars"])
        arrays = [np.array(document) for document in themes(9)]
        np.testing.assert_array_equal(self.topics.transform(arrays), self.topics.transform(themes(9)))

    def test_frames(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = self.topics.topics_frame(4)
        self.assertEqual((list(frame.columns), len(frame)), (["topic", "rank", "word", "score"], 12))
        for one in vtemper.LDA(2), vtemper.GaussianMixture(2):
            with self.assertRaisesRegex(ValueError, "Expected 2D array, got 1D array"):
                one.fit(pandas.Series([1, 2]))
        X = pandas.DataFrame(counts().toarray(), columns=WORDS)
        one = small("LDA").fit(X)
        self.assertEqual(list(one.feature_names_in_), WORDS)
        with self.assertRaisesRegex(ValueError, "same order"):
            one.transform(X[WORDS[::-1]])

    def test_bound_to_held_out_rows(self):
        one = vtemper.LDA(3, random_state=0, report_every=1)
        curve = vtemper.HeldOut(one, themes(20, seed=9))
        one.fit(themes(), monitor=curve)
        self.assertGreater(curve.scores[-1], curve.scores[0])
        self.assertEqual(curve.scores[-1], one.score(themes(20, seed=9)))


class Mixtures(unittest.TestCase):
    def test_clusters(self):
        X = points()
        one = vtemper.GaussianMixture(3, random_state=1, restarts=5).fit(X)
        labels = one.predict(X)
        self.assertEqual(len({tuple(labels[start::3]) for start in range(3)}), 3)
        self.assertTrue(all(len(set(labels[start::3])) == 1 for start in range(3)))
        np.testing.assert_allclose(one.predict_proba(X).sum(axis=1), 1)
        self.assertEqual(one.score_samples(X).shape, (90,))
        rows, drawn = one.sample(3000, random_state=0)
        for k in range(3):
            np.testing.assert_allclose(rows[drawn == k].mean(axis=0), one.means_[k], atol=0.3)
        for precision, covariance in zip(one.precisions_, one.covariances_):
            np.testing.assert_allclose(precision @ covariance, np.eye(2), atol=1e-9)

    def test_missing_values_are_completed(self):
        X = points()
        one = vtemper.GaussianMixture(3, random_state=1, restarts=5).fit(X)
        holes = X.copy()
        holes[1, 1] = np.nan  # the other value tells the cluster
        completed = one.complete(holes)
        here = ~np.isnan(holes)
        np.testing.assert_array_equal(completed[here], X[here])
        self.assertLess(abs(completed[1, 1] - one.means_[one.predict(X)[1], 1]), 1)
        np.testing.assert_allclose(one.complete(np.full((1, 2), np.nan))[0], one.weights_ @ one.means_)
        answers = np.array([[1, 0], [0, 1]] * 20, dtype=float)
        classes = vtemper.BernoulliMixture(2, random_state=1).fit(answers)
        probability = classes.complete([[1, np.nan]])[0, 1]
        self.assertTrue(0 < probability < 0.2)
        self.assertEqual(set(classes.predict(answers[::2])) & set(classes.predict(answers[1::2])), set())


class WithoutScikitLearn(unittest.TestCase):
    def test_everything_else_works(self):
        program = ("import sys\n"
                   "for name in 'sklearn', 'pandas', 'matplotlib', 'tqdm': sys.modules[name] = None\n"
                   "import unittest, test_estimators, test_sequences\n"
                   "from vtemper.plain import HAS_SKLEARN\n"
                   "assert not HAS_SKLEARN\n"
                   "names = ['test_estimators.EveryKind', 'test_estimators.Topics', 'test_estimators.Mixtures', 'test_sequences']\n"
                   "tests = unittest.defaultTestLoader.loadTestsFromNames(names)\n"
                   "sys.exit(not unittest.TextTestRunner(verbosity=0).run(tests).wasSuccessful())\n")
        done = subprocess.run([sys.executable, "-c", program], cwd=os.path.dirname(os.path.abspath(__file__)), check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
