"""The learned prior of mixtures of Bernoulli columns, which is the default, against the same prior of fixed strength 1: mean
held-out log probability of a row (standard deviation over seeds), the gain, and the strength that was learned. The sets are
those of bernoulli_mixture_start.py, and their first rows.

    python3 tests/reproduce/bernoulli_mixture_prior.py --data DATA [--rows 150 600 0] [--components 5 20] [--seeds 3]

0 rows: all of them. One thread. Needs NumPy.
"""
import argparse
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bernoulli_mixture_start import library, sets
from spread import mean_and_deviation


def fits(train, test, components, seeds, **of_model):
    """Scores and learned strengths."""
    scores, strengths = [], []
    for seed in range(1, seeds + 1):
        model = library.model("bernoulli_mixture", components=components, **of_model)
        library.run(library.optimizer(model, train, seed=seed, threads=1, moves="off"))
        scores.append(library.evaluate(model, test, None, threads=1))
        strengths.append(model.parameters["probability_prior"].sum(0)[0])
    return np.array(scores), np.mean(strengths)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rows", type=int, nargs="+", default=[150, 600, 0])
    parser.add_argument("--components", type=int, nargs="+", default=[5, 20])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", nargs="+")
    arguments = parser.parse_args()
    print("| set | rows | K | strength 1 | learned | gain | strength |")
    print("|---|---|---|---|---|---|---|")
    for name, train, test in sets(arguments.data, arguments.sets):
        tested = library.dense(test)
        for rows in arguments.rows:
            if rows > len(train):
                continue
            trained = library.dense(train[:rows or None])
            for components in arguments.components:
                fixed, _ = fits(trained, tested, components, arguments.seeds, learn_priors="false")
                learned, strength = fits(trained, tested, components, arguments.seeds)
                print("| %s | %d | %d | %s | %s | %+.3f | %.2g |" % (
                    name, rows or len(train), components, mean_and_deviation(fixed, 3), mean_and_deviation(learned, 3),
                    learned.mean() - fixed.mean(), strength), flush=True)


if __name__ == "__main__":
    main()
