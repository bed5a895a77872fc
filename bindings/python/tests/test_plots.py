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


if __name__ == "__main__":
    unittest.main()
