"""Signals at any moment of a command: fits of every kind, some with a checkpoint and a trace, and a conversion.

Each run gets one signal after a random time (the same times in every run of this test). It ends at once or at its next
step, by that signal or with status 130; every file is the old one or a complete one, and nothing else is left. SIGPIPE
ends nothing. Prints the counts; VTEMPER_FAULTS=all tries ten times as many moments.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

VTEMPER = os.environ.get("VTEMPER", "")
if not os.path.exists(VTEMPER):
    print("the command is missing")
    sys.exit(77)

MOMENTS = 30 if os.environ.get("VTEMPER_FAULTS") == "all" else 3
LATEST = 0.5  # seconds; most fits take their first step after some 0.05
PATIENCE = 120
OLD = b"old\n"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE]
ENDLESS = "--max-iterations 1000000000 --threads 1 --quiet"

CASES = [
    "fit counts.ldac -o OUT --topics 3 --checkpoint SAVED --checkpoint-every 0.01 --trace CURVE " + ENDLESS,
    "fit counts.ldac -o OUT --topics 3 --method vi --tolerance 0 " + ENDLESS,
    "fit counts.ldac -o OUT --model deep_exponential_family --latent 3 " + ENDLESS,
    "fit dense.csv -o OUT --model gaussian_mixture --components 3 --tolerance 0 " + ENDLESS,
    "fit dense.csv -o OUT --model factorial_mixture --components 3 --tolerance 0 " + ENDLESS,
    "fit dense.csv -o OUT --model variational_autoencoder --likelihood gaussian --checkpoint SAVED --checkpoint-every 0.01 " + ENDLESS,
    "fit binary.csv -o OUT --model bernoulli_mixture --components 3 --tolerance 0 " + ENDLESS,
    "fit binary.csv -o OUT --model sigmoid_belief_network --layers 4 " + ENDLESS,
    "fit sequences.txt -o OUT --format sequences --model hidden_markov --states 3 --tolerance 0 " + ENDLESS,
    "convert large.ldac OUT --quiet",
]


def write(path, text):
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def prepare(folder):
    lines = ["4 " + " ".join("%d:%d" % (w, 1 + (d + w) % 3) for w in sorted({d % 9, 9 + d % 7, 20 + d % 5, 30 + d % 4})) for d in range(200)]
    write(folder + "/counts.ldac", "\n".join(lines) + "\n")
    write(folder + "/large.ldac", 200 * ("\n".join(lines) + "\n"))
    write(folder + "/dense.csv", "".join("%d,%d,%d\n" % (i % 7 + 9 * (i % 2), i * i % 5, i % 3) for i in range(60)))
    write(folder + "/binary.csv", "".join("%d,%d,%d\n" % (i % 2, i // 2 % 2, i // 3 % 2) for i in range(60)))
    write(folder + "/sequences.txt", "".join(" ".join(str((i * j + j) % 4) for j in range(5 + i % 9)) + "\n" for i in range(60)))


def is_complete(path, folder):
    """Whether the file is a complete model, checkpoint, corpus or curve."""
    if path == "CURVE":
        with open(folder + "/" + path, "rb") as file:
            text = file.read()
        return text.startswith(b"iteration,") and text.endswith(b"\n")
    load = ["fit", "counts.ldac", "-o", "again", "--resume", path, "--max-iterations", "1", "--quiet"] if path == "SAVED" else ["info", path]
    done = subprocess.run([VTEMPER, *load], cwd=folder, capture_output=True)
    return done.returncode == 0 or b"is not of this checkpoint" in done.stderr or b"leave --" in done.stderr


def run(job):
    """One run; returns its exit status and what is wrong."""
    inputs, command, number, seconds, old = job
    folder = tempfile.mkdtemp(dir=inputs + "/..")
    for name in os.listdir(inputs):
        os.link(inputs + "/" + name, folder + "/" + name)
    outputs = [word for word in command.split() if word.isupper()]
    if old:
        for name in outputs:
            write(folder + "/" + name, OLD)
    child = subprocess.Popen([VTEMPER, *command.split()], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(seconds)
    child.send_signal(number)
    if number == signal.SIGPIPE:
        time.sleep(0.05)
        child.send_signal(signal.SIGTERM)
    wrong = []
    try:
        stderr = child.communicate(timeout=PATIENCE)[1]
    except subprocess.TimeoutExpired:
        child.kill()
        stderr = child.communicate()[1]
        wrong.append("does not end")
    status = child.returncode
    by_signal = (-signal.SIGTERM,) if number == signal.SIGPIPE else (-number,)
    if seconds < 0.1:
        by_signal += (-number,)  # a SIGPIPE before the command has begun
    finished = (0,) if command.startswith("convert") else ()
    if status not in (130, *by_signal, *finished):
        wrong.append("ended with status %d: %s" % (status, stderr[-200:]))
    for name in outputs:
        path = folder + "/" + name
        content = open(path, "rb").read() if os.path.exists(path) else None
        if content == (OLD if old else None) and status not in (0, 130):
            continue
        if content is None or content == OLD:
            if status != 130 or name == "OUT":
                wrong.append("%s is not written although the status is %d" % (name, status))
        elif name != "SAVED" and not is_complete(name, folder):
            wrong.append("%s is neither old nor complete" % name)
    left = set(os.listdir(folder)) - set(os.listdir(inputs)) - set(outputs)
    if left:
        wrong.append("left %s" % ", ".join(sorted(left)))
    shutil.rmtree(folder)
    return status, ["%s, %s after %.3f s: %s" % (command, signal.Signals(number).name, seconds, text) for text in wrong]


def main():
    moments = random.Random(1)
    base = tempfile.mkdtemp()
    try:
        inputs = base + "/inputs"
        os.mkdir(inputs)
        prepare(inputs)
        jobs = [(inputs, command, number, LATEST * moments.random() ** 2, moments.random() < 0.5)
                for command in CASES for number in SIGNALS for _ in range(MOMENTS)]
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(run, jobs))
    finally:
        shutil.rmtree(base)
    failures = [text for _, texts in results for text in texts]
    statuses = [status for status, _ in results]
    saved = statuses.count(130)
    print("%d signals: %d runs saved their result, %d were ended by the signal, %d had finished"
          % (len(jobs), saved, sum(status < 0 for status in statuses), statuses.count(0)))
    if saved == 0 or min(statuses) >= 0:
        failures.append("all signals came at the same stage of a run: that tests little")
    for text in failures[:40]:
        print("FAILED:", text)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
