"""Methods for hidden Markov models, on sequences of symbols and on the letters of words: mean held-out log probability of a
symbol (standard deviation over seeds) and CPU seconds of a fit, one thread.

    python3 tests/reproduce/hidden_markov_methods.py --data DATA [--states 5 10 20] [--seeds 5]

The first 500 sequences of each part; of the words 3,000 to train and 1,500 to test, in random order, each with an end.
Needs NumPy and the library (VTEMPER_LIBRARY).
"""
import argparse
import os
import sys
import warnings

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mixture_defaults import cell, library, markov_fit, sequence_sets

METHODS = "vi", "annealing", "entropy_annealing", "stochastic_annealing", "tempering", "local_tempering"
VOCABULARIES = "ap", "debian_bench"
TRAIN, TEST = 3000, 1500


def words_of(folder, name):
    with open(os.path.join(folder, name, "vocab.txt")) as file:
        words = [word for word in file.read().split() if word.isalpha() and word.isascii()]
    order = np.random.RandomState(1).permutation(len(words))[:TRAIN + TEST]
    rows = [[ord(letter) - ord("a") for letter in words[i].lower()] + [26] for i in order]
    return [library.sequences(part, 27) for part in (rows[:TRAIN], rows[TRAIN:])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--states", type=int, nargs="+", default=[5, 10, 20])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| set | S | %s |\n%s|" % (" | ".join(arguments.methods), "|---" * (2 + len(arguments.methods))))
    every = list(sequence_sets(arguments.data))
    every += [("words of " + name, words_of(arguments.data, name)) for name in VOCABULARIES]
    for name, (train, test) in every:
        for states in arguments.states:
            cells = [cell([markov_fit(train, test, states, seed, method=method) for seed in range(1, arguments.seeds + 1)])
                     for method in arguments.methods]
            print("| %s | %d | %s |" % (name, states, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
