"""A small corpus of four themes, as files."""

import random


def write_corpus(folder, words):
    """train.ldac and words.txt."""
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
        out.write("\n".join(words) + "\n")
