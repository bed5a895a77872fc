"""vtemper export: the JSON of LDAvis has its fields, lengths and sums, and the numbers of a plain computation."""

import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from themes import write_corpus

command = os.environ.get("VTEMPER")
if not command:
    print("VTEMPER does not name the command.")
    sys.exit(77)

TOPICS, TERMS, STEP = 6, 7, 0.25
WORDS = ['quote"d', "back\\slash", "<script>", "wört", "tab-less"] + [f"word{i}" for i in range(35)]


def run(*arguments):
    return subprocess.run([command, *arguments], check=True, capture_output=True, text=True).stdout


def numbers(text):
    return [[float(field) for field in row] for row in csv.reader(text.splitlines())]


def near(what, value, expected, tolerance=1e-6):
    assert abs(value - expected) <= tolerance * max(1, abs(expected)), f"{what}: {value} instead of {expected}"


def check_places(beta, places):
    """x and y are the two first axes of classical scaling: eigenvectors of the centred squares, scaled by their roots."""

    def entropy(p):
        return -sum(x * math.log(x) for x in p if x > 0)

    def divergence(p, q):
        return entropy([(a + b) / 2 for a, b in zip(p, q)]) - (entropy(p) + entropy(q)) / 2

    squares = [[divergence(p, q) ** 2 for q in beta] for p in beta]
    means = [sum(row) / TOPICS for row in squares]
    products = [[-(squares[i][j] - means[i] - means[j] + sum(means) / TOPICS) / 2 for j in range(TOPICS)]
                for i in range(TOPICS)]

    def times(vector):
        return [sum(a * b for a, b in zip(row, vector)) for row in products]

    def length(vector):
        return math.sqrt(sum(x * x for x in vector))

    found = []
    for axis in "xy":
        value = length(places[axis]) ** 2
        for i, product in enumerate(times(places[axis])):
            near(f"axis {axis}", product, value * places[axis][i], 1e-7)
        found.append(value)
    near("axes are at right angles", sum(a * b for a, b in zip(places["x"], places["y"])), 0)
    # No direction at right angles to them has a larger value.
    for _ in range(500):
        other = [random.gauss(0, 1) for _ in range(TOPICS)]
        assert sum(a * b for a, b in zip(other, times(other))) / length(other) ** 2 <= found[0] * (1 + 1e-9)
        for axis, value in zip("xy", found):
            share = sum(a * b for a, b in zip(other, places[axis])) / value
            other = [a - share * b for a, b in zip(other, places[axis])]
        assert sum(a * b for a, b in zip(other, times(other))) / length(other) ** 2 <= found[1] * (1 + 1e-9)


