"""What C would cut, wrap or write beyond: refused before it sees it. And paths of any bytes."""
import os
import pathlib
import tempfile
import unittest

import numpy as np
import scipy.sparse

import vtemper
from corpus import WORDS, counts
from vtemper.drop_in import BayesianGaussianMixture
from vtemper.errors import ArgumentError, DataError, OptionError


def made():
    """A model of three topics that has not been fitted."""
    return vtemper.Model("lda", topics=3).initialize(vtemper.Data(counts()), 1)


class Arguments(unittest.TestCase):
    def refuses(self, sentence, call, error=ArgumentError):
        """The call is refused with this error, which is a ValueError."""
        with self.assertRaisesRegex(ValueError, sentence) as refused:
            call()
        self.assertIsInstance(refused.exception, error)

    def test_number_of_components_that_the_data_decide(self):
        model = vtemper.Model("variational_autoencoder", likelihood="gaussian")
        self.assertEqual(model.components, 0)
        model.initialize(vtemper.Data(np.random.RandomState(1).normal(size=(30, 4))))
        self.assertGreater(model.components, 0)
        self.assertEqual(model.components, int(model.used_options["latent"]))

    def test_results_have_the_size_of_the_model(self):
        model = made()
        sentence = "argument components is %d; the model has 3"
        # With numbers so large that a buffer of the argument's size would be overrun far beyond its page.
        large = vtemper.Model("lda", topics=500).initialize(vtemper.Data(np.ones((2, 1000), dtype=int)))
        self.refuses("argument components is 1; the model has 500", lambda: large.rank_words(1, 1000))
        for wrong in 0, 1, 4, -1:
            self.refuses(sentence % wrong, lambda: model.rank_words(wrong, 5))
            self.refuses(sentence % wrong, lambda: model.topic_map(wrong))
            self.refuses(sentence % wrong, lambda: model.evaluate_topics(wrong, counts()))
        self.assertEqual(model.components, 3)
        self.assertEqual([array.shape for array in model.rank_words(3, 5)], [(3, 5)] * 2)
        self.assertEqual((model.topic_map(3).shape, model.evaluate_topics(3, counts()).shape), ((3, 2), (3,)))
        for n in 0, -1, -2**70:
            self.refuses("argument n", lambda: model.rank_words(3, n))
        self.assertEqual(model.rank_words(3, 2**70)[0].shape, (3, counts().shape[1]))

    def test_sparse_arrays_have_the_size_of_the_matrix(self):
        for name, length in ("indptr", 3), ("indices", 5), ("data", 5):
            for X in counts(), counts().tocsc():
                setattr(X, name, getattr(X, name)[:length].copy())
                self.refuses("do not fit its shape", lambda: vtemper.Data(X), DataError)
        decreasing = scipy.sparse.csr_matrix(counts())
        decreasing.indptr[1] = 2**31 - 1
        self.refuses("row 0 has 2147483647 entries", lambda: vtemper.Data(decreasing), DataError)

    def test_a_NUL_character_is_refused(self):
        model, data = made(), vtemper.Data(counts())
        run = vtemper.Run(model, data)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file\0.more")
            for call in (lambda: model.save(path), lambda: vtemper.Model.load(path), lambda: data.write(path), lambda: vtemper.Data(path),
                         lambda: run.save(path), lambda: vtemper.Run.load(path), lambda: vtemper.load(path),
                         lambda: vtemper.Data.convert(path, os.path.join(folder, "out")), lambda: model.save(os.fsencode(path))):
                self.refuses("argument path contains a NUL", call)
            text = os.path.join(folder, "text.ldac")
            with open(text, "w") as file:
                file.write("1 0:1\n")
            self.refuses("argument out_path contains a NUL", lambda: vtemper.Data.convert(text, path))
            self.refuses("argument names contains a NUL", lambda: vtemper.Data.convert(text, os.path.join(folder, "out"), names=["a\0b"]))
            self.refuses("argument format contains a NUL", lambda: vtemper.Data(text, format="ldac\0"))
            self.assertEqual(os.listdir(folder), ["text.ldac"])
        self.refuses("argument name contains a NUL", lambda: model.set_note("a\0b", "text"))
        self.refuses("argument text contains a NUL", lambda: model.set_note("name", "a\0b"))
        self.assertEqual(model.notes, {})
        self.refuses("argument names contains a NUL", lambda: data.set_names(["n%d\0" % place for place in range(data.columns)]))
        self.refuses("argument names contains a NUL", lambda: data.align(["a\0b"]))
        self.refuses("argument values contains a NUL", lambda: data.set_row_texts("date", ["\0"] * data.rows))
        self.refuses("argument field contains a NUL", lambda: data.set_row_texts("date\0", [""] * data.rows))
        self.refuses("argument kind contains a NUL", lambda: vtemper.Model("lda\0more"))
        self.refuses("argument topics contains a NUL", lambda: vtemper.Model("lda", topics="3\0more"))
        self.refuses("argument name contains a NUL", lambda: vtemper.Model("lda", **{"topics\0more": 3}))
        self.refuses("argument measure contains a NUL", lambda: model.evaluate(data, "elbo\0more"))
        self.refuses("argument subject contains a NUL", lambda: vtemper.describe("lda\0more"))

    def test_numbers_that_would_wrap_are_refused(self):
        model, data = made(), vtemper.Data(counts())
        for topics in 2**64 + 3, -2**64 + 3, np.uint64(2**64 - 1):
            self.refuses('option topics of lda is "%d"' % topics, lambda: vtemper.Model("lda", topics=topics), OptionError)
        self.refuses("option seed", lambda: vtemper.Run(model, data, seed=2**64 + 1), OptionError)
        self.refuses("argument first is 18446744073709551616; it must lie between", lambda: data.slice(2**64, 1))
        self.refuses("argument count is", lambda: data.slice(0, 2**64 + 1))
        run = vtemper.Run(model, data, method="vi")
        self.refuses("argument steps is", lambda: run.step(2**64 + 2))
        self.assertEqual(run.report().iteration, 0)
        for seed in 2**64, -1:
            for call in (lambda: vtemper.Model("lda").initialize(data, seed), lambda: data.split(0.1, seed), lambda: data.split_counts(0.1, seed)):
                self.refuses("argument seed is %d; it must lie between 0 and 18446744073709551615" % seed, call)
        data.split(0.1, 2**64 - 1)
        self.refuses("argument alphabet is", lambda: vtemper.Data([[0, 1], [1]], "sequences", alphabet=2**64 + 2))
        with self.assertRaisesRegex(TypeError, "argument first is a float; it must be a whole number"):
            data.slice(0.5, 1)
        self.assertEqual(data.slice(np.int32(1), np.uint8(2)).rows, 2)

    def test_numbers_that_are_not_real_are_refused(self):
        model = made()
        sentence = "%s must be real numbers, not of dtype %s"
        for wrong, dtype in ([1 + 1j, 2], "complex128"), (["1", "2"], "<U1"), (np.array(["2020"] * 2, "M8[Y]"), r"datetime64\[Y\]"):
            self.refuses(sentence % ("weights", dtype), lambda: vtemper.Data(np.eye(2), weights=wrong))
            self.refuses(sentence % ("sample_weight", dtype), lambda: vtemper.GaussianMixture(1).fit(np.eye(2), sample_weight=wrong))
            self.refuses(sentence % ("option alpha", dtype), lambda: vtemper.Model("lda", topics=2, alpha=wrong))
            self.refuses(sentence % ("parameter lambda", dtype), lambda: model.parameters.__setitem__("lambda", wrong))
        self.refuses(sentence % ("parameter lambda", "complex128"), lambda: model.parameters.__setitem__("lambda", model.parameters["lambda"] + 1j))
        for number in 1j, np.complex128(1j):
            self.refuses(sentence % ("option alpha", "complex128"), lambda: vtemper.Model("lda", topics=2, alpha=number))
            self.refuses(sentence % ("sample_weight", "complex128"), lambda: vtemper.GaussianMixture(1).fit(np.eye(2), sample_weight=number))
        masked = np.ma.array(model.parameters["lambda"], mask=np.arange(36).reshape(3, 12) == 4)
        self.refuses(r"parameter lambda\[0, 4\] is masked", lambda: model.parameters.__setitem__("lambda", masked), DataError)
        self.refuses(r"option alpha\[4\] is masked", lambda: vtemper.Model("lda", alpha=masked[0]), DataError)
        self.refuses(sentence % ("covariance_prior", "complex128"), lambda: BayesianGaussianMixture(covariance_prior=np.eye(2) * 1j).fit(np.eye(2)))
        with self.assertRaisesRegex(TypeError, "weights must be real numbers, not a list"):
            vtemper.Data(np.eye(2), weights=[{}, 1])
        self.assertEqual(vtemper.Data(np.eye(2), weights=[True, 2]).rows, 2)

    def test_paths_may_have_any_bytes(self):
        model, data = made(), vtemper.Data(counts(), names=WORDS)
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(os.fsencode(folder), b"not UTF-8: \xff\xe9")
            for path in name, os.fsdecode(name), pathlib.Path(os.fsdecode(name)):
                model.save(path)
                self.assertEqual(vtemper.load(path).model_.to_bytes(), model.to_bytes())
                run = vtemper.Run(model, data, method="vi")
                run.save(path)
                self.assertEqual(vtemper.Run.load(path, data).report().iteration, 0)
                data.write(path)
                self.assertEqual(vtemper.Data(path).names, WORDS)
                vtemper.LDA(2, max_iterations=1, random_state=1).fit(path)
                self.assertEqual(os.listdir(os.fsencode(folder)), [os.path.basename(name)])
                os.remove(path)
                with self.assertRaisesRegex(OSError, "not UTF-8: "):
                    vtemper.Data(path)
            text = os.path.join(os.fsencode(folder), b"\xe9.ldac")
            with open(text, "wb") as file:
                file.write(b"2 0:1 3:2\n")
            vtemper.Data.convert(text, name)
            self.assertEqual(vtemper.Data(name).total, 3)
        with self.assertRaises(TypeError):
            model.save(3)
        with self.assertRaises(TypeError):
            model.save(None)


if __name__ == "__main__":
    unittest.main()
