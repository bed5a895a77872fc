"""What further starts gain for mixtures and hidden Markov models: those of the default, and those of option time.

    cc -shared -fPIC -O2 -o processor_clock.so tests/reproduce/processor_clock.c
    LD_PRELOAD=./processor_clock.so VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/starts_in_turn.py --data DATA [--times 16] [--seeds 3]
        [--plain] [--moves off | compare]

Compared with one start (restarts=1): the default; fits by time with multiples of the seconds of that start; with --plain also the
best of ten starts of the default method, and of ten by method vi. --moves off: mixtures without moves; compare: the first
start without moves, then with them, then the default without and with them. Mean held-out log probability of a row (of a symbol), its gain
and that of the bound; seconds of the processor (processor_clock.c), one thread. --parts tables: tables that come with R, for confirmation;
needs R and its package MASS. Needs numpy and scikit-learn.
"""
import argparse
import time
import warnings

import numpy as np

from mixture_defaults import gaussian_sets, library, sequence_sets, simulated_sequence_sets
from network_passes import R_TABLES, table_of_r

LEAST_ROWS_OF_TABLE = 70


def fit(kind, of_model, train, test, **of_run):
    model = library.model(kind, **of_model)
    begin = time.process_time()
    bound = library.run(library.optimizer(model, train, threads=1, **of_run)).elbo
    seconds = time.process_time() - begin
    return np.array([library.evaluate(model, test, None, threads=1), bound, seconds])


def row(name, size, kind, of_model, train, test, arguments):
    results = []
    for seed in range(1, 100 * arguments.seeds, 100):
        def run(**of_run):
            return fit(kind, of_model, train, test, seed=seed, **of_run)

        off = {} if arguments.moves == "auto" or kind == "hidden_markov" else {"moves": "off"}
        one = run(restarts=1, **off)
        others = [run(**off)]
        if arguments.moves == "compare":
            others = [run(restarts=1), others[0], run()]
        if arguments.plain:
            others += [run(restarts=10, **off, **method) for method in ({}, {"method": "vi"})]
        others += [run(time=times * one[2], **off) for times in arguments.times]
        results.append([one, *others])
    one, *others = np.mean(results, 0)
    cells = ["%+.3f, %+.0f, %.2f s" % (score - one[0], bound - one[1], seconds) for score, bound, seconds in others]
    print("| %s | %d | %.3f, %.2f s | %s |" % (name, size, one[0], one[2], " | ".join(cells)), flush=True)


def bernoulli_sets():
    """Zeros and ones of simulated mixtures, with equal and very unequal weights, and of scanned digits."""
    from sklearn.datasets import load_digits
    draws = np.random.RandomState(1)

    def simulated(rows, columns, low, high, share, weights):
        probabilities = np.where(draws.uniform(size=(len(weights), columns)) < share, high, low)
        components = draws.choice(len(weights), rows, p=np.array(weights) / np.sum(weights))
        return (draws.uniform(size=(rows, columns)) < probabilities[components]).astype(float)

    return {"unequal weights": (5, simulated(2000, 30, 0.15, 0.8, 0.5, [0.9, 0.06, 0.02, 0.015, 0.005])),
            "rare ones": (6, simulated(1500, 200, 0.01, 0.2, 0.15, [1] * 6)),
            "twenty": (20, simulated(2000, 60, 0.1, 0.9, 0.5, [1] * 20)),
            "few rows": (4, simulated(60, 50, 0.2, 0.8, 0.5, [1] * 4)),
            "digits": (10, (load_digits().data > 7).astype(float))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--times", type=float, nargs="*", default=[])
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--moves", choices=("auto", "off", "compare"), default="auto")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--states", type=int, nargs="+", default=[5, 20])
    parser.add_argument("--parts", nargs="+", default=["gaussian", "bernoulli", "simulated", "sequences"])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    plain = ["10 starts", "10 starts, vi"] if arguments.plain else []
    first = ["one start", "default"]
    if arguments.moves == "compare":
        first = ["one start without moves", "one start", "default without moves", "default"]
    columns = ["set", "K"] + first + plain + ["time x %g" % times for times in arguments.times]
    print("| %s |\n%s|" % (" | ".join(columns), "|---" * len(columns)))
    if "gaussian" in arguments.parts:
        for name, (count, read) in gaussian_sets(arguments.data, arguments.rows).items():
            train, test = map(library.dense, read())
            row(name, count, "gaussian_mixture", {"components": count}, train, test, arguments)
    if "tables" in arguments.parts:
        for name in R_TABLES:
            train, test = table_of_r(name)
            if len(train) >= LEAST_ROWS_OF_TABLE:
                row(name, 4, "gaussian_mixture", {"components": 4}, library.dense(train), library.dense(test), arguments)
    if "bernoulli" in arguments.parts:
        for name, (count, values) in bernoulli_sets().items():
            cut = 7 * len(values) // 10
            row(name, count, "bernoulli_mixture", {"components": count}, library.dense(values[:cut]), library.dense(values[cut:]), arguments)
    if "simulated" in arguments.parts:
        for name, (states, train, test) in simulated_sequence_sets().items():
            row(name, states, "hidden_markov", {"states": states}, train, test, arguments)
    if "sequences" in arguments.parts:
        for name, (train, test) in sequence_sets(arguments.data):
            for states in arguments.states:
                row(name, states, "hidden_markov", {"states": states}, train, test, arguments)


if __name__ == "__main__":
    main()
