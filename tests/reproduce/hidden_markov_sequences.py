"""Hidden Markov models fitted to real sequences by every method: the tables of mixtures.md.

    python3 hidden_markov_sequences.py --data FOLDER [--starts 10] [--iterations 100] [--letters 20]
                                       [--states 5 10] [--digits 5 10] [--chorales 5 10 20] [--svg FILE]

FOLDER holds <set>/train.symbols.txt.gz and test.symbols.txt.gz for chartraj (one model a letter), spoken_digits and
jsb_chorales. All options are the library's defaults but the number of states and steps; start i of every method is the
same draw. Reported for each method over the starts: the evidence lower bound at T = 1 of the training sequences relative
to that of vi from the same start, its share of wins, the mean log probability of a held-out symbol, and merged states.
For the letters also the share of held-out characters that the highest likelihood among the letters' models names
rightly, per start. Nothing is chosen on these numbers.
"""
import argparse
import gzip
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

METHODS = ["vi", "annealing", "entropy_annealing", "stochastic_annealing", "tempering", "local_tempering"]


def read_sequences(path):
    """[(label, [symbol, ...]), ...]"""
    with gzip.open(path, "rt") as lines:
        rows = [line.split() for line in lines]
    return [(row[0], [int(word) for word in row[1:]]) for row in rows if row]


def log_likelihoods(model, data):
    return list(model.infer(data, "log_likelihood"))


def fit(train, states, method, start, iterations):
    model = library.model("hidden_markov", states=states)
    optimizer = library.optimizer(model, train, method=method, seed=start, max_iterations=iterations, threads=1)
    report = library.run(optimizer)
    return model, library.evaluate(model, train, None, "elbo", threads=1), report


class Table:
    """One number of states of one set: results of all methods and starts, summed over the models of a set."""

    def __init__(self, title, starts):
        self.title, self.starts = title, starts
        self.elbo = {m: [0.0] * starts for m in METHODS}
        self.wins = {m: [0, 0] for m in METHODS}
        self.score = {m: [0.0] * starts for m in METHODS}
        self.merged = {m: 0 for m in METHODS}
        self.right = {m: None for m in METHODS}
        self.symbols = 0

    def add(self, train, test, test_symbols, states, iterations, keep=None):
        self.symbols += test_symbols
        for start in range(self.starts):
            plain = None
            for method in METHODS:
                model, elbo, report = fit(train, states, method, start + 1, iterations)
                plain = elbo if method == "vi" else plain
                self.elbo[method][start] += elbo
                self.wins[method][0] += elbo > plain
                self.wins[method][1] += 1
                self.score[method][start] += test_symbols * library.evaluate(model, test, None, threads=1)
                self.merged[method] += report.duplicate_components
                if keep is not None:
                    keep[method].setdefault(start, []).append(model)

    def gains(self, method):
        return [elbo - plain for elbo, plain in zip(self.elbo[method], self.elbo["vi"])]

    def print(self):
        for method in METHODS:
            gains, scores = self.gains(method), [s / self.symbols for s in self.score[method]]
            right = self.right[method]
            print("| %s | %s | %s | %s | %s | %.4f (%.4f) | %d | %s |" % (
                self.title, method, "%.0f (%.0f)" % (statistics.mean(self.elbo["vi"]), statistics.stdev(
                    self.elbo["vi"])) if method == "vi" else "",
                "" if method == "vi" else "%+.0f (%.0f)" % (statistics.mean(gains), statistics.stdev(gains)),
                "" if method == "vi" else "%d / %d" % tuple(self.wins[method]),
                statistics.mean(scores), statistics.stdev(scores), self.merged[method],
                "" if right is None else "%.1f (%.1f)" % (statistics.mean(right), statistics.stdev(right))), flush=True)


def letters(folder, states, arguments):
    train = read_sequences(os.path.join(folder, "chartraj", "train.symbols.txt.gz"))
    test = read_sequences(os.path.join(folder, "chartraj", "test.symbols.txt.gz"))
    alphabet = 1 + max(symbol for _, sequence in train + test for symbol in sequence)
    labels = sorted({label for label, _ in train})[:arguments.letters]
    table = Table("chartraj, %d letters, S = %d" % (len(labels), states), arguments.starts)
    models = {method: {} for method in METHODS}
    for label in labels:
        held_out = [s for l, s in test if l == label]
        table.add(library.sequences([s for l, s in train if l == label], alphabet), library.sequences(held_out, alphabet),
                  sum(map(len, held_out)), states, arguments.iterations, models)
    known = [(label, sequence) for label, sequence in test if label in labels]
    held_out = library.sequences([sequence for _, sequence in known], alphabet)
    for method in METHODS:
        table.right[method] = []
        for start in range(arguments.starts):
            scores = [log_likelihoods(model, held_out) for model in models[method][start]]
            named = [max(range(len(labels)), key=lambda l: scores[l][i]) for i in range(len(known))]
            table.right[method].append(
                100 * sum(labels[n] == label for n, (label, _) in zip(named, known)) / len(known))
    return table


