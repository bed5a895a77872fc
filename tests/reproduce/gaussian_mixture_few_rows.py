"""Gaussian mixtures of few rows: the default prior, which is not learned from at most three rows per column, beside others.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/gaussian_mixture_few_rows.py --data DATA [--seeds 5] [--components 3]

Of each set of mixture_defaults.py, random training rows: 1, 2, 3, 4 and 6 times as many as columns. Mean held-out log density of a
row (standard deviation over the draws): the default, a learned prior (learn_priors=true), and one Gaussian with scikit-learn's
Ledoit-Wolf covariance. Needs numpy and scikit-learn.
"""
import argparse
import warnings

import numpy as np

from mixture_defaults import gaussian_sets, library


def score(rows, test, seed, **options):
    model = library.model("gaussian_mixture", **options)
    library.run(library.optimizer(model, library.dense(rows), seed=seed, threads=1, moves="off"))
    return library.evaluate(model, library.dense(test), None, threads=1)


def one_gaussian(rows, test):
    from sklearn.covariance import LedoitWolf
    fitted = LedoitWolf().fit(rows)
    return np.mean(-0.5 * (fitted.mahalanobis(test) - np.linalg.slogdet(fitted.precision_)[1] + test.shape[1] * np.log(2 * np.pi)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--components", type=int, default=3)
    parser.add_argument("--times", type=int, nargs="+", default=[1, 2, 3, 4, 6])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| set | D | rows | default | learn_priors=true | one Gaussian |\n|---|---|---|---|---|---|")
    for name, (_, read) in gaussian_sets(arguments.data, 2000).items():
        train, test = read()
        columns = train.shape[1]
        for times in arguments.times:
            if max(times * columns, 6) > len(train):
                continue
            results = []
            for seed in range(arguments.seeds):
                rows = train[np.random.RandomState(seed).permutation(len(train))[:max(times * columns, 6)]]
                results.append([score(rows, test, seed, components=arguments.components),
                                score(rows, test, seed, components=arguments.components, learn_priors=True),
                                one_gaussian(rows, test)])
            cells = ["%.2f (%.2f)" % cell for cell in zip(np.mean(results, 0), np.std(results, 0))]
            print("| %s | %d | %d D | %s |" % (name, columns, times, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
