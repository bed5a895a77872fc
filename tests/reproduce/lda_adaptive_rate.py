"""The adaptive step size against fixed ones: Ranganath 2013, Figure 2.

    python3 lda_adaptive_rate.py --data FOLDER [--sets arxiv_pre2007 ...] [--topics 100] [--batch 100] [--seeds 3]
                                 [--passes 2] [--temperature none] [--documents N] [--test-documents N] [--svg FILE]

Stochastic inference at T = 1 with full variational Bayes (topic_posterior dirichlet): rho = (delay + t)^-power for a grid of
delays and powers and the default, against the adaptive step size with both metrics. The curves are mean held-out log
probabilities per token (document completion, nats) against documents seen, the initial averages included; the best fixed
setting is the one with the best mean at the end. --documents and --test-documents take that many random documents (0: all).
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

FIXED = {"default": {}}
FIXED.update({"delay %d, power %s" % (delay, power): {"step_size_delay": delay, "step_size_power": power}
              for delay in (64, 1024) for power in ("0.5", "0.7", "0.9")})
ADAPTIVE = {"adaptive, %s" % metric: {"step_size": "adaptive", "step_size_metric": metric}
            for metric in ("identity", "fisher")}
SETTINGS = dict(FIXED, **ADAPTIVE)
POINTS = 6


def fit(train, halves, settings, seed, arguments):
    model = library.model(topics=arguments.topics, topic_posterior="dirichlet")
    optimizer = library.optimizer(model, train, method="svi", temperature=arguments.temperature, seed=seed,
                                  batch_size=arguments.batch, threads=arguments.threads,
                                  max_passes=arguments.passes, **settings)
    steps = int(arguments.passes * library.rows(train)) // arguments.batch
    curve, done = [], 0
    for point in range(1, POINTS + 1):
        target = steps * point // POINTS
        report = library.step(optimizer, target - done)
        done = target
        curve.append((report.rows_seen, library.evaluate(model, *halves)))
    return curve


def mean_curve(runs):
    return [(points[0][0], sum(p[1] for p in points) / len(points)) for points in zip(*runs)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["arxiv_pre2007", "simplewiki", "debian_desc", "newsgroups20"])
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--passes", type=float, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--temperature", default="none")
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--test-documents", type=int, default=0)
    parser.add_argument("--svg")
    arguments = parser.parse_args()

    print(library.build_info())
    print("topics %d, batch %d, %g passes, %d seeds, temperature %s" % (
        arguments.topics, arguments.batch, arguments.passes, arguments.seeds, arguments.temperature))
    print("| set | step size | mean at the end | range | best on its path |")
    print("|---|---|---|---|---|", flush=True)
    curves = {}
    for name in arguments.sets:
        train, halves = library.text_set(arguments.data, name, arguments.documents, arguments.test_documents)
        for label, settings in SETTINGS.items():
            runs = [fit(train, halves, settings, seed, arguments) for seed in range(1, arguments.seeds + 1)]
            curve = curves[name, label] = mean_curve(runs)
            last = [run[-1][1] for run in runs]
            print("| %s | %s | %.3f | %.3f | %.3f |" % (
                name, label, curve[-1][1], max(last) - min(last), max(score for _, score in curve)), flush=True)

    print("\nClaim of the paper: the adaptive rate does as well as or better than the best fixed one.")
    for name in arguments.sets:
        best = max(FIXED, key=lambda label: curves[name, label][-1][1])
        for label in ADAPTIVE:
            print("- %s: %s - best fixed (%s) = %+.3f; - default = %+.3f" % (
                name, label, best, curves[name, label][-1][1] - curves[name, best][-1][1],
                curves[name, label][-1][1] - curves[name, "default"][-1][1]))
    if arguments.svg:
        draw(curves, arguments.sets, arguments.svg)


def draw(curves, sets, path):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, len(sets), figsize=(4 * len(sets), 3.2), squeeze=False)
    for axis, name in zip(axes[0], sets):
        best = max(FIXED, key=lambda label: curves[name, label][-1][1])
        for label in dict.fromkeys(["default", best] + list(ADAPTIVE)):
            axis.plot(*zip(*curves[name, label]), marker="o", markersize=3, label=label)
        axis.set_title(name)
        axis.set_xlabel("documents seen")
        axis.set_ylabel("held-out log probability per token")
        axis.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    main()
