"""Moves of factorial mixtures: what they gain, and what they cost, on rows drawn from the model and on real ones.

    VTEMPER_LIBRARY=... python3 factorial_mixture_moves.py --data DATA [--seeds 3] [--method annealing] [--faces]

The sets are those of factorial_mixture_noise.py; with --faces also those of factorial_mixture_faces.py (minutes). Held-out
log density of a value given half of its row, gain of the bound by moves (nats of the whole set), CPU seconds; means over
the seeds, standard deviation of the differences. Without --method no option but K and the seed is set. Needs NumPy.
"""
import argparse
import os
import sys
import time

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import factorial_mixture_faces  # noqa: E402
import factorial_mixture_noise  # noqa: E402
from factorial_mixture_faces import library  # noqa: E402


def faces(folder):
    train, test = (factorial_mixture_faces.images(os.path.join(folder, "yaleb10", part + "-images.idx.gz"))
                   for part in ("train", "test"))
    yield "yaleb10", 16, [((part - train.mean()) / train.std()).reshape(len(part), -1) for part in (train, test)]


def fit(train, test, components, seed, **options):
    """(held-out score, bound, seconds)"""
    begin = time.process_time()
    model = library.model("factorial_mixture", components=components)
    report = library.run(library.optimizer(model, train, seed=seed, threads=1, **options))
    seconds = time.process_time() - begin
    return library.evaluate(model, test, None, threads=1), report.elbo, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--method", default="")
    parser.add_argument("--faces", action="store_true")
    arguments = parser.parse_args()
    options = {"method": arguments.method} if arguments.method else {}
    sets = list(factorial_mixture_noise.sets(arguments.data)) + (list(faces(arguments.data)) if arguments.faces else [])
    print("| set | rows x columns | K | without moves | with moves | gain | gain of the bound | seconds |\n|---|---|---|---|---|---|---|---|")
    for name, components, (rows, held_out) in sets:
        train, test = library.dense(rows), library.dense(held_out)
        without, moved = (np.array([fit(train, test, components, seed, moves=moves, **options)
                                    for seed in range(1, 100 * arguments.seeds, 100)]) for moves in ("off", "auto"))
        gains = (moved - without)[:, :2]
        spread = gains.std(0, ddof=1) if arguments.seeds > 1 else np.zeros(2)
        print("| %s | %d x %d | %d | %.3f | %.3f | %+.3f (%.3f) | %+.1f (%.1f) | %.2f, %.2f |" % (
            name, *rows.shape, components, without[:, 0].mean(), moved[:, 0].mean(), gains[:, 0].mean(), spread[0],
            gains[:, 1].mean(), spread[1], without[:, 2].mean(), moved[:, 2].mean()), flush=True)


if __name__ == "__main__":
    main()
