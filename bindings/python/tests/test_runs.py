"""Models and runs: steps, monitors, checkpoints, files, threads, processes."""
import copy
import logging
import multiprocessing
import os
import pickle
import tempfile
import threading
import unittest
import warnings

import numpy as np

import vtemper
from corpus import counts

SETTINGS = dict(method="svi", batch_size=20, seed=3, report_every=1)


def fitted(steps, data=None):
    """Topics after so many steps."""
    model = vtemper.Model("lda", topics=3)
    vtemper.Run(model, data or vtemper.Data(counts()), **SETTINGS).step(steps)
    return model.parameters["lambda"]


def in_process(steps):
    """For a pool."""
    return fitted(steps).tobytes()


class Runs(unittest.TestCase):
    def test_monitors_stop_and_raise(self):
        model = vtemper.Model("lda", topics=3)
        run = vtemper.Run(model, vtemper.Data(counts()), max_passes=100, **SETTINGS)
        seen = []
        report = run.run(lambda report: seen.append(report.iteration) or report.iteration >= 4)
        self.assertEqual((report.iteration, seen), (4, [1, 2, 3, 4]))
        np.testing.assert_array_equal(model.parameters["lambda"], fitted(4))

        class Mine(Exception):
            pass

        def failing(report):
            raise Mine(report.iteration)
        with self.assertRaises(Mine):
            run.run(failing)
        self.assertEqual(run.report().iteration, 5)
        np.testing.assert_array_equal(model.parameters["lambda"], fitted(5))
        with self.assertRaises(vtemper.errors.StateError):
            run.run(lambda report: run.step(1))

    def test_a_monitor_may_do_long_work(self):
        data = vtemper.Data(counts())
        model = vtemper.Model("lda", topics=3)
        scores = []
        vtemper.Run(model, data, **SETTINGS).step(3, lambda report: scores.append(model.evaluate(data)))
        self.assertEqual(len(scores), 3)

    def test_checkpoints_go_on_bit_for_bit(self):
        data = vtemper.Data(counts())
        run = vtemper.Run(vtemper.Model("lda", topics=3), data, **SETTINGS)
        run.step(4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.vtemper")
            run.save(path)
            again = vtemper.Run.load(path, data)
        other = vtemper.Run.from_bytes(run.to_bytes(), data)
        for one in again, other:
            one.step(3)
            np.testing.assert_array_equal(one.model.parameters["lambda"], fitted(7))

    def test_options_quantities_and_traces(self):
        run = vtemper.Run(vtemper.Model("lda", topics=3), vtemper.Data(counts()), **SETTINGS)
        run.step(5)
        self.assertEqual(run.options["batch_size"], "20")
        self.assertEqual((run.options["rows_total"], run.model.options["alpha"]), ("auto", "auto"))
        self.assertEqual(float(run.used_options["rows_total"]), counts().shape[0])
        self.assertEqual(float(run.model.used_options["alpha"]), 1 / 3)
        self.assertEqual(list(run.trace()["iteration"]), [1, 2, 3, 4, 5])
        with self.assertRaisesRegex(KeyError, "trace.iteration"):
            run.get("nothing")
        with self.assertRaisesRegex(vtemper.errors.OptionError, "batch_size"):
            vtemper.Run(vtemper.Model("lda"), vtemper.Data(counts()), batch_sise=3)
        with self.assertRaises(TypeError):
            pickle.dumps(run)

    def test_feeding_needs_the_columns_of_the_model(self):
        model = vtemper.Model("lda", topics=3).initialize(vtemper.Data(counts()), 1)
        run = vtemper.Run(model, None, rows_total=1000, method="svi")
        self.assertEqual(run.feed(vtemper.Data(counts(10))).rows_seen, 10)
        with self.assertRaises(vtemper.errors.DataError):
            run.feed(vtemper.Data(counts(10)[:, :5]))

    def test_messages_are_told(self):
        with self.assertLogs("vtemper", logging.WARNING) as told:
            vtemper.Model("lda", topics=2).initialize(vtemper.Data([["a", "b"]])).data([["a", "new", "words"]])
        self.assertIn("2 tokens", told.output[0])

    def test_threads(self):
        results, expected = {}, {steps: fitted(steps) for steps in range(1, 5)}

        def work(steps):
            for _ in range(5):
                results[steps] = fitted(steps)
        threads = [threading.Thread(target=work, args=(steps,)) for steps in expected]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        for steps in expected:
            np.testing.assert_array_equal(results[steps], expected[steps])

    def test_processes(self):
        expected = in_process(3)
        for method in "fork", "spawn":
            with multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(in_process, [3, 3, 3]), [expected] * 3)


