"""The defaults of gaussian_mixture and hidden_markov on held-out rows: against vi from random starts and from k-means, and
scikit-learn's BayesianGaussianMixture and GaussianMixture, all scored by the same density; against the best of several
starts of a hidden Markov model without moves.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/mixture_defaults.py --data DATA [--starts 3]
        [--rows 2000] [--states 5 10] [--parts toy gaussian equal_time sequences equal_time_sequences] [--sets NAME ...]

Gaussian mixtures: frames of chartraj, spoken_digits, japanese_vowels; principal components of the faces of yaleb10_42x48 and
of MNIST digits; the sets that come with scikit-learn (split at random, seed 0, 70 % for training; columns as they are, digits
as 20 principal components); a ladder of 12 clusters at three scales, made here; for confirmation: frames of chartraj that
move, means of the sequences of chartraj, spoken_digits and japanese_vowels, 50 components of the faces, 14 x 14 pixels of
MNIST. scikit-learn's posterior is scored by the library's predictive density, its GaussianMixture by its own. CPU seconds,
one thread; of one start. equal_time and equal_time_sequences: the default against as many starts of the others as take its CPU
seconds with the same seed (at least one), of which each keeps the best by its own bound.

Hidden Markov models: symbols of japanese_vowels, jsb_chorales, chartraj, spoken_digits, and frames quantised here ("name, V"). "3 starts": restarts=3, moves=off.

toy: 50 sequences of 20 symbols, odd ones uniform on {0, 1, 2}, even ones on {2, 3, 4}, two states; seeds 1 to 20.
Needs numpy and scikit-learn.
"""
import argparse
import gzip
import os
import sys
import time
import warnings

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ.setdefault(variable, "1")

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402
from hidden_markov_sequences import read_sequences  # noqa: E402

METHODS = ["vi", "annealing", "entropy_annealing", "tempering", "local_tempering", "stochastic_annealing"]


def timed(action):
    began = time.process_time()
    result = action()
    return result, time.process_time() - began


# ---- Gaussian mixtures ----

def images(path):
    with gzip.open(path) as file:
        content = file.read()
    dimensions = content[3]
    count = int.from_bytes(content[4:8], "big")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(count, -1).astype(float)


def frames(folder, name, rows):
    with gzip.open(os.path.join(folder, name, "frames.csv.gz"), "rt") as lines:
        table = [line.strip().split(",") for line in lines][1:]
    random = np.random.RandomState(0)
    parts = [np.array([row[3:] for row in table if (row[1] == "train") == wanted], float) for wanted in (True, False)]
    return [part[random.permutation(len(part))[:rows]] for part in parts]


def components(train, test, count):
    mean = train.mean(0)
    axes = np.linalg.svd(train - mean, full_matrices=False)[2][:count].T
    return (train - mean) @ axes, (test - mean) @ axes


def ladder(rows):
    """12 clusters in four columns, at three scales."""
    random = np.random.RandomState(1)
    clusters = []
    for scale in (30, 6, 1.2):
        for _ in range(4):
            axes = np.linalg.qr(random.normal(size=(4, 4)))[0] @ np.diag(random.uniform(0.3, 2, 4))
            clusters.append((scale * random.normal(size=4), scale / 6 * axes))
    drawn = []
    for centre, axes in (clusters[k] for k in random.randint(12, size=2 * rows)):
        drawn.append(centre + axes @ random.normal(size=4))
    return np.array(drawn[:rows]), np.array(drawn[rows:])


def moving_frames(folder, rows):
    """Frames of chartraj in which the pen moves: a fifth of all repeat one value, for which there is no density."""
    return [part[(np.abs(part[:, 2]) > 1e-9)][:rows] for part in frames(folder, "chartraj", 3 * rows)]


