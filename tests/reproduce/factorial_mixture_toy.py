"""The factorial mixture on hand-made 4 x 4 shapes: Mandt 2016, Figures 3 (left) and 4.

    VTEMPER_LIBRARY=... python3 factorial_mixture_toy.py [--svg FILE] [--rows 10000] [--starts 20] [--seed 1]

Eight shapes, each times a uniform draw from [0.5, 1]; activation probability 0.3, noise variance 0.1, prior variance of
the means 0.35 (read as variances: under the reading as standard deviations no method finds the shapes). Every start of
every method sees the same rows and the same seed. A shape is found where some component is within 0.1 of it (root mean
square). Needs numpy; the picture needs matplotlib.
"""
import argparse
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

SHAPES = ("1000100010001000", "1111000000000000", "0000000011001100", "1001000000001001",
          "0000011001100000", "0001001001001000", "0100111001000000", "0000000000001111")
MODEL = {"components": 8, "noise_variance": 0.1, "mean_variance": 0.35, "activation_probability": 0.3}
METHODS = (("vi", {"method": "vi"}),
           ("annealing, 10 steps", {"method": "annealing", "temperature_start": 10, "temperature_steps": 10}),
           ("annealing, 100 steps", {"method": "annealing", "temperature_start": 10, "temperature_steps": 100}),
           ("tempering", {"method": "tempering", "temperature_max": 10}),
           ("local_tempering", {"method": "local_tempering", "temperature_max": 10}),
           ("entropy_annealing", {"method": "entropy_annealing", "temperature_start": 10}),
           ("stochastic_annealing", {"method": "stochastic_annealing"}))


def draw(rows, seed):
    random = np.random.RandomState(seed)
    means = np.array([[float(pixel) for pixel in shape] for shape in SHAPES]) * random.uniform(0.5, 1, (8, 1))
    active = random.rand(rows, 8) < MODEL["activation_probability"]
    return active @ means + np.sqrt(MODEL["noise_variance"]) * random.randn(rows, 16), means


def found(model, means):
    components = library.parameter(model, "mean", 8, 16)
    return sum(np.sqrt(((components - shape) ** 2).mean(1)).min() < 0.1 for shape in means)


def fit(data, seed, settings):
    model = library.model("factorial_mixture", **MODEL)
    report = library.run(library.optimizer(model, data, seed=seed, threads=1, **settings))
    return model, report


def fit_from_truth(data, means):
    model = library.model("factorial_mixture", **MODEL)
    library.initialize(model, data, 0)
    library.set_parameter(model, "mean", means)
    library.set_parameter(model, "mean.variance", np.full(8, 1e-4))
    return library.run(library.optimizer(model, data, method="vi", threads=1)).elbo


def picture(path, scores, shown, means):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure = pyplot.figure(figsize=(12, 4.6), constrained_layout=True)
    left, right = figure.subfigures(1, 2, width_ratios=(1, 1.3))
    axes = left.subplots()
    axes.boxplot(list(scores.values()), vert=False)
    axes.set_yticklabels(list(scores))
    axes.locator_params(axis="x", nbins=4)
    axes.set_xlabel("ELBO at T = 1")
    panels = right.subplots(len(shown) + 1, 8)
    for line, (name, components) in zip(panels, list(shown.items()) + [("truth", means)]):
        for panel, component in zip(line, components):
            panel.imshow(component.reshape(4, 4), cmap="gray_r", vmin=0, vmax=1)
            panel.set(xticks=[], yticks=[])
        line[0].set_ylabel(name, rotation=0, ha="right", va="center")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--svg", default="factorial_mixture_toy.svg")
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the rows")
    arguments = parser.parse_args()

    rows, means = draw(arguments.rows, arguments.seed)
    data = library.dense(rows)
    print("Claim (Mandt 2016, section 4, Figures 3 and 4): annealing and tempering reach better ELBOs at T = 1 than vi and\n"
          "find the shapes, where vi is stuck in poor optima.\n")
    print("%d rows (seed %d), %d starts; ELBO from the true means: %.0f\n"
          % (arguments.rows, arguments.seed, arguments.starts, fit_from_truth(data, means)))
    print("| method | median ELBO | least | most | shapes found, mean of 8 | starts with all 8 | better than vi | steps |\n"
          "|---|---|---|---|---|---|---|---|")
    scores, shapes, shown = {}, {}, {}
    for name, settings in METHODS:
        runs = [fit(data, seed, settings) for seed in range(1, arguments.starts + 1)]
        scores[name] = [report.elbo for _, report in runs]
        shapes[name] = [found(model, means) for model, _ in runs]
        if name in ("vi", "tempering"):
            middle = np.argsort(scores[name])[len(runs) // 2]
            shown[name] = library.parameter(runs[middle][0], "mean", 8, 16)
        print("| %s | %.0f | %.0f | %.0f | %.1f | %d | %d | %.0f |" % (
            name, np.median(scores[name]), min(scores[name]), max(scores[name]), np.mean(shapes[name]),
            sum(n == 8 for n in shapes[name]), np.sum(np.array(scores[name]) > scores["vi"]),
            np.mean([report.iteration for _, report in runs])), flush=True)
    picture(arguments.svg, scores, shown, means)
    holds = [name for name in scores if name != "vi"
             and np.sum(np.array(scores[name]) > scores["vi"]) >= 0.9 * arguments.starts]
    print("\nVerdict: better than vi from at least nine starts in ten: %s. vi found all shapes from %d of %d starts."
          % (", ".join(holds) or "none", sum(n == 8 for n in shapes["vi"]), arguments.starts))


if __name__ == "__main__":
    main()
