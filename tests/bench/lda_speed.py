"""Speed of LDA: documents per second in whole steps, compared with the machine's limit, scikit-learn and gensim in the same run.

    python3 lda_speed.py --data FOLDER [--sets debian_desc ...] [--topics 100 500] [--batch 1000] [--tolerance 1e-3]
                         [--iterations 100] [--limit build/release/tests/kernels_bench] [--peer-documents 3000] [--rounds 5]

FOLDER holds <set>/train.ldac.gz. All sides: minibatches of the same size, the same number of topics, priors 1/K, at most
--iterations local updates, local tolerance as given (mean absolute change of gamma), one thread. Speeds are by the processor's time of the
process, since wall clocks say little on a shared machine; everything is measured in turns, --rounds times, and the best of
each is taken. vtemper runs with topic_posterior=dirichlet, the peers' model, and in float, its default, as does gensim;
scikit-learn computes in double.

The limit is what --limit measures first and again in each round: 20 updates of a document of the set's mean number of distinct
words by nothing but the two products of every word and the exponentials of the topics' digammas, all topics kept, rows in the
nearest cache. "dense" is svi with local_sparsity=0, so that it does that work. Runs without the peers and without --limit too.

--threads also steps with two threads; that one is by wall clock, in turns with one thread, each in a process of its own. --settled gives the limit at the
mean number of updates that the set's documents take at --tolerance, and svi and dense beside it, without the peers.
"""
import argparse
import gzip
import os
import subprocess
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import library  # noqa: E402

try:
    import numpy
    import scipy.sparse
    from sklearn.decomposition import LatentDirichletAllocation
except ImportError:
    LatentDirichletAllocation = None
try:
    import gensim.models
except ImportError:
    gensim = None


def read_rows(path, count):
    """The first documents, each a list of (word, count)."""
    with gzip.open(path, "rt") as lines:
        return [[(int(word), float(number)) for word, number in (pair.split(":") for pair in line.split()[1:])]
                for line, _ in zip(lines, range(count))]


class Ours:
    """Fits after a warm-up, whose steps are timed alternately."""

    def __init__(self, data, topics, arguments, threads=1, model={}, **settings):
        self.batch = arguments.batch
        local = {"local_tolerance": arguments.tolerance, "local_iterations": arguments.iterations}
        self.model = library.model(topics=topics, topic_posterior="dirichlet", **dict(local, **model))
        self.optimizer = library.optimizer(self.model, data, batch_size=arguments.batch, threads=threads, seed=1,
                                           report_every=1000000, max_passes=3.0, **settings)
        library.step(self.optimizer, 20)

    def speed(self, clock=time.process_time, steps=20):
        begin = clock()
        library.step(self.optimizer, steps)
        return steps * self.batch / (clock() - begin)


class ScikitLearn:
    def __init__(self, rows, columns, topics, arguments):
        offsets = numpy.cumsum([0] + [len(row) for row in rows])
        pairs = [pair for row in rows for pair in row]
        self.matrix = scipy.sparse.csr_matrix(([count for _, count in pairs], [word for word, _ in pairs], offsets),
                                              shape=(len(rows), columns))
        self.batch = arguments.batch
        self.model = LatentDirichletAllocation(n_components=topics, learning_method="online", learning_offset=1024.0,
                                               learning_decay=0.7, total_samples=len(rows), batch_size=arguments.batch,
                                               max_doc_update_iter=arguments.iterations, mean_change_tol=arguments.tolerance, n_jobs=1,
                                               random_state=1)
        self.model.partial_fit(self.matrix[:self.batch])

    def speed(self):
        begin, documents = time.process_time(), 0
        for first in range(self.batch, self.matrix.shape[0], self.batch):
            part = self.matrix[first:first + self.batch]
            self.model.partial_fit(part)
            documents += part.shape[0]
        return documents / (time.process_time() - begin)


class Gensim:
    def __init__(self, rows, columns, topics, arguments):
        self.rows, self.batch = rows, arguments.batch
        self.model = gensim.models.LdaModel(
            rows[:self.batch], num_topics=topics, id2word={i: str(i) for i in range(columns)}, chunksize=self.batch, passes=1,
            iterations=arguments.iterations, gamma_threshold=arguments.tolerance, decay=0.7, offset=1024.0, eval_every=None, alpha="symmetric",
            eta=1.0 / topics, random_state=1)

    def speed(self):
        begin = time.process_time()
        self.model.update(self.rows[self.batch:], chunksize=self.batch, eval_every=None)
        return (len(self.rows) - self.batch) / (time.process_time() - begin)


class Limit:
    def __init__(self, program, topics, words):
        self.command = [program, "limit", str(topics), str(words)]

    def speed(self):
        return float(subprocess.run(self.command, check=True, capture_output=True, text=True).stdout)


