"""The scaling model predicts exactly the bytes that groups of threads send."""
import os
import sys

if not os.path.exists(os.environ.get("VTEMPER_LIBRARY", "")):
    print("VTEMPER_LIBRARY is missing")
    sys.exit(77)
try:
    import numpy
    import scaling
except ImportError as missing:
    print(missing)
    sys.exit(77)

STEPS = 3


def main():
    counts = numpy.random.RandomState(1).poisson(0.3, (61, 40))  # rows that no number of ranks divides
    wrong = 0
    few = scaling.vtemper.Data(counts)
    every = scaling.vtemper.Data(numpy.kron(numpy.eye(61, dtype=int), numpy.ones((1, 300), int)))
    # A few words, some of which occur in a step; and so many that their statistics are sent in pieces.
    for data, topics, batch in ((few, 3, 5), (every, 80, 60)):
        options = {"method": "svi", "seed": 1, "threads": 1, "batch_size": batch}
        for ranks in (1, 2, 3, 8):
            alone = scaling.Alone(data, topics, ranks, **options)
            words = [alone.step() for _ in range(1 + STEPS)][1:]
            _, sent = scaling.steps_together(data, ranks, STEPS, 1, topics, **options)
            for rank, (told, counted, _) in enumerate(sent):
                expected = sum(scaling.step_bytes(alone.rest, data.columns, topics, met, rank, ranks) for met in words)
                if told != expected or counted != expected:
                    print("rank %d of %d: %d bytes told, %d counted, %d by the model" % (rank, ranks, told, counted, expected))
                    wrong += 1
        print("%d words, of which steps meet %s" % (data.columns, [met[-1] for met in words]))
    print("%d differences" % wrong)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