def whole_set(folder, name, states, arguments):
    train = [s for _, s in read_sequences(os.path.join(folder, name, "train.symbols.txt.gz"))]
    test = [s for _, s in read_sequences(os.path.join(folder, name, "test.symbols.txt.gz"))]
    alphabet = 1 + max(symbol for sequence in train + test for symbol in sequence)
    table = Table("%s, S = %d" % (name, states), arguments.starts)
    table.add(library.sequences(train, alphabet), library.sequences(test, alphabet), sum(map(len, test)), states, arguments.iterations)
    return table


def verdict(claim, better, worse, tables):
    """Paired differences of the totals of a start; held where the mean exceeds twice its standard error."""
    holds = []
    for table in tables:
        gaps = [a - b for a, b in zip(table.elbo[better], table.elbo[worse])]
        mean, error = statistics.mean(gaps), statistics.stdev(gaps) / len(gaps) ** 0.5
        holds.append("holds" if mean > 2 * error else "fails" if mean < -2 * error else "undecided")
        print("- %s; %s: %+.0f, standard error %.0f: %s" % (claim, table.title, mean, error, holds[-1]))
    print("- %s: holds in %d, fails in %d of %d" % (claim, holds.count("holds"), holds.count("fails"), len(holds)))


def write_svg(path, tables):
    """For every table a panel: gains over vi of the starts, one column of points per method."""
    width, height, left, top = 300, 220, 56, 34
    colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9"]
    parts = []
    for panel, table in enumerate(tables):
        x0, y0 = left + panel % 3 * (width + left), top + panel // 3 * (height + 2 * top)
        gains = [table.gains(method) for method in METHODS[1:]]
        low, high = min(0, min(map(min, gains))), max(0, max(map(max, gains)))
        height_of = lambda value: y0 + height * (high - value) / ((high - low) or 1)  # noqa: E731
        parts.append('<text x="%d" y="%d" font-weight="bold">%s</text>' % (x0, y0 - 10, table.title))
        parts.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#888"/>' % (
            x0, x0 + width, height_of(0), height_of(0)))
        for value in (low, 0, high):
            parts.append('<text x="%d" y="%.1f" text-anchor="end">%.0f</text>' % (x0 - 4, height_of(value) + 4, value))
        for column, (method, values) in enumerate(zip(METHODS[1:], gains)):
            x = x0 + width * (column + 0.5) / len(gains)
            for i, value in enumerate(values):
                parts.append('<circle cx="%.1f" cy="%.1f" r="3" fill="%s" fill-opacity="0.7"/>' % (
                    x + 3 * (i % 5 - 2), height_of(value), colours[column]))
            parts.append('<text x="%.1f" y="%d" text-anchor="middle" font-size="9">%s</text>' % (
                x, y0 + height + 14, method.replace("_annealing", "").replace("_tempering", " temp.")))
    rows = -(-len(tables) // 3)
    with open(path, "w") as out:
        out.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" '
                  'font-size="11">\n<rect width="100%%" height="100%%" fill="white"/>\n%s\n</svg>\n' % (
                      3 * (width + left) + 10, rows * (height + 2 * top) + top, "\n".join(parts)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--letters", type=int, default=20)
    parser.add_argument("--states", type=int, nargs="*", default=[5, 10], help="of the letters' models")
    parser.add_argument("--digits", type=int, nargs="*", default=[5, 10])
    parser.add_argument("--chorales", type=int, nargs="*", default=[5, 10, 20])
    parser.add_argument("--svg")
    arguments = parser.parse_args()
    if arguments.starts < 2:
        parser.error("--starts must be at least 2: one start has no spread")

    print(library.build_info())
    print("%d starts, at most %d steps over all rows, library defaults; means (standard deviations over the starts)"
          % (arguments.starts, arguments.iterations))
    print("| set | method | ELBO of vi (nats) | gain over vi (nats) | fits better than vi | held out, a symbol (nats) "
          "| merged states | characters named rightly (%) |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    tables = []
    for name, choices in (("letters", arguments.states), ("jsb_chorales", arguments.chorales),
                          ("spoken_digits", arguments.digits)):
        for states in choices:
            tables.append(letters(arguments.data, states, arguments) if name == "letters"
                          else whole_set(arguments.data, name, states, arguments))
            tables[-1].print()
    print()
    print("The paper (Gultekin 2015, sections 3.3 and 4.2) claims of hidden Markov models:")
    verdict("stochastic annealing above plain variational inference", "stochastic_annealing", "vi", tables)
    verdict("stochastic annealing above entropy annealing", "stochastic_annealing", "entropy_annealing", tables)
    verdict("entropy annealing above plain variational inference", "entropy_annealing", "vi", tables)
    print("Mandt 2016 claims of tempering (shown there on other models):")
    verdict("variational tempering above plain variational inference", "tempering", "vi", tables)
    verdict("local tempering above plain variational inference", "local_tempering", "vi", tables)
    verdict("annealing above plain variational inference", "annealing", "vi", tables)
    if arguments.svg:
        write_svg(arguments.svg, tables)


if __name__ == "__main__":
    main()
