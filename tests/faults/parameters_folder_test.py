"""Attacks on the folder that holds the topics of a fit (parameters_folder).

Folders that cannot be used, disks that are full, the n-th call on a file failing and the process ended before it,
folders that go away during a fit, several fits in one folder. Each fit ends with the result of an undisturbed one or
with one message that names the culprit, and the folder is empty.

The counts are printed.
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from command_test import EINTR, EIO, ENOSPC, LIBRARY, OLD, SIGNALS, VTEMPER, complete, ldac

SECONDS = 100
ENOMEM = "12"
FIT = "fit data.ldac -o OUT --topics 20 --max-passes 2 --threads 1 --quiet --parameters-folder"
# A fit that splits its topics, which moves all rows, and one that continues from a checkpoint.
GROWING = "fit data.ldac -o OUT --topics 120 --max-passes 3 --batch-size 12 --threads 2 --quiet --parameters-folder"
RESUMED = "fit data.ldac -o OUT --resume checkpoint --more-passes 2 --quiet"
ROOM = "room of topics"

failures = []


def fails(what, text):
    failures.append("%s: %s" % (what, text))


class Place:
    """A folder with the inputs, and in it the folder of topics."""

    def __init__(self, base, inputs):
        self.path = tempfile.mkdtemp(dir=base)
        for name in os.listdir(inputs):
            os.link(inputs + "/" + name, self.path + "/" + name)
        self.room = self.path + "/" + ROOM
        os.mkdir(self.room)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def fit(self, command, folder=ROOM, before=(), old=False, most=None, **fault):
        """Runs a fit; gives status, standard error and what is at the output."""
        out = self.path + "/OUT"
        if old:
            with open(out, "wb") as file:
                file.write(OLD)
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "VTEMPER_THREAD_OPERATIONS": "1"}
        if fault:
            environment.update({"VTEMPER_FAULT" + name: str(value) for name, value in fault.items()}, LD_PRELOAD=LIBRARY)
        words = [*before, VTEMPER, *command.split(), *([folder] if command.endswith("folder") else [])]
        limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))) if most is not None else None
        done = subprocess.run(words, cwd=self.path, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=SECONDS, preexec_fn=limit)
        result = None
        if os.path.exists(out):
            with open(out, "rb") as file:
                result = file.read()
            os.unlink(out)
        return done.returncode, done.stderr.decode(errors="replace"), result


def one_message(what, status, stderr, names):
    """Whether a refusal is one line that contains one of the names and no terminal control codes."""
    lines = [line for line in stderr.split("\n") if line]
    good = status == 1 and len(lines) == 1 and any(name in lines[0] for name in names)
    good = good and lines[0].startswith("vtemper") and "\x1b" not in stderr
    if not good:
        fails(what, "ended with %s and says %r" % (status, stderr[-400:]))
    return good


def holds_nothing(what, folder):
    left = os.listdir(folder)
    if left:
        fails(what, "left %s" % ", ".join(left))


def prepare(inputs):
    with open(inputs + "/data.ldac", "w") as file:
        file.write(ldac(60, 5))
    room = inputs + "/" + ROOM
    os.mkdir(room)
    begun = FIT.replace(" -o OUT", " -o model --checkpoint checkpoint --checkpoint-every 0 --max-iterations 9 --method vi --tolerance 0")
    begun = begun.replace(" --max-passes 2", "").split()
    subprocess.run([VTEMPER, *begun, ROOM], cwd=inputs, check=True, capture_output=True)
    holds_nothing("a fit with checkpoints", room)
    os.rmdir(room)


# ---- Folders ----

def folders(base, inputs, good):
    """Folders that cannot be used, and unusual ones that can."""
    refused = taken = 0
    with Place(base, inputs) as place:
        def path(name):
            return os.path.join(place.path, name)

        with open(path("file"), "w") as file:
            file.write("a file")
        os.symlink("nowhere", path("dangling"))
        os.symlink("loop", path("loop"))
        os.symlink(ROOM, path("link"))
        for name in ("unwritable", "unsearchable"):
            os.mkdir(path(name))
        os.chmod(path("unwritable"), 0o555)
        os.chmod(path("unsearchable"), 0o600)
        as_user = []
        if os.geteuid() == 0:  # file modes do not restrict root unless it drops the capability
            as_user = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
            if shutil.which("setpriv") is None or subprocess.run([*as_user, VTEMPER, "--help"], capture_output=True).returncode != 0:
                as_user = None
        cases = [("missing", "No such file"), ("missing/below", "No such file"), ("file", "Not a directory"),
                 ("file/below", "Not a directory"), ("dangling", "No such file"), ("loop", "symbolic links"),
                 ("/dev/null", "Not a directory"), ("x" * 300, "name too long"), ("y/" * 2100, ""),
                 ("missing\x1b[31mred", "No such file"), ("/proc/self", "")]
        if as_user is not None:
            cases += [("unwritable", "Permission denied"), ("unsearchable", "Permission denied")]
        for folder, reason in cases:
            before = as_user if folder.startswith("un") else ()
            what = "the folder %r" % folder[:40]
            status, stderr, result = place.fit(FIT, folder, before=before, old=True)
            refused += one_message(what, status, stderr, [folder[:20].split("\x1b")[0]])
            if reason.lower() not in stderr.lower():
                fails(what, "another reason: %r" % stderr[-400:])
            if result != OLD:
                fails(what, "the old file is lost")
        for folder in (ROOM + "/", "./" + ROOM, place.room, "link", "link/../" + ROOM):
            status, stderr, result = place.fit(FIT, folder)
            # The model's options contain the folder's name.
            if status != 0 or stderr or result is None or not complete(result, good):
                fails("the folder %r" % folder, "ended with %s: %r" % (status, stderr))
            else:
                taken += 1
        if sorted(os.listdir(place.room)) or os.path.lexists(path("nowhere")) or os.listdir(path("unwritable")):
            fails("folders", "something was left")

        # The folder of a checkpoint is gone, then there again.
        os.rmdir(place.room)
        status, stderr, _ = place.fit(RESUMED)
        refused += one_message("a checkpoint without its folder", status, stderr, [ROOM])
        os.mkdir(place.room)
        status, stderr, result = place.fit(RESUMED)
        taken += status == 0
        if status != 0 or result is None:
            fails("a checkpoint with its folder", "ended with %s: %r" % (status, stderr))
        holds_nothing("folders", place.room)
    print("%d folders refused, %d taken" % (refused, taken))


# ---- Disks ----

def full_disks(base, inputs, good):
    """Limits of the size of files, and file systems of some pages where one may be mounted."""
    refused = whole = 0
    with Place(base, inputs) as place:
        for most in (0, 1, 1000, 3839, 3840, 10000, len(good) + 1000, 10 * len(good)):
            status, stderr, result = place.fit(FIT, most=most)
            if status == 0:
                whole += 1
                if result != good:
                    fails("files of %d bytes" % most, "another result")
            else:
                refused += one_message("files of %d bytes" % most, status, stderr, [ROOM, "OUT"])
            holds_nothing("files of %d bytes" % most, place.room)
    mounted = 0
    script = 'mount -t tmpfs -o %s none "$1" || exit 99; shift; "$@"; s=$?; [ -z "$(ls -A "%s")" ] || exit 98; exit $s'
    for how in ("size=4k", "size=8k", "size=12k", "size=16k", "size=1m", "ro"):
        with Place(base, inputs) as place:
            status, stderr, result = place.fit(FIT, before=["unshare", "-m", "sh", "-c", script % (how, ROOM), "sh", ROOM])
            if status in (99, 1) and ("mount" in stderr or "unshare" in stderr):
                continue
            mounted += 1
            if status == 0 and result == good:
                whole += 1
            else:
                refused += one_message("a disk with " + how, status, stderr, [ROOM])
    if refused == 0 or whole == 0:
        fails("full disks", "%d refused, %d whole" % (refused, whole))
    print("%d small disks, %d of them mounted: %d refused, %d fits whole" % (8 + mounted, mounted, refused, whole))


# ---- Calls ----

def chosen(made):
    """All calls with which a fit begins and ends, and some of those between, which read and write rows of topics: that all of those
    may fail is seen in one process (lost_topics_test.c)."""
    return sorted({*range(1, min(made, 60) + 1), *range(max(made - 60, 1), made + 1), *range(1, made + 1, 31)})


def calls(pool, base, inputs):
    """Calls on files fail in every way, and the process is ended before them."""
    counts = {"runs": 0, "whole": 0, "refused": 0, "ended": 0, "folder": 0, "unread": 0, "lost": 0, "strays": 0}
    lock = threading.Lock()
    faults = [{"_WITH": with_} for with_ in (ENOSPC, EIO, EINTR, ENOMEM, "short", *SIGNALS)] + [{"_WITH": ENOSPC, "_EVER": 1}]
    # A file system without unnamed files and without reserved blocks.
    without_names = {"_NAMES": 1, "_UNLINK": 1}
    faults += [{**without_names, **fault} for fault in faults]
    total = 0
    jobs = []
    for command in (FIT, GROWING, RESUMED):
        for names in ({}, without_names):
            with Place(base, inputs) as place:
                count = place.path + "/count"
                status, stderr, good = place.fit(command, **{"": "calls", "_COUNT": count, **names})
                if status != 0:
                    fails(command, "fails undisturbed: %r" % stderr)
                    continue
                with open(count, "rb") as file:
                    made = int.from_bytes(file.read(), "little")
                total += made
                jobs += [(command, good, {"": "calls", "_AT": n, **fault}, n % 2 == 0)
                         for n in chosen(made) for fault in faults if ("_NAMES" in fault) == bool(names)]

    def do(job):
        command, good, fault, old = job
        what = "%s; %s" % (command, " ".join("%s=%s" % (k or "FAULT", v) for k, v in fault.items()))
        with Place(base, inputs) as place:
            status, stderr, result = place.fit(command, old=old, **fault)
            is_signal = fault["_WITH"] in SIGNALS
            left = os.listdir(place.room)
            if left and is_signal and status < 0 and "_NAMES" in fault:  # between creating the file and unlink
                with lock:
                    counts["strays"] += len(left)
                again = {k: v for k, v in fault.items() if k not in ("_AT", "_WITH")}
                place.fit(command, **again)  # removes what a killed process has left
            holds_nothing(what, place.room)
            whole = result == good
            if status == 0:
                if not whole:
                    fails(what, "status 0 without the result")
            elif is_signal and status in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, -signal.SIGPIPE, -signal.SIGINT, 130):
                if not whole and result != (OLD if old else None) and not (status == 130 and complete(result, good)):
                    fails(what, "the output is neither old nor new")
            else:
                short_of_memory = ["out of memory"] if fault["_WITH"] == ENOMEM else []
                one_message(what, status, stderr, [ROOM, "OUT", "data.ldac", "checkpoint", "standard output", *short_of_memory])
                if not whole and result != (OLD if old else None):
                    fails(what, "the output is neither old nor new")
            with lock:
                counts["runs"] += 1
                counts["whole" if status == 0 else "ended" if is_signal else "refused"] += 1
                counts["folder"] += status == 1 and ROOM in stderr
                counts["lost"] += status == 1 and ROOM in stderr and "are lost" in stderr
                counts["unread"] += status == 1 and ROOM in stderr and "cannot be read" in stderr and "are lost" not in stderr

    list(pool.map(do, jobs))
    if 0 in (counts["folder"], counts["unread"], counts["lost"], counts["strays"]):
        fails("calls", "no failure to read or to write the folder's file, or no process killed while it had a name: %r" % counts)
    print("%d calls; %d runs with a fault: %d succeeded all the same, %d were refused (%d of them because of the folder, %d when a row was read, "
          "%d with the topics lost), %d were ended by a signal; %d files of killed processes, gone after the next run"
          % (total, counts["runs"], counts["whole"], counts["refused"], counts["folder"], counts["unread"], counts["lost"], counts["ended"], counts["strays"]))


# ---- Time ----

def long_fit(place):
    words = FIT.replace("--max-passes 2", "--max-passes 60 --seed 4").split()
    return subprocess.Popen([VTEMPER, *words, ROOM], cwd=place.path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, env={"PATH": os.environ["PATH"], "LC_ALL": "C"})


def moments(base, inputs):
    """The folder disappears, or the process is killed, at moments throughout a fit."""
    with Place(base, inputs) as place:
        begin = time.monotonic()
        if long_fit(place).wait(SECONDS) != 0:
            fails("a long fit", "fails undisturbed")
        seconds = time.monotonic() - begin
        with open(place.path + "/OUT", "rb") as file:
            good = file.read()
    whole = refused = killed = 0
    for i in range(30):
        with Place(base, inputs) as place:
            what = "%s at moment %d of a fit" % (("the folder removed", "replaced by a file", "killed")[i % 3], i)
            process = long_fit(place)
            time.sleep(seconds * i / 30)
            if i % 3 == 2:
                process.kill()
            else:
                os.rmdir(place.room)  # it is empty at all times
                if i % 3 == 1:
                    with open(place.room, "w") as file:
                        file.write("a file")
            stderr = process.communicate(timeout=SECONDS)[1].decode(errors="replace")
            if i % 3 == 2:
                killed += process.returncode == -signal.SIGKILL
                holds_nothing(what, place.room)
            elif process.returncode == 0:
                whole += 1
                with open(place.path + "/OUT", "rb") as file:
                    if file.read() != good:
                        fails(what, "another result")
            else:
                refused += one_message(what, process.returncode, stderr, [ROOM])
    # Several at once.
    with Place(base, inputs) as one:
        others = [one]
        for _ in range(3):
            other = Place(base, inputs)
            os.rmdir(other.room)
            os.symlink(one.room, other.room)
            others.append(other)
        processes = [long_fit(place) for place in others]
        for process in processes:
            process.communicate(timeout=SECONDS)
        for place, process in zip(others, processes):
            with open(place.path + "/OUT", "rb") as file:
                if process.returncode != 0 or file.read() != good:
                    fails("four fits in one folder", "ended with %s" % process.returncode)
        holds_nothing("four fits in one folder", one.room)
        for other in others[1:]:
            shutil.rmtree(other.path)
    if whole == 0 or killed == 0:
        fails("moments", "%d whole, %d killed" % (whole, killed))
    print("30 moments: %d fits whole without their folder, %d refused, %d killed; four fits in one folder" % (whole, refused, killed))


def main():
    base = tempfile.mkdtemp()
    try:
        inputs = base + "/inputs"
        os.mkdir(inputs)
        prepare(inputs)
        with Place(base, inputs) as place:
            status, stderr, good = place.fit(FIT)
        if status != 0:
            sys.exit("fails undisturbed: " + stderr)
        folders(base, inputs, good)
        full_disks(base, inputs, good)
        moments(base, inputs)
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            calls(pool, base, inputs)
    finally:
        shutil.rmtree(base)
    for text in failures[:60]:
        print("FAILED:", text)
    print("%d failures" % len(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