def means_of_sequences(folder, name):
    sums = {}
    with gzip.open(os.path.join(folder, name, "frames.csv.gz"), "rt") as lines:
        next(lines)
        for row in (line.strip().split(",") for line in lines):
            sums.setdefault((row[1] == "train", row[0]), []).append([float(value) for value in row[3:]])
    return [np.array([np.mean(values, 0) for (train, _), values in sums.items() if train == wanted])
            for wanted in (True, False)]


def seven_tenths(rows):
    """The rows in random order, divided."""
    rows = rows[np.random.RandomState(0).permutation(len(rows))]
    count = len(rows) * 7 // 10
    return rows[:count], rows[count:]


def table_of(name):
    from sklearn import datasets
    return seven_tenths(getattr(datasets, "load_" + name)().data)


def gaussian_sets(folder, rows):
    """name: (K, function that gives training and held-out rows)"""
    mnist = os.path.join(folder, "mnist", "train-images-idx3-ubyte.gz")
    faces = os.path.join(folder, "yaleb10_42x48", "%s-images.idx.gz")

    def digits():
        pixels = images(mnist)
        order = np.random.RandomState(0).permutation(len(pixels))
        return components(pixels[order[:rows]] / 255, pixels[order[rows:2 * rows]] / 255, 20)

    def small_digits():
        random = np.random.RandomState(3)
        pixels = images(mnist)
        pixels = pixels[random.permutation(len(pixels))[:3000]].reshape(-1, 14, 2, 14, 2).mean((2, 4)).reshape(-1, 196)
        pixels = (pixels + random.uniform(size=pixels.shape)) / 255
        return pixels[:1500], pixels[1500:]

    return {
        "chartraj": (20, lambda: frames(folder, "chartraj", rows)),
        "spoken_digits": (20, lambda: frames(folder, "spoken_digits", rows)),
        "japanese_vowels": (20, lambda: frames(folder, "japanese_vowels", rows)),
        "yaleb10": (10, lambda: components(images(faces % "train"), images(faces % "test"), 20)),
        "mnist": (20, digits),
        "iris": (3, lambda: table_of("iris")),
        "wine": (3, lambda: table_of("wine")),
        "breast_cancer": (4, lambda: table_of("breast_cancer")),
        "diabetes": (4, lambda: table_of("diabetes")),
        "digits": (10, lambda: components(*table_of("digits"), 20)),
        "ladder": (12, lambda: ladder(2000)),
        "chartraj_moving": (20, lambda: moving_frames(folder, rows)),
        "chartraj_means": (20, lambda: means_of_sequences(folder, "chartraj")),
        "digit_means": (10, lambda: means_of_sequences(folder, "spoken_digits")),
        "vowel_means": (9, lambda: means_of_sequences(folder, "japanese_vowels")),
        "faces50": (5, lambda: components(images(faces % "train"), images(faces % "test"), 50)),
        "mnist14": (10, small_digits),
    }


def by_default(kind, train, test, seed, **settings):
    model = library.model(kind, **settings)
    _, seconds = timed(lambda: library.run(library.optimizer(model, train, seed=seed, threads=1)))
    return library.evaluate(model, test, None, threads=1), seconds


def one_start(kind, train, test, seed, method, **settings):
    """Score, seconds and bound of one start without moves."""
    model = library.model(kind, **settings)
    report, seconds = timed(
        lambda: library.run(library.optimizer(model, train, method=method, seed=seed, threads=1, moves="off", restarts=1)))
    return library.evaluate(model, test, None, threads=1), seconds, report.elbo


def ours(train, test, count, seed, start, method, **settings):
    return one_start("gaussian_mixture", train, test, seed, method, components=count, start=start, **settings)[:2]


