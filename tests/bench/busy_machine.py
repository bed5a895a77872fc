"""Two threads beside other programs: the same steps of LDA with one thread and with two, alternating, while 0, 1, 2 and 4
other processes are always busy. Wall clock: medians, and the median of the ratios of neighbouring runs.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import library

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("data", help="documents, such as debian_bench/train.ldac.gz")
parser.add_argument("--topics", type=int, nargs="+", default=[20, 100])
parser.add_argument("--batches", type=int, nargs="+", default=[0], help="rows of a minibatch; 0: the default's")
parser.add_argument("--busy", type=int, nargs="+", default=[0, 1, 2, 4])
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--seconds", type=float, default=0.5, help="of a run with one thread on an idle machine")
parser.add_argument("--runs", type=int, default=5)
arguments = parser.parse_args()


def optimizer_of(data, topics, batch, threads):
    batches = {"batch_size": batch} if batch > 0 else {}
    return library.optimizer(library.model("lda", topics=topics), data, threads=threads, max_passes=1e6, **batches)


def seconds_of(optimizer, steps):
    began = time.perf_counter()
    library.step(optimizer, steps)
    return time.perf_counter() - began


def main():
    data = library.read_data(arguments.data)
    print("| topics | batch | busy | one thread, s | %d threads, s | ratio | worst |\n|---|---|---|---|---|---|---|"
          % arguments.threads)
    for topics in arguments.topics:
        for batch in arguments.batches:
            one, many = (optimizer_of(data, topics, batch, threads) for threads in (1, arguments.threads))
            for optimizer in one, many:
                library.step(optimizer, 5)
            before = time.process_time()
            library.step(one, 10)
            steps = max(1, int(10 * arguments.seconds / (time.process_time() - before)))
            library.step(many, 10)
            for busy in arguments.busy:
                others = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(busy)]
                try:
                    times = [(seconds_of(one, steps), seconds_of(many, steps)) for _ in range(arguments.runs)]
                finally:
                    for process in others:
                        process.kill()
                        process.wait()
                ratios = [with_many / with_one for with_one, with_many in times]
                print("| %d | %s | %d | %.3f | %.3f | %.2f | %.2f |" % (
                    topics, batch or "default", busy, statistics.median(time_of for time_of, _ in times),
                    statistics.median(time_of for _, time_of in times), statistics.median(ratios), max(ratios)),
                    flush=True)


main()
