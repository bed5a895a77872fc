"""The bytes of the scaling model are those that groups of threads send, exactly."""
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
    data = scaling.vtemper.Data(counts)
    wrong = 0
    # Statistics that are cut, the second time, into pieces.
    for topics, counts in ((3, data), (40, scaling.vtemper.Data(numpy.eye(16000, dtype=int)[:61]))):
        options = {"method": "svi", "seed": 1, "threads": 1, "batch_size": 24}
        length = scaling.statistics_length(scaling.vtemper.Model("lda", topics=topics), counts, **options)
        for ranks in (1, 2, 3, 8):
            _, sent = scaling.steps_together(counts, ranks, STEPS, 1, topics, **options)
            for rank, (told, counted, _) in enumerate(sent):
                expected = STEPS * scaling.dense_bytes(length, 8, rank, ranks)
                if told != expected or counted != expected * (ranks > 1):
                    print("rank %d of %d: %d bytes told, %d counted, %d by the model" % (rank, ranks, told, counted, expected))
                    wrong += 1
    print("%d differences" % wrong)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