def bayesian(rows, train, test, count, seed):
    from sklearn.mixture import BayesianGaussianMixture
    theirs = BayesianGaussianMixture(n_components=count, weight_concentration_prior_type="dirichlet_distribution",
                                     random_state=seed)
    _, seconds = timed(lambda: theirs.fit(rows))
    model = library.model("gaussian_mixture", components=count)
    library.initialize(model, train, 1)
    dof = theirs.degrees_of_freedom_
    for name, values in (("weights.concentration", theirs.weight_concentration_), ("mean", theirs.means_),
                         ("mean.precision_scale", theirs.mean_precision_), ("precision.dof", dof),
                         ("precision.scale", theirs.precisions_ / dof[:, None, None])):
        if name == "precision.scale":
            values = (values + values.transpose(0, 2, 1)) / 2
        library.set_parameter(model, name, values)
    return library.evaluate(model, test, None, threads=1), seconds, theirs.lower_bound_


def expectation_maximisation(rows, held_out, count, seed):
    from sklearn.mixture import GaussianMixture
    theirs = GaussianMixture(n_components=count, random_state=seed)
    _, seconds = timed(lambda: theirs.fit(rows))
    return theirs.score(held_out), seconds, theirs.lower_bound_


def best_in(seconds, fit, seed):
    """Score of the best of as many starts as take about so long, and their seconds."""
    results = [fit(seed)]
    while (spent := sum(result[1] for result in results)) * (1 + 1 / len(results)) <= seconds:
        results.append(fit(seed + 1000 * len(results)))
    return max(results, key=lambda result: result[2])[0], spent


def cell(results):
    scores, seconds = np.array(results).T
    return "%.3f (%.3f) %.2f s" % (scores.mean(), scores.std(ddof=1) if len(scores) > 1 else 0, seconds.mean())


def chosen_gaussian_sets(arguments):
    """Name, K, and the rows to fit and to score, as arrays and as data."""
    for name, (count, read) in gaussian_sets(arguments.data, arguments.rows).items():
        if not arguments.sets or name in arguments.sets:
            rows, held_out = read()
            yield name, count, rows, held_out, library.dense(rows), library.dense(held_out)


def gaussian_table(arguments):
    print("| set | rows | D | K | one start | vi, random | vi, k_means | learn_priors=false | BayesianGaussianMixture | GaussianMixture "
          "| one start - best |\n|---|---|---|---|---|---|---|---|---|---|---|")
    for name, count, rows, held_out, train, test in chosen_gaussian_sets(arguments):
        seeds = range(1, arguments.starts + 1)
        results = [
            [ours(train, test, count, seed, "k_means", "annealing") for seed in seeds],
            [ours(train, test, count, seed, "random", "vi") for seed in seeds],
            [ours(train, test, count, seed, "k_means", "vi") for seed in seeds],
            [ours(train, test, count, seed, "k_means", "annealing", learn_priors=False) for seed in seeds],
            [bayesian(rows, train, test, count, seed)[:2] for seed in seeds],
            [expectation_maximisation(rows, held_out, count, seed)[:2] for seed in seeds]]
        means = [np.mean([score for score, _ in result]) for result in results]
        print("| %s | %d | %d | %d | %s | %+.3f |" % (name, len(rows), rows.shape[1], count,
                                                  " | ".join(map(cell, results)), means[0] - max(means[1:])), flush=True)


def equal_time_row(name, size, default, rivals, starts):
    """`default`(seed): score and seconds; the same of each rival, and its bound."""
    results = [[] for _ in range(1 + len(rivals))]
    for seed in range(1, 100 * starts, 100):  # the default's starts have the seeds from this one on
        score, seconds = default(seed)
        results[0].append((score, seconds))
        for result, rival in zip(results[1:], rivals):
            result.append(best_in(seconds, rival, seed))
    means = [np.mean([score for score, _ in result]) for result in results]
    print("| %s | %d | %s | %+.3f |" % (name, size, " | ".join(map(cell, results)), means[0] - max(means[1:])), flush=True)


