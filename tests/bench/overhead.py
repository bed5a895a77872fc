"""overhead.py CORPUS                         makes the corpus
overhead.py CORPUS PASSES TOPICS ROUNDS    fits it in every round from C (the program OVERHEAD) and from Python, in turn first
                                           and second

The Python half of overhead_python.sh.
"""
import os
import subprocess
import sys
import time

import numpy as np
import scipy.sparse

import vtemper
from vtemper import _header

DOCUMENTS, WORDS, EACH = 60000, 20000, 90


def synthetic():
    """Random documents of distinct words, frequent words more often [documents x words]."""
    random = np.random.default_rng(1)
    rows = []
    for _ in range(DOCUMENTS):
        theme = random.integers(20)
        words = set()
        while len(words) < EACH:
            themes = np.where(random.random(EACH) < 0.7, theme, random.integers(20, size=EACH))
            words.update((1000 * themes + 999 * random.random(EACH) ** 2).astype(int).tolist())
        rows.append(np.sort(random.permutation(sorted(words))[:EACH]))
    values = random.integers(1, 4, size=DOCUMENTS * EACH).astype(np.int32)
    return scipy.sparse.csr_matrix((values, np.concatenate(rows).astype(np.int64), np.arange(DOCUMENTS + 1) * EACH),
                                   shape=(DOCUMENTS, WORDS))


def write_corpus(path):
    """Writes the raw arrays that overhead.c reads."""
    made = synthetic()
    elements = [_header.INT32, _header.INT32, _header.INT32]
    with open(path, "wb") as file:
        np.array([*made.shape, made.nnz, *elements, 0], dtype=np.int64).tofile(file)
        for array in made.indptr, made.indices, made.data:
            array.astype(np.int32).tofile(file)


def read_corpus(path):
    """The matrix as a SciPy user would have it."""
    with open(path, "rb") as file:
        documents, words, entries = np.fromfile(file, dtype=np.int64, count=7)[:3]
        offsets, indices, values = (np.fromfile(file, dtype=np.int32, count=count) for count in (documents + 1, entries, entries))
    return scipy.sparse.csr_matrix((values, indices, offsets), shape=(documents, words), copy=False)


def megabytes(field):
    """Memory of this process in use (VmRSS) or at its peak (VmHWM)."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field + ":")) / 1024


def in_c(path, passes, topics):
    """CPU seconds, wall-clock seconds, peak memory in MB, and a hash of the topics."""
    done = subprocess.run([os.environ["OVERHEAD"], path, str(passes), str(topics)], check=True, stdout=subprocess.PIPE)
    return [float(word) for word in done.stdout.split()]


def in_python(X, passes, topics):
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak is counted from here
    before = megabytes("VmHWM")
    cpu, start = time.process_time(), time.perf_counter()
    estimator = vtemper.LDA(topics, method="svi", random_state=1, n_jobs=1, batch_size=1000, max_passes=passes).fit(X)
    values = estimator.parameters_["lambda"]
    taken = [time.process_time() - cpu, time.perf_counter() - start, megabytes("VmHWM") - before]
    digest = 0.0  # added one after the other, as in C
    for term in (values.ravel() * (1 + np.arange(values.size) % 97)).tolist():
        digest += term
    return taken + [digest]


def show_ratios(name, c, python):
    """Other work on the machine changes between rounds, so ratios are taken within a round."""
    ratios = 100 * (python / c - 1)
    print("%s: C %.3f, Python %.3f in the median of %d; Python over C %.2f %% (median of pairs; quarter to three quarters %.2f to "
          "%.2f), of the quickest %.2f %%" % (name, np.median(c), np.median(python), len(c), np.median(ratios),
                                             *np.percentile(ratios, [25, 75]), 100 * (python.min() / c.min() - 1)))


def main(arguments):
    if len(arguments) == 1:
        return write_corpus(arguments[0])
    path, passes, topics, rounds = arguments[0], *map(int, arguments[1:])
    X = read_corpus(path)
    print("corpus: %d documents, %d non-zeros, %.1f MB of arrays"
          % (X.shape[0], X.nnz, (X.indptr.nbytes + X.indices.nbytes + X.data.nbytes) / 2**20))
    in_python(X[:2000], 1, topics)
    before = megabytes("VmRSS")
    data = vtemper.Data(X)
    print("memory that taking the matrix costs: %.1f MB" % (megabytes("VmRSS") - before))
    data.close()

    c, python = np.zeros((rounds, 4)), np.zeros((rounds, 4))
    for turn in range(2 * rounds):
        if (turn // 2 + turn) % 2:
            c[turn // 2] = in_c(path, passes, topics)
        else:
            python[turn // 2] = in_python(X, passes, topics)
    if len(set(c[:, 3]) | set(python[:, 3])) != 1:
        sys.exit("Python and C give other bits")
    show_ratios("CPU seconds", c[:, 0], python[:, 0])
    show_ratios("seconds", c[:, 1], python[:, 1])
    print("memory that a fit adds at its peak: C %.1f MB, Python %.1f MB; the same bits" % (c[:, 2].max(), python[:, 2].max()))


main(sys.argv[1:])
