"""vtemper report: one page that is whole by itself, with hostile words as plain text, and the numbers of the model."""

import html.parser
import os
import random
import re
import subprocess
import sys
import tempfile

command = os.environ.get("VTEMPER")
if not command:
    print("VTEMPER does not name the command.")
    sys.exit(77)

HOSTILE = ["<script>alert(1)</script>", 'a"onmouseover="x', "&amp;", "it's", "x" * 200, "\u202eevil", "日本語" * 12,
           "</title><h1>", "<!--", "]]>"]
VOID = {"meta", "br", "hr", "link", "img"}


def run(*arguments):
    return subprocess.run([command, *arguments], check=True, capture_output=True, text=True)


def write_corpus(folder):
    random.seed(4)
    with open(f"{folder}/train.ldac", "w") as out:
        for _ in range(300):
            main, counts = random.randrange(4), {}
            for _ in range(30):
                topic = main if random.random() < 0.8 else random.randrange(4)
                word = topic * 10 + int(10 * random.random() ** 2)
                counts[word] = counts.get(word, 0) + 1
            out.write(" ".join([str(len(counts))] + [f"{w}:{n}" for w, n in sorted(counts.items())]) + "\n")
    with open(f"{folder}/words.txt", "w") as out:
        out.write("\n".join(HOSTILE + [f"word{i}" for i in range(30)]) + "\n")


class Page(html.parser.HTMLParser):
    """Tags are balanced; texts, titles and places are collected."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.text, self.attributes, self.ids, self.links = [], [], [], [], set(), set()
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            self.attributes.append((tag, name, value))
            if name == "id":
                assert value not in self.ids, f"two elements have the id {value}"
                self.ids.add(value)
            if name == "href":
                self.links.add(value)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


def check_page(text, topics):
    page = Page(text)
    allowed = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "dl", "div", "dt", "dd",
               "svg", "text", "path", "polyline", "circle", "rect", "a", "span", "i", "b", "bdi", "em", "footer"}
    assert set(page.tags) <= allowed, set(page.tags) - allowed
    # Nothing is fetched and nothing runs.
    assert page.links == {f"#t{k}" for k in range(topics)}, page.links
    assert page.ids == {f"t{k}" for k in range(topics)}
    assert not [a for a in page.attributes if a[1] == "src" or a[1].startswith("on")], "a handler or a source"
    assert "url(" not in text and "@import" not in text and "://" not in text
    assert not re.search(r"\bnan\b|\binf\b", text), "a number is missing"
    return page


def check(folder):
    write_corpus(folder)
    model, data, path = f"{folder}/m.model", f"{folder}/train.ldac", f"{folder}/page.html"
    words = ["--vocabulary", f"{folder}/words.txt"]
    run("fit", data, "-o", model, *words, "--topics", "4", "--max-passes", "10", "--test", data, "--quiet")
    said = run("report", model)
    assert said.stdout == "" and said.stderr == f"the report is in {model}.html\n"
    run("report", model, "-o", path, "--data", data, "--quiet")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = check_page(text, 4)
    shown = "".join(page.text)
    for word in HOSTILE[:6]:
        assert word in shown, f"{word} is not in the page"
    for word in ("annealing", "9,000", "temperature", "held-out score", "expected log likelihood", "coherence", "Map"):
        assert word in shown, f"{word} is not in the page"
    assert page.tags.count("polyline") == 3
    assert page.tags.count("bdi") == 40
    run("report", model, "-o", f"{folder}/again.html", "--data", data, "--quiet")
    with open(f"{folder}/again.html", encoding="utf-8") as file:
        assert file.read() == text, "two reports of one model differ"

    # The words are those of vtemper topics, largest topic first.
    table = run("topics", model, "--words", "3").stdout.splitlines()[1:]
    numbers = [int(line.split()[0]) for line in table]
    assert [int(k) for k in re.findall(r'id="t(\d+)"', text)] == numbers

    # A coordinate ascent has an objective; useless topics are named; one topic, and words without names.
    run("fit", data, "-o", model, "--topics", "30", "--method", "vi", "--quiet")
    run("report", model, "-o", path, "--words", "5", "--quiet")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    shown = "".join(check_page(text, 30).text)
    assert "objective (nats)" in shown and "No held-out score" in shown and "#12" in shown
    info = run("info", model).stdout
    for line in info.splitlines():
        if "topics unused" in line or "topics duplicate" in line:
            assert line in shown
    run("fit", data, "-o", model, *words, "--topics", "1", "--max-passes", "1", "--quiet")
    run("report", model, "-o", path, "--quiet")
    with open(path, encoding="utf-8") as file:
        Page(file.read())

    # A trace from a file; what is none is refused.
    run("fit", data, "-o", model, *words, "--topics", "4", "--max-passes", "2", "--trace", f"{folder}/t.csv", "--quiet")
    run("report", model, "-o", path, "--trace", f"{folder}/t.csv", "--quiet")
    for wrong in (data, f"{folder}/missing.csv"):
        refused = subprocess.run([command, "report", model, "-o", f"{folder}/none.html", "--trace", wrong],
                                 capture_output=True, text=True)
        assert refused.returncode == 1 and refused.stderr.count("\n") == 1, refused.stderr
    assert not os.path.exists(f"{folder}/none.html")


with tempfile.TemporaryDirectory() as temporary:
    check(temporary)
print("all is well")
