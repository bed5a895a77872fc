"""Held-out score against seconds on the benchmark corpus whose test documents are already split (one thread).

    python3 lda_optima.py --data FOLDER [--set debian_bench] [--topics 100] [--seeds 5] [--passes 6 80]

FOLDER/<set> holds train.ldac.gz, test_observed.ldac.gz, test_heldout.ldac.gz. The default method, no option set but seed,
threads and max_passes, and the same with learn_alpha. Seconds are the library's own, of steps only. Score: mean held-out
log probability per token (nats), theta by a converged local step at the model's own alpha. `to X`: seconds until a run's
score first reached X, looked at ten times a run; - where it never did. Means over the seeds, with their range.
"""
import argparse
import os

import library

LEVELS = (-7.04, -6.978, -6.90)


def fit(train, halves, topics, passes, learn_alpha, seed):
    model = library.model(topics=topics, learn_alpha=str(learn_alpha).lower())
    optimizer = library.optimizer(model, train, seed=seed, threads=1, max_passes=passes)
    reached, report, score = {}, None, 0
    steps = max(1, int(passes * 10))
    while report is None or not report.finished:
        report = library.step(optimizer, steps)
        score = library.evaluate(model, *halves)
        for level in LEVELS:
            if score >= level:
                reached.setdefault(level, report.seconds)
    return score, report.seconds, reached


def mean(values):
    return sum(values) / len(values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", default="debian_bench")
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--passes", type=float, nargs="+", default=[6, 80])
    arguments = parser.parse_args()
    parts = [library.read_data(os.path.join(arguments.data, arguments.set, part + ".ldac.gz"))
             for part in ("train", "test_observed", "test_heldout")]
    words = max(map(library.columns, parts))
    train, *halves = [library.with_columns(part, words) for part in parts]
    print(library.build_info())
    print("| passes | learn_alpha | score | range | seconds | " + " | ".join("to %g" % x for x in LEVELS) + " |")
    print("|---|---|---|---|---|" + "---|" * len(LEVELS), flush=True)
    for passes in arguments.passes:
        for learn_alpha in (False, True):
            runs = [fit(train, halves, arguments.topics, passes, learn_alpha, seed)
                    for seed in range(1, arguments.seeds + 1)]
            scores = [score for score, _, _ in runs]
            times = []
            for level in LEVELS:
                seconds = [reached.get(level) for _, _, reached in runs]
                times.append("-" if None in seconds else "%.1f" % mean(seconds))
            print("| %g | %s | %.4f | %.4f to %.4f | %.1f | %s |" % (
                passes, str(learn_alpha).lower(), mean(scores), min(scores), max(scores),
                mean([seconds for _, seconds, _ in runs]), " | ".join(times)), flush=True)


if __name__ == "__main__":
    main()
