"""The cost of many topics: seconds of a default fit and of one more pass at T = 1, and the score, by number of topics.

    python3 lda_many_topics.py --data FOLDER [--sets debian_desc] [--topics 500 2000 10000] [--seeds 1] [--documents 0]

Score: held-out log probability per token (document completion) after the default fit, of 5 % of the training documents, which are left
out of the fit (debian_bench: of its test halves). Pass: a new run from the fitted topics whose first step is at T = 1.51, because only
fits that cool may consider few topics per document; that step, which also allocates memory, is not timed, and all others are at T = 1.
CPU seconds, one thread. Ratio: of the passes, to the first number of topics. To compare two versions, run each with its own
VTEMPER_LIBRARY, alternating.
"""
import argparse
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import library  # noqa: E402


def corpus(folder, name, documents):
    if name != "debian_bench":
        return library.text_set(folder, name, documents=documents, validation=0.05, test_documents=2000)
    parts = [library.read_data(os.path.join(folder, name, part + ".ldac.gz"))
             for part in ("train", "test_observed", "test_heldout")]
    words = max(map(library.columns, parts))
    train, *halves = [library.with_columns(part, words) for part in parts]
    return train, halves


def seconds_of_fit(model, train, seed):
    begin = time.process_time()
    library.run(library.optimizer(model, train, seed=seed, threads=1))
    return time.process_time() - begin


def seconds_of_pass(model, train, seed):
    run = library.optimizer(model, train, seed=seed, threads=1, temperature_start=1.51, temperature_steps=1, max_passes=2)
    first = library.step(run, 1)
    begin = time.process_time()
    library.step(run, round(1 / first.passes))
    return time.process_time() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["debian_desc"])
    parser.add_argument("--topics", type=int, nargs="+", default=[500, 2000, 10000])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--documents", type=int, default=0, help="that many random training documents; 0: all")
    arguments = parser.parse_args()
    print(library.build_info())
    print("| set | documents | K | fit, seconds | score | a pass at T = 1, seconds | ratio |")
    print("|---|---|---|---|---|---|---|")
    for name in arguments.sets:
        train, halves = corpus(arguments.data, name, arguments.documents)
        first = None
        for topics in arguments.topics:
            runs = []
            for seed in range(1, arguments.seeds + 1):
                model = library.model(topics=topics)
                fit = seconds_of_fit(model, train, seed)
                score = library.evaluate(model, *halves)
                runs.append((fit, score, seconds_of_pass(model, train, seed)))
            fit, score, one = (sum(values) / len(runs) for values in zip(*runs))
            first = first or one
            print("| %s | %d | %d | %.1f | %.4f | %.2f | %.2f |" % (name, train.rows, topics, fit, score, one,
                                                                   one / first), flush=True)


if __name__ == "__main__":
    main()
