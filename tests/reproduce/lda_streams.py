"""LDA on streams: batches are fed, and the library is told how many documents they represent but not when they end.

    python3 lda_streams.py --data FOLDER [--streams ap:10:100:1 ...] [--seeds 3]

A stream SET:TOPICS:BATCH:PASSES is that many passes over the training documents without 5 %, in a new order each time; the score is the
mean held-out log probability per token (nats) of these 5 %, mean over the seeds and range in brackets.

fed, svi: without max_passes; by the default method and by plain stochastic inference. "before" is with a delay of 1024 and T = 1 after
1,500 steps, which were the defaults. known: with max_passes. fit: all documents are the optimizer's own data. Needs NumPy.
"""
import argparse
import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402
from library import vtemper  # noqa: E402

STREAMS = ["ap:10:100:1", "ap:10:20:3", "newsgroups20:50:100:1", "newsgroups20:50:100:5", "debian_desc:100:100:1",
           "debian_desc:100:20:1", "simplewiki:50:1000:1",
           "poliblog5k:30:50:1", "poliblog5k:30:50:4", "nips:50:20:2", "arxiv_3800:20:50:3", "arxiv_3800:100:10:1"]
BEFORE = {"step_size_delay": 1024}
BEFORE_ANNEALED = dict(BEFORE, temperature_steps=1500)


def fed(stream, train, seed, **options):
    """The model after a stream, and its last temperature."""
    rows, order = library.rows(train), numpy.random.RandomState(seed)
    model, run = library.model(topics=stream.topics), None
    for _ in range(stream.passes):
        shuffled = train.select(order.permutation(rows))
        for first in range(0, rows, stream.batch):
            batch = shuffled.slice(first, min(stream.batch, rows - first))
            if run is None:
                model.initialize(batch, seed)
                run = vtemper.Run(model, None, rows_total=rows, seed=seed, threads=1, **options)
            run.feed(batch)
    return model, run.report().temperature


def fitted(stream, train, seed):
    model = library.model(topics=stream.topics)
    library.run(library.optimizer(model, train, seed=seed, threads=1, max_passes=stream.passes, batch_size=stream.batch))
    return model, 1


class Stream:
    def __init__(self, text):
        self.name, *sizes = text.split(":")
        self.topics, self.batch, self.passes = map(int, sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--streams", nargs="+", default=STREAMS)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    print("| set | documents | topics | batch | passes | fed before | fed | svi before | svi | known | fit |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for stream in map(Stream, arguments.streams):
        train, validation = library.text_set(arguments.data, stream.name)[0].split(0.05, 1)
        halves = validation.split_counts(0.5, 1)
        columns = [lambda seed: fed(stream, train, seed, **BEFORE_ANNEALED), lambda seed: fed(stream, train, seed),
                   lambda seed: fed(stream, train, seed, method="svi", **BEFORE),
                   lambda seed: fed(stream, train, seed, method="svi"),
                   lambda seed: fed(stream, train, seed, max_passes=stream.passes), lambda seed: fitted(stream, train, seed)]
        cells = []
        for column in columns:
            runs = [column(seed) for seed in range(1, arguments.seeds + 1)]
            scores = [library.evaluate(model, *halves) for model, _ in runs]
            hot = ", T = %.2f" % runs[0][1] if runs[0][1] > 1.005 else ""
            cells.append("%.3f (%.3f%s)" % (sum(scores) / len(scores), max(scores) - min(scores), hot))
        print("| %s | %d | %d | %d | %d | %s |" % (stream.name, library.rows(train), stream.topics, stream.batch, stream.passes,
                                                 " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
