"""The default of LDA, nothing set but K and a seed, over numbers of topics; beside settings made by hand.

    python3 lda_many_topics.py --data FOLDER [--sets arxiv_3800 ...] [--topics 100 500 1000] [--seeds 3] [--hand]

Score: mean held-out log probability per token (nats) of the test documents (of debian_bench the halves that stand there, of the others
halves drawn with seed 1), mean over the seeds with its range. Dead: topics below 50 tokens; duplicates: same ten words as an earlier
topic; both of the last seed. Quality of the ten first words: NPMI coherence on the training documents, exclusivity, diversity. Seconds
of the processor, one thread, of the whole fit. --hand: every combination of alpha, learning of alpha, start temperature and passes below is tried
with seed 1 on 5 % of the training documents, left out of that fit (the choice sees no test document), and the best is fitted again.
"""
import argparse
import itertools
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

ALPHAS = ("auto", "0.01", "0.03", "0.1")
LEARN = ("false", "true")
STARTS = ("1.5", "2", "4", "6", "8")


def corpus(folder, name):
    """Training documents and the two halves of the test documents."""
    if name != "debian_bench":
        return library.text_set(folder, name)
    parts = [library.read_data(os.path.join(folder, name, part + ".ldac.gz"))
             for part in ("train", "test_observed", "test_heldout")]
    words = max(map(library.columns, parts))
    train, *halves = [library.with_columns(part, words) for part in parts]
    return train, halves


def fit(train, halves, topics, seed, of_model=None, of_run=None):
    """(score, seconds, model)"""
    begin = time.process_time()
    model = library.model(topics=topics, **(of_model or {}))
    library.run(library.optimizer(model, train, seed=seed, threads=1, **(of_run or {})))
    seconds = time.process_time() - begin
    return library.evaluate(model, *halves), seconds, model


def best_by_hand(folder, name, topics, passes):
    """(its score on the validation documents, model's options, run's options)"""
    train, halves = library.text_set(folder, name, validation=0.05)
    tried = []
    for alpha, learn, start in itertools.product(ALPHAS, LEARN, STARTS):
        of_model = dict(alpha=alpha, learn_alpha=learn)
        of_run = dict(temperature_start=start, max_passes=passes)
        tried.append((fit(train, halves, topics, 1, of_model, of_run)[0], of_model, of_run))
    return max(tried, key=lambda one: one[0])


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
    parser.add_argument("--hand", action="store_true")
    arguments = parser.parse_args()
    seeds = range(1, arguments.seeds + 1)
    print(library.build_info())
    print("| set | K | settings | score | range | seconds | dead | duplicates | NPMI | exclusivity | diversity |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in arguments.sets:
        train, halves = corpus(arguments.data, name)
        for topics in arguments.topics:
            settings = [("default", None, None)]
            if arguments.hand:
                passes = 9 if topics >= 200 else 6
                _, of_model, of_run = best_by_hand(arguments.data, name, topics, str(passes))
                settings.append((", ".join("%s %s" % item for item in {**of_model, **of_run}.items()), of_model, of_run))
            for label, of_model, of_run in settings:
                print("| %s | %d | %s | %.4f | %.4f | %.1f | %d | %d | %.3f | %.3f | %.3f |" % (
                    name, topics, label, *line(train, halves, topics, seeds, of_model, of_run)), flush=True)


if __name__ == "__main__":
    main()
