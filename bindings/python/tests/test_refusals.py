"""Input that is refused by name: arguments without effect, rows that are missing, cells that are no numbers."""
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import vtemper
from corpus import WORDS, array_of_rows, counts, points, themes, walks
from vtemper.errors import ArgumentError, DataError


class Refusals(unittest.TestCase):
    def refuses(self, sentence, call, error=DataError):
        with self.assertRaisesRegex(error, sentence):
            call()

    def test_lengths_are_for_one_column_of_symbols(self):
        fitted = vtemper.LDA(2, max_passes=1, random_state=0).fit(counts())
        for call in (lambda: vtemper.LDA(2).fit(counts(), lengths=[60, 60]), lambda: vtemper.LDA(2).partial_fit(counts(), lengths=[120]),
                     lambda: fitted.infer(counts(), lengths=[120]), lambda: fitted.evaluate(counts(), lengths=[120]),
                     lambda: vtemper.GaussianMixture(2).fit(points(), lengths=[90])):
            self.refuses("argument lengths is for models of sequences", call, ArgumentError)
        data = vtemper.Data(walks(), "sequences")
        self.refuses("argument lengths is for one column of symbols; X is Data", lambda: vtemper.HiddenMarkov(2).fit(data, lengths=[3]),
                     ArgumentError)
        for rows in [[0, 1], [1]], [["a", "b"], ["a"]], ["a", "b"]:
            self.refuses("lengths must be one column of whole numbers", lambda: vtemper.HiddenMarkov(2).fit(rows, lengths=[2, 1]))
            self.refuses("lengths must be one column of whole numbers", lambda: vtemper.Data(rows, lengths=[2, 1]))
        for form in "counts", "dense":
            self.refuses("argument lengths is for sequences, but form is '%s'" % form,
                         lambda: vtemper.Data(np.array([1, 2]), form, lengths=[2]), ArgumentError)
        self.assertEqual(vtemper.Data([[0], [1], [0]], lengths=[2, 1]).shape, (2, 2))

    def test_arguments_of_data_without_effect(self):
        for sentence, call in (
                ("format is for files", lambda: vtemper.Data(counts(), format="ldac")),
                ("alphabet is for sequences; X holds counts", lambda: vtemper.Data(counts(), alphabet=40)),
                ("alphabet is for sequences; X holds dense rows", lambda: vtemper.Data(points(), alphabet=40)),
                ("alphabet is 5, but the symbols are 2 different words", lambda: vtemper.Data([["a", "b"], ["a"]], "sequences", alphabet=5)),
                ("'columns', but X is a list of documents", lambda: vtemper.Data(themes(), observations="columns")),
                ("'columns', but symbols with lengths", lambda: vtemper.Data(np.array([1]), lengths=[1], observations="columns")),
                ("already made; give names to Data", lambda: vtemper.Model("lda").data(vtemper.Data(counts()), names=WORDS))):
            self.refuses(sentence, call, ArgumentError)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.ldac")
            with open(path, "w") as file:
                file.write("2 0:1 3:2\n1 1:4\n")
            for name, value in ("observations", "columns"), ("lengths", [1]), ("alphabet", 4):
                self.refuses("argument %s is not for files" % name, lambda: vtemper.Data(path, **{name: value}), ArgumentError)
            self.refuses("holds counts, not sequences", lambda: vtemper.Data(path, "sequences"))
            self.assertEqual(vtemper.Data(path, "counts").shape, (2, 4))

    def test_a_file_keeps_its_names_before_a_model_of_sequences(self):
        model = vtemper.HiddenMarkov(2, random_state=0).fit([["a", "b", "a"], ["c", "b"]]).model_
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.vtemper")
            vtemper.Data([["c", "b"], ["c"]], "sequences").write(path)
            np.testing.assert_array_equal(model.infer(path, "log_likelihood"), model.infer([["c", "b"], ["c"]], "log_likelihood"))

    def test_missing_rows_are_named_by_position(self):
        fitted = vtemper.LDA(2, max_passes=1, random_state=0).fit(themes())
        for rows, place in ([["a"], None, ["b"]], 1), ([None, ["a"]], 0), ([["a"], ["b"], np.nan], 2), ([[1], None], 1), ([None, None], 0):
            for call in (lambda: vtemper.Data(rows), lambda: vtemper.Data(rows, "sequences"), lambda: vtemper.LDA(2).fit(rows),
                         lambda: vtemper.LDA(2).partial_fit(rows), lambda: fitted.transform(rows),
                         lambda: vtemper.HiddenMarkov(2).fit(rows)):
                self.refuses("row %d is (None|nan), not a list" % place, call)
        self.refuses("row 1 is None, not a list", lambda: vtemper.LDA(2).fit(array_of_rows([["a"], None])))

    def test_missing_symbols_are_named_by_position(self):
        self.refuses("row 1, position 1 is None; symbols cannot be missing", lambda: vtemper.HiddenMarkov(2).fit([[0, 1], [1, None]]))
        self.refuses(r"one is None.*\(row 1, position 1\)", lambda: vtemper.HiddenMarkov(2).fit([["a"], ["b", None]]))

    def test_cells_that_are_no_numbers_are_named(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        for cell in "x", pandas.Timestamp("2020-01-01"):
            frame = pandas.DataFrame({"first": [1, 2], "second": [3, cell]})
            for call in (lambda: vtemper.GaussianMixture(1).fit(frame), lambda: vtemper.Data(frame), lambda: vtemper.LDA(2).fit(frame),
                         lambda: vtemper.Data(frame, "counts")):
                self.refuses(r"row 1, column 1 \(second\): ", call, (DataError, TypeError))
            self.refuses("row 1, column 1: ", lambda: vtemper.Data(frame.to_numpy()), (DataError, TypeError))
        self.refuses("row 0, position 1 is <NA>; symbols", lambda: vtemper.Data([[0, pandas.NA], [1]], "sequences"))

    def test_missing_cells_of_pandas_are_missing(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        X = points().astype(object)
        X[3, 1] = np.nan
        expected = vtemper.GaussianMixture(2, random_state=1).fit(X.astype(float)).means_
        X[3, 1] = pandas.NA
        for held in X, X.tolist(), pandas.DataFrame(X):
            np.testing.assert_array_equal(vtemper.GaussianMixture(2, random_state=1).fit(held).means_, expected)
        with self.assertRaisesRegex(DataError, "row 1, column 0 holds NaN"):
            vtemper.LDA(2).fit([[1, 2], [pandas.NA, 3]])

    def test_columns_of_frames_are_no_symbols(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        column = pandas.DataFrame({"symbol": [0, 1, 2, 1]})
        self.assertEqual((vtemper.Data(column, lengths=[2, 2]).shape, vtemper.Data(column, "sequences").columns), ((2, 3), 3))


    def test_texts_and_tables_of_counts_are_no_lists_of_symbols_or_words(self):
        """Letters would be symbols, and the numbers of a Counter lost."""
        for rows in ["the sun", "moon"], [b"the sun", b"moon"]:
            self.refuses("sequence 0 is a (str|bytes): give it as a list", lambda: vtemper.Data(rows, "sequences"))
        for rows in ["sun", "moon"], array_of_rows(["sun", "moon"]):
            self.refuses("sequence 0 is a str: give it as a list", lambda: vtemper.HiddenMarkov(2).fit(rows))
        for form in None, "counts":
            self.refuses("document 0 is a dict, whose numbers would be lost", lambda: vtemper.Data([{"a": 2}, {"a": 1, "b": 1}], form))

    def test_documents_without_words_have_proportions(self):
        for name in "LDA", "DeepExponentialFamily":
            fitted = getattr(vtemper, name)(2, max_passes=1, random_state=0).fit(themes())
            np.testing.assert_array_equal(fitted.transform([[]]), fitted.transform([[], ["sun"]])[:1])
            self.assertEqual(fitted.transform([[], []]).shape, (2, 2))

    def test_rows_of_different_lengths_are_named(self):
        for call in lambda: vtemper.LDA(2).fit([[1, 2], [3, 4], [5]]), lambda: vtemper.Data([[1.5, 2], [3, 4], [5]], "dense"):
            self.refuses("row 0 has 2, row 2 has 1", call)

    def test_arguments_of_another_type_are_named(self):
        fitted = vtemper.LDA(2, max_passes=1, random_state=0).fit(counts())
        data = vtemper.Data(counts())
        for sentence, call in (
                ("argument n is a str", lambda: fitted.top_words("x")), ("argument topic is a float", lambda: fitted.similar(0.5)),
                ("argument n_jobs is a str", lambda: vtemper.LDA(2, n_jobs="all").fit(counts())),
                ("argument monitor is a str", lambda: vtemper.LDA(2).fit(counts(), monitor="x")),
                ("argument monitor is a str", lambda: vtemper.LDA(2).feed([counts()], monitor="x")),
                ("argument share is a str", lambda: data.split("half"))):
            self.refuses(sentence, call, TypeError)
        for sentence, call in (
                ("argument topic is 2; it must lie between 0 and 1", lambda: fitted.similar(2)),
                ("argument n is -1", lambda: fitted.similar(0, -1)), ("X is Data already", lambda: vtemper.Data(data)),
                ("names contains 'a.ud800', which is no text in UTF-8", lambda: vtemper.Data([["a\ud800"], ["b"]])),
                ("option topics is nan, which is not finite", lambda: vtemper.LDA(np.nan).fit(counts())),
                ("does not use heldout, which must be None", lambda: fitted.evaluate(counts(), "elbo", heldout=counts()))):
            self.refuses(sentence, call, ArgumentError)

    def test_feed_takes_batches_not_data(self):
        for given in counts(), counts().toarray(), "file.ldac", vtemper.Data(counts()):
            self.refuses("feed takes an iterator of batches, not a", lambda: vtemper.LDA(2, rows_total=120).feed(given), TypeError)

    def test_rows_of_data_one_by_one(self):
        data = vtemper.Data(np.diag([1, 2, 4]))
        self.assertEqual([row.total for row in data], [1, 2, 4])

    def test_plot_and_drop_in_are_found_without_an_import(self):
        done = subprocess.run([sys.executable, "-c", "import vtemper; vtemper.drop_in.LatentDirichletAllocation; vtemper.plot.objective"],
                              stderr=subprocess.PIPE, universal_newlines=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with self.assertRaisesRegex(AttributeError, "'vtemper' has no attribute 'plots'"):
            vtemper.plots


class HotStreams(unittest.TestCase):
    """A run on rows that are fed does not know which batch is the last."""

    def batches(self):
        return [counts(60)[start:start + 20] for start in range(0, 60, 20)]

    def told(self, call):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            call()
        return [str(warning.message) for warning in told if issubclass(warning.category, vtemper.VTemperWarning)]

    def test_the_end_of_a_stream_is_told(self):
        one = vtemper.LDA(3, rows_total=1000, random_state=0)
        told = self.told(lambda: one.feed(self.batches(), lambda report: one.components_ is None))
        self.assertEqual((len(told), told[0][:20]), (1, "the fit is hot: T = "))
        self.assertEqual(self.told(lambda: one.transform(counts())), [])
        cold = vtemper.LDA(3, rows_total=60, random_state=0)
        self.assertEqual(self.told(lambda: cold.feed(self.batches()).transform(counts())), [])

    def test_the_first_result_after_steps_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            for read in (lambda one: one.transform(counts()), lambda one: one.score(counts()), lambda one: one.components_,
                         lambda one: one.top_words(), lambda one: one.save(os.path.join(folder, "model"))):
                one = vtemper.LDA(3, rows_total=1000, random_state=0)
                self.assertEqual(self.told(lambda: [one.partial_fit(batch) for batch in self.batches()]), [])
                self.assertEqual([told[:20] for told in self.told(lambda: read(one))], ["the fit is hot: T = "])
                self.assertEqual(self.told(lambda: read(one)), [])


if __name__ == "__main__":
    unittest.main()
