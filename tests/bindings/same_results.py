"""Python's half of same_results_test.sh; runs in its folder."""
import logging
import sys

import numpy as np
import vtemper

logging.basicConfig(stream=sys.stderr)


def emit(name, values):
    print(",".join([name] + [str(value) if isinstance(value, str) else repr(float(value)) for value in values]))


topics = vtemper.load("topics.model")
shares = topics.infer([["sea0", "sea1", "sea1", "zebra"], ["star2", "star0", "zebra", "zebra"]])
words = topics.top_words(3, rank="relevance")
assert shares.shape == (2, 3) and topics.parameters_["topics"].shape == (3, 10) and [len(row) for row in words] == [3, 3, 3]
emit("proportions", shares.reshape(-1))
emit("topics", topics.parameters_["topics"].reshape(-1))
emit("duplicate_of", topics.parameters_["duplicate_of"])
train = vtemper.Data("train.corpus")
emit("perplexity", [topics.evaluate(train, "perplexity", seed=5)])
emit("elbo", [topics.evaluate(train, "elbo")])
emit("words", [word for row in words for word in row])
emit("dates", vtemper.Data("new.corpus").row_texts("date"))
points = np.loadtxt("points.csv", delimiter=",", dtype=int)
emit("density", vtemper.load("mixture.model").score_samples(points))
with open("walks.txt") as lines:
    walks = [[int(symbol) for symbol in line.split()] for line in lines]
states = vtemper.load("states.model")
emit("path", states.infer(walks, "path"))
emit("short", states.infer([[0, 1], [1]], "marginals").reshape(-1))
with_fractions = np.array([[0.5, 1], [2, 3]])
for meant in False, True:
    told = []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())
    logging.getLogger("vtemper").addHandler(handler)
    vtemper.Data(with_fractions, "counts", fractions=meant)
    logging.getLogger("vtemper").removeHandler(handler)
    assert any("fractions=True" in text for text in told) != meant, told
