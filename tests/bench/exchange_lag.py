"""What it costs a fit of LDA to use statistics that are some steps old: the held-out score if step t updates by the
statistics of step t - L, as it would if their sum over machines travelled during the next L local steps. One machine, which
takes the steps in two halves and applies the statistics late.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 exchange_lag.py --data FOLDER [--set debian_desc] [--topics 100]
        [--batch 1000] [--passes 6] [--lags 0 1 2 4 8] [--methods svi annealing] [--seeds 1 2 3]

The score is predictive, per word, of a tenth of the training documents, which are left out of the fit. The first L steps
use their own statistics, and so does a step of a growing fit after a split of its topics (it would wait for everything that
is under way); the share of such steps is printed.
"""
import argparse
import ctypes
import math
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy  # noqa: E402
import library  # noqa: E402
from library import vtemper  # noqa: E402
from vtemper.library import library as functions  # noqa: E402
from vtemper.watch import new_report  # noqa: E402


def place_of_topics(run):
    """Where the expected tokens of each topic are in the statistics."""
    info = vtemper._header.Quantity(ctypes.sizeof(vtemper._header.Quantity))
    place = 0
    found = None
    for index in range(functions.number("optimizer_statistics_count", run, of=ctypes.c_int32)):
        functions.call("optimizer_statistics_info", run, index, ctypes.byref(info))
        size = math.prod(info.shape[:info.rank])
        if info.name == b"topics":
            found = slice(place, place + size)
        place += size
    return found, place


def fit(data, topics, lag, **options):
    """The model, and the fraction of steps that used their own statistics."""
    model = vtemper.Model("lda", topics=topics)
    run = vtemper.Run(model, data, **options)
    of_topics, length = place_of_topics(run)
    report = new_report()
    under_way = [numpy.zeros(length) for _ in range(lag + 1)]
    parted = [0] * (lag + 1)
    own = step = 0
    while True:
        fresh = step % (lag + 1)
        pointer = under_way[fresh].ctypes.data
        functions.call("optimizer_local_step", run, None, pointer, length)
        parted[fresh] = int(numpy.count_nonzero(under_way[fresh][of_topics]))
        old = (step + 1) % (lag + 1)  # which the next step writes over
        if step < lag or parted[old] < parted[fresh]:
            old = fresh
            own += 1
        functions.call("optimizer_global_step", run, under_way[old].ctypes.data, length, ctypes.byref(report))
        step += 1
        if report.finished:
            return model, own / step, step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", default="debian_desc")
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--passes", type=float, default=6)
    parser.add_argument("--lags", type=int, nargs="+", default=[0, 1, 2, 4, 8])
    parser.add_argument("--methods", nargs="+", default=["svi", "annealing"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    arguments = parser.parse_args()
    train, (observed, heldout) = library.text_set(arguments.data, arguments.set, validation=0.1, test_documents=1000)
    print("%s; %s: %d documents, V = %d; K = %d, batch %d, %g passes"
          % (library.build_info(), arguments.set, train.rows, train.columns, arguments.topics, arguments.batch, arguments.passes))
    print("| method | steps late | score of each seed | mean less that of 0 | steps that took their own |\n|---|---|---|---|---|")
    for method in arguments.methods:
        first = None
        for lag in arguments.lags:
            scores = []
            for seed in arguments.seeds:
                model, own, steps = fit(train, arguments.topics, lag, method=method, seed=seed, threads=1,
                                        batch_size=arguments.batch, max_passes=arguments.passes, report_every=1000000)
                scores.append(model.evaluate(observed, heldout=heldout, threads=1))
            first = numpy.mean(scores) if first is None else first
            print("| %s | %d | %s | %+.4f | %.0f %% of %d |" % (method, lag, ", ".join("%.4f" % score for score in scores),
                                                             numpy.mean(scores) - first, 100 * own, steps), flush=True)


if __name__ == "__main__":
    main()
