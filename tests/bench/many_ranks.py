"""A group of many ranks, which are threads of one process (many_ranks_bench.cpp), takes real steps of LDA; bytes, messages
and the busiest rank, beside the predictions of the model of scaling.py. Times mean nothing here.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 many_ranks.py --data FOLDER [--set arxiv_200k]
        [--program build/release/tests/many_ranks_bench] [--ranks 64 256 1024] [--topics 4] [--share 4] [--steps 2]
        [--picture many_ranks.png]

Bytes are proportional to the topics, so few topics are enough. Every rank has `share` rows of each step. The corpus has no
more rows than the steps need, because every rank of a group reads all rows of a small corpus when it begins. Each exchange
of the library is counted; for sharded, where words have owners, also the prediction from the words of real batches.
"""
import argparse
import os
import subprocess
import tempfile

import numpy
import pictures
import scaling
from library import vtemper


def counted(path, ranks, arguments, exchange):
    """Bytes and messages of each rank per step; seconds and MB of the process."""
    run = subprocess.run([arguments.program, path, exchange] + [str(x) for x in (ranks, arguments.topics, arguments.share, arguments.steps)],
                         stdout=subprocess.PIPE, check=True, universal_newlines=True)
    *lines, last = [[float(word) for word in line.split()] for line in run.stdout.splitlines()]
    told, sent, messages = numpy.array(lines).T / arguments.steps
    if (told != sent).any():
        raise SystemExit("the library tells of %s bytes, and sent %s" % (told, sent))
    return sent, messages, last


def words_met(data, ranks, arguments):
    """The words of each step, from one machine that takes the same steps, and how many numbers belong to no word."""
    alone = scaling.Alone(data, arguments.topics, method="svi", seed=1, threads=1, report_every=1000000, max_passes=100.0,
                          batch_size=ranks * arguments.share)
    return [alone.step() for _ in range(arguments.steps)], alone.rest


def modelled(data, ranks, arguments):
    """Bytes of each rank per step, and messages of one rank."""
    words, rest = words_met(data, ranks, arguments)
    steps = [[scaling.step_bytes(rest, data.columns, arguments.topics, met, rank, ranks) for rank in range(ranks)] for met in words]
    messages = numpy.mean([  # where every message has something to carry
        scaling.dense_messages(rest, 8, ranks) + scaling.dense_messages((data.columns + 7) // 8, 1, ranks)
        + scaling.dense_messages(met[-1] * arguments.topics, 4, ranks) for met in words])
    return numpy.mean(steps, 0), messages


def draw(path, lines):
    figure, axes = pictures.panels(3, (12, 4))
    for axis, title, place in zip(axes, ("MB per rank and step", "messages per rank and step", "busiest rank / mean"), (0, 1, 2)):
        for number, (name, points) in enumerate(sorted(lines.items())):
            ranks = [point[0] for point in points]
            axis.plot(ranks, [point[1 + place] for point in points], marker="o", color="C%d" % number, label=name)
            if place < 2 and all(len(point) > 4 for point in points):
                axis.plot(ranks, [point[4 + place] for point in points], "k--", label="%s, by the model" % name)
        axis.set_xscale("log", base=2)
        if place < 2:
            axis.set_yscale("log")
        pictures.label(axis, title, "ranks", ranks)
        axis.legend(fontsize=7)
    pictures.save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", default="arxiv_200k")
    parser.add_argument("--program", default="build/release/tests/many_ranks_bench")
    parser.add_argument("--ranks", type=int, nargs="+", default=[64, 256, 1024])
    parser.add_argument("--topics", type=int, default=4)
    parser.add_argument("--share", type=int, default=4)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    corpus = vtemper.Data(os.path.join(arguments.data, arguments.set, "train.ldac.gz"))
    rows = scaling.Rows(corpus)
    print("%s: %d documents, V = %d; K = %d, %d rows a rank and step" % (arguments.set, rows.rows, rows.columns, arguments.topics,
                                                                         arguments.share))
    print("\n| exchange | ranks | bytes per rank and step | by the model | busiest / mean | messages | by the model | processor, s | MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    lines = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "corpus")
        corpus.write(path)
        for exchange in ("sparse", "sharded"):
            for ranks in arguments.ranks:
                sent, messages, (seconds, megabytes) = counted(path, ranks, arguments, exchange)
                if exchange == "sparse":
                    data = corpus.slice(0, min(corpus.rows, ranks * arguments.share * arguments.steps))
                    expected, number = modelled(data, ranks, arguments)
                    told = "the same" if (expected == sent).all() else format(round(expected.mean()), ",")
                else:
                    plain, _ = scaling.replay(rows, ranks, arguments.share, arguments.topics)
                    expected, number = numpy.array([plain[0]]), plain[2]
                    told = format(round(plain[0]), ",")
                print("| %s | %d | %s | %s | %.2f | %.0f | %.0f | %.0f | %.0f |"
                      % (exchange, ranks, format(round(sent.mean()), ","), told, sent.max() / sent.mean(), messages.mean(), number,
                         seconds, megabytes), flush=True)
                lines.setdefault(exchange, []).append((ranks, sent.mean() / 1e6, messages.mean(), sent.max() / sent.mean(),
                                                       expected.mean() / 1e6, number))
    if arguments.picture:
        draw(arguments.picture, lines)


if __name__ == "__main__":
    main()
