"""vtemper report: one self-contained page, hostile words only within its data, and the numbers of the model."""

import base64
import html.parser
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from themes import write_corpus

command = os.environ.get("VTEMPER")
if not command:
    print("VTEMPER does not name the command.")
    sys.exit(77)

HOSTILE = ["<script>alert(1)</script>", 'a"onmouseover="x', "&amp;", "it's", "x" * 200, "\u202eevil", "日本語" * 12,
           "</title><h1>", "<!--", "]]>"]
VOID = {"meta"}


def run(*arguments):
    return subprocess.run([command, *arguments], check=True, capture_output=True, text=True)


class Page(html.parser.HTMLParser):
    """Tags are balanced; tags, attributes and the texts of the data, style and title are collected."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], [], [], {}
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"
        self.data = json.loads(self.texts["data"])

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(dict(attributes).get("id", tag))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data


def page_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = Page(text)
    # Hostile words make no elements; nothing is fetched, and no other script runs.
    assert page.tags == ["html", "head", "meta", "meta", "meta", "title", "style", "body", "a", "header", "h1", "div",
                         "noscript", "p", "nav", "main", "footer", "script", "script"], page.tags
    assert not [name for name, _ in page.attributes if name == "src" or name.startswith("on")]
    assert [value for name, value in page.attributes if name == "href"] == ["#content"]
    assert "url(" not in text and "@import" not in text and "default-src 'none'" in text
    assert not re.search(r"(?<!www\.w3\.org/2000/svg)://(?!www\.w3\.org/2000/svg)", text), "an address"
    assert "{{" not in text
    return page


def check(folder):
    write_corpus(folder, HOSTILE + [f"word{i}" for i in range(30)])
    model, data, path = f"{folder}/m.model", f"{folder}/train.ldac", f"{folder}/page.html"
    words = ["--vocabulary", f"{folder}/words.txt"]
    run("fit", data, "-o", model, *words, "--topics", "4", "--max-passes", "10", "--test", data, "--quiet")
    said = run("report", model)
    assert said.stdout == "" and said.stderr == f"the report is in {model}.html\n"
    without = page_of(f"{model}.html").data
    assert "documents" not in without and "correlations" not in without and "coherence" not in without["topics"][0]
    run("report", model, "-o", path, "--data", data, "--quiet")
    page = page_of(path).data
    assert {word["name"] for word in page["words"]} >= set(HOSTILE[:6])
    assert ["method", "annealing"] in page["facts"] and ["tokens", "9,000"] in page["facts"]
    trace = page["trace"]
    assert len(trace["passes"]) == len(trace["temperature"]) == len(trace["objective"]) > 5
    assert any(score is not None for score in trace["predictive"])
    run("report", model, "-o", f"{folder}/again.html", "--data", data, "--quiet")
    with open(f"{folder}/again.html", encoding="utf-8") as again, open(path, encoding="utf-8") as first:
        assert again.read() == first.read(), "two reports of one model differ"

    # Topics, shares and labels are those of vtemper topics, probabilities those of the model.
    run("topics", model, "-o", f"{folder}/topics.json", "--words", "3")
    with open(f"{folder}/topics.json", encoding="utf-8") as file:
        table = json.load(file)[::3]
    assert [t["id"] for t in page["topics"]] == [row["topic"] for row in table]
    assert [t["label"] for t in page["topics"]] == [row["label"] for row in table]
    probabilities = [[float(p) for p in line.split(",")] for line in run("get", model, "topics").stdout.splitlines()]
    names = HOSTILE + [f"word{i}" for i in range(30)]
    for topic in page["topics"]:
        assert len(topic["words"]) >= 10 and len(topic["documents"]) == 8
        for word, probability in topic["words"]:
            name = page["words"][word]["name"]
            assert abs(probability - probabilities[topic["id"]][names.index(name)]) < 1e-3 * probability + 1e-12
    # Documents, correlations: those of infer.
    shares = [[float(p) for p in line.split(",")] for line in run("infer", model, data).stdout.splitlines()]
    documents = page["documents"]["list"]
    assert len(documents) == 300
    for row, document in enumerate(documents):
        assert document["name"] == f"row {row}"
        for topic, share in document["topics"]:
            assert abs(share - shares[row][topic]) < 1e-3
    ids = [t["id"] for t in page["topics"]]
    for i, k in enumerate(ids):
        for j, l in enumerate(ids):
            assert abs(page["correlations"][i][j] - correlation([s[k] for s in shares], [s[l] for s in shares])) < 1e-3

    # A coordinate ascent has an objective; useless topics are named; one topic, and words without names.
    run("fit", data, "-o", model, "--topics", "30", "--method", "vi", "--quiet")
    run("report", model, "-o", path, "--words", "5", "--quiet")
    page = page_of(path).data
    assert page["trace"]["objective_name"] == "objective (ELBO)" and any(w["name"] == "#12" for w in page["words"])
    info = run("info", model).stdout
    for line in info.splitlines():
        if "topics unused" in line or "topics duplicate" in line:
            assert line in page["warnings"]
    run("fit", data, "-o", model, *words, "--topics", "1", "--max-passes", "1", "--quiet")
    run("report", model, "-o", path, "--data", data, "--quiet")
    page_of(path)
    # One word has nothing to be compared with.
    with open(f"{folder}/word.ldac", "w", encoding="utf-8") as out:
        out.write("1 0:2\n1 0:3\n" * 10)
    run("fit", f"{folder}/word.ldac", "-o", model, "--format", "ldac", "--topics", "2", "--max-passes", "1", "--quiet")
    run("report", model, "-o", path, "--data", f"{folder}/word.ldac", "--format", "ldac", "--quiet")
    page = page_of(path).data
    assert page["topics_note"].endswith("; coherence compares words, and there is only one."), page["topics_note"]
    assert "coherence" not in page["topics"][0] and "exclusivity" in page["topics"][0]

    # A trace from a file; a file that is not a trace is refused.
    run("fit", data, "-o", model, *words, "--topics", "4", "--max-passes", "2", "--trace", f"{folder}/t.csv", "--quiet")
    run("report", model, "-o", path, "--trace", f"{folder}/t.csv", "--quiet")
    for wrong in (data, f"{folder}/missing.csv"):
        refused(1, "", "report", model, "-o", f"{folder}/none.html", "--trace", wrong)
    refused(2, "--image is 5x9", "report", model, "-o", f"{folder}/none.html", "--image", "5x9")
    refused(2, "--format needs --data", "report", model, "-o", f"{folder}/none.html", "--format", "ldac")
    assert not os.path.exists(f"{folder}/none.html")


def refused(status, words, *arguments):
    ended = subprocess.run([command, *arguments], capture_output=True, text=True)
    assert ended.returncode == status and ended.stderr.count("\n") == 1 and words in ended.stderr, ended.stderr


def correlation(a, b):
    mean = [sum(x) / len(x) for x in (a, b)]
    product = [sum((x - mean[i]) * (y - mean[j]) for x, y in zip((a, b)[i], (a, b)[j])) for i, j in ((0, 1), (0, 0), (1, 1))]
    return product[0] / math.sqrt(product[1] * product[2])


def check_dates(folder):
    """Raw text with dates: periods, their means and errors."""
    random.seed(5)
    with open(f"{folder}/dated.csv", "w", encoding="utf-8") as out:
        out.write("id,date,text\n")
        for i in range(240):
            month = i % 6 + 1
            side = "abc" if random.random() < month / 6 else "xyz"
            out.write(f"doc {i},2024-{month:02d}-11,{' '.join(random.choice(side) * 3 + random.choice('klm') for _ in range(30))}\n")
    run("report", f"{folder}/dated.csv", "--text", "--column", "text", "--id-column", "id", "--date-column", "date",
        "--topics", "2", "--min-documents", "1", "--max-share", "1", "-o", f"{folder}/dated.html", "--save", f"{folder}/dated.model",
        "--quiet", "--max-passes", "20")
    page = page_of(f"{folder}/dated.html").data
    time = page["timeline"]
    assert time["length"] == "month" and time["periods"] == [f"2024-{m:02d}" for m in range(1, 7)]
    first, last = max((abs(m[5] - m[0]), (m[0], m[5])) for m in time["mean"])[1]
    assert abs(last - first) > 0.3, time["mean"]
    assert all(0 < error < 0.2 for line in time["error"] for error in line)
    assert all(document["text"] for document in page["documents"]["list"])
    assert page["documents"]["list"][0]["date"] == "2024-01-11"
    # Raw text beside a model is read by the model's recipe: the same page of the documents.
    run("report", f"{folder}/dated.model", "--data", f"{folder}/dated.csv", "--text", "--column", "text", "--id-column", "id",
        "--date-column", "date", "-o", f"{folder}/again.html", "--quiet")
    again = page_of(f"{folder}/again.html").data
    assert again["documents"] == page["documents"] and again["timeline"] == time
    # Documents without a date are counted.
    lines = open(f"{folder}/dated.csv", encoding="utf-8").read().replace("doc 7,2024-02-11", "doc 7,in spring")
    for undated, told in ((lines, " 1 document has no such date."),
                          (lines.replace("doc 8,2024-03-11", "doc 8,"), " 2 documents have no such date.")):
        with open(f"{folder}/undated.csv", "w", encoding="utf-8") as out:
            out.write(undated)
        run("report", f"{folder}/dated.model", "--data", f"{folder}/undated.csv", "--text", "--column", "text", "--id-column", "id",
            "--date-column", "date", "-o", f"{folder}/undated.html", "--quiet")
        note = page_of(f"{folder}/undated.html").data["timeline"]["note"]
        assert note.endswith(told), note
    refused(2, "--stem cannot be combined with --data", "report", f"{folder}/dated.model", "--data", f"{folder}/dated.csv", "--text", "--stem")


def check_kinds(folder):
    """The pages of the other kinds have their own sections."""
    random.seed(6)
    with open(f"{folder}/dense.csv", "w") as out:
        for i in range(200):
            out.write(",".join(str(int(random.random() < (0.9 if (j < 8) == (i % 2) else 0.1))) for j in range(16)) + "\n")
    with open(f"{folder}/sequences", "w") as out:
        for _ in range(30):
            out.write(" ".join(str(random.randrange(3) + 3 * (i // 10 % 2)) for i in range(40)) + "\n")
    dense, image = f"{folder}/dense.csv", ["--image", "4x4"]
    kinds = {
        "gaussian_mixture": (["--components", "2"], dense, [], ["table", "profiles", "ellipses", "table"]),
        "bernoulli_mixture": (["--components", "2"], dense, image, ["table", "images", "table"]),
        "factorial_mixture": (["--components", "3", "--max-passes", "5"], dense, image, ["images", "table"]),
        "hidden_markov": (["--states", "2", "--format", "sequences"], f"{folder}/sequences", ["--format", "sequences"],
                          ["table", "matrix", "paths"]),
        "sigmoid_belief_network": (["--layers", "4", "--max-passes", "2"], dense, image, ["images", "images", "table"]),
        "variational_autoencoder": (["--latent", "3", "--hidden", "5,6", "--max-passes", "2"], dense, image,
                                    ["images", "images", "table"]),
        "deep_exponential_family": (["--latent", "3", "--max-passes", "2"], f"{folder}/train.ldac", [], ["table"]),
    }
    for kind, (options, data, more, wanted) in kinds.items():
        run("fit", data, "-o", f"{folder}/{kind}.model", "--model", kind, *options, "--quiet")
        run("report", f"{folder}/{kind}.model", "-o", f"{folder}/{kind}.html", "--data", data, *more, "--quiet")
        page = page_of(f"{folder}/{kind}.html").data
        assert [part["type"] for part in page["sections"]] == wanted, (kind, [part["type"] for part in page["sections"]])
        for part in page["sections"]:
            for item in part.get("items", []):
                assert part["type"] != "images" or len(base64.b64decode(item["pixels"])) == 16
        run("report", f"{folder}/{kind}.model", "-o", f"{folder}/{kind}.html", "--quiet")
        page_of(f"{folder}/{kind}.html")
    with open(dense, encoding="utf-8") as file:
        read = [[float(value) for value in line.split(",")] for line in file]
    check_points(folder, dense, read)
    check_factors(folder)
    # The reconstructions are those of infer, beside the rows themselves.
    run("report", f"{folder}/variational_autoencoder.model", "-o", path := f"{folder}/v.html", "--data", dense, *image, "--quiet")
    part = page_of(path).data["sections"][1]
    rows = [[float(v) for v in line.split(",")] for line in
            run("infer", f"{folder}/variational_autoencoder.model", dense, "--quantity", "reconstruction").stdout.splitlines()]
    shown = [int(item["caption"].split()[1]) for item in part["items"]]
    for i, item in zip(shown, part["items"]):  # the rows are 0 and 1, and so are the ends of the scale
        for value, byte in zip(rows[i], base64.b64decode(item["pixels"])):
            assert abs(byte - 255 * value) < 1
        assert list(base64.b64decode(item["original"])) == [255 * value for value in read[i]]
    # Without --image the same as numbers, of the belief network too.
    for kind in ("variational_autoencoder", "sigmoid_belief_network"):
        run("report", f"{folder}/{kind}.model", "-o", path, "--data", dense, "--quiet")
        items = page_of(path).data["sections"][1]["items"]
        assert [item["original"] for item in items] == [read[int(item["caption"].split()[1])] for item in items]
        for item in items:
            assert all(0 < value < 1 for value in item["values"])


def check_points(folder, dense, read):
    """Rows among the ellipses, each with the component that infer gives."""
    run("report", f"{folder}/gaussian_mixture.model", "-o", path := f"{folder}/g.html", "--data", dense, "--quiet")
    part = page_of(path).data["sections"][2]
    assert part["points"] == read and part["point_names"][7] == "row 7" and "200 of the 200 rows" in part["note"]
    held = [[float(v) for v in line.split(",")] for line in
            run("infer", f"{folder}/gaussian_mixture.model", dense, "--quantity", "responsibilities").stdout.splitlines()]
    assert [int(part["names"][k]) for k in part["point_components"]] == [own.index(max(own)) for own in held]
    assert len(set(part["point_components"])) == 2


def check_factors(folder):
    """Documents of a deep exponential family: shares of the words that the factors bring."""
    model = f"{folder}/deep_exponential_family.model"
    run("report", model, "-o", path := f"{folder}/d.html", "--data", f"{folder}/train.ldac", "--quiet")
    page = page_of(path).data
    latent = [[float(v) for v in line.split(",")] for line in
              run("infer", model, f"{folder}/train.ldac", "--quantity", "latent_mean").stdout.splitlines()]
    rate = [float(v) for v in run("get", model, "factor.rate").stdout.split()]
    assert len(page["documents"]["list"]) == 300 and all(len(topic["documents"]) == 8 for topic in page["topics"])
    for own, document in zip(latent, page["documents"]["list"]):
        brought = [often * words for often, words in zip(own, rate)]
        for factor, share in document["topics"]:
            assert abs(share - brought[factor] / sum(brought)) < 1e-3


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        check(temporary)
        check_dates(temporary)
        check_kinds(temporary)
    print("all is well")