def equal_time_table(arguments):
    print("| set | K | default | vi, random | vi, k_means | BayesianGaussianMixture | GaussianMixture | default - best |\n"
          "|---|---|---|---|---|---|---|---|")
    for name, count, rows, held_out, train, test in chosen_gaussian_sets(arguments):
        rivals = (lambda seed: one_start("gaussian_mixture", train, test, seed, "vi", components=count, start="random"),
                  lambda seed: one_start("gaussian_mixture", train, test, seed, "vi", components=count, start="k_means"),
                  lambda seed: bayesian(rows, train, test, count, seed),
                  lambda seed: expectation_maximisation(rows, held_out, count, seed))
        equal_time_row(name, count, lambda seed: by_default("gaussian_mixture", train, test, seed, components=count), rivals,
                       arguments.starts)


# ---- hidden Markov models ----

def markov_fit(train, test, states, seed, **settings):
    """One start unless restarts says otherwise: what further ones gain is the subject of starts_in_turn.py."""
    settings.setdefault("restarts", 1)
    priors = {name: settings.pop(name) for name in list(settings) if name == "emission_prior"}
    model = library.model("hidden_markov", states=states, **priors)
    _, seconds = timed(lambda: library.run(library.optimizer(model, train, seed=seed, threads=1, **settings)))
    return library.evaluate(model, test, None, threads=1), seconds


def quantised(folder, name, symbols):
    """Sequences of symbols: for each frame, the nearest of `symbols` centres of the training frames (k-means, seed 0)."""
    from sklearn.cluster import KMeans
    rows = {}
    with gzip.open(os.path.join(folder, name, "frames.csv.gz"), "rt") as lines:
        next(lines)
        for row in (line.strip().split(",") for line in lines):
            rows.setdefault((row[1] == "train", int(row[0])), []).append([float(value) for value in row[3:]])
    parts = [[np.array(rows[key]) for key in sorted(rows) if key[0] == wanted] for wanted in (True, False)]
    frames_of_training = np.concatenate(parts[0])
    deviation = frames_of_training.std(0)
    centres = KMeans(symbols, n_init=1, random_state=0).fit(frames_of_training / deviation)
    return [[list(centres.predict(row / deviation)) for row in part] for part in parts]


def sequence_sets(folder):
    for name, symbols in (("japanese_vowels", 32), ("spoken_digits", 64)):
        yield "%s, %d" % (name, symbols), [library.sequences(part[:500], symbols) for part in quantised(folder, name, symbols)]
    for name, alphabet in (("japanese_vowels", 64), ("jsb_chorales", 78), ("spoken_digits", 256), ("chartraj", 500)):
        parts = [[row[1] for row in read_sequences(os.path.join(folder, name, part + ".symbols.txt.gz"))]
                 for part in ("train", "test")]
        yield name, [library.sequences(part[:500], alphabet) for part in parts]


def simulated_sequence_sets():
    """(states, training, test) of chains with sticky, cyclic, ordered and random transitions."""
    def simulated(start, transitions, emissions, rows, length):
        sequences = []
        for _ in range(rows):
            state = draws.choice(len(start), p=start)
            sequence = []
            for _ in range(length):
                sequence.append(draws.choice(emissions.shape[1], p=emissions[state]))
                state = draws.choice(len(start), p=transitions[state])
            sequences.append(sequence)
        return library.sequences(sequences, emissions.shape[1])

    def mixed(pairs, stays, states):
        transitions = np.full((states, states), (1 - stays) / states)
        for one, next_one in pairs:
            transitions[one, next_one] += stays
        return transitions / transitions.sum(1, keepdims=True)

    sets = {}
    for name, states, symbols, rows, length, spread in (("sticky", 5, 10, 10, 200, 0.5), ("cyclic", 8, 8, 40, 60, 1.0), ("ordered", 8, 10, 60, 50, 0.3),
                                                        ("random", 10, 30, 60, 80, 0.2), ("random, 20", 20, 50, 100, 100, 0.1), ("weak", 3, 6, 60, 100, 3.0)):
        draws = np.random.RandomState(1)
        everyone = range(states)
        transitions = {"sticky": lambda: mixed([(k, k) for k in everyone], 0.99, states),
                       "weak": lambda: mixed([(k, k) for k in everyone], 0.9, states),
                       "cyclic": lambda: mixed([(k, (k + 1) % states) for k in everyone], 0.95, states),
                       "ordered": lambda: np.eye(states) * 0.85 + np.eye(states, k=1) * 0.15 + np.diag([0.0] * (states - 1) + [0.15])
                       }.get(name, lambda: draws.dirichlet([spread] * states, states))()
        start = np.eye(states)[0] if name == "ordered" else np.full(states, 1 / states)
        emissions = draws.dirichlet([spread] * symbols, states)
        sets[name] = states, simulated(start, transitions, emissions, rows, length), simulated(start, transitions, emissions, 200, length)
    return sets


