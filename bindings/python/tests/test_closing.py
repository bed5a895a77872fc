"""Objects that are closed while a call uses them: closed for new calls at once, released when the running call has ended."""
import gc
import signal
import threading
import time
import unittest

import numpy as np

import vtemper
from corpus import counts
from vtemper.making import _borrowed

LONG = dict(local_tolerance=0, local_iterations=20000)
SOON = 0.05  # seconds of work, whatever else the machine does


def made(rows=600):
    """A model and data for which `infer` takes nearly a second with the options LONG."""
    data = vtemper.Data(counts(rows))
    return vtemper.Model("lda", topics=3).initialize(data, 1), data


class Closing(unittest.TestCase):
    def assert_closed(self, *handles):
        for handle in handles:
            with self.assertRaisesRegex(ValueError, "was closed"):
                handle.rows if isinstance(handle, vtemper.Data) else handle.to_bytes()

    def inferred(self, begin):
        """What `infer` gives while what `begin` starts closes the model and the data; and with neither closed."""
        expected = made()[0].infer(made()[1], **LONG)
        gc.collect()
        before = len(_borrowed)
        model, data = made()
        working, lent = [True], []

        def close(*_):
            if working:
                model.close()
                data.close()
                lent.append(len(_borrowed))
        end = begin(close)
        try:
            result = model.infer(data, **LONG)
        finally:
            working.clear()
            end()
        self.assert_closed(model, data)
        self.assertEqual((lent, len(_borrowed)), ([before + 1], before))
        np.testing.assert_array_equal(result, expected)

    def test_by_a_signal_handler(self):
        def begin(close):
            old = signal.signal(signal.SIGPROF, close)
            signal.setitimer(signal.ITIMER_PROF, SOON)

            def end():
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.signal(signal.SIGPROF, old)
            return end
        self.inferred(begin)

    def test_by_another_thread(self):
        def begin(close):
            start = time.process_time()

            def work():
                while time.process_time() < start + SOON:
                    time.sleep(0.005)
                close()
            thread = threading.Thread(target=work)
            thread.start()
            return thread.join
        self.inferred(begin)

    def test_by_a_monitor(self):
        def course(close):
            model, data = vtemper.Model("lda", topics=3), vtemper.Data(counts())
            run = vtemper.Run(model, data, method="vi", seed=3, report_every=1, max_iterations=6)
            same = run.model

            def monitor(report):
                if close and report.iteration == 2:
                    for handle in run, model, data:
                        handle.close()
            report = run.run(monitor)
            if close:
                self.assert_closed(run, model, data)
                self.assertEqual((repr(run), repr(model), repr(data)), ("Run(closed)", "Model(closed)", "Data(closed)"))
            return report.iteration, same.parameters["lambda"]
        steps, topics = course(True)
        self.assertEqual(steps, 6)
        np.testing.assert_array_equal(topics, course(False)[1])

    def test_a_kept_exception_keeps_nothing(self):
        gc.collect()
        before = len(_borrowed)
        data = vtemper.Data(counts())
        model = vtemper.Model("lda", topics=3)
        run = vtemper.Run(model, data, method="vi", report_every=1)
        kept = []
        for call in (lambda: data.slice(0, 10**6), lambda: run.run(lambda report: 1 / 0), lambda: model.infer(data, "none"),
                     lambda: data.row_texts("none")):
            with self.assertRaises((ArithmeticError, ValueError, LookupError)) as raised:
                try:
                    call()
                except Exception as failure:
                    kept.append((failure, failure.__traceback__))
                    raise
            kept.append(raised)
        self.assertEqual(len(_borrowed), before + 1)
        for handle in run, model, data:
            handle.close()
        self.assertEqual(len(_borrowed), before)

    def test_twice(self):
        data = vtemper.Data(counts())
        data.close()
        data.close()
        self.assert_closed(data)


if __name__ == "__main__":
    unittest.main()
