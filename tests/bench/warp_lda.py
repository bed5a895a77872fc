"""Held-out score against seconds: WarpLDA (warp_lda_bench.cpp), a sampler with O(1) operations per token, beside the default of LDA.

    python3 warp_lda.py --data FOLDER [--program build/release/tests/warp_lda_bench] [--sets debian_desc] [--topics 500 2000]
                        [--seconds 100] [--looks 10] [--alpha 0.1 0.03] [--seed 1]

CPU seconds of one thread, without reading. Both are scored by the library's `evaluate` with their own topics and alpha (the sampler's
topics are its counts + beta): mean held-out log probability per token, by document completion. Scored are the given test halves of
debian_bench; of the other sets 5 % of the training documents, at most 2,000, which are left out of the fits. Every --alpha is a run of
the sampler, with beta 0.01 and two proposals per token and phase. Prints a line for the default, then one for each look at the sampler.
"""
import argparse
import gzip
import os
import random
import subprocess
import tempfile
import time

import numpy

import library

BETA = 0.01
PROPOSALS = 2


def corpus(data, name, folder):
    """(training documents, their file, halves); the file is text, which both sides read."""
    lines = gzip.open(os.path.join(data, name, "train.ldac.gz"), "rt").readlines()
    path = os.path.join(folder, "train.ldac")
    left_out = []
    if name != "debian_bench":
        random.Random(1).shuffle(lines)
        count = min(2000, len(lines) // 20)
        left_out, lines = lines[:count], lines[count:]
    with open(path, "w") as file:
        file.writelines(lines)
    if left_out:
        with open(os.path.join(folder, "left_out.ldac"), "w") as file:
            file.writelines(left_out)
        parts = [library.read_data(path), library.read_data(os.path.join(folder, "left_out.ldac"))]
    else:
        parts = [library.read_data(path)] + [library.read_data(os.path.join(data, name, half + ".ldac.gz"))
                                             for half in ("test_observed", "test_heldout")]
    words = max(map(library.columns, parts))
    train, *others = [library.with_columns(part, words) for part in parts]
    return train, path, others if len(others) == 2 else library.split_counts(others[0], 0.5, 1)


def fit_default(train, halves, topics, seed):
    """(seconds, score)"""
    begin = time.process_time()
    model = library.model(topics=topics)
    library.run(library.optimizer(model, train, seed=seed, threads=1))
    return time.process_time() - begin, library.evaluate(model, *halves)


def looks_of_sampler(arguments, train, path, halves, topics, alpha, folder):
    """(seconds, sweeps, score) of every evaluation."""
    model = library.model(topics=topics, alpha=repr(alpha), eta=repr(BETA), learn_alpha="false")
    library.initialize(model, train, 1)
    command = [arguments.program, topics, alpha, BETA, PROPOSALS, arguments.seed, arguments.seconds, arguments.looks, folder]
    with open(path) as documents:
        process = subprocess.Popen(list(map(str, command)), stdin=documents, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        look, seconds, sweeps = line.split()
        counts_path = os.path.join(folder, look + ".counts")
        counts = numpy.fromfile(counts_path, dtype=numpy.int32).reshape(-1, topics)
        topics_of_words = numpy.full((topics, library.columns(train)), BETA)
        topics_of_words[:, :len(counts)] += counts.T
        library.set_parameter(model, "lambda", topics_of_words)
        os.remove(counts_path)
        yield float(seconds), int(sweeps), library.evaluate(model, *halves)
    if process.wait() != 0:
        raise SystemExit("warp_lda_bench ended with status %d" % process.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--program", default="build/release/tests/warp_lda_bench")
    parser.add_argument("--sets", nargs="+", default=["debian_desc"])
    parser.add_argument("--topics", type=int, nargs="+", default=[500, 2000])
    parser.add_argument("--seconds", type=float, default=100)
    parser.add_argument("--looks", type=int, default=10)
    parser.add_argument("--alpha", type=float, nargs="+", default=[0.1, 0.03])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(library.build_info())
    print("| set | K | fit | seconds | sweeps | score |")
    print("|---|---|---|---|---|---|")
    for name in arguments.sets:
        with tempfile.TemporaryDirectory() as folder:
            train, path, halves = corpus(arguments.data, name, folder)
            for topics in arguments.topics:
                print("| %s | %d | default | %.1f | | %.4f |" % (
                    name, topics, *fit_default(train, halves, topics, arguments.seed)), flush=True)
                for alpha in arguments.alpha:
                    for look in looks_of_sampler(arguments, train, path, halves, topics, alpha, folder):
                        print("| %s | %d | WarpLDA, alpha %g | %.1f | %d | %.4f |" % (name, topics, alpha, *look), flush=True)


if __name__ == "__main__":
    main()
