"""Gaussian mixtures of few rows: the default prior, of whose shape nothing is learned from at most four rows per column, beside others.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/gaussian_mixture_few_rows.py --data DATA
        [--seeds 5] [--components 3] [--times 0.5 1 ...] [--sets wine ...]

Of each set of mixture_defaults.py, and of three simulated Normals of 100 columns whose means are 1.5 standard deviations apart in
every column, random training rows: 0.5, 1, 2, 3, 4 and 6 times as many as columns, at least 6. Mean held-out log density of a row (standard
deviation over the draws): the default, a learned prior (learn_priors=true), the prior without learning its strength
(learn_priors=false), and one Gaussian with scikit-learn's Ledoit-Wolf covariance. Needs numpy and scikit-learn.
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


def normals_apart():
    random = np.random.RandomState(5)
    means = 1.5 * random.normal(size=(3, 100))
    return tuple(means[np.arange(600) % 3] + random.normal(size=(600, 100)) for _ in range(2))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--components", type=int, default=3)
    parser.add_argument("--times", type=float, nargs="+", default=[0.5, 1, 2, 3, 4, 6])
    parser.add_argument("--sets", nargs="+")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| set | D | rows | default | learn_priors=true | learn_priors=false | one Gaussian |\n|---|---|---|---|---|---|---|")
    sets = {name: read for name, (_, read) in gaussian_sets(arguments.data, 2000).items()}
    sets["normals_apart"] = normals_apart
    for name in arguments.sets or sets:
        train, test = sets[name]()
        columns = train.shape[1]
        for times in arguments.times:
            count = max(int(times * columns), 6)
            if count > len(train):
                continue
            results = []
            for seed in range(arguments.seeds):
                rows = train[np.random.RandomState(seed).permutation(len(train))[:count]]
                results.append([score(rows, test, seed, components=arguments.components),
                                score(rows, test, seed, components=arguments.components, learn_priors=True),
                                score(rows, test, seed, components=arguments.components, learn_priors=False),
                                one_gaussian(rows, test)])
            cells = ["%.2f (%.2f)" % cell for cell in zip(np.mean(results, 0), np.std(results, 0))]
            print("| %s | %d | %g D | %s |" % (name, columns, times, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
