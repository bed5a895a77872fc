"""The time of day jumps back and forth by hours at every query (moved_clock.c, loaded by LD_PRELOAD).

Fits whose end is a matter of time, by the command and through the library, end when the steady clock says so, and what
does not depend on time has the same bits as without.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
import time

VTEMPER = os.environ.get("VTEMPER", "")
CLOCK = os.environ.get("VTEMPER_MOVED_CLOCK", "")
LIBRARY = os.environ["VTEMPER_LIBRARY"]
if not os.path.exists(VTEMPER) or not os.path.exists(CLOCK):
    print("the command or the library that moves the clock is missing")
    sys.exit(77)

MOST = 60  # seconds: all jumps but one of 7 are longer, and a busy machine needs some


def corpus(documents):
    """Long documents: with few words per topic, a fit by time ends after one cooling."""
    lines = []
    for row in range(documents):
        words = {(row * 7 + i * 3) % 10 + 10 * (row % 3): 10 + (row + i) % 3 for i in range(6)}
        lines.append("%d %s\n" % (len(words), " ".join("%d:%d" % pair for pair in sorted(words.items()))))
    return "".join(lines)


def fit(folder, name, *options, moved=True):
    """Fits; returns the seconds that it took and what `info` says about the model."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    if moved:
        environment["LD_PRELOAD"] = CLOCK
    begin = time.monotonic()
    subprocess.run([VTEMPER, "fit", "data.ldac", "-o", name, "--topics", "3", "--threads", "1", *options],
                   cwd=folder, env=environment, check=True, timeout=MOST, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    info = subprocess.run([VTEMPER, "info", name], cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return seconds, info.stdout


def by_command(folder):
    with open(folder + "/data.ldac", "w") as file:
        file.write(corpus(150))
    for way, word in (("--time", "its time"), ("--deadline", "its deadline")):
        options = ("--max-passes", "100000000") if way == "--deadline" else ()
        seconds, info = fit(folder, "timed", way, "0.6", "--checkpoint", "c", "--checkpoint-every", "0.05", *options)
        assert word in info, (way, info)
        assert 0.3 < seconds < MOST, (way, seconds)
        print("the command with %s 0.6: %.2f seconds, ended by %s" % (way, seconds, word))
    # Far from its end, time does not influence a fit.
    usual = ("--max-passes", "20", "--deadline", "3600", "--seed", "3")
    files = []
    for name, moved in (("a", True), ("b", False)):
        fit(folder, name, *usual, "--checkpoint", name + ".c", "--checkpoint-every", "0.001", moved=moved)
        with open(folder + "/" + name, "rb") as file:
            files.append(file.read())
    assert files[0] == files[1], "a fit with another time of day has other bits"


class Report(ctypes.Structure):
    """As the header has it; what follows is not asked for."""

    _fields_ = [("struct_size", ctypes.c_size_t), ("iteration", ctypes.c_int64), ("rows_seen", ctypes.c_int64),
                ("numbers", ctypes.c_double * 11), ("converged", ctypes.c_int32), ("finished", ctypes.c_int32),
                ("counts", ctypes.c_int64 * 4), ("ending", ctypes.c_int32), ("settled", ctypes.c_int32)]


def by_library():
    """Runs in a process under the moved clock."""
    jumps = [time.time() for _ in range(8)]
    assert max(jumps) - min(jumps) > 3600, "the clock does not jump: this test is blind"
    library = ctypes.CDLL(LIBRARY)
    library.vtemper_last_error.restype = ctypes.c_char_p

    def call(name, *arguments):
        status = getattr(library, "vtemper_" + name)(*arguments)
        assert status == 0, (name, library.vtemper_last_error())

    rows, columns = 40, 3
    values = (ctypes.c_double * (rows * columns))(*[i * 7 % 11 + 9 * (i // columns % 2) for i in range(rows * columns)])
    size = ctypes.c_int64
    for way, ending in ((b"time", 3), (b"deadline", 4)):
        data, model, options, optimizer = (ctypes.c_void_p() for _ in range(4))
        call("data_from_dense", size(rows), size(columns), values, 4, size(columns), size(1), 1, None, None,
             ctypes.byref(data))
        call("model_create", b"gaussian_mixture", None, ctypes.byref(model))
        call("options_create", ctypes.byref(options))
        call("options_set", options, way, b"0.6")
        call("options_set", options, b"method", b"svi")
        if way == b"deadline":
            call("options_set", options, b"max_iterations", b"1000000000")
        call("optimizer_create", model, data, options, ctypes.byref(optimizer))
        report = Report(ctypes.sizeof(Report))
        begin = time.monotonic()
        call("optimizer_run", optimizer, ctypes.byref(report))
        seconds = time.monotonic() - begin
        assert report.ending == ending and report.finished == 1, (way, report.ending)
        assert 0.3 < seconds < MOST and 0 < report.numbers[10] < MOST, (way, seconds, report.numbers[10])
        print("the library with %s 0.6: %.2f seconds, %d steps" % (way.decode(), seconds, report.iteration))
        for kind, handle in (("optimizer", optimizer), ("options", options), ("model", model), ("data", data)):
            getattr(library, "vtemper_%s_destroy" % kind)(handle)


if sys.argv[1:] == ["--library"]:
    by_library()
else:
    with tempfile.TemporaryDirectory() as top:
        by_command(top)
    subprocess.run([sys.executable, __file__, "--library"], env={**os.environ, "LD_PRELOAD": CLOCK}, check=True, timeout=3 * MOST)
