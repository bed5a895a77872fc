"""Pictures have labels and show what was fitted."""
import unittest

import numpy as np

import vtemper
from corpus import points, themes, walks

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot
except ImportError:
    raise unittest.SkipTest("matplotlib is not installed") from None
from vtemper import plot


class Pictures(unittest.TestCase):
    def tearDown(self):
        matplotlib.pyplot.close("all")

    def labels(self, ax, x, y):
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), (x, y))
        ax.figure.canvas.draw()

    def test_runs(self):
        one = vtemper.LDA(3, random_state=0, report_every=1, elbo_every=2)
        curve = vtemper.HeldOut(one, themes(20, seed=1))
        one.fit(themes(), monitor=curve)
        ax = plot.objective(one)
        self.labels(ax, "passes over the rows", "objective (nats), of minibatches")
        self.assertEqual(ax.lines[0].get_linestyle(), "None")
        self.assertTrue(np.isfinite(ax.lines[0].get_ydata()).all())
        self.labels(plot.temperature(one), "passes over the rows", "temperature")
        self.labels(plot.heldout(curve), "passes over the rows", "held-out predictive (nats)")
        self.labels(plot.sizes(one), "component", "tokens")
        ax = plot.words(one, 1, 4)
        self.labels(ax, "probability", "word")
        self.assertEqual([text.get_text() for text in ax.get_yticklabels()], one.top_words(4)[1])
        for wrong in -1, len(one.components_):
            with self.assertRaisesRegex(vtemper.errors.ArgumentError, "argument topic is %d; it must lie between 0 and" % wrong):
                plot.words(one, wrong)
        ax = plot.words(one, 1, 4, "relevance")  # logarithms: no bars, of which the best would be the shortest
        self.labels(ax, "relevance", "word")
        self.assertEqual((len(ax.patches), len(ax.lines[0].get_xdata())), (0, 4))
        with self.assertRaisesRegex(ValueError, "elbo_every"):
            plot.objective(vtemper.LDA(3, random_state=0).fit(themes()))

    def test_models(self):
        clusters = vtemper.GaussianMixture(3, random_state=1, restarts=5).fit(points())
        ax = plot.components(clusters, points())
        self.labels(ax, "column 0", "column 1")
        self.assertEqual(len(ax.patches), 3)
        self.labels(plot.objective(clusters), "passes over the rows", "objective (nats)")
        states = vtemper.HiddenMarkov(2, random_state=0).fit(walks())
        self.labels(plot.states(states), "next state", "state")
        self.labels(plot.emissions(states), "symbol", "state")
        images = plot.images(vtemper.FactorialMixture(3, random_state=0).fit(np.repeat(points(), 2, axis=1)), (2, 2))
        self.assertEqual(sum(len(ax.images) for ax in images.axes), 3)

    def test_kinds_without_what_is_shown(self):
        clusters = vtemper.GaussianMixture(3, random_state=1).fit(points())
        states = vtemper.HiddenMarkov(2, random_state=0).fit(walks())
        before = matplotlib.pyplot.get_fignums()
        for picture, estimator, missing in ((plot.states, clusters, "transmat_, which a GaussianMixture"),
                                            (plot.emissions, clusters, "emissionprob_, which a GaussianMixture"),
                                            (lambda one: plot.words(one, 0), clusters, "top_words, which a GaussianMixture"),
                                            (plot.components, states, "means_, which a HiddenMarkov")):
            with self.assertRaisesRegex(ValueError, missing):
                picture(estimator)
        self.assertEqual(matplotlib.pyplot.get_fignums(), before)

    def test_wrong_arguments(self):
        one = vtemper.LDA(3, max_passes=2, random_state=0).fit(themes())
        columns = one.n_features_in_
        before = matplotlib.pyplot.get_fignums()
        for picture in (plot.objective, plot.temperature, plot.sizes, plot.components, plot.states, plot.emissions,
                        lambda wrong: plot.words(wrong, 0), lambda wrong: plot.images(wrong, (1, columns))):
            for wrong, kind in ((3, "int"), (None, "NoneType"), (one.model_, "Model")):
                with self.assertRaisesRegex(TypeError, "argument estimator is a %s; plot.[a-z]+ draws a fitted estimator" % kind):
                    picture(wrong)
        for picture, kind in ((plot.objective, "LDA"), (plot.sizes, "LDA"), (plot.components, "GaussianMixture"),
                              (plot.states, "HiddenMarkov"), (lambda wrong: plot.images(wrong, (1, columns)), "LDA")):
            with self.assertRaisesRegex(vtemper.plain.NotFittedError, "This %s instance is not fitted yet" % kind):
                picture(getattr(vtemper, kind)(3))
        with self.assertRaisesRegex(TypeError, "argument curve is a LDA; plot.heldout draws a HeldOut monitor"):
            plot.heldout(one)
        with self.assertRaisesRegex(ValueError, "the trace has no 'loss'; it has .*elbo"):
            plot.objective(one, "loss")
        loaded = vtemper.estimator.of_model(one.model_)
        with self.assertRaisesRegex(ValueError, "this LDA has no trace: it was loaded, not fitted"):
            plot.temperature(loaded)
        square = "argument shape is %s; it must be a height and a width, in colour also 3 or 4, of " + "%d numbers in all" % columns
        for shape, shown in (((5, 7), r"\(5, 7\)"), (3, "3"), (None, "None"), ("ab", "'ab'"), ((-1, 3), r"\(-1, 3\)")):
            with self.assertRaisesRegex(ValueError, square % shown):
                plot.images(one, shape)
        images = plot.images(one, (2, 2, 3), np.linspace(0, 1, 24).reshape(2, 12))
        self.assertEqual(images.axes[0].images[0].get_array().shape, (2, 2, 3))
        matplotlib.pyplot.close(images)
        network = vtemper.VariationalAutoencoder(2, max_passes=1, random_state=0).fit(np.eye(4))
        with self.assertRaisesRegex(ValueError, "components_, which a VariationalAutoencoder does not have: give rows"):
            plot.images(network, (2, 2))
        for rows in [], themes()[0], "x":
            with self.assertRaisesRegex(ValueError, "argument rows must hold rows of pixels"):
                plot.images(one, (1, columns), rows)
        with self.assertRaisesRegex(vtemper.errors.ArgumentError, "argument columns is 0; it must lie between 1 and"):
            plot.images(one, (1, columns), columns=0)
        self.assertEqual(matplotlib.pyplot.get_fignums(), before)


if __name__ == "__main__":
    unittest.main()
