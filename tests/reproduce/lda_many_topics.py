"""The defaults of LDA for several numbers of topics (only K and a seed are set), compared with hand-picked settings.

    python3 lda_many_topics.py --data FOLDER [--sets arxiv_3800 ...] [--topics 100 500 1000] [--seeds 3] [--settings 40] [--documents 0]
        [--time 10 60] [--coolings 2 4] [--eta 0.01 0.1] [--validation] [--unlike]

Score: mean held-out log probability per token (nats) of the test documents (debian_bench: its given halves; other sets: halves drawn
with seed 1), mean over the seeds and range. Dead: topics with fewer than 50 tokens; duplicates: the same ten words as an earlier topic;
both of the last seed. Quality of the ten first words: NPMI coherence on the training documents, exclusivity, diversity. CPU seconds of
the whole fit, one thread.

--settings N: N settings, drawn at random over alpha, its learning, start temperature, shape, passes, eta and batch size, are tried with
seed 1 on 5 % of the training documents, which are left out of that fit (the choice sees no test document). The best of all, and the best
that took at most 1.25 times the seconds of the default, are fitted again with all seeds; the last column is what the default gains on each.
--documents: that many random training documents. --time, --coolings, --eta: also fits with these values of options time (wall clock; see
processor_clock.c), temperature_coolings and eta, and what they gain on the default. --validation: scores 5 % of the training documents
instead of test documents. --unlike: the same, but only documents that share less than 0.35 of their words (Jaccard) with every training document.
Needs NumPy, and SciPy for --unlike.
"""
import argparse
import gzip
import os
import random
import sys
import time

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

# The values from which hand-picked settings are drawn; "" leaves an option at its default.
OF_MODEL = {"alpha": ("", "", "0.01", "0.03", "0.1"), "learn_alpha": ("", "false", "true"),
            "eta": ("", "", "0.003", "0.01", "0.03", "0.1")}
OF_RUN = {"temperature_start": ("", "1.5", "2", "4", "6", "8"), "temperature_shape": ("", "", "linear"),
          "max_passes": ("", "6", "9", "15", "25"), "batch_size": ("", "", "100", "300", "1000")}


def corpus(folder, name, documents):
    """Training documents and the two halves of the test documents."""
    if name != "debian_bench":
        return library.text_set(folder, name, documents=documents)
    parts = [library.read_data(os.path.join(folder, name, part + ".ldac.gz"))
             for part in ("train", "test_observed", "test_heldout")]
    words = max(map(library.columns, parts))
    train, *halves = [library.with_columns(part, words) for part in parts]
    return train, halves


def unlike(path, columns, train, validation):
    """Row numbers in the file of those rows of `validation` whose words are unlike those of every row of `train`."""
    import scipy.sparse
    with gzip.open(path, "rt") as lines:
        words = [[int(entry.split(":")[0]) for entry in line.split()[1:]] for line in lines]

    def indicators(rows):
        ends = numpy.cumsum([0] + [len(words[row]) for row in rows])
        entries = numpy.concatenate([words[row] for row in rows])
        return scipy.sparse.csr_matrix((numpy.ones(len(entries)), entries, ends), (len(rows), columns))

    trained, asked = indicators(train), indicators(validation)
    of_trained, of_asked = (numpy.asarray(matrix.sum(1)).ravel() for matrix in (trained, asked))
    most = numpy.zeros(len(validation))
    block = 200  # rows whose products with all others are in memory together
    for first in range(0, len(validation), block):
        shared = (asked[first:first + block] @ trained.T).tocoo()
        row = first + shared.row
        numpy.maximum.at(most, row, shared.data / (of_asked[row] + of_trained[shared.col] - shared.data))
    return validation[most < 0.35]


