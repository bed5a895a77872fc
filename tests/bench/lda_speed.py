"""Documents per second of LDA, one thread, beside scikit-learn's online LDA in the same run.

    python3 lda_speed.py --data FOLDER [--sets debian_desc ...] [--topics 100 500] [--batch 1000] [--tolerance 1e-3]
                         [--peer-documents 3000]

FOLDER holds <set>/train.ldac.gz. Both sides: minibatches of the same size, the same number of topics, priors 1/K, at most 100
local updates, local tolerance as given (mean absolute change of gamma). vtemper steps through one pass, scikit-learn through
--peer-documents of it, alternately, three times; the medians are printed. vtemper runs with topic_posterior=dirichlet, the
peer's model, and in float, its default; scikit-learn computes in double. Runs without scikit-learn too.
"""
import argparse
import gzip
import os
import statistics
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import library  # noqa: E402

try:
    import numpy
    import scipy.sparse
    from sklearn.decomposition import LatentDirichletAllocation
except ImportError:
    LatentDirichletAllocation = None


def read_rows(path, count):
    offsets, indices, values = [0], [], []
    with gzip.open(path, "rt") as lines:
        for line in lines:
            for pair in line.split()[1:]:
                word, number = pair.split(":")
                indices.append(int(word))
                values.append(float(number))
            offsets.append(len(indices))
            if len(offsets) > count:
                break
    return offsets, indices, values


def ours(data, topics, arguments, **settings):
    model = library.model(topics=topics, topic_posterior="dirichlet", local_tolerance=arguments.tolerance)
    optimizer = library.optimizer(model, data, batch_size=arguments.batch, threads=1, seed=1, report_every=1000, **settings)
    library.step(optimizer, 3)
    before = library.step(optimizer, 1)
    after = library.step(optimizer, -(-library.rows(data) // arguments.batch))
    return (after.rows_seen - before.rows_seen) / (after.seconds - before.seconds)


def peer(rows, columns, topics, arguments):
    offsets, indices, values = rows
    matrix = scipy.sparse.csr_matrix((values, indices, offsets), shape=(len(offsets) - 1, columns))
    model = LatentDirichletAllocation(n_components=topics, learning_method="online", learning_offset=1024.0,
                                      learning_decay=0.7, total_samples=matrix.shape[0], batch_size=arguments.batch,
                                      max_doc_update_iter=100, mean_change_tol=arguments.tolerance, n_jobs=1,
                                      random_state=1)
    model.partial_fit(matrix[:arguments.batch])
    begin, documents = time.perf_counter(), 0
    for first in range(arguments.batch, matrix.shape[0], arguments.batch):
        batch = matrix[first:first + arguments.batch]
        model.partial_fit(batch)
        documents += batch.shape[0]
    return documents / (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["debian_desc"])
    parser.add_argument("--topics", type=int, nargs="+", default=[100])
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--peer-documents", type=int, default=3000)
    arguments = parser.parse_args()
    print(library.build_info())
    print("| set | topics | svi | annealing | tempering | local_tempering | scikit-learn | svi / scikit-learn |")
    print("|---|---|---|---|---|---|---|---|")
    for name in arguments.sets:
        path = os.path.join(arguments.data, name, "train.ldac.gz")
        data = library.read_data(path)
        rows = read_rows(path, arguments.peer_documents + arguments.batch) if LatentDirichletAllocation else None
        for topics in arguments.topics:
            methods = ["svi", "annealing", "tempering", "local_tempering"]
            speeds = {method: [] for method in methods + ["peer"]}
            for _ in range(3):
                for method in methods:
                    speeds[method].append(ours(data, topics, arguments, method=method))
                if rows:
                    speeds["peer"].append(peer(rows, library.columns(data), topics, arguments))
            medians = {method: statistics.median(values) if values else float("nan") for method, values in speeds.items()}
            print("| %s | %d | %s | %.0f | %.1f |" % (
                name, topics, " | ".join("%.0f" % medians[method] for method in methods), medians["peer"],
                medians["svi"] / medians["peer"]), flush=True)


if __name__ == "__main__":
    main()
