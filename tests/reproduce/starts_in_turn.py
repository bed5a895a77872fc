"""What option time gains by further starts, for Gaussian mixtures and hidden Markov models.

    cc -shared -fPIC -O2 -o processor_clock.so tests/reproduce/processor_clock.c
    LD_PRELOAD=./processor_clock.so VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/starts_by_time.py --data DATA [--times 4 16] [--seeds 3]

Default: one start. Then, with the same seeds, fits by time with multiples of the default's seconds ("steps": all of them for
one start, restarts=1, which ends when it has converged). Mean held-out log probability of a row (of a symbol), its gain
and that of the bound; seconds of the processor (processor_clock.c), one thread. Needs numpy and scikit-learn.
"""
import argparse
import time
import warnings

import numpy as np

from mixture_defaults import gaussian_sets, library, sequence_sets


def fit(kind, of_model, train, test, **of_run):
    model = library.model(kind, **of_model)
    begin = time.process_time()
    bound = library.run(library.optimizer(model, train, threads=1, **of_run)).elbo
    seconds = time.process_time() - begin
    return np.array([library.evaluate(model, test, None, threads=1), bound, seconds])


def row(name, size, kind, of_model, train, test, arguments):
    results = []
    for seed in range(1, 100 * arguments.seeds, 100):
        default = fit(kind, of_model, train, test, seed=seed)
        longer = [fit(kind, of_model, train, test, seed=seed, time=times * default[2]) for times in arguments.times]
        one = fit(kind, of_model, train, test, seed=seed, restarts=1, time=arguments.times[-1] * default[2])
        results.append([default, *longer, one])
    default, *others = np.mean(results, 0)
    cells = ["%+.3f, %+.0f, %.2f s" % (score - default[0], bound - default[1], seconds) for score, bound, seconds in others]
    print("| %s | %d | %.3f, %.2f s | %s |" % (name, size, default[0], default[2], " | ".join(cells)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--times", type=float, nargs="+", default=[4, 16])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--states", type=int, nargs="+", default=[5, 20])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    columns = ["set", "K", "default"] + ["time x %g" % times for times in arguments.times] + ["steps x %g" % arguments.times[-1]]
    print("| %s |\n%s|" % (" | ".join(columns), "|---" * len(columns)))
    for name, (count, read) in gaussian_sets(arguments.data, arguments.rows).items():
        train, test = map(library.dense, read())
        row(name, count, "gaussian_mixture", {"components": count}, train, test, arguments)
    for name, (train, test) in sequence_sets(arguments.data):
        for states in arguments.states:
            row(name, states, "hidden_markov", {"states": states}, train, test, arguments)


if __name__ == "__main__":
    main()
