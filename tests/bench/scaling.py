"""How a fit of LDA scales over machines: a model of time and bytes with this machine's measured figures, checked against
groups of threads in this process, then a corpus of 10^10 documents on 16 to 1,024 machines.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 scaling.py --data FOLDER [--set arxiv_200k] [--topics 100]
        [--repeat 1] [--batch 4000] [--ranks 1 2 4 8] [--rounds 3] [--method svi] [--picture scaling.png]

FOLDER holds <set>/train.ldac.gz. A step of a group adds the statistics of all words that one of its ranks has met, in
float, over all ranks. An exchange in which every word has an owner, which sends out its row and
receives its statistics ("sharded"), is counted from the words of real batches here; exchange=sharded does it.

Constants of this machine, by the CPU time of plain runs at several batch sizes (least squares), in nanoseconds: e per word
of a document and topic (all rounds of the local step); c per distinct word of a rank's batch and topic; g per number of the
topics, whatever the batch; and, from a group of two ranks, x per number of the statistics that a rank adds with the others. A step of R ranks then takes K (e W + c sum of distinct words over the ranks) + R K (g V + x d)
nanoseconds of processors, where the batch has d distinct words.
"""
import argparse
import ctypes
import json
import math
import os
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy  # noqa: E402
import scipy.optimize  # noqa: E402
import library  # noqa: E402
import pictures  # noqa: E402
from library import vtemper  # noqa: E402
from vtemper.library import library as functions  # noqa: E402
from vtemper.watch import new_report  # noqa: E402
import rank_threads  # noqa: E402

PIECE = 1 << 22  # bytes of statistics that travel at a time (src/group/rank_sum.h)
NETWORKS = [("10 GbE", 30e-6, 1.1e9), ("100 Gb InfiniBand", 2e-6, 11e9)]  # name, seconds per message, bytes per second
CORES = 32  # of a machine


# ---- Bytes of a step ----

