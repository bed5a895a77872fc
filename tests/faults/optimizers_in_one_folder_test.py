"""Several optimizers in one folder of topics (parameters_folder), in turn, in threads and over forks, in one process."""

import ctypes
import os
import shutil
import signal
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from c_interface import BY_ROWS, COPY, DOUBLE, F64, I64, INT32, INT64, VOID, call, library, options  # noqa: E402

failures = []


def fails(what, text):
    failures.append("%s: %s" % (what, text))


class Fit:
    """A model of its own on shared documents."""

    rows, columns = 60, 40

    def __init__(self, folder, seed):
        documents = [sorted({(row * 7 + i * 3) % 10 + 10 * (row % 4) for i in range(6)}) for row in range(self.rows)]
        offsets, words = [0], []
        for document in documents:
            words += document
            offsets.append(len(words))
        self.arrays = [(I64 * len(offsets))(*offsets), (ctypes.c_int32 * len(words))(*words), (F64 * len(words))(*[1.0] * len(words))]
        self.data, self.model, self.optimizer = VOID(), VOID(), VOID()
        call("vtemper_data_from_counts", BY_ROWS, I64(self.rows), I64(self.columns), self.arrays[0], INT64, self.arrays[1], INT32,
             self.arrays[2], DOUBLE, I64(0), COPY, None, None, ctypes.byref(self.data))
        call("vtemper_model_create", b"lda", options(topics=20, parameters_folder=folder), ctypes.byref(self.model))
        call("vtemper_optimizer_create", self.model, self.data,
             options(method="svi", batch_size=7, seed=seed, threads=1), ctypes.byref(self.optimizer))

    def step(self, count=1):
        return library.vtemper_optimizer_step(self.optimizer, I64(count), None)

    def topics(self):
        out = (F64 * (20 * self.columns))()
        call("vtemper_model_get", self.model, b"lambda", out, I64(len(out)))
        return bytes(out)

    def end(self):
        library.vtemper_optimizer_destroy(self.optimizer)
        library.vtemper_model_destroy(self.model)
        library.vtemper_data_destroy(self.data)


def one_process(base):
    """Optimizers in turn, in threads and over forks; a forked child reads the topics, and may not change them."""
    folder = tempfile.mkdtemp(dir=base)
    alone = []
    for seed in (1, 2, 3):
        fit = Fit("", seed)
        fit.step(40)
        alone.append(fit.topics())
        fit.end()
    together = [Fit(folder, seed) for seed in (1, 2, 3)]
    for _ in range(20):
        for fit in together:
            fit.step()
    threads = [threading.Thread(target=fit.step, args=(10,)) for fit in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    children = 0
    for step in range(10):
        for fit in together:
            before = fit.topics()
            child = os.fork()
            if child == 0:
                good = fit.step() != 0 and b"parameters_folder" in library.vtemper_last_error() and fit.topics() == before
                if step % 2 == 0:
                    fit.end()
                elif step % 3 == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                os._exit(0 if good else 1)
            status = os.waitpid(child, 0)[1]
            children += 1
            if status not in (0, signal.SIGKILL):
                fails("a forked child", "status %d" % status)
            if fit.topics() != before:
                fails("a forked child", "it changed the topics")
            fit.step()
        if os.listdir(folder):
            fails("one process", "a file in the folder")
    for fit, expected in zip(together, alone):
        if fit.topics() != expected:
            fails("three optimizers in one folder", "not what each comes to in memory")
        fit.end()
    if os.listdir(folder):
        fails("one process", "a file in the folder at its end")
    print("3 optimizers in one folder, %d forked children" % children)


def main():
    base = tempfile.mkdtemp()
    try:
        one_process(base)
    finally:
        shutil.rmtree(base)
    for text in failures:
        print("FAILED:", text)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
