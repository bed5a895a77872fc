"""The default method, without any option set, beside schedules made by hand, on text.

    python3 lda_default.py --data FOLDER [--sets debian_desc ...] [--topics 100] [--seeds 3] [--starts 1.25 2 4 8]
                           [--lengths 3 4 5] [--shapes linear exponential] [--documents N] [--test-documents N]

The default gets the data, the number of topics, a seed and a number of threads, nothing else. A schedule made by hand is method
annealing with a start temperature, a length in passes (the run takes 6, or 600 steps) and a shape; all of the grid are tried
with one seed on 5 % of the training documents, left out of that fit, and the best of them is fitted again to the whole
training part, beside the default. Scores: mean held-out log probability per token (nats) of the test documents, means over
the seeds. One thread. --documents and --test-documents take that many random documents (0: all).
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402


def fit(train, halves, seed, topics, **settings):
    """Score and report of a complete run."""
    model = library.model(topics=topics)
    optimizer = library.optimizer(model, train, seed=seed, threads=1, **settings)
    report = library.run(optimizer)
    return library.evaluate(model, *halves), report


def chosen_by_hand(name, topics, arguments):
    """The best setting of the grid on held-out training documents: (name, options)."""
    train, halves = library.text_set(arguments.data, name, arguments.documents, validation=0.05)
    best, best_score = None, None
    for start in arguments.starts:
        for passes in arguments.lengths:
            for shape in arguments.shapes:
                score, _ = fit(train, halves, 1, topics, method="annealing", temperature_start=start,
                               temperature_passes=passes, temperature_shape=shape)
                if best is None or score > best_score:
                    best, best_score = (start, passes, shape), score
    start, passes, shape = best
    return "%g, %g passes, %s" % best, dict(method="annealing", temperature_start=start, temperature_passes=passes,
                                            temperature_shape=shape)


def mean(values):
    return sum(values) / len(values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["debian_desc", "simplewiki", "arxiv_pre2007"])
    parser.add_argument("--topics", type=int, nargs="+", default=[100])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--starts", type=float, nargs="+", default=[1.25, 2, 4, 8])
    parser.add_argument("--lengths", type=float, nargs="+", default=[3, 4, 5])
    parser.add_argument("--shapes", nargs="+", default=["linear", "exponential"])
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--test-documents", type=int, default=0)
    arguments = parser.parse_args()
    print(library.build_info())
    print("%d seeds; starts %s; lengths %s; shapes %s" % (arguments.seeds, arguments.starts, arguments.lengths,
                                                          arguments.shapes))
    print("| set | documents | K | svi | default | range | best made by hand | its score | range | default - best by hand "
          "| passes | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.sets:
        for topics in arguments.topics:
            label, by_hand = chosen_by_hand(name, topics, arguments)
            train, halves = library.text_set(arguments.data, name, arguments.documents, arguments.test_documents)
            seeds = range(1, arguments.seeds + 1)
            runs = [[fit(train, halves, seed, topics, **settings) for seed in seeds]
                    for settings in (dict(method="svi"), {}, by_hand)]
            plain, default, hand = [[score for score, _ in of_setting] for of_setting in runs]
            reports = [report for _, report in runs[1]]
            print("| %s | %d | %d | %.3f | %.3f | %.3f | %s | %.3f | %.3f | %+.3f | %.1f | %.1f |" % (
                name, library.rows(train), topics, mean(plain), mean(default), max(default) - min(default), label,
                mean(hand), max(hand) - min(hand), mean(default) - mean(hand), reports[0].passes,
                mean([report.seconds for report in reports])), flush=True)


if __name__ == "__main__":
    main()