class Models(unittest.TestCase):
    def test_parameters(self):
        model = vtemper.Model("lda", topics=3).initialize(vtemper.Data(counts()), 1)
        parameters = model.parameters
        values = parameters["lambda"] + 1
        parameters["lambda"] = values
        np.testing.assert_allclose(model.parameters["lambda"], values, rtol=1e-6)
        with self.assertRaisesRegex(ValueError, "shape"):
            parameters["lambda"] = values[:2]
        with self.assertRaises(vtemper.errors.ArgumentError):
            parameters["tokens"] = np.ones(3)
        with self.assertRaises(KeyError):
            parameters["none"]

    def test_files_copies_notes_and_pickles(self):
        model = vtemper.Model("lda", topics=3).initialize(vtemper.Data(counts()), 1)
        model.set_note("by", "a test")
        copy = model.copy()
        again = pickle.loads(pickle.dumps(model))
        model.parameters["lambda"] = model.parameters["lambda"] + 1
        for other in copy, again:
            self.assertEqual(other.notes, {"by": "a test"})
            self.assertFalse(np.array_equal(other.parameters["lambda"], model.parameters["lambda"]))
        with self.assertRaises(vtemper.errors.FormatError):
            vtemper.Model.from_bytes(b"nothing")

    def test_bytes_may_be_any_bytes_like_object(self):
        model, data = vtemper.Model("lda", topics=3), vtemper.Data(counts())
        run = vtemper.Run(model, data, method="vi", seed=1)
        run.step(2)
        for make in bytearray, memoryview, lambda content: np.frombuffer(content, dtype=np.uint8):
            self.assertEqual(vtemper.Model.from_bytes(make(model.to_bytes())).to_bytes(), model.to_bytes())
            self.assertEqual(vtemper.Run.from_bytes(make(run.to_bytes()), data).report().iteration, 2)
        for other in 5, "text", [1, 2], None:
            for read in vtemper.Model.from_bytes, vtemper.Run.from_bytes:
                with self.assertRaisesRegex(TypeError, "a bytes-like object is required"):
                    read(other)

    def test_what_is_closed_is_refused(self):
        model = vtemper.Model("lda", topics=3)
        model.close()
        with self.assertRaisesRegex(ValueError, "was closed"):
            model.options
        self.assertEqual(repr(model), "Model(closed)")

    def test_options(self):
        with self.assertRaisesRegex(TypeError, "cannot be a dict"):
            vtemper.Model("lda", alpha={})
        with self.assertRaises(vtemper.errors.OptionError):
            vtemper.Model("lda", topics=0)
        with self.assertRaises(vtemper.errors.ArgumentError):
            vtemper.Model("no_such_kind")
        self.assertEqual(vtemper.Model("lda", topics=2, alpha=[0.5, 1], learn_alpha=True).options["alpha"], "0.5,1")


warnings.simplefilter("error", vtemper.VTemperWarning)
if __name__ == "__main__":
    unittest.main()

    def test_equal_reports(self):
        run = vtemper.Run(vtemper.Model("lda", topics=3), vtemper.Data(counts()), **SETTINGS)
        run.step(1)
        report = run.report()
        self.assertTrue(np.isnan(report.elbo))
        for same in run.report(), pickle.loads(pickle.dumps(report)), copy.copy(report):
            self.assertEqual(report, same)
            self.assertEqual(hash(report), hash(same))
        run.step(1)
        self.assertNotEqual(report, run.report())
        other = copy.copy(report)
        other.temperature = 7.0
        self.assertNotEqual(report, other)
        self.assertNotEqual(report, "a report")
