"""Small steps on a machine whose processors are busy with other work: one thread, two threads, and two threads even for
the smallest steps (VTEMPER_THREAD_OPERATIONS=1). Wall clock, median of several runs; each in a process of its own.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--load", type=int, default=2, help="busy processes beside it")
parser.add_argument("--steps", type=int, default=50)
parser.add_argument("--runs", type=int, default=3)
parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
arguments = parser.parse_args()


def run_one(kind, threads):
    import numpy as np

    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import library
    numbers = np.random.RandomState(2)
    if kind == "gaussian_mixture":
        data = library.dense(numbers.normal(size=(300, 4)))
        model = library.model(kind, components=3)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "corpus.ldac")
            with open(path, "w") as file:
                for _ in range(50):
                    words = sorted(numbers.choice(500, 30, replace=False))
                    file.write("30 %s\n" % " ".join("%d:1" % word for word in words))
            data = library.read_data(path)
        model = library.model(kind, topics=10)
    optimizer = library.optimizer(model, data, threads=threads, max_passes=1e6)
    library.step(optimizer, 3)
    began = time.perf_counter()
    library.step(optimizer, arguments.steps)
    print(1000 * (time.perf_counter() - began) / arguments.steps)


def measured(kind, threads, forced):
    environment = dict(os.environ)
    if forced:
        environment["VTEMPER_THREAD_OPERATIONS"] = "1"
    command = [sys.executable, __file__, "--steps", str(arguments.steps), "--one", kind, str(threads)]
    times = [float(subprocess.check_output(command, env=environment)) for _ in range(arguments.runs)]
    return statistics.median(times)


def main():
    if arguments.one:
        run_one(arguments.one[0], int(arguments.one[1]))
        return
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(arguments.load)]
    try:
        print("| ms a step | one thread | two | two, forced |\n|---|---|---|---|")
        for kind in "gaussian_mixture", "lda":
            row = [measured(kind, 1, False), measured(kind, 2, False), measured(kind, 2, True)]
            print("| %s | %.3f | %.3f | %.3f |" % (kind, *row))
    finally:
        for process in busy:
            process.kill()


main()
