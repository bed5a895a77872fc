"""The factorial mixture on faces: Mandt 2016, Figure 3 (middle: held-out log likelihood, right: temperature).

    VTEMPER_LIBRARY=... python3 factorial_mixture_faces.py --data DATA [--set yaleb10] [--components 16]
                        [--starts 3] [--passes 150] [--svg FILE] [--faces FILE.svg]

DATA/<set>/{train,test}-images.idx.gz, standardised by the mean and deviation of all training pixels; noise variance =
mean variance = 0.5 and annealing from T = 6 over 5 and 50 steps as in the paper, and from the library's own start, which
was not chosen on faces; tempering with the library's own grid.
The score is the mean log density of a held-out pixel given the other half of its image (halves drawn with seed 1), at
T = 1. All methods share the starts. Needs numpy; the pictures need matplotlib.
"""
import argparse
import gzip
import os
import struct
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

METHODS = (("vi", {"method": "vi"}),
           ("annealing, 5 steps", {"method": "annealing", "temperature_start": 6, "temperature_steps": 5}),
           ("annealing, 50 steps", {"method": "annealing", "temperature_start": 6, "temperature_steps": 50}),
           ("annealing, default", {"method": "annealing"}),
           ("tempering", {"method": "tempering"}),
           ("local_tempering", {"method": "local_tempering"}))


def images(path):
    with gzip.open(path) as file:
        content = file.read()
    size = struct.unpack(">3I", content[4:16])
    return np.frombuffer(content, np.uint8, offset=16).reshape(size).astype(float)


def halves(rows, seed):
    mask = np.random.RandomState(seed).rand(*rows.shape) < 0.5
    return library.dense(np.where(mask, rows, np.nan)), library.dense(np.where(mask, np.nan, rows))


def fit(data, test, components, seed, settings, passes, every):
    model = library.model("factorial_mixture", components=components, noise_variance=0.5, mean_variance=0.5,
                          local_iterations=20)
    optimizer = library.optimizer(model, data, seed=seed, threads=1, max_passes=passes, tolerance=0, elbo_every=10,
                                  **settings)
    curve = []
    for step in range(0, passes, every):
        report = library.step(optimizer, every)
        curve.append((report.iteration, library.evaluate(model, *test), report.temperature, report.elbo))
    return model, curve, report


def pictures(arguments, curves, shown, shape):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, (middle, right) = pyplot.subplots(1, 2, figsize=(11, 4), constrained_layout=True)
    for name, runs in curves.items():
        steps = [point[0] for point in runs[0]]
        line, = middle.plot(steps, np.mean([[point[1] for point in run] for run in runs], 0), label=name)
        right.plot(steps, np.mean([[point[2] for point in run] for run in runs], 0), color=line.get_color())
    middle.set(xlabel="iteration", ylabel="held-out log density per pixel (nats)")
    right.set(xlabel="iteration", ylabel="temperature", yscale="log")
    middle.legend()
    figure.savefig(arguments.svg)
    figure, panels = pyplot.subplots(2, 8, figsize=(11, 3.4), constrained_layout=True)
    for panel, component in zip(panels.flat, shown):
        panel.imshow(component.reshape(shape), cmap="gray")
        panel.set(xticks=[], yticks=[])
    figure.suptitle("components of annealing, 50 steps")
    figure.savefig(arguments.faces, dpi=60)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", default="yaleb10")
    parser.add_argument("--components", type=int, default=16)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--passes", type=int, default=150)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--svg", default="factorial_mixture_faces.svg")
    parser.add_argument("--faces", default="factorial_mixture_components.svg")
    arguments = parser.parse_args()

    train = images(os.path.join(arguments.data, arguments.set, "train-images.idx.gz"))
    test = images(os.path.join(arguments.data, arguments.set, "test-images.idx.gz"))
    shape, mean, deviation = train.shape[1:], train.mean(), train.std()
    train, test = [((part - mean) / deviation).reshape(len(part), -1) for part in (train, test)]
    data, test = library.dense(train), halves(test, 1)

    print("Claim (Mandt 2016, section 4, Figure 3): on faces annealing and tempering predict held-out pixels better than\n"
          "vi, and tempering comes close to the best linear schedule.\n")
    print("%s, %d images of %d x %d, K = %d, %d starts, %d steps; standard deviation of a pixel: 1\n" % (
        arguments.set, len(train), shape[0], shape[1], arguments.components, arguments.starts, arguments.passes))
    print("| method | held-out, mean | least | most | better than vi | ELBO, mean | unused | first temperatures |\n"
          "|---|---|---|---|---|---|---|---|")
    curves, shown = {}, None
    for name, settings in METHODS:
        runs = [fit(data, test, arguments.components, seed, settings, arguments.passes, arguments.every)
                for seed in range(1, arguments.starts + 1)]
        curves[name] = [curve for _, curve, _ in runs]
        last = [curve[-1][1] for curve in curves[name]]
        of_vi = [curve[-1][1] for curve in curves["vi"]]
        if name == "annealing, 50 steps":
            shown = library.parameter(runs[0][0], "mean", arguments.components, train.shape[1])
        print("| %s | %.4f | %.4f | %.4f | %d | %.0f | %.1f | %s |" % (
            name, np.mean(last), min(last), max(last), np.sum(np.array(last) > of_vi),
            np.mean([curve[-1][3] for curve in curves[name]]),
            np.mean([report.unused_components for _, _, report in runs]),
            " ".join("%.2f" % point[2] for point in curves[name][0][:4])), flush=True)
    pictures(arguments, curves, shown, shape)
    final = {name: np.mean([curve[-1][1] for curve in runs]) for name, runs in curves.items()}
    print("\nVerdict, held-out nats per pixel against vi: " + ", ".join(
        "%s %+.4f" % (name, final[name] - final["vi"]) for name in final if name != "vi"))


if __name__ == "__main__":
    main()
