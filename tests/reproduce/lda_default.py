"""The default method, without any option set, beside schedules made by hand, on text.

    python3 lda_default.py --data FOLDER [--sets debian_desc ...] [--seeds 3] [--validation] [--grid]

The default gets the data, a seed and a number of threads, nothing else. A schedule made by hand is method annealing with a start temperature, a
number of passes and a shape. --grid tries all of {2, 4, 8} x {3, 4, 5} passes x {linear, exponential}; without it, the one that was best on the
validation documents of the set (--grid --validation --seeds 1). One thread. Scores: mean held-out log probability per token
(nats) of the test documents, or with --validation of 5 % of the training documents left out of the fit.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

# The best of the grid on the validation documents of each set.
CHOSEN = {"debian_desc": [(8, 4, "exponential")], "simplewiki": [(2, 3, "exponential")],
          "arxiv_pre2007": [(8, 4, "exponential")]}
GRID = [(start, passes, shape) for start in (2, 4, 8) for passes in (3, 4, 5) for shape in ("linear", "exponential")]


def score(train, halves, seed, **settings):
    model = library.model()
    optimizer = library.optimizer(model, train, seed=seed, threads=1, **settings)
    report = library.run(optimizer)
    return library.evaluate(model, *halves), report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["debian_desc", "simplewiki", "arxiv_pre2007"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--validation", action="store_true")
    parser.add_argument("--grid", action="store_true")
    arguments = parser.parse_args()
    print("| set | schedule | mean | range | passes | seconds |")
    print("|---|---|---|---|---|---|")
    for name in arguments.sets:
        train = library.read_data(os.path.join(arguments.data, name, "train.ldac.gz"))
        test = library.read_data(os.path.join(arguments.data, name, "test.ldac.gz"))
        words = max(library.columns(train), library.columns(test))
        train, test = library.with_columns(train, words), library.with_columns(test, words)
        if arguments.validation:
            train, test = library.split(train, 0.05, 1)
        halves = library.split_counts(test, 0.5, 1)
        schedules = [("default", {})]
        for start, passes, shape in GRID if arguments.grid else CHOSEN.get(name, []):
            schedules.append(("%g, %g passes, %s" % (start, passes, shape), dict(
                temperature_start=start, temperature_passes=passes, temperature_shape=shape)))
        means = {}
        for label, settings in schedules:
            runs = [score(train, halves, seed, **settings) for seed in range(1, arguments.seeds + 1)]
            scores = [value for value, _ in runs]
            means[label] = sum(scores) / len(scores)
            print("| %s | %s | %.3f | %.3f | %.1f | %.1f |" % (
                name, label, means[label], max(scores) - min(scores), runs[0][1].passes,
                sum(report.seconds for _, report in runs) / len(runs)), flush=True)
        if len(means) == 1:
            continue
        best = max((label for label in means if label != "default"), key=means.get)
        print("| %s | default against the best made by hand (%s) | %+.3f | | | |" % (
            name, best, means["default"] - means[best]), flush=True)


if __name__ == "__main__":
    main()
