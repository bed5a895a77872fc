"""Mixtures and hidden Markov models: which of several starts should try moves, all or those that lead before their moves?

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/leading_starts.py --data DATA [--seeds 3]
        [--parts gaussian sequences factorial] [--starts 10 20]

"All" are ten starts side by side, which all try moves. "Leading": every start is fitted without moves, every other one by vi, and goes
on with moves if its bound is then better than that of all earlier starts of its method, which is what the default does.
Held-out score, bound and CPU seconds of the start with the best bound; means over seeds that are 100 apart. Needs numpy and scikit-learn.
"""
import argparse
import time

import numpy as np

import factorial_mixture_noise
from mixture_defaults import gaussian_sets, library, sequence_sets


def fit(model, train, seed, **options):
    """The bound after the fit."""
    return library.run(library.optimizer(model, train, threads=1, seed=seed, **options)).elbo


def all_of_ten(create, train, seed):
    model = create()
    return fit(model, train, seed, restarts=10), model


def leading(create, train, seed, count):
    best, before = None, [-np.inf, -np.inf]
    for i in range(count):
        model = create()
        bound = fit(model, train, seed + i, restarts=1, moves="off", **({"method": "vi"} if i % 2 else {}))
        if bound <= before[i % 2]:
            continue
        before[i % 2] = bound
        bound = fit(model, train, seed + i, method="vi", restarts=1)
        if best is None or bound > best[0]:
            best = bound, model
    return best


def sets(part, folder):
    """(name, kind, options of the model, training and held-out rows)"""
    if part == "gaussian":
        for name, (count, read) in gaussian_sets(folder, 2000).items():
            if name != "mnist14":  # there the default makes one start
                yield name, "gaussian_mixture", {"components": count}, *map(library.dense, read())
    elif part == "sequences":
        for states in 5, 10:
            for name, (train, test) in sequence_sets(folder):
                yield name, "hidden_markov", {"states": states}, train, test
    else:
        for name, count, (train, test) in factorial_mixture_noise.sets(folder):
            yield name, "factorial_mixture", {"components": count}, library.dense(train), library.dense(test)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--starts", type=int, nargs="+", default=[10, 20])
    parser.add_argument("--parts", nargs="+", default=["gaussian", "sequences", "factorial"])
    arguments = parser.parse_args()
    print("| set | K | all of 10 | %s |" % " | ".join("leading of %d" % count for count in arguments.starts))
    print("|---|---|---|%s" % ("---|" * len(arguments.starts)))
    for part in arguments.parts:
        for name, kind, of_model, train, test in sets(part, arguments.data):
            ways = [all_of_ten] + [lambda *start, count=count: leading(*start, count) for count in arguments.starts]
            results = []
            for seed in range(1, 100 * arguments.seeds, 100):
                for way in ways:
                    begin = time.process_time()
                    bound, model = way(lambda: library.model(kind, **of_model), train, seed)
                    seconds = time.process_time() - begin
                    results.append((library.evaluate(model, test, None, threads=1), bound, seconds))
            first, *others = np.array(results).reshape(arguments.seeds, len(ways), 3).mean(0)
            cells = ["%+.3f, %+.0f, %.2f s" % (score - first[0], bound - first[1], seconds) for score, bound, seconds in others]
            print("| %s | %d | %.3f, %.2f s | %s |" % (name, *of_model.values(), first[0], first[2], " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