def validation_part(folder, name, documents, only_unlike):
    """95 % of the training documents, and the halves of the remaining ones."""
    if not only_unlike:
        train, validation = corpus(folder, name, documents)[0].split(0.05, 1)
        return train, validation.split_counts(0.5, 1)
    path = os.path.join(folder, name, "train.ldac.gz")
    data = library.read_data(path)
    order = numpy.random.RandomState(1).permutation(library.rows(data))[:documents or None]
    validation, train = numpy.split(order, [len(order) // 20])
    validation = unlike(path, library.columns(data), numpy.sort(train), numpy.sort(validation))
    return data.select(numpy.sort(train)), data.select(validation).split_counts(0.5, 1)


def fit(train, halves, topics, seed, of_model=None, of_run=None):
    """(score, seconds, model)"""
    begin = time.process_time()
    model = library.model(topics=topics, **(of_model or {}))
    library.run(library.optimizer(model, train, seed=seed, threads=1, **(of_run or {})))
    seconds = time.process_time() - begin
    return library.evaluate(model, *halves), seconds, model


def drawn(options, draws):
    chosen = {name: draws.choice(values) for name, values in options.items()}
    return {name: value for name, value in chosen.items() if value}


def best_by_hand(train, topics, settings):
    """(model's options, run's options) of the best on validation documents, and of the best that took no more time than the default.

    Every call tries the same settings.
    """
    rest, validation = train.split(0.05, 1)
    halves = validation.split_counts(0.5, 1)
    seconds_of_default = fit(rest, halves, topics, 1)[1]
    draws = random.Random(1)
    tried = []
    for _ in range(settings):
        of_model, of_run = drawn(OF_MODEL, draws), drawn(OF_RUN, draws)
        score, seconds, _ = fit(rest, halves, topics, 1, of_model, of_run)
        print("  %d topics, %s: %.4f, %.1f s" % (topics, {**of_model, **of_run}, score, seconds), file=sys.stderr, flush=True)
        tried.append((score, seconds, of_model, of_run))
    tried.sort(key=lambda one: -one[0])
    as_quick = [one for one in tried if one[1] <= 1.25 * seconds_of_default]
    return [one[2:] for one in (tried[0], *as_quick[:1])]


def line(train, halves, topics, seeds, of_model=None, of_run=None):
    runs = [fit(train, halves, topics, seed, of_model, of_run) for seed in seeds]
    scores, model = [run[0] for run in runs], runs[-1][2]
    quality = [library.evaluate(model, train, None, measure)
               for measure in ("coherence_npmi", "exclusivity", "topic_diversity")]
    return (sum(scores) / len(scores), max(scores) - min(scores), sum(run[1] for run in runs) / len(runs),
            int((model.parameters["tokens"] < 50).sum()), int((model.parameters["duplicate_of"] >= 0).sum()), *quality)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["arxiv_3800"])
    parser.add_argument("--topics", type=int, nargs="+", default=[100, 500, 1000])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--settings", type=int, default=0)
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--time", nargs="+", default=[])
    parser.add_argument("--coolings", nargs="+", default=[])
    parser.add_argument("--eta", nargs="+", default=[])
    parser.add_argument("--validation", action="store_true")
    parser.add_argument("--unlike", action="store_true")
    arguments = parser.parse_args()
    seeds = range(1, arguments.seeds + 1)
    print(library.build_info())
    print("| set | K | settings | score | range | seconds | dead | duplicates | NPMI | exclusivity | diversity | gain |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")

    def show(name, topics, label, values, gain):
        print("| %s | %d | %s | %.4f | %.4f | %.1f | %d | %d | %.3f | %.3f | %.3f | %s |" % (
            name, topics, label, *values, gain), flush=True)

    for name in arguments.sets:
        if arguments.validation or arguments.unlike:
            train, halves = validation_part(arguments.data, name, arguments.documents, arguments.unlike)
        else:
            train, halves = corpus(arguments.data, name, arguments.documents)
        for topics in arguments.topics:
            default = line(train, halves, topics, seeds)
            show(name, topics, "default", default, "")
            for owner, option, values in (("of_run", "time", arguments.time), ("of_run", "temperature_coolings", arguments.coolings),
                                          ("of_model", "eta", arguments.eta)):
                for value in values:
                    other = line(train, halves, topics, seeds, **{owner: {option: value}})
                    show(name, topics, "%s %s" % (option, value), other, "%+.4f" % (other[0] - default[0]))
            if arguments.settings == 0:
                continue
            chosen = best_by_hand(train, topics, arguments.settings)
            for about, (of_model, of_run) in zip(("best", "best in the same time"), chosen):
                best = line(train, halves, topics, seeds, of_model, of_run)
                label = ", ".join("%s %s" % item for item in {**of_model, **of_run}.items())
                show(name, topics, "%s of %d by hand: %s" % (about, arguments.settings, label or "no option"), best,
                     "%+.4f" % (default[0] - best[0]))


if __name__ == "__main__":
    main()
