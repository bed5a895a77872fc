#!/bin/sh
# Ctrl-C in a run without end, in a step without end, in an inference, a score and a monitor: a KeyboardInterrupt soon after, and
# a model that is that of the last whole step.
. "$(dirname "$0")/common.sh"
not_sanitized
cat >"$folder/interrupt.py" <<'END_OF_PROGRAM'
import os
import signal
import sys
import threading
import time

import numpy as np
import vtemper

sys.path.insert(0, sys.argv[1])
from corpus import counts


def interrupted(work, what):
    """Does `work` while another thread sends the signal of Ctrl-C; notes the seconds from there to the exception, on the clock
    and of work."""
    sent = []

    def send():
        time.sleep(1)
        sent.append((time.monotonic(), time.process_time()))
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()
    try:
        work()
    except KeyboardInterrupt:
        delay, worked = time.monotonic() - sent[0][0], time.process_time() - sent[0][1]
    else:
        sys.exit("Ctrl-C did not end %s" % what)
    print("%s ended %.3f s after the signal, and %.3f s of work" % (what, delay, worked))
    # 0.1 s; a busy machine adds to what the clock says. The work would take minutes.
    assert worked < 1 and delay < 30


X = counts(400)
settings = dict(random_state=3, method="svi", batch_size=20, step_size_delay=64, report_every=1000, precision="double")
endless = vtemper.LDA(4, max_passes=1e9, **settings)
interrupted(lambda: endless.fit(X), "a run")
steps = endless.n_iter_
assert steps > 0
first = vtemper.LDA(4, max_iterations=steps, **settings).fit(X)
np.testing.assert_array_equal(endless.components_, first.components_)
endless.resume(2)
assert endless.n_iter_ == steps + 2

# Minutes for all documents, but not for one: the library polls between documents.
X = counts(20000)
slow = dict(local_tolerance=0, local_iterations=100000)
one = vtemper.LDA(4, **dict(settings, batch_size=10000, max_passes=1, **slow))
interrupted(lambda: one.fit(X), "a step")
assert one.n_iter_ == 0
before = first.components_
interrupted(lambda: first.infer(X, **slow), "an inference")
interrupted(lambda: first.evaluate(X, **slow), "a score")
monitored = vtemper.LDA(4, **dict(settings, report_every=1))
interrupted(lambda: monitored.fit(X, monitor=lambda report: first.infer(X, **slow)), "a monitor")
np.testing.assert_array_equal(first.components_, before)
END_OF_PROGRAM
run_python "$folder/interrupt.py" "$package/tests"