def sequence_table(arguments):
    print("| set | S | default | emission_prior = 10/V | 3 starts | vi, moves off | vi | default - best |\n"
          "|---|---|---|---|---|---|---|---|")
    for name, (train, test) in sequence_sets(arguments.data):
        settings = [{}, {"emission_prior": 10 / library.columns(train)}, {"moves": "off", "restarts": 3},
                    {"method": "vi", "moves": "off"}, {"method": "vi"}]
        if arguments.sets and name not in arguments.sets:
            continue
        for states in arguments.states:
            results = [[markov_fit(train, test, states, seed, **setting) for seed in range(1, arguments.starts + 1)]
                       for setting in settings]
            means = [np.mean([score for score, _ in result]) for result in results]
            print("| %s | %d | %s | %+.3f |" % (name, states, " | ".join(map(cell, results)), means[0] - max(means[1:])),
                  flush=True)


def equal_time_sequences_table(arguments):
    print("| set | S | default | vi | annealing | tempering | default - best |\n|---|---|---|---|---|---|---|")
    for name, (train, test) in sequence_sets(arguments.data):
        if arguments.sets and name not in arguments.sets:
            continue
        for states in arguments.states:
            rivals = [lambda seed, method=method: one_start("hidden_markov", train, test, seed, method, states=states)
                      for method in ("vi", "annealing", "tempering")]
            equal_time_row(name, states, lambda seed: by_default("hidden_markov", train, test, seed, states=states), rivals,
                           arguments.starts)


def toy_table():
    random = np.random.RandomState(7)
    data = library.sequences([list(random.randint(3, size=20) + 2 * (row % 2)) for row in range(50)], 5)
    print("| method | good ends, moves off | with moves | trials' steps |\n|---|---|---|---|")
    for method in METHODS:
        bounds = {}
        steps = []
        for moves in ("off", "auto"):
            bounds[moves] = []
            for seed in range(1, 21):
                model = library.model("hidden_markov", states=2)
                optimizer = library.optimizer(model, data, method=method, moves=moves, seed=seed, threads=1)
                bounds[moves].append(library.run(optimizer).elbo)
                if moves == "auto":
                    steps.append(int(optimizer.get("moves.steps")))
        best = max(bounds["off"] + bounds["auto"])
        good = [sum(bound > best - 1 for bound in bounds[moves]) for moves in ("off", "auto")]
        print("| %s | %d of 20 | %d of 20 | %d to %d |" % (method, *good, min(steps), max(steps)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--states", type=int, nargs="+", default=[5, 10])
    parser.add_argument("--parts", nargs="+", default=["toy", "gaussian", "sequences"])
    parser.add_argument("--sets", nargs="+")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if "toy" in arguments.parts:
        toy_table()
    if "gaussian" in arguments.parts:
        gaussian_table(arguments)
    if "equal_time" in arguments.parts:
        equal_time_table(arguments)
    if "sequences" in arguments.parts:
        sequence_table(arguments)
    if "equal_time_sequences" in arguments.parts:
        equal_time_sequences_table(arguments)


if __name__ == "__main__":
    main()
