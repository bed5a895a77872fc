"""The default start and method of mixtures of Bernoulli columns against random starts, on pixels, on the presence of
words in documents, and on rows drawn from random classes: mean held-out log probability of a row (standard deviation over
seeds) and CPU seconds of a fit, one thread.

    python3 tests/reproduce/bernoulli_mixture_start.py --data DATA [--components 5 20] [--seeds 6]

The words are those in most training documents. Needs NumPy.
"""
import argparse
import gzip
import os
import sys
import time

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bernoulli_mixture_digits import library, read_digits
from spread import mean_and_deviation

SETTINGS = (
    ("vi, random", {"start": "random"}, {"method": "vi"}),
    ("annealing, random", {"start": "random"}, {"method": "annealing"}),
    ("entropy annealing, random", {"start": "random"}, {"method": "entropy_annealing"}),
    ("vi", {}, {"method": "vi"}),
    ("annealing", {}, {"method": "annealing"}),
    ("default", {}, {"restarts": 1}))
# words and documents to train and to test on
WORDS = {"newsgroups20": (200, 4000, 2000), "poliblog5k": (500, 4500, 500), "ap": (100, 2000, 220),
         "simplewiki": (300, 5000, 2000), "arxiv_3800": (200, 3400, 370), "nips": (400, 1300, 149)}
CLASSES = {"10 columns, 6 classes": (10, 6, 1000), "40 columns, 20 classes": (40, 20, 1500)}


def present(folder, name, part, documents):
    """The word numbers of each document."""
    with gzip.open(os.path.join(folder, name, part + ".ldac.gz"), "rt") as file:
        return [[int(pair.split(":")[0]) for pair in line.split()[1:]] for line, _ in zip(file, range(documents))]


def of_words(folder, name):
    words, *documents = WORDS[name]
    parts = [present(folder, name, part, count) for part, count in zip(("train", "test"), documents)]
    found = np.bincount([word for row in parts[0] for word in row])
    column = {word: place for place, word in enumerate(np.argsort(-found, kind="stable")[:words])}
    tables = [np.zeros((len(part), words)) for part in parts]
    for part, table in zip(parts, tables):
        for row, numbers in enumerate(part):
            table[row, [column[word] for word in numbers if word in column]] = 1
    return tables


def of_classes(columns, classes, rows):
    random = np.random.RandomState(columns)
    p = random.beta(0.5, 0.5, (classes, columns))
    x = (random.uniform(size=(2 * rows, columns)) < p[random.randint(classes, size=2 * rows)]).astype(float)
    return x[:rows], x[rows:]


def sets(folder, chosen):
    """name, rows to train and to test on"""
    order = np.random.RandomState(3).permutation(10000)[:2000]  # the test digits are sorted
    every = {"digits": lambda: (read_digits(folder, "train")[:3000], read_digits(folder, "test")[order])}
    every.update({name: lambda name=name: of_words(folder, name) for name in WORDS})
    every.update({name: lambda name=name: of_classes(*CLASSES[name]) for name in CLASSES})
    return ((name, *read()) for name, read in every.items() if not chosen or name in chosen)


def cell(train, test, components, of_model, of_method, seeds):
    scores, begin = [], time.process_time()
    for seed in range(1, seeds + 1):
        model = library.model("bernoulli_mixture", components=components, **of_model)
        library.run(library.optimizer(model, train, seed=seed, threads=1, moves="off", **of_method))
        scores.append(library.evaluate(model, test, None, threads=1))
    return "%s %.2f s" % (mean_and_deviation(scores, 3), (time.process_time() - begin) / seeds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--components", type=int, nargs="+", default=[5, 20])
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--sets", nargs="+")
    arguments = parser.parse_args()
    print("| set | K | %s |" % " | ".join(name for name, _, _ in SETTINGS))
    print("|---" * (2 + len(SETTINGS)) + "|")
    for name, *parts in sets(arguments.data, arguments.sets):
        train, test = map(library.dense, parts)
        for components in arguments.components:
            cells = [cell(train, test, components, of_model, of_method, arguments.seeds)
                     for _, of_model, of_method in SETTINGS]
            print("| %s | %d | %s |" % (name, components, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
