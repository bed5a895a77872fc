"""Times of single steps of LDA (svi) in one process or on the ranks that mpirun starts.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 step_times.py CORPUS [--topics 100] [--batch 4000] [--steps 150]
        [--threads 1] [--exchange auto]
    VTEMPER_LIBRARY=... mpirun -n 2 -x VTEMPER_LIBRARY python3 step_times.py CORPUS ...

Prints quantiles of the wall clock in milliseconds, without the first three steps, and the mean time in the group's
functions. On a machine with other work the 10 % quantile is nearest to that of an idle one.
"""
import argparse
import ctypes
import os
import time

import numpy
from library import vtemper
from vtemper.library import library as functions
from vtemper.watch import new_report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--batch", type=int, default=4000)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--exchange", default="auto")
    arguments = parser.parse_args()
    ranks = int(os.environ.get("OMPI_COMM_WORLD_SIZE", os.environ.get("PMI_SIZE", "1")))
    group = vtemper.Group() if ranks > 1 else None
    data = vtemper.Data(arguments.corpus) if group is None else group.read(arguments.corpus)
    run = vtemper.Run(vtemper.Model("lda", topics=arguments.topics), data, method="svi", seed=1, threads=arguments.threads,
                      batch_size=arguments.batch, report_every=50, max_passes=1000.0, exchange=arguments.exchange)
    report = new_report()
    times = []
    for _ in range(arguments.steps):
        begin = time.perf_counter()
        functions.call("optimizer_step", run, 1, ctypes.byref(report))
        times.append(1e3 * (time.perf_counter() - begin))
    if group is None or group.rank == 0:
        quantiles = numpy.quantile(times[3:], [0.1, 0.25, 0.5])
        print("%d ranks, %d threads, exchange %s: 10 %% %.2f, 25 %% %.2f, median %.2f ms; waiting %.2f ms"
              % (ranks, arguments.threads, arguments.exchange, *quantiles, 1e3 * report.seconds_waiting / arguments.steps), flush=True)


if __name__ == "__main__":
    main()
