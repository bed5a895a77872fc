"""Sequences by the conventions of hmmlearn."""
import unittest

import numpy as np

import vtemper
from corpus import walks


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


if __name__ == "__main__":
    unittest.main()
