"""Held-out score against seconds on the benchmark corpus, whose test documents are already split (one thread).

    python3 lda_optima.py --data FOLDER [--set debian_bench] [--topics 100] [--seeds 5] [--passes 6 80] [--looks 10]
                          [SETTINGS ...]

FOLDER/<set> holds train.ldac.gz, test_observed.ldac.gz, test_heldout.ldac.gz. SETTINGS: `default`, no option set but seed, threads
and max_passes, or options NAME=VALUE,... of the model (and, after a `/`, of the optimizer) beside those. Seconds are those of the
processor, of the steps only; a run ends at T = 1. Score: mean held-out log probability per token (nats), theta by a
converged local step at the model's own alpha. `to X`: seconds until a run's score first reached X, looked at --looks times a run, mean
over the seeds that did and how many did. Means over the seeds, with their range; then the means of every look.
"""
import argparse
import os
import time

import library

LEVELS = (-7.04, -6.978, -6.90)


def options_of(text):
    """(model's, optimizer's) of SETTINGS."""
    if text == "default":
        return {}, {}
    return [dict(item.split("=", 1) for item in part.split(",") if item) for part in (text + "/").split("/")[:2]]


def fit(train, halves, settings, seed, passes, arguments):
    """(seconds, T, score) at every evaluation."""
    of_model, of_optimizer = options_of(settings)
    model = library.model(topics=arguments.topics, **of_model)
    optimizer = library.optimizer(model, train, seed=seed, threads=1, max_passes=passes, **of_optimizer)
    first = library.step(optimizer, 1)
    steps_total = round(passes * first.iteration / first.passes)
    curve, seconds, report = [], 0, first
    for look in range(1, arguments.looks + 1):
        begin = time.process_time()
        report = library.step(optimizer, steps_total * look // arguments.looks - report.iteration)
        seconds += time.process_time() - begin
        curve.append((seconds, report.temperature, library.evaluate(model, *halves)))
    library.run(optimizer)
    curve[-1] = curve[-1][:2] + (library.evaluate(model, *halves),)
    return curve


def mean(values):
    return sum(values) / len(values)


def time_to(level, curves):
    seconds = [next((seconds for seconds, _, score in curve if score >= level), None) for curve in curves]
    reached = [s for s in seconds if s is not None]
    return "%.1f (%d of %d)" % (mean(reached), len(reached), len(curves)) if reached else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", default="debian_bench")
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--passes", type=float, nargs="+", default=[6, 80])
    parser.add_argument("--looks", type=int, default=10)
    parser.add_argument("settings", nargs="*", default=["default"])
    arguments = parser.parse_args()
    parts = [library.read_data(os.path.join(arguments.data, arguments.set, part + ".ldac.gz"))
             for part in ("train", "test_observed", "test_heldout")]
    words = max(map(library.columns, parts))
    train, *halves = [library.with_columns(part, words) for part in parts]
    print(library.build_info())
    print("| passes | settings | score | worst to best | seconds | " + " | ".join("to %g" % x for x in LEVELS) + " |")
    print("|---|---|---|---|---|" + "---|" * len(LEVELS), flush=True)
    lines = []
    for passes in arguments.passes:
        for settings in arguments.settings:
            curves = [fit(train, halves, settings, seed, passes, arguments) for seed in range(1, arguments.seeds + 1)]
            scores = [curve[-1][2] for curve in curves]
            print("| %g | %s | %.4f | %.4f to %.4f | %.1f | %s |" % (
                passes, settings, mean(scores), min(scores), max(scores), mean([curve[-1][0] for curve in curves]),
                " | ".join(time_to(level, curves) for level in LEVELS)), flush=True)
            lines += ["| %g | %s | %.1f | %.2f | %.4f |" % (
                passes, settings, mean([look[0] for look in looks]), mean([look[1] for look in looks]),
                mean([look[2] for look in looks])) for looks in zip(*curves)]
    print("\n| passes | settings | seconds | T | score |\n|---|---|---|---|---|\n" + "\n".join(lines))


if __name__ == "__main__":
    main()
