"""What the tests fit."""
import numpy as np
import scipy.sparse

WORDS = ["sun", "moon", "star", "sky", "tree", "leaf", "root", "bark", "fish", "sea", "wave", "salt"]


def themes(documents=120, seed=0):
    """Lists of words, each document of one of three themes of four words."""
    random = np.random.default_rng(seed)
    return [[WORDS[4 * theme + random.integers(4)] if random.random() < 0.9 else WORDS[random.integers(12)] for _ in range(25)]
            for theme in random.integers(0, 3, documents)]


def counts(documents=120, seed=0, dtype=np.int32):
    """The same as documents x words, compressed by documents."""
    table = np.zeros((documents, len(WORDS)), dtype=dtype)
    for row, document in enumerate(themes(documents, seed)):
        for word in document:
            table[row, WORDS.index(word)] += 1
    return scipy.sparse.csr_matrix(table)


def points(rows=90, seed=0):
    """Three clusters in the plane."""
    random = np.random.default_rng(seed)
    centres = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
    return centres[np.arange(rows) % 3] + random.normal(size=(rows, 2))


def array_of_rows(rows):
    """An array of objects, one for each row."""
    held = np.empty(len(rows), dtype=object)
    held[:] = rows
    return held


def containers():
    """What lists of documents or sequences may come in, besides a list."""
    made = [array_of_rows, lambda rows: np.array(rows, dtype=object)]  # the second is a table if all rows are equally long
    try:
        import pandas
    except ImportError:
        return made

    def series_of(row):
        return row if isinstance(row, str) else pandas.Series(row, index=range(7, 7 + len(row)))
    return made + [lambda rows: pandas.Series(rows, index=range(5, 5 + len(rows))),
                   lambda rows: [series_of(row) for row in rows], lambda rows: pandas.Series([series_of(row) for row in rows])]


def walks(sequences=40, seed=0):
    """Sequences of the symbols 0 to 2, or 3 to 5."""
    random = np.random.default_rng(seed)
    return [list(random.integers(0, 3, 15) + 3 * (row % 2)) for row in range(sequences)]
