"""Held-out predictive and temperature by passes: Mandt 2016, Figure 2 and its comparison of methods.

    python3 lda_tempering.py --data FOLDER [--sets debian_desc ...] [--topics 100 500] [--seeds 3] [--passes 6]
                             [--posterior dirichlet] [--documents N] [--test-documents N] [--svg FILE] [--resume FILE]

The paper's model is full variational Bayes (topic_posterior dirichlet); --posterior point shows the library's default.
Methods: svi; annealing from T = 4 to 1 within 1 %, 10 %, 50 % of the run and the default's length; tempering;
local_tempering. Claims of the paper: (1) annealing ends above svi, (2) slower annealing above faster, (3) tempering, which
needs no schedule, is as good as the best annealing (here: within 0.02), (4) local tempering is above tempering.
Held-out log probability per token (nats) of the test documents, which are split in halves once (seed 1); means over the
seeds, with their range. --documents and --test-documents take that many random documents (0: all). With --resume finished
runs are kept in FILE, one line each, and not run again.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

METHODS = [
    ("svi", dict(method="svi")),
    ("annealing 1 %", dict(method="annealing", temperature_start=4, share=0.01)),
    ("annealing 10 %", dict(method="annealing", temperature_start=4, share=0.1)),
    ("annealing 50 %", dict(method="annealing", temperature_start=4, share=0.5)),
    ("annealing", dict(method="annealing", temperature_start=4)),
    ("tempering", dict(method="tempering")),
    ("local_tempering", dict(method="local_tempering")),
]
POINTS = 12  # of a curve
AS_GOOD = 0.02


def fit(train, halves, topics, posterior, settings, seed, passes):
    """(passes, score, T) during the run."""
    settings = dict(settings)
    if "share" in settings:
        settings["temperature_passes"] = settings.pop("share") * passes
    model = library.model(topics=topics, topic_posterior=posterior)
    optimizer = library.optimizer(model, train, seed=seed, threads=1, max_passes=passes, **settings)
    steps = int(-(-passes * library.rows(train) // max(1, min(1000, max(10, library.rows(train) // 100)))))
    curve, done = [], 0
    for point in range(1, POINTS + 1):
        target = steps * point // POINTS
        report = library.step(optimizer, target - done)
        done = target
        curve.append((report.passes, library.evaluate(model, *halves), report.temperature))
    return curve


def mean(values):
    return sum(values) / len(values)


def draw(curves, path):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    panels = sorted({(name, topics) for name, topics, _ in curves})
    figure, axes = plt.subplots(2, len(panels), figsize=(3.6 * len(panels), 6), squeeze=False, sharex="col")
    for column, (name, topics) in enumerate(panels):
        for label, _ in METHODS:
            runs = curves.get((name, topics, label))
            if not runs:
                continue
            length = min(map(len, runs))
            passes = [runs[0][i][0] for i in range(length)]
            axes[0][column].plot(passes, [mean([run[i][1] for run in runs]) for i in range(length)], label=label)
            axes[1][column].plot(passes, [mean([run[i][2] for run in runs]) for i in range(length)], label=label)
        axes[0][column].set_title("%s, K = %d" % (name, topics))
        axes[1][column].set_xlabel("passes")
    axes[0][0].set_ylabel("held-out log probability (nats)")
    axes[1][0].set_ylabel("temperature")
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path)


def verdict(holds):
    return "holds" if holds else "does not hold"


def judge(finals):
    """Text about the paper's claims for one panel; finals: label -> final scores by seed."""
    middle = {label: mean(scores) for label, scores in finals.items()}
    annealed = [middle[label] for label, _ in METHODS if label.startswith("annealing")]
    slow = [middle["annealing 1 %"], middle["annealing 10 %"], middle["annealing 50 %"]]
    gaps = [t - a for t, a in zip(finals["local_tempering"], finals["tempering"])]
    return "; ".join([
        "(1) annealing over svi %+.3f: %s" % (middle["annealing"] - middle["svi"],
                                             verdict(middle["annealing"] > middle["svi"])),
        "(2) slower over faster %s: %s" % (" < ".join("%.3f" % s for s in slow), verdict(slow == sorted(slow))),
        "(3) tempering over best annealing %+.3f: %s" % (middle["tempering"] - max(annealed),
                                                        verdict(middle["tempering"] > max(annealed) - AS_GOOD)),
        "(4) local over global tempering %+.3f (%+.3f to %+.3f): %s" % (mean(gaps), min(gaps), max(gaps),
                                                                      verdict(mean(gaps) > 0)),
    ])


def finished_runs(path):
    runs = {}
    if path and os.path.exists(path):
        with open(path) as lines:
            for line in lines:
                key, _, values = line.rstrip("\n").partition("\t")
                runs[key] = [tuple(map(float, point.split(","))) for point in values.split(" ")]
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["debian_desc", "newsgroups20", "simplewiki", "arxiv_pre2007"])
    parser.add_argument("--topics", type=int, nargs="+", default=[100, 500])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--passes", type=float, default=6)
    parser.add_argument("--posterior", default="dirichlet")
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--test-documents", type=int, default=0)
    parser.add_argument("--svg")
    parser.add_argument("--resume")
    arguments = parser.parse_args()
    runs = finished_runs(arguments.resume)
    curves = {}
    print(library.build_info())
    print("| set | K | " + " | ".join(label for label, _ in METHODS) + " | the paper's claims |")
    print("|---|---|" + "---|" * len(METHODS) + "---|", flush=True)
    for name in arguments.sets:
        train, halves = library.text_set(arguments.data, name, arguments.documents, arguments.test_documents)
        for topics in arguments.topics:
            finals = {}
            for label, settings in METHODS:
                for seed in range(1, arguments.seeds + 1):
                    key = " ".join(map(str, (name, topics, arguments.posterior, arguments.documents, arguments.test_documents,
                                             arguments.passes, label, seed)))
                    if key not in runs:
                        runs[key] = fit(train, halves, topics, arguments.posterior, settings, seed, arguments.passes)
                        if arguments.resume:
                            with open(arguments.resume, "a") as lines:
                                lines.write(key + "\t" + " ".join("%g,%.6f,%.4f" % p for p in runs[key]) + "\n")
                    curves.setdefault((name, topics, label), []).append(runs[key])
                    finals.setdefault(label, []).append(runs[key][-1][1])
            print("| %s | %d | %s | %s |" % (name, topics, " | ".join(
                "%.3f (%.3f)" % (mean(finals[label]), max(finals[label]) - min(finals[label]))
                for label, _ in METHODS), judge(finals)), flush=True)
            if arguments.svg:
                draw(curves, arguments.svg)


if __name__ == "__main__":
    main()