def dense_bytes(length, size, rank, ranks):
    """What a rank sends when `length` numbers of `size` bytes are added over all ranks: its numbers to those that add
    them, a share each, then the sums of its own share to all others."""
    sent = 0
    for first in range(0, length, PIECE // size):
        piece = min(PIECE // size, length - first)
        own = piece * (rank + 1) // ranks - piece * rank // ranks
        sent += size * (piece - own) + size * own * (ranks - 1)
    return sent


def dense_messages(length, size, ranks):
    """Messages of a rank in a step: numbers to those that add them, and sums to all; two ranks give one another all."""
    return (1 if ranks == 2 else 2) * (ranks - 1) * -(-length // (PIECE // size))


def row_of_two(topics):
    """Numbers of a row that one of two ranks sends: padding goes with them where it is little (src/inference/table_pair.cpp)."""
    padded = -(-topics // 16) * 16
    return padded if padded - topics <= topics // 8 else topics


def step_bytes(rest, columns, topics, words, rank, ranks, size=4):
    """What a rank sends in a step. `words`: how many words each rank has met, then all of them together. Of two ranks each
    sends sums in double, then the words that it has met and their rows of the statistics; of more sums in double, a bit
    for each word of the vocabulary, then a row for each word that some rank has met."""
    if ranks == 1:
        return 0
    if ranks == 2:
        return dense_bytes(rest + 1, 8, rank, ranks) + words[rank] * (4 + size * row_of_two(topics))
    return (dense_bytes(rest, 8, rank, ranks) + dense_bytes((columns + 7) // 8, 1, rank, ranks)
            + dense_bytes(words[-1] * topics, size, rank, ranks))


class Alone:
    """The steps that a group will take, in their two halves and without a group: what they have met. Of two ranks each has
    its own rows, since what it sends depends on their words."""

    def __init__(self, data, topics, ranks=1, **options):
        parts = [data] if ranks != 2 else parts_of(data, ranks)
        for rank, part in enumerate(parts):
            if ranks == 2:
                functions.call("data_set_part", part, data.rows * rank // ranks, data.rows)
        self._runs = [vtemper.Run(vtemper.Model("lda", topics=topics), part, **options) for part in parts]
        info = vtemper._header.Quantity(ctypes.sizeof(vtemper._header.Quantity))
        place = 0
        for index in range(functions.number("optimizer_statistics_count", self._runs[0], of=ctypes.c_int32)):
            functions.call("optimizer_statistics_info", self._runs[0], index, ctypes.byref(info))
            if info.rank == 2:
                self._words = place, (info.shape[0], info.shape[1])
            place += math.prod(info.shape)
        self.rest = place - math.prod(self._words[1])  # statistics that are no words'
        self._statistics = [numpy.zeros(place) for _ in parts]

    def _met(self, statistics):
        begin, shape = self._words
        return int((statistics[begin:begin + math.prod(shape)].reshape(shape) != 0).any(1).sum())

    def step(self):
        """Takes a step; returns how many distinct words each rank has seen, and how many all have seen together."""
        for run, statistics in zip(self._runs, self._statistics):
            functions.call("optimizer_local_step", run, None, statistics.ctypes.data, len(statistics))
        total = sum(self._statistics)
        for run in self._runs:
            functions.call("optimizer_global_step", run, total.ctypes.data, len(total), None)
        return [self._met(statistics) for statistics in self._statistics] + [self._met(total)]


# ---- Groups of threads ----

def parts_of(data, ranks):
    """Slices with about the same number of rows."""
    ends = [data.rows * rank // ranks for rank in range(ranks + 1)]
    return [data.slice(first, end - first) for first, end in zip(ends, ends[1:])]


def steps_together(data, ranks, steps, warm_up=0, topics=10, **options):
    """Runs a group of threads. Processor seconds per step of all ranks together, and of each rank the bytes of `steps`
    steps as the library reports them and as its messages are counted, and their number."""
    parts = parts_of(data, ranks)
    threads = rank_threads.Ranks(ranks)
    times = [0.0, 0.0]

    def work(rank):
        run = vtemper.Run(vtemper.Model("lda", topics=topics), rank.spread(parts[rank.number]), **options)
        report = new_report()
        if warm_up:
            functions.call("optimizer_step", run, warm_up, ctypes.byref(report))
        before, counted, messages = report.bytes_sent, rank.bytes, rank.messages
        threads.meet()
        if rank.number == 0:
            times[0] = time.process_time()
        functions.call("optimizer_step", run, steps, ctypes.byref(report))
        threads.meet()
        if rank.number == 0:
            times[1] = time.process_time()
        threads.meet()
        return report.bytes_sent - before, rank.bytes - counted, rank.messages - messages
    results = threads.run(work)
    return (times[1] - times[0]) / steps, results


# ---- Figures of this machine ----

class Rows:
    """The words of a corpus as one array, with the offset of each row."""

    def __init__(self, data):
        with tempfile.TemporaryDirectory() as folder:
            data.write(folder + "/corpus")
            with open(folder + "/corpus", "rb") as file:
                content = file.read()
        begin = 8 + int.from_bytes(content[:8], "little")
        places = json.loads(content[8:begin])

        def array(name, element):
            first, end = places[name]["data_offsets"]
            return numpy.frombuffer(content[begin + first:begin + end], element)
        self.words, self.ends = array("indices", numpy.int32), array("offsets", numpy.int64)
        self.rows, self.columns = data.rows, data.columns
        self.mean = len(self.words) / data.rows

    def of(self, first, count):
        """The words of rows first .. first + count."""
        first = min(first % self.rows, max(self.rows - count, 0))
        return self.words[self.ends[first]:self.ends[min(first + count, self.rows)]]

    def distinct(self, count, turns=8):
        """Mean number of distinct words in `rows` rows."""
        return float(numpy.mean([len(numpy.unique(self.of(turn * self.rows // turns, count))) for turn in range(turns)]))


class Figures:
    """e, c, g and x of the text above, in nanoseconds."""

    def __init__(self, data, rows, topics, batch, options, rounds, steps):
        self.rows, self.topics, self.batch = rows, topics, batch
        measured, features = [], []
        for size in (batch // 16, batch // 8, batch // 4, batch // 2, batch):
            best, _ = steps_of(data, 1, topics, size, options, rounds, steps)
            measured.append(1e9 * best / topics)
            features.append([size * rows.mean, rows.distinct(size), rows.columns])
        features, measured = numpy.array(features), numpy.array(measured)
        # Relative errors count, and no cost is negative.
        (self.e, self.c, self.g), _ = scipy.optimize.nnls(features / measured[:, None], numpy.ones(len(measured)))
        self.x = 0.0
        two, _ = steps_of(data, 2, topics, batch, options, rounds, steps)
        self.x = max(0.0, (1e9 * two - self.nanoseconds(2)) / (2 * topics * rows.distinct(batch)))

    def nanoseconds(self, ranks):
        """CPU time of all processors in a step of the measured batch, by number of ranks."""
        rows, share = self.rows, self.batch // ranks
        work = self.topics * (self.e * self.batch * rows.mean + self.c * ranks * rows.distinct(share))
        met = rows.distinct(self.batch) if ranks > 1 else 0
        return work + ranks * self.topics * (self.g * rows.columns + self.x * met)


def steps_of(data, ranks, topics, batch, options, rounds, steps):
    """The best of several groups: CPU seconds per step, and bytes."""
    turns = [steps_together(data, ranks, steps, steps, topics, **dict(options, batch_size=batch)) for _ in range(rounds)]
    return min(turns, key=lambda turn: turn[0])


def check(data, figures, arguments, options):
    """The model compared with groups of threads: exact bytes, CPU time."""
    print("\n| ranks | CPU time per step, ms | by the model | ratio | bytes per rank and step | by the model | messages |")
    print("|---|---|---|---|---|---|---|")
    for ranks in arguments.ranks:
        alone = Alone(data, arguments.topics, ranks, **dict(options, batch_size=arguments.batch))
        words = [alone.step() for _ in range(2 * arguments.steps)][arguments.steps:]
        seconds, sent = steps_of(data, ranks, arguments.topics, arguments.batch, options, arguments.rounds, arguments.steps)
        expected = [sum(step_bytes(alone.rest, data.columns, arguments.topics, met, rank, ranks) for met in words)
                    for rank in range(ranks)]
        told, counted, messages = zip(*sent)
        if list(told) != expected or (ranks > 1 and list(counted) != expected):
            raise SystemExit("%d ranks sent %s bytes, counted %s, by the model %s" % (ranks, told, counted, expected))
        model = 1e-9 * figures.nanoseconds(ranks)
        print("| %d | %.1f | %.1f | %.2f | %s | the same | %d |"
              % (ranks, 1e3 * seconds, 1e3 * model, seconds / model, format(max(told) // arguments.steps, ","),
                 max(messages) // arguments.steps), flush=True)


# ---- Distinct words, and who owns them ----

class Heaps:
    """Distinct words of n words of text: V (1 - exp(-c n^b / V)), Heaps' law where few of the V words have come."""

    def __init__(self, rows):
        sizes = [10 * 2 ** power for power in range(12) if rows.distinct(10 * 2 ** power) < 0.8 * rows.columns]
        words = numpy.log([count * rows.mean for count in sizes])
        fresh = [-rows.columns * math.log1p(-rows.distinct(count) / rows.columns) for count in sizes]
        self.b, log_c = numpy.polyfit(words, numpy.log(fresh), 1)
        self.c = math.exp(log_c)

    def distinct(self, words, columns):
        return -columns * math.expm1(-self.c * words ** self.b / columns)


def replay(rows, ranks, share, topics, turns=3):
    """Real batches over so many ranks, each word owned by rank word mod ranks; statistics and topics in float. Of a rank
    and step: bytes and messages sent in the mean, and the busiest rank's over the mean; the same where words that more
    than a quarter of the ranks ask for are held by all and added densely."""
    found = []
    for turn in range(turns):
        asked = numpy.zeros((ranks, rows.columns), bool)
        for rank in range(ranks):
            asked[rank, rows.of((turn * ranks + rank) * share, share)] = True
        hot = asked.sum(0) > ranks / 4
        found.append([traffic(asked, topics, numpy.zeros(rows.columns, bool)), traffic(asked, topics, hot)])
    mean = numpy.mean(found, 0)
    return mean[0], mean[1]


def traffic(asked, topics, replicated):
    ranks, columns = asked.shape
    owner = numpy.arange(columns) % ranks
    rows = numpy.zeros((ranks, ranks))  # words of [rank] that [owner] holds
    for rank in range(ranks):
        rows[rank] = numpy.bincount(owner[asked[rank] & ~replicated], minlength=ranks)
    numpy.fill_diagonal(rows, 0)
    sent = 4 * topics * (rows.sum(0) + rows.sum(1)) + 4 * rows.sum(1)  # rows given out, statistics sent, numbers of words
    sent += 2 * 4 * topics * replicated.sum() * (ranks - 1) / ranks
    return [sent.mean(), sent.max() / sent.mean(), 3 * (rows > 0).sum() / ranks]


# ---- 10^10 documents ----

FORMS = ["as it is", "on all cores", "sharded", "sharded, overlapped"]


def step_seconds(form, figures, heaps, machines, topics, columns, rows, mean, network):
    """Seconds of a step, the part spent in the local step, and bytes that a machine sends."""
    _, latency, bandwidth = network
    words = rows / machines * mean
    distinct = heaps.distinct(words, columns)
    local = 1e-9 * topics * (figures.e * words + figures.c * distinct) / CORES
    if form in FORMS[:2]:
        met = heaps.distinct(rows * mean, columns)
        sent = (2 * 4 * topics * met + columns / 4) * (machines - 1) / machines
        # One thread of a rank adds and copies, in pieces; without that all cores do, and a step is two messages to each.
        cores, messages = (1, dense_messages(int(topics * met), 4, machines)) if form == FORMS[0] else (CORES, 2 * (machines - 1))
        own = 1e-9 * topics * (columns * figures.g / CORES + met * figures.x / cores)
        return local + own + sent / bandwidth + messages * latency, local, sent
    sent = (2 * 4 * topics + 4) * distinct * (machines - 1) / machines
    own = 1e-9 * topics * (distinct * figures.x + columns / machines * figures.g) / CORES
    exchange = own + sent / bandwidth + 3 * (machines - 1) * latency
    return (max(local, exchange) if form == "sharded, overlapped" else local + exchange), local, sent


def told(seconds):
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return "%.3g %s" % (seconds / size, unit)
    return "%.3g s" % seconds


def far(figures, heaps, arguments):
    """Prints the time of a pass over 10^10 documents; returns the seconds of each case for the plot."""
    documents, columns, mean, steps = 1e10, 1e6, 100, 1000
    machines = [16, 64, 256, 1024]
    seconds = {}
    print("\nA pass over 1e10 documents of %d words, V = 1e6, %d steps; in brackets the share of the local step" % (mean, steps))
    print("| topics | network | exchange | %s | sent a machine and step at 64 | half of the time is the local step up to |"
          % " | ".join(map(str, machines)))
    print("|---|---|---|%s---|---|" % ("---|" * len(machines)))
    for topics in (1000, 10000):
        for network in NETWORKS:
            for form in FORMS:
                cells = []
                for count in machines:
                    whole, local, _ = step_seconds(form, figures, heaps, count, topics, columns, documents / steps, mean, network)
                    seconds[topics, network[0], form, count] = steps * whole
                    cells.append("%s (%.0f %%)" % (told(steps * whole), 100 * local / whole))
                sent = step_seconds(form, figures, heaps, 64, topics, columns, documents / steps, mean, network)[2]
                end = [count for count in (2 ** power for power in range(1, 13))
                       if 2 * step_seconds(form, figures, heaps, count, topics, columns, documents / steps, mean, network)[1]
                       >= step_seconds(form, figures, heaps, count, topics, columns, documents / steps, mean, network)[0]]
                print("| %d | %s | %s | %s | %.3g GB | %s |" % (topics, network[0], form, " | ".join(cells), sent / 1e9,
                                                           "%d machines" % max(end) if end else "no 2"))
    return machines, seconds


def draw(path, machines, seconds):
    figure, axes = pictures.panels(len(NETWORKS), (11, 4.5), sharey=True)
    for axis, network in zip(axes, NETWORKS):
        for topics, line in ((1000, "-"), (10000, "--")):
            for number, form in enumerate(FORMS):
                hours = [seconds[topics, network[0], form, count] / 3600 for count in machines]
                axis.loglog(machines, hours, line, color="C%d" % number, marker="o", label="%s, K = %d" % (form, topics))
        pictures.label(axis, network[0], "machines", machines)
    axes[0].set_ylabel("hours of a pass over 10$^{10}$ documents")
    axes[0].legend(fontsize=7)
    pictures.save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", default="arxiv_200k")
    parser.add_argument("--repeat", type=int, default=1, help="so many times the documents of the set, one after the other")
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--batch", type=int, default=4000)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--replay", type=int, nargs="+", default=[64, 256, 1024])
    parser.add_argument("--share", type=int, default=64, help="rows a rank and step in the replay")
    parser.add_argument("--method", default="svi")
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    data = vtemper.Data(os.path.join(arguments.data, arguments.set, "train.ldac.gz"))
    if arguments.repeat > 1:
        data = data.select(numpy.tile(numpy.arange(data.rows), arguments.repeat))
    rows = Rows(data)
    options = {"method": arguments.method, "seed": 1, "threads": 1, "report_every": 1000000, "max_passes": 100.0}
    print("%s; %s: %d documents of %.1f different words, V = %d; K = %d, batch %d"
          % (library.build_info(), arguments.set, rows.rows, rows.mean, rows.columns, arguments.topics, arguments.batch))
    figures = Figures(data, rows, arguments.topics, arguments.batch, options, arguments.rounds, arguments.steps)
    heaps = Heaps(rows)
    print("e %.2f, c %.2f, g %.2f, x %.2f ns" % (figures.e, figures.c, figures.g, figures.x))
    print("distinct words of n: V (1 - exp(-%.3g n^%.3f / V)); rows, measured, by this: %s"
          % (heaps.c, heaps.b, "; ".join("%d, %.0f, %.0f" % (count, rows.distinct(count), heaps.distinct(count * rows.mean, rows.columns))
                                         for count in (30, 1000, 5000))))
    check(data, figures, arguments, options)
    print("\n%d rows a rank and step, K = %d, owner of a word: word mod ranks" % (arguments.share, arguments.topics))
    print("| ranks | MB per rank and step | busiest / mean | messages | with hot words on all ranks: MB | busiest / mean | messages |")
    print("|---|---|---|---|---|---|---|")
    for ranks in arguments.replay:
        plain, spread = replay(rows, ranks, arguments.share, arguments.topics)
        print("| %d | %.3g | %.2f | %.0f | %.3g | %.2f | %.0f |" % (ranks, plain[0] / 1e6, plain[1], plain[2], spread[0] / 1e6, spread[1], spread[2]))
    machines, seconds = far(figures, heaps, arguments)
    if arguments.picture:
        draw(arguments.picture, machines, seconds)


if __name__ == "__main__":
    main()
