"""Sequences by the conventions of hmmlearn."""
import unittest

import numpy as np

import vtemper
from corpus import containers, counts, walks


class States(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.walks = walks()
        cls.column, cls.lengths = np.concatenate(cls.walks)[:, np.newaxis], [15] * 40
        cls.states = vtemper.HiddenMarkov(2, random_state=0).fit(cls.walks)

    def test_lists_and_columns_are_the_same(self):
        other = vtemper.HiddenMarkov(2, random_state=0).fit(self.column, self.lengths)
        np.testing.assert_array_equal(other.emissionprob_, self.states.emissionprob_)
        np.testing.assert_array_equal(other.predict(self.column, self.lengths), self.states.predict(self.walks))
        as_matrix = vtemper.HiddenMarkov(2, random_state=0).fit(np.array(self.walks))
        np.testing.assert_array_equal(as_matrix.emissionprob_, self.states.emissionprob_)

    def test_states_of_symbols(self):
        path = self.states.predict(self.walks).reshape(40, 15)
        self.assertTrue((path == path[:, :1]).all())
        self.assertEqual(len(set(path[::2, 0])), 1)
        self.assertNotEqual(path[0, 0], path[1, 0])
        marginals = self.states.predict_proba(self.column, self.lengths)
        np.testing.assert_allclose(marginals.sum(axis=1), 1)
        total, posteriors = self.states.score_samples(self.walks)
        self.assertEqual(total, self.states.score(self.walks))
        np.testing.assert_array_equal(posteriors, marginals)

    def test_decoded_paths_have_their_probability(self):
        rows = [[0, 1, 5], [], [4], [2, 2]]
        model = vtemper.HiddenMarkov(2, random_state=1).fit(walks())
        log_probability, path = model.decode(rows)
        by_hand, place = 0.0, 0
        for row in rows:
            for step, symbol in enumerate(row):
                state = path[place]
                before = model.transmat_[path[place - 1], state] if step else model.startprob_[state]
                by_hand += np.log(before) + np.log(model.emissionprob_[state, symbol])
                place += 1
        self.assertAlmostEqual(log_probability, by_hand)
        column = np.concatenate(rows).astype(int)[:, np.newaxis]
        self.assertAlmostEqual(model.decode(column, [3, 0, 1, 2])[0], by_hand)
        self.assertLess(log_probability, model.score(rows))

    def test_states_one_by_one(self):
        score, path = self.states.decode(self.walks, algorithm="map")
        marginals = self.states.predict_proba(self.walks)
        np.testing.assert_array_equal(path, marginals.argmax(axis=1))
        self.assertAlmostEqual(score, marginals.max(axis=1).sum())
        with self.assertRaisesRegex(ValueError, "viterbi"):
            self.states.decode(self.walks, algorithm="best")

    def test_samples(self):
        symbols, states = self.states.sample(400, random_state=0)
        self.assertEqual((symbols.shape, states.shape), ((400, 1), (400,)))
        np.testing.assert_array_equal(symbols, self.states.sample(400, random_state=0)[0])
        self.assertEqual(self.states.sample(5, currstate=1)[1][0], 1)
        for wrong in -1, 2, -2**70:
            with self.assertRaisesRegex(vtemper.errors.ArgumentError, "argument currstate is %d; it must lie between 0 and 1" % wrong):
                self.states.sample(3, currstate=wrong)
        with self.assertRaisesRegex(TypeError, "argument currstate is a float"):
            self.states.sample(3, currstate=0.5)
        shares = np.bincount(symbols[states == states[0], 0], minlength=6) / np.sum(states == states[0])
        np.testing.assert_allclose(shares, self.states.emissionprob_[states[0]], atol=0.1)

    def test_words_and_smaller_alphabets(self):
        model = vtemper.HiddenMarkov(2, random_state=0).fit([["a", "b", "a"], ["c", "c"]])
        self.assertEqual(list(model.feature_names_in_), ["a", "b", "c"])
        self.assertEqual(len(model.predict([["a", "a"]])), 2)
        with self.assertRaisesRegex(ValueError, "symbol 'd'"):
            model.predict([["a", "d"]])
        self.assertEqual(len(self.states.predict([[0, 1]])), 2)
        with self.assertRaises(ValueError):
            self.states.predict([[0, 6]])
        self.assertEqual(len(self.states.predict(np.array([0, 1, 2]))), 3)

    def test_series_and_arrays_of_sequences(self):
        for rows in [["a", "b"], ["b"]], [["a", "b"], ["b", "a"]], [[0, 1], [1]], [[0, 1], [1, 1]]:
            for make in containers():
                held = make(rows)
                with self.subTest(type(held).__name__, rows=rows):
                    expected = vtemper.HiddenMarkov(2, random_state=0).fit(rows)
                    one = vtemper.HiddenMarkov(2, random_state=0).fit(held)
                    np.testing.assert_array_equal(one.emissionprob_, expected.emissionprob_)
                    np.testing.assert_array_equal(one.predict(held), expected.predict(rows))
                    self.assertEqual(one.score(held), expected.score(rows))
                    np.testing.assert_array_equal(one.decode(held)[1], expected.decode(rows)[1])
                    self.assertEqual(one.decode(held)[0], expected.decode(rows)[0])
                    fed = [vtemper.HiddenMarkov(2, random_state=0, rows_total=9, method="svi").partial_fit(X).partial_fit(X) for X in (held, rows)]
                    np.testing.assert_array_equal(fed[0].emissionprob_, fed[1].emissionprob_)

    def test_tables_of_words(self):
        rows = [["a", "b", "a"], ["c", "c", "b"]]
        expected = vtemper.HiddenMarkov(2, random_state=0).fit(rows)
        tables = [np.array(rows)]
        try:
            import pandas
            tables.append(pandas.DataFrame(rows, columns=["first", "second", "third"]))
        except ImportError:
            pass
        for table in tables:
            one = vtemper.HiddenMarkov(2, random_state=0).fit(table)
            self.assertEqual(list(one.feature_names_in_), ["a", "b", "c"])
            np.testing.assert_array_equal(one.emissionprob_, expected.emissionprob_)
            self.assertEqual(one.decode(table)[0], expected.decode(rows)[0])
            self.assertEqual(one.score(table), expected.score(rows))

    def test_words_are_not_given_to_models_of_numbers(self):
        for fitted, rows in (self.states, [["0", "1"]]), (vtemper.LDA(2, max_passes=1, random_state=0).fit(counts()), [["sun", "moon"]]):
            with self.assertRaisesRegex(vtemper.errors.DataError, "X holds words, but this %s was fitted to numbers" % type(fitted).__name__):
                fitted.score(rows)

    def test_negative_symbols_are_named(self):
        for X, told in (([[-1]], "row 0, position 0 is the symbol -1"), ([[0, 1], [], [2, -3]], "row 2, position 1 is the symbol -3"),
                        (np.array([0, -2]), "row 0, position 1 is the symbol -2")):
            with self.assertRaisesRegex(vtemper.errors.DataError, told + "; symbols must be whole numbers from 0"):
                vtemper.HiddenMarkov(2).fit(X)


if __name__ == "__main__":
    unittest.main()