def check(folder):
    write_corpus(folder, WORDS)
    model, data, path = f"{folder}/m.model", f"{folder}/train.ldac", f"{folder}/vis.json"
    run("fit", data, "-o", model, "--vocabulary", f"{folder}/words.txt", "--topics", str(TOPICS), "--max-passes", "10",
        "--precision", "double", "--quiet")
    run("export", model, data, "-o", path, "--terms", str(TERMS), "--lambda-step", str(STEP))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert "<" not in text
    vis = json.loads(text)
    assert set(vis) == {"mdsDat", "tinfo", "token.table", "R", "lambda.step", "plot.opts", "topic.order"}
    assert vis["R"] == TERMS and vis["lambda.step"] == STEP and set(vis["plot.opts"]) == {"xlab", "ylab"}

    # The numbers again, from the parameters and the proportions.
    beta = numbers(run("get", model, "topics"))
    gamma = numbers(run("infer", model, data, "--quantity", "gamma"))
    alpha = [row[0] for row in numbers(run("get", model, "alpha"))]
    tokens = [0.0] * TOPICS
    for row in gamma:
        length = sum(row) - sum(alpha)
        for k in range(TOPICS):
            tokens[k] += row[k] / sum(row) * length
    total = sum(tokens)
    near("tokens of the corpus", total, 300 * 30)
    order = sorted(range(TOPICS), key=lambda k: -tokens[k])
    assert vis["topic.order"] == [k + 1 for k in order]
    beta = [beta[k] for k in order]
    tokens = [tokens[k] for k in order]
    of_word = [sum(beta[k][v] * tokens[k] for k in range(TOPICS)) for v in range(40)]
    column = {name: v for v, name in enumerate(WORDS)}

    places = vis["mdsDat"]
    assert set(places) == {"x", "y", "topics", "cluster", "Freq"}
    assert all(len(values) == TOPICS for values in places.values())
    assert places["topics"] == list(range(1, TOPICS + 1)) and places["cluster"] == [1] * TOPICS
    near("shares", sum(places["Freq"]), 100)
    for k in range(TOPICS):
        near("share", places["Freq"][k], 100 * tokens[k] / total)
    near("centre of x", sum(places["x"]), 0)
    near("centre of y", sum(places["y"]), 0)
    assert sum(x * x for x in places["x"]) >= sum(y * y for y in places["y"]) > 0

    check_places(beta, places)

    info = vis["tinfo"]
    assert set(info) == {"Term", "Category", "Freq", "Total", "logprob", "loglift"}
    rows = len(info["Term"])
    assert all(len(values) == rows for values in info.values())
    assert info["Category"][:TERMS] == ["Default"] * TERMS and "Default" not in info["Category"][TERMS:]
    assert info["logprob"][:TERMS] == list(range(TERMS, 0, -1)) == info["loglift"][:TERMS]

    def saliency(v):
        shares = [beta[k][v] * tokens[k] / of_word[v] for k in range(TOPICS)]
        return of_word[v] * sum(p * math.log(p * total / tokens[k]) for k, p in enumerate(shares) if p > 0)

    assert info["Term"][:TERMS] == [WORDS[v] for v in sorted(range(40), key=lambda v: -saliency(v))[:TERMS]]
    for i in range(TERMS):
        assert info["Freq"][i] == info["Total"][i] == math.floor(of_word[column[info["Term"][i]]] + 1e-9)

    expected = set()
    for k in range(TOPICS):
        for step in range(round(1 / STEP) + 1):
            weight = step * STEP

            def relevance(v):
                lift = beta[k][v] * total / of_word[v]
                return weight * math.log(beta[k][v]) + (1 - weight) * math.log(lift)

            expected |= {(f"Topic{k + 1}", WORDS[v]) for v in sorted(range(40), key=lambda v: -relevance(v))[:TERMS]}
    seen = set(zip(info["Category"][TERMS:], info["Term"][TERMS:]))
    assert seen == expected and len(seen) == rows - TERMS
    for i in range(TERMS, rows):
        k, v = int(info["Category"][i][5:]) - 1, column[info["Term"][i]]
        near("Freq", info["Freq"][i], beta[k][v] * tokens[k])
        near("Total", info["Total"][i], of_word[v])
        near("logprob", info["logprob"][i], math.log(beta[k][v]), 1e-4)
        near("loglift", info["loglift"][i], math.log(beta[k][v] * total / of_word[v]), 1e-4)

    table = vis["token.table"]
    assert set(table) == {"Topic", "Freq", "Term"}
    cells = {(column[term], k - 1): f for term, k, f in zip(table["Term"], table["Topic"], table["Freq"])}
    assert len(cells) == len(table["Topic"]) == len(table["Freq"])
    shown = {column[term] for term in info["Term"]}
    assert set(cells) == {(v, k) for v in shown for k in range(TOPICS) if beta[k][v] * tokens[k] >= 0.5}
    for (v, k), share in cells.items():
        near("cell", share, round(beta[k][v] * tokens[k]) / of_word[v])

    # What cannot be exported is refused, and leaves no file.
    for arguments in (["export", model, data], ["export", model, data, "-o", path, "--terms", "0"],
                      ["export", model, "-o", path], ["export", data, data, "-o", f"{folder}/none.json"]):
        refused = subprocess.run([command, *arguments], capture_output=True, text=True)
        assert refused.returncode in (1, 2) and refused.stderr.count("\n") == 1, refused.stderr
    assert not os.path.exists(f"{folder}/none.json")


with tempfile.TemporaryDirectory() as temporary:
    check(temporary)
print("all is well")