def measure(name, topics, arguments):
    path = os.path.join(arguments.data, name, "train.ldac.gz")
    data = library.read_data(path)
    rows = read_rows(path, arguments.peer_documents + arguments.batch)
    words = round(sum(len(row) for row in rows) / len(rows))
    columns = library.columns(data)
    runs = {"limit": Limit(arguments.limit, topics, words)} if arguments.limit else {}
    runs["svi"] = Ours(data, topics, arguments, method="svi")
    runs["dense"] = Ours(data, topics, arguments, method="svi", model={"local_sparsity": 0.0})
    for method in ("annealing", "tempering", "local_tempering"):
        runs[method] = Ours(data, topics, arguments, method=method)
    if LatentDirichletAllocation:
        runs["scikit-learn"] = ScikitLearn(rows, columns, topics, arguments)
    if gensim:
        runs["gensim"] = Gensim(rows, columns, topics, arguments)
    best = dict.fromkeys(("limit", "svi", "dense", "annealing", "tempering", "local_tempering", "scikit-learn", "gensim"),
                         float("nan"))
    for turn in range(arguments.rounds):
        for run, fit in runs.items():
            if run in ("scikit-learn", "gensim") and turn >= 2:
                continue
            speed = fit.speed()
            best[run] = speed if best[run] != best[run] else max(best[run], speed)
    print("| %s | %d | %d | %s | %.0f %% | %.0f %% | %.2f | %.2f | %.2f | %.1f | %.1f |" % (
        name, words, topics,
        " | ".join("%.0f" % best[run] for run in ("limit", "svi", "dense", "scikit-learn", "gensim")),
        100 * best["svi"] / best["limit"], 100 * best["dense"] / best["limit"],
        best["svi"] / best["annealing"], best["svi"] / best["tempering"], best["svi"] / best["local_tempering"],
        best["svi"] / best["scikit-learn"], best["svi"] / best["gensim"]), flush=True)


def in_process(function):
    """What `function` returns in a separate process: waiting threads would disturb the steps of the others."""
    ends = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(ends[1], repr(function()).encode())
        os._exit(0)
    os.close(ends[1])
    text = os.read(ends[0], 100)
    os.close(ends[0])
    os.waitpid(child, 0)
    return float(text)


def measure_threads(name, topics, arguments):
    data = library.read_data(os.path.join(arguments.data, name, "train.ldac.gz"))

    def best_speed(threads):
        run = Ours(data, topics, arguments, threads=threads, method="svi")
        return max(run.speed(time.perf_counter, 5) for _ in range(40))

    speeds = [[in_process(lambda: best_speed(threads)) for threads in (1, 2)] for _ in range(arguments.rounds)]
    best = [max(column) for column in zip(*speeds)]
    print("| %s | %d | %.0f | %.0f | %.2f |" % (name, topics, best[0], best[1], best[1] / best[0]), flush=True)


def measure_settled(name, topics, arguments):
    """svi compared with the limit for as many updates as its documents need to reach the tolerance.

    What an update costs, and what a document costs beside its updates, is told by dense steps of exactly 20 and 60.
    """
    path = os.path.join(arguments.data, name, "train.ldac.gz")
    data = library.read_data(path)
    rows = read_rows(path, library.rows(data))
    words = round(sum(len(row) for row in rows) / len(rows))
    exact = {"local_sparsity": 0.0, "local_tolerance": 0.0}
    runs = {"limit": Limit(arguments.limit, topics, words), "svi": Ours(data, topics, arguments, method="svi"),
            "dense": Ours(data, topics, arguments, method="svi", model={"local_sparsity": 0.0})}
    for updates in (20, 60):
        runs[updates] = Ours(data, topics, arguments, method="svi", model=dict(exact, local_iterations=updates))
    best = dict.fromkeys(runs, 0.0)
    for _ in range(arguments.rounds):
        for run, fit in runs.items():
            best[run] = max(best[run], fit.speed())
    of_update = (1 / best[60] - 1 / best[20]) / 40
    updates = 20 + (1 / best["dense"] - 1 / best[20]) / of_update
    limit = best["limit"] * 20 / updates
    print("| %s | %d | %d | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f |" % (
        name, words, topics, updates, limit, best["svi"], best["dense"], best["svi"] / limit,
        best["svi"] / best["dense"]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["debian_desc"])
    parser.add_argument("--topics", type=int, nargs="+", default=[100])
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--limit", help="the program kernels_bench")
    parser.add_argument("--peer-documents", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--settled", action="store_true")
    arguments = parser.parse_args()
    print(library.build_info())
    if arguments.settled:
        print("| set | words | topics | updates | limit | svi | dense | svi / limit | svi / dense |")
        print("|---|---|---|---|---|---|---|---|---|")
        for name in arguments.sets:
            for topics in arguments.topics:
                measure_settled(name, topics, arguments)
        return
    print("| set | words | topics | limit | svi | dense | scikit-learn | gensim | svi / limit | dense / limit | annealing / svi, "
          "time | tempering | local_tempering | svi / scikit-learn | svi / gensim |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name in arguments.sets:
        for topics in arguments.topics:
            measure(name, topics, arguments)
    if not arguments.threads:
        return
    print("\n| set | topics | one thread | two | ratio |\n|---|---|---|---|---|")
    for name in arguments.sets:
        for topics in arguments.topics:
            measure_threads(name, topics, arguments)


if __name__ == "__main__":
    main()
