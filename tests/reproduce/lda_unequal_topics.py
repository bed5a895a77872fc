"""Documents drawn from topics of unequal sizes: how many of the topics do the default, the default without moves, svi and vi find?

    python3 lda_unequal_topics.py [--seeds 5 [--first-seed 6]] [--sets PLACES] [--data FOLDER --real SETS --topics 20 100]

Found: topics of the truth with a fitted topic at a cosine above 0.9. Each topic has `ratio` times as many tokens as the one before it;
a topic's words are Dir(0.05), a document's proportions Dir(0.1 K times the sizes). Score: log predictive density per word of 500 further
documents, whose halves are drawn with seed 1. Mean over the seeds, of the data and the fits. CPU seconds of the whole fit, one thread.
--data, --real: also real corpora, scored on 5 % of their training documents, which are left out; "made" is the number of moves.
Needs NumPy, SciPy.
"""
import argparse
import os
import sys
import time

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

# Documents, words of the vocabulary, topics, words of a document, ratio of the sizes.
SETS = ((500, 1000, 5, 100, 0.5), (5000, 1000, 5, 50, 0.4), (1000, 500, 3, 50, 0.2), (200, 300, 4, 30, 0.5), (300, 500, 10, 200, 1.0),
        (2000, 1000, 10, 100, 0.7), (2000, 1000, 10, 100, 0.5), (20000, 2000, 10, 60, 0.6), (2000, 2000, 20, 50, 0.8),
        (8000, 3000, 30, 60, 0.85), (5000, 100, 20, 30, 0.95))
FITS = (("default", {}), ("moves=off", {"moves": "off"}), ("svi", {"method": "svi"}), ("vi", {"method": "vi"}))


def drawn(documents, words, topics, length, ratio, seed):
    """Counts and the topics that they were drawn from."""
    import scipy.sparse
    random = numpy.random.default_rng(seed)
    truth = random.dirichlet(numpy.full(words, 0.05), topics)
    sizes = ratio ** numpy.arange(topics)
    proportions = random.dirichlet(0.1 * topics * sizes / sizes.sum() + 1e-3, documents)
    counts = [random.multinomial(n, p @ truth) for n, p in zip(random.poisson(length, documents) + 1, proportions)]
    return scipy.sparse.csr_matrix(numpy.array(counts, dtype=float)), truth


def found(model, truth):
    fitted = model.parameters["topics"]
    unit = [x / numpy.linalg.norm(x, axis=1, keepdims=True) for x in (truth, fitted)]
    return int(((unit[0] @ unit[1].T).max(axis=1) > 0.9).sum())


def fit(data, topics, seed, options):
    """The model, CPU seconds, moves made."""
    model = library.model(topics=topics)
    start = time.process_time()
    run = library.vtemper.Run(model, data, seed=seed, threads=1, **options)
    run.run()
    made = int(run.get("moves.kept")) if options == {} else 0
    return model, time.process_time() - start, made


def compare(label, fits, topics, problems):
    """Fits each of the problems (seed, training documents, halves of others, true topics or None) and prints the means."""
    results = {name: [] for name, _ in fits}
    for seed, data, halves, truth in problems:
        for name, options in fits:
            model, seconds, made = fit(data, topics, seed, options)
            results[name].append((0 if truth is None else found(model, truth), library.evaluate(model, *halves), seconds, made, truth is None))
    cells = []
    for name, rows in results.items():
        of_truth, score, seconds, made, unknown = numpy.mean(rows, axis=0)
        cells.append(("" if unknown else "%.1f of %d, " % (of_truth, topics)) + "%.4f, %.1f s" % (score, seconds)
                     + (", %.1f made" % made if name == "default" else ""))
    print("| %s | %s |" % (label, " | ".join(cells)), flush=True)


def drawn_problems(documents, words, topics, length, ratio, seeds):
    for seed in seeds:
        counts, truth = drawn(documents + 500, words, topics, length, ratio, seed)
        yield seed, library.vtemper.Data(counts[:documents]), library.vtemper.Data(counts[documents:]).split_counts(0.5, 1), truth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--sets", type=int, nargs="*", help="places in the list of drawn sets, from 0")
    parser.add_argument("--data", help="folder of real corpora")
    parser.add_argument("--real", nargs="+", default=[])
    parser.add_argument("--topics", type=int, nargs="+", default=[20, 100])
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    print("| documents, V, K, words, ratio | %s |" % " | ".join(name for name, _ in FITS))
    print("|---|" + "---|" * len(FITS))
    for place in arguments.sets if arguments.sets is not None else range(len(SETS)):
        compare("%d, %d, %d, %d, %g" % SETS[place], FITS, SETS[place][2], drawn_problems(*SETS[place], seeds))
    for name in arguments.real:
        train, halves = library.text_set(arguments.data, name, validation=0.05)
        for topics in arguments.topics:
            problems = [(seed, train, halves, None) for seed in seeds]
            compare("%s, K = %d" % (name, topics), FITS[:2], topics, problems)


if __name__ == "__main__":
    main()
