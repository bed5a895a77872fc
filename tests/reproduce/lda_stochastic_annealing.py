"""The evidence bound against the number of topics, batch inference: Gultekin 2015, Figure 1.

    python3 lda_stochastic_annealing.py --data FOLDER [--sets arxiv_3800 ...] [--topics 10 25 50] [--starts 10]
                                        [--steps 80] [--documents 500] [--svg FILE] [METHOD[:NAME=VALUE,...] ...]

As in the paper: full variational Bayes (topic_posterior dirichlet), alpha = 1/K, eta = 100/V, steps over all rows. T falls
linearly from 5 to 1, and r_t = 0.9^t, within the first 50 steps; the remaining steps are plain. Every start is one seed,
shared by the methods. The bound (report field elbo, at T = 1) is given per token in nats; higher is better. --documents takes
that many random training documents of every set (0: all). The figure shows means and ranges over the starts.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

SCHEDULE = "temperature_start=5,temperature_shape=linear,temperature_steps=50"
METHODS = ["vi", "annealing:" + SCHEDULE, "entropy_annealing:" + SCHEDULE, "stochastic_annealing"]


def parse_settings(text):
    return dict(item.split("=", 1) for item in text.split(",") if item)


def fit(data, topics, method, settings, seed, arguments):
    model = library.model(topics=topics, topic_posterior="dirichlet", eta=100.0 / library.columns(data))
    optimizer = library.optimizer(model, data, method=method, seed=seed, batch_size=0, threads=arguments.threads,
                                  max_iterations=arguments.steps, tolerance="0", **settings)
    return library.run(optimizer).elbo


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    return (sum((v - mean(values)) ** 2 for v in values) / max(len(values) - 1, 1)) ** 0.5


def draw(results, sets, topics, names, path):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, len(sets), figsize=(4 * len(sets), 3.2), squeeze=False)
    for axis, name in zip(axes[0], sets):
        for method in names:
            scores = [results[name, k, method] for k in topics]
            middle = [mean(s) for s in scores]
            below = [m - min(s) for m, s in zip(middle, scores)]
            above = [max(s) - m for m, s in zip(middle, scores)]
            axis.errorbar(topics, middle, yerr=[below, above], label=method, capsize=3, marker="o", markersize=3)
        axis.set_title(name)
        axis.set_xlabel("topics K")
        axis.set_ylabel("bound per token (nats)")
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["arxiv_3800", "poliblog5k", "nips_v2200"])
    parser.add_argument("--topics", type=int, nargs="+", default=[10, 25, 50])
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--svg")
    parser.add_argument("methods", nargs="*", default=METHODS)
    arguments = parser.parse_args()
    methods = [entry.partition(":")[::2] for entry in arguments.methods]
    names = [name for name, _ in methods]

    print(library.build_info())
    print("%d starts, %d steps; mean bound per token (standard deviation over the starts)"
          % (arguments.starts, arguments.steps))
    print("| set | documents | K | " + " | ".join(names) + " |")
    print("|---|---|---|" + "---|" * len(names), flush=True)
    results = {}
    for name in arguments.sets:
        data = library.read_data(os.path.join(arguments.data, name, "train.ldac.gz"))
        if 0 < arguments.documents < library.rows(data):
            _, data = library.split(data, arguments.documents / library.rows(data), 1)
        tokens = library.total(data)
        for topics in arguments.topics:
            for method, settings in methods:
                results[name, topics, method] = [
                    fit(data, topics, method, parse_settings(settings), seed, arguments) / tokens
                    for seed in range(1, arguments.starts + 1)]
            print("| %s | %d | %d | %s |" % (name, library.rows(data), topics, " | ".join(
                "%.3f (%.3f)" % (mean(results[name, topics, m]), deviation(results[name, topics, m])) for m in names)),
                  flush=True)

    def wins(better, worse):
        pairs = [(a, b) for key in results if key[2] == better
                 for a, b in zip(results[key], results[key[0], key[1], worse])]
        cells = [mean(results[key]) > mean(results[key[0], key[1], worse]) for key in results if key[2] == better]
        return "%d of %d starts, %d of %d means" % (sum(a > b for a, b in pairs), len(pairs), sum(cells), len(cells))

    if set(names) >= {"vi", "entropy_annealing", "stochastic_annealing"}:
        print("\nClaims of the paper, and in how many starts (paired by seed) and means they hold:")
        print("- deterministic annealing beats plain inference: %s" % wins("entropy_annealing", "vi"))
        print("- stochastic annealing beats plain inference: %s" % wins("stochastic_annealing", "vi"))
        print("- deterministic annealing beats stochastic annealing: %s"
              % wins("entropy_annealing", "stochastic_annealing"))
        for method in names:
            best = ["%s %d" % (name, max(arguments.topics, key=lambda k: mean(results[name, k, method])))
                    for name in arguments.sets]
            print("- K of the best bound, %s: %s" % (method, ", ".join(best)))
    if arguments.svg:
        draw(results, arguments.sets, arguments.topics, names, arguments.svg)


if __name__ == "__main__":
    main()
