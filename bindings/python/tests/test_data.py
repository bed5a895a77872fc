"""Data from arrays: forms, orders, element types, ownership, refusals."""
import gc
import os
import tempfile
import unittest

import numpy as np
import scipy.sparse

import vtemper
from corpus import WORDS, containers, counts, points, themes, walks
from vtemper.making import _borrowed


def table(data):
    """Topics of a fit that depends on every entry of the data."""
    model = vtemper.Model("lda", topics=2, precision="double")
    vtemper.Run(model, data, method="vi", seed=1, max_passes=3).run()
    return model.parameters["lambda"]


class Counts(unittest.TestCase):
    def test_every_layout_gives_the_same(self):
        X = counts()
        expected = table(vtemper.Data(X))
        forms = [X.tocsc(), X.tocoo(), X.toarray(), np.asfortranarray(X.toarray()), X.toarray()[:, ::-1][:, ::-1]]
        forms += [X.astype(dtype) for dtype in (np.int64, np.float32, np.float64, np.uint8, np.uint16)]
        for form in forms:
            np.testing.assert_array_equal(table(vtemper.Data(form, "counts")), expected)
        for form in X.T.tocsc(), X.T.tocsr(), X.T.toarray():
            np.testing.assert_array_equal(table(vtemper.Data(form, "counts", observations="columns")), expected)

    def test_indices_of_64_bits(self):
        X = counts()
        X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
        np.testing.assert_array_equal(table(vtemper.Data(X)), table(vtemper.Data(counts())))

    def test_rows_are_not_copied(self):
        long = counts().T.tocsc()
        long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
        for X, observations in ((counts(), "rows"), (counts().T.tocsc(), "columns"), (long, "columns"), (counts(dtype=np.float64), "rows")):
            data = vtemper.Data(X, observations=observations)
            lent = list(_borrowed.values())[-1]
            for mine, theirs in zip((X.indptr, X.indices, X.data), lent):
                self.assertTrue(np.shares_memory(mine, theirs))
            data.close()

    def test_arrays_live_as_long_as_they_are_used(self):
        gc.collect()
        before = len(_borrowed)
        data = vtemper.Data(counts())
        run = vtemper.Run(vtemper.Model("lda", topics=2), data, seed=1)
        self.assertEqual(len(_borrowed), before + 1)
        del data
        gc.collect()
        self.assertEqual(len(_borrowed), before + 1)
        run.step(3)
        del run
        gc.collect()
        self.assertEqual(len(_borrowed), before)

    def test_a_failed_call_keeps_nothing(self):
        before = len(_borrowed)
        with self.assertRaisesRegex(vtemper.errors.DataError, "row 0, column 1"):
            vtemper.Data(scipy.sparse.csr_matrix([[1.0, -2.0]]))
        with self.assertRaisesRegex(ValueError, "inf"):
            vtemper.Data(np.array([[1.0, np.inf]]))
        self.assertEqual(len(_borrowed), before)

    def test_places_that_are_held_twice_are_added(self):
        X = scipy.sparse.csr_matrix((np.array([1, 2, 3]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
        data = vtemper.Data(X)
        self.assertEqual((data.entries, data.total, X.nnz), (2, 6.0, 3))

    def test_numbers_beyond_64_bits_with_a_sign_are_named(self):
        large = np.array([[1, 2**63 + 5]], dtype=np.uint64)
        for make in (lambda: vtemper.Data(large), lambda: vtemper.Data(scipy.sparse.csr_matrix(large)),
                     lambda: vtemper.Data(large[0], lengths=[2]), lambda: vtemper.Data(np.zeros(1, dtype=int), lengths=large[0, 1:])):
            with self.assertRaisesRegex(vtemper.errors.DataError, "holds 9223372036854775813; whole numbers must be at most"):
                make()
        self.assertEqual(vtemper.Data(np.array([[1, 2**40]], dtype=np.uint64)).total, 2**40 + 1)

    def test_documents_of_words(self):
        data = vtemper.Data(themes())
        self.assertEqual((data.form, data.names, data.rows), ("counts", sorted(WORDS), 120))
        aligned = data.align(["sun", "comet", "sea"])
        self.assertEqual(aligned.names, ["sun", "comet", "sea"])
        with self.assertRaisesRegex(ValueError, "document 0 is a string"):
            vtemper.Data(["raw text", "more"], "counts")

    def test_tokens_are_texts(self):
        for other in None, 1, 0.5, np.nan, b"b":
            with self.assertRaisesRegex(vtemper.errors.DataError, "document 1 holds %r, which is no word" % (other,)):
                vtemper.Data([["a"], ["a", other]])
            with self.assertRaisesRegex(vtemper.errors.DataError, "one is %r: all must be texts" % (other,)):
                vtemper.Data([["a"], ["a", other]], "sequences")
        self.assertEqual(vtemper.Data([np.array(["a", "b"]), ["c"]]).names, ["a", "b", "c"])

    def test_rows_are_selected_by_whole_numbers_and_masks(self):
        data = vtemper.Data(np.diag([1, 2, 4]))
        for rows in [0.5, 1.9], [0.0, 1.0], ["0", "1"], [None], np.array([0, None], dtype=object), 1.0, np.array(["2020"], dtype="M8[Y]"):
            with self.assertRaisesRegex(vtemper.errors.ArgumentError, "rows must be whole numbers, a mask or a slice, not of dtype"):
                data.select(rows)
        with self.assertRaisesRegex(vtemper.errors.DataError, r"rows\[1\] is masked"):
            data.select(np.ma.array([0, 1], mask=[False, True]))
        with self.assertRaisesRegex(vtemper.errors.DataError, "rows holds 9223372036854775808"):
            data.select(np.array([2**63], dtype=np.uint64))
        for rows, total in (([0, 2, 2], 9), (np.array([1], dtype=np.uint8), 2), (np.array([0, 1], dtype=object), 3), (np.array([False, False, True], dtype=object), 4), (1, 2), ([], 0), ([True, False, True], 5), (slice(1, 3), 6), (-1, 4), ([-3, -2, 2], 7)):
            self.assertEqual(data.select(rows).total, total)
        self.assertEqual([row.total for row in reversed(data)], [4, 2, 1])
        for rows in (3, "3"), (-4, "-4"):
            with self.assertRaisesRegex(vtemper.errors.ArgumentError, r"rows\[0\] is %s; the data have 3 rows" % rows[1]):
                data.select(rows[0])
        for one in True, np.False_:
            with self.assertRaisesRegex(vtemper.errors.ArgumentError, "rows is %s; a mask has a value for each row" % one):
                data.select(one)

    def test_selection_split_weights_and_files(self):
        data = vtemper.Data(counts(), names=WORDS)
        self.assertEqual([part.rows for part in data.split(0.25, seed=1)], [90, 30])
        observed, heldout = data.split_counts(0.2, seed=1)
        self.assertEqual(observed.total + heldout.total, data.total)
        self.assertEqual(data[[0, 0, 5]].rows, 3)
        self.assertEqual(data[10:20].rows, 10)
        slice_ = data.slice(10, 20)
        self.assertEqual((slice_.rows, slice_.total, slice_.names), (20, data[10:30].total, WORDS))
        parts = [data.slice(0, 50).split(0.25, seed=1)[1], data.slice(50, 70).split(0.25, seed=1)[1]]
        self.assertEqual(sum(part.rows for part in parts), 30)
        with self.assertRaises(ValueError):
            data.slice(100, 21)
        with self.assertRaises(ValueError):
            data.set_weights([1.0])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "corpus.vtemper")
            data.write(path)
            mapped = vtemper.Data(path)
            mapped.verify()
            self.assertEqual((mapped.shape, mapped.names, mapped.total), (data.shape, WORDS, data.total))
            with self.assertRaises(OSError):
                vtemper.Data(os.path.join(folder, "missing"))
            text = os.path.join(folder, "three.ldac")
            with open(text, "w") as file:
                file.write("2 0:1 3:2\n0\n1 1:4\n")
            vtemper.Data.convert(text, path)
            self.assertEqual((vtemper.Data(path).shape, vtemper.Data(path).total), ((3, 4), 7))
            vtemper.Data.convert(text, path, "ldac", list("abcde"))
            self.assertEqual((vtemper.Data(path).shape, vtemper.Data(path).names), ((3, 5), list("abcde")))
            with self.assertRaises(ValueError):
                vtemper.Data.convert(text, path, names=["a"])

    def test_frames_bring_their_names(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = pandas.DataFrame(counts().toarray(), columns=WORDS)
        self.assertEqual(vtemper.Data(frame).names, WORDS)
        sparse = pandas.DataFrame.sparse.from_spmatrix(counts(), columns=WORDS)
        np.testing.assert_array_equal(table(vtemper.Data(sparse, "counts")), table(vtemper.Data(frame)))

    def test_nullable_columns_of_frames(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        whole = pandas.DataFrame({"a": pandas.array([1, 2, 0], dtype="Int64"),
                                  "b": pandas.array([True, False, True], dtype="boolean")})
        self.assertEqual(repr(vtemper.Data(whole)), "Data(counts, 3 rows, 2 columns, 4 entries)")
        self.assertEqual(repr(vtemper.Data(np.array([[1]]))), "Data(counts, 1 row, 1 column, 1 entry)")
        missing = pandas.DataFrame({"a": pandas.array([1, None, 0], dtype="Int64"), "b": [0.5, 1, 2]})
        rows = vtemper.Data(missing)
        model = vtemper.Model("gaussian_mixture", components=1)
        vtemper.Run(model, rows, max_iterations=3).run()
        expected = vtemper.Model("gaussian_mixture", components=1)
        vtemper.Run(expected, vtemper.Data(np.array([[1, 0.5], [np.nan, 1], [0, 2]])), max_iterations=3).run()
        np.testing.assert_array_equal(model.parameters["mean"], expected.parameters["mean"])
        with self.assertRaisesRegex(vtemper.VTemperError, "NaN"):
            vtemper.Data(missing, "counts")

    def test_options_as_arrays_of_one_value(self):
        self.assertEqual(vtemper.Model("lda", topics=np.array("3")).options["topics"], "3")
        self.assertEqual(vtemper.Model("lda", topics=np.array(3)).options["topics"], "3")


class Dense(unittest.TestCase):
    def weights(self, values, **keywords):
        model = vtemper.Model("gaussian_mixture", components=2)
        vtemper.Run(model, vtemper.Data(values, "dense", **keywords), seed=1, max_passes=20).run()
        return model.parameters["mean"]

    def test_orders_and_strides(self):
        X = points()
        expected = self.weights(X)
        wide = np.zeros((180, 6))
        wide[::2, 1::3] = X
        for same in np.asfortranarray(X), wide[::2, 1::3], X[::-1][::-1], X.astype(">f8"):
            np.testing.assert_array_equal(self.weights(same), expected)
        np.testing.assert_array_equal(self.weights(X.T, observations="columns"), expected)
        np.testing.assert_array_equal(self.weights(X.astype(np.float32)), self.weights(X.astype(np.float32).astype(float)))

    def test_points_are_not_copied(self):
        for X in points(), np.asfortranarray(points()), points().astype(np.float32):
            data = vtemper.Data(X)
            self.assertTrue(np.shares_memory(X, list(_borrowed.values())[-1]))
            data.close()

    def test_missing_values(self):
        X = points()
        X[3, 1] = np.nan
        self.assertTrue(np.isfinite(self.weights(X)).all())

    def test_masked_values_are_missing(self):
        X = points()
        X[3, 1] = np.nan
        mask = np.isnan(X)
        masked = np.ma.array(np.where(mask, 1000.0, X), mask=mask)
        np.testing.assert_array_equal(self.weights(masked), self.weights(X))
        np.testing.assert_array_equal(self.weights(masked.T, observations="columns"), self.weights(X))
        np.testing.assert_array_equal(self.weights(list(masked)), self.weights(X))
        np.testing.assert_array_equal(vtemper.GaussianMixture(2, random_state=1).fit(masked).means_,
                                      vtemper.GaussianMixture(2, random_state=1).fit(X).means_)
        small = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
        self.assertEqual(vtemper.Data(small.astype(float)).total, 8)
        self.assertEqual(vtemper.Data(small, "dense").total, 8)
        self.assertEqual(vtemper.Data(small.astype(object)).total, 8)
        nothing = np.ma.array(points(), mask=False)
        data = vtemper.Data(nothing)
        self.assertTrue(np.shares_memory(nothing.data, list(_borrowed.values())[-1]))
        self.assertEqual(data.total, vtemper.Data(points()).total)

    def test_masked_values_that_cannot_be_missing_are_refused(self):
        numbers = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
        mask = np.ma.array([1, 1], mask=[False, True])
        for named, make in (
                (r"counts\[0, 1\]", lambda: vtemper.Data(numbers)), (r"counts\[0, 1\]", lambda: vtemper.Data(numbers.astype(float), "counts")),
                (r"counts\[0, 1\]", lambda: vtemper.Data(list(numbers))), (r"counts\[0, 1\]", lambda: vtemper.LDA(2).fit(numbers)),
                (r"symbols\[1\]", lambda: vtemper.Data(numbers, "sequences")), (r"symbols\[1\]", lambda: vtemper.Data(mask, lengths=[2])),
                (r"symbols\[1\]", lambda: vtemper.HiddenMarkov(2).fit(numbers)), (r"symbols\[1\]", lambda: vtemper.HiddenMarkov(2).fit(mask)),
                (r"lengths\[1\]", lambda: vtemper.Data(np.array([0, 1]), lengths=mask)),
                (r"weights\[1\]", lambda: vtemper.Data(np.eye(2), weights=mask)),
                (r"sample_weight\[1\]", lambda: vtemper.GaussianMixture(1).fit(np.eye(2), sample_weight=mask))):
            with self.assertRaisesRegex(vtemper.errors.DataError, named + " is masked; only dense data can have missing values"):
                make()
        with self.assertRaisesRegex(vtemper.errors.DataError, "document 0 holds masked"):
            vtemper.Data([np.ma.array(["a", "b"], mask=[False, True]), ["c"]])
        self.assertEqual(vtemper.Data(np.ma.array([[1, 2]], mask=False)).total, 3)


class Symbols(unittest.TestCase):
    def test_lists_columns_and_words(self):
        rows = walks()
        data = vtemper.Data(rows, "sequences")
        self.assertEqual((data.form, data.shape, data.entries), ("sequences", (40, 6), 600))
        column = np.concatenate(rows)[:, np.newaxis]
        self.assertEqual(vtemper.Data(column, lengths=[15] * 40).shape, (40, 6))
        words = vtemper.Data([["a", "b"], ["c"]], "sequences")
        self.assertEqual((words.form, words.names), ("sequences", ["a", "b", "c"]))
        with self.assertRaisesRegex(ValueError, "lengths sum to 3"):
            vtemper.Data(column, lengths=[3])
        with self.assertRaisesRegex(ValueError, "whole numbers"):
            vtemper.Data([[0.5, 1.0]], "sequences")

    def test_series_and_arrays_of_rows(self):
        for make in containers():
            for rows in [["a", "b"], ["b"]], [["a", "b"], ["b", "c"]]:
                for form in None, "counts", "sequences":
                    data, expected = vtemper.Data(make(rows), form), vtemper.Data(rows, form)
                    self.assertEqual((repr(data), data.names), (repr(expected), expected.names))
            self.assertEqual(repr(vtemper.Data(make([[0, 1], [4]]))), repr(vtemper.Data([[0, 1], [4]])))
        numbers = np.array([[1, 2], [3, 4]], dtype=object)
        self.assertEqual((vtemper.Data(numbers, "dense").total, vtemper.Data(numbers, "counts").total), (10, 10))

    def test_alphabets_and_lengths_are_whole(self):
        column = np.array([0, 1, 0])
        for alphabet in 3.7, 3.0, "3":
            for make in (lambda: vtemper.Data([[0, 1], [1]], "sequences", alphabet=alphabet), lambda: vtemper.Data(column, lengths=[3], alphabet=alphabet),
                         lambda: vtemper.Data(np.array([[0, 1]]), "sequences", alphabet=alphabet)):
                with self.assertRaisesRegex(TypeError, "argument alphabet is a %s; it must be a whole number" % type(alphabet).__name__):
                    make()
        self.assertEqual(vtemper.Data(np.array([[0, 1]]), "sequences", alphabet=np.int8(5)).columns, 5)
        for lengths in [1.5, 1.5], ["1", "2"], [1, None], [1 + 0j, 2]:
            with self.assertRaisesRegex(vtemper.errors.DataError, "lengths must be whole numbers"):
                vtemper.Data(column, lengths=lengths)
        self.assertEqual(vtemper.Data(column, lengths=[1.0, 2.0]).rows, 2)
        self.assertEqual(vtemper.Data(column, lengths=np.array([1, 2], dtype=np.uint64)).rows, 2)
        with self.assertRaisesRegex(vtemper.errors.DataError, "symbols must be whole numbers"):
            vtemper.Data([[2**70, 1], [1]], "sequences")


if __name__ == "__main__":
    unittest.main()
