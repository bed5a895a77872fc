"""Fits of LDA with the topics in a file under a limit of memory, beside the same fits in memory.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/bench/paging_speed.py --folder /var/tmp

Makes a corpus of --rows documents over --columns words, mapped from a file in --folder, and fits it with topics in memory
and in a file, each in a process of its own. The memory limit includes the process's share of the page cache; it is set by a
control group if this user may create one (cgroup v1 or v2), by systemd-run if that is installed; otherwise the script says
that there is no limit. Prints seconds of CPU and of wall clock for the start (drawing the topics), the whole fit, a step and
a step of the last half; the largest anonymous memory; page faults that waited for the disk; and a hash of the topics' totals
and of the changes of all steps, which must be the same for both.
"""
import argparse
import atexit
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse

import library


def corpus(rows, columns, length, seed):
    """Documents of `length` tokens by Zipf-Mandelbrot's law; of half of them the rank is that of the nearest word of the
    document's theme. 1,000 documents of 100 tokens hold about 23,000 words of a million."""
    themes = 200
    random = np.random.default_rng(seed)
    frequency = np.cumsum((np.arange(columns) + 10.0) ** -1.2)
    word_of_rank = random.permutation(columns)
    theme = random.integers(themes, size=rows)
    parts = []
    for first in range(0, rows, 10000):
        count = min(10000, rows - first)
        rank = np.searchsorted(frequency, random.random((count, length)) * frequency[-1])
        own = random.random((count, length)) < 0.5
        rank = np.where(own, np.minimum(rank // themes * themes + theme[first:first + count, None], columns - 1), rank)
        row = np.repeat(np.arange(count), length)
        parts.append(scipy.sparse.csr_matrix((np.ones(count * length), (row, word_of_rank[rank].ravel())), (count, columns)))
    return scipy.sparse.vstack(parts, format="csr")


def memory():
    """Anonymous memory of the process in bytes, and its major page faults."""
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return int(lines["RssAnon"].split()[0]) * 1024, resource.getrusage(resource.RUSAGE_SELF).ru_majflt


def fit(request):
    """One fit in a separate process."""
    def now():
        return time.process_time(), time.perf_counter()

    def since(start):
        return [b - a for a, b in zip(start, now())]

    data = library.read_data(request["corpus"])
    options = {"parameters_folder": request["folder"]} if request["folder"] else {}
    start = now()
    model = library.vtemper.Model("lda", topics=request["topics"], **options)
    run = library.vtemper.Run(model, data, method=request["method"], batch_size=request["batch"], threads=request["threads"],
                              max_iterations=request["steps"], seed=1)
    first = since(start)
    largest, faults = memory()
    steps, changes = [], []
    for _ in range(request["steps"]):
        start = now()
        changes.append(run.step(1).change)
        steps.append(since(start))
        largest = max(largest, memory()[0])
    numbers = hashlib.sha256(np.concatenate([model.parameters["tokens"], changes]).tobytes()).hexdigest()[:16]
    if request["save"]:
        start = now()
        model.save(request["save"])
        saved = since(start)
    else:
        saved = None
    print(json.dumps({"first": first, "steps": steps, "anonymous": largest, "faults": memory()[1] - faults,
                      "hash": numbers, "saved": saved}))


class Limit:
    """A memory limit for one process, including the page cache that it fills."""

    def __init__(self, limit):
        self.limit, self.group, self.how = limit, None, "none: no control group can be made here"
        for root, name in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            group = os.path.join(root, "vtemper-paging-%d" % os.getpid())
            try:
                os.mkdir(group)
                with open(os.path.join(group, name), "w") as file:
                    file.write(str(limit))
                self.group, self.how = group, "control group"
                return
            except OSError:
                if os.path.isdir(group):
                    os.rmdir(group)
        probe = ["systemd-run", "--user", "--scope", "-q", "-p", "MemoryMax=%d" % limit, "true"]
        if shutil.which("systemd-run") and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            self.how = "systemd-run"

    def run(self, command, limited):
        if limited and self.how == "systemd-run":
            command = ["systemd-run", "--user", "--scope", "-q", "-p", "MemoryMax=%d" % self.limit] + command
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if limited and self.group:
            with open(os.path.join(self.group, "cgroup.procs"), "w") as file:
                file.write(str(process.pid))
        return process

    def close(self):
        if self.group:
            os.rmdir(self.group)


def measure(limit, limited, request):
    process = limit.run([sys.executable, os.path.abspath(__file__), "--child"], limited)
    out = process.communicate(json.dumps(request))[0]
    if process.returncode != 0:
        raise SystemExit("the fit ended with %d" % process.returncode)
    return json.loads(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="on a disk, for corpus and topics")
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--columns", type=int, default=1000000)
    parser.add_argument("--rows", type=int, default=100000)
    parser.add_argument("--length", type=int, default=100)
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--method", default="svi")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--gigabytes", type=float, default=2, help="limit of memory (GiB)")
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--only", choices=["file", "memory"])
    parser.add_argument("--save", action="store_true", help="saves the model too")
    options = parser.parse_args()
    if options.child:
        return fit(json.loads(sys.stdin.read()))

    limit = Limit(int(options.gigabytes * 2 ** 30))
    atexit.register(limit.close)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = os.path.join(folder, "corpus.vtemper")
        library.vtemper.Data(corpus(options.rows, options.columns, options.length, 1)).write(path)
        print("%d rows of %d words, V = %d, K = %d: %.2f GB of topics; batch %d, method %s, %d threads; limit %.3g GiB (%s)" % (
            options.rows, options.length, options.columns, options.topics, options.columns * options.topics * 4 / 1e9,
            options.batch, options.method, options.threads, options.gigabytes, limit.how))
        print("seconds, CPU / wall:\n%-8s %15s %15s %15s %19s %12s %9s %9s  %s" % (
            "topics", "start", "whole fit", "a step", "step of last half", "anonymous", "faults", "save", "hash"))
        request = {"corpus": path, "topics": options.topics, "method": options.method, "batch": options.batch,
                   "threads": options.threads, "steps": options.steps}
        for _ in range(options.turns):
            for where in ["file", "memory"]:
                if options.only not in (None, where):
                    continue
                found = measure(limit, where == "file", dict(
                    request, folder=options.folder if where == "file" else "",
                    save=os.path.join(folder, "model.vtemper") if options.save else ""))
                steps = np.array(found["steps"])
                columns = [found["first"], found["first"] + steps.sum(0), steps.mean(0), steps[len(steps) // 2:].mean(0)]
                print("%-8s %15s %15s %15s %19s %9.2f GB %9d %9s  %s" % (
                    where, *("%.3g / %.3g" % tuple(pair) for pair in columns), found["anonymous"] / 1e9, found["faults"],
                    "%.1f" % found["saved"][1] if found["saved"] else "-", found["hash"]), flush=True)


if __name__ == "__main__":
    main()
