"""Every command of vtemper, with the n-th allocation or the n-th call on a file failing, or a signal before that call.

After each: no crash; status 0 only with the whole result; else one message that is not a wrong one; a file that was
there before is whole, the old or the new one; no temporary file is left, and one of a process that was killed is gone
after the next run.

The counts are printed. VTEMPER_FAULTS=all fails every single call; without it some of them, evenly spaced.
"""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

VTEMPER = os.environ.get("VTEMPER", "")
LIBRARY = os.environ.get("VTEMPER_FAILING_CALLS", "")
if not os.path.exists(VTEMPER) or not os.path.exists(LIBRARY):
    print("the command or the library of failing calls is missing")
    sys.exit(77)

EVERY = os.environ.get("VTEMPER_FAULTS") == "all"
PLACES = 14  # in the quick form, for each kind of fault: half of them are the first calls, the rest are evenly spaced
SECONDS = 200
ENOSPC, EIO, EINTR = "28", "5", "4"
SIGNALS = ["signal:%d" % number for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGINT)]
OLD = b"an old file that must not be lost\n"
FIT = "--topics 3 --max-passes 2 --threads 1 --quiet"
DENSE = "--model gaussian_mixture --components 2 --max-passes 2 --threads 1 --quiet"
STATES = "--model hidden_markov --states 2 --max-iterations 3 --threads 1 --quiet"
AUTOENCODER = "--model variational_autoencoder --likelihood gaussian --latent 1 --hidden 3 --max-iterations 3 --threads 1 --quiet"
DEMO_FILES = "auto.model auto.trace.csv~ heldout.svg heldout.txt svi.model svi.trace.csv~ test.corpus topics.txt train.corpus"

# If one allocation of ICU failed, of some hundred, the command waited for itself for ever, crashed, or found other words.
WORDS = "--min-documents 1 --max-share 1"
EACH_ALLOCATION = "convert asian.txt OUT1 --text --language none " + WORDS
TABLE = "--text --column title,body --id-column id --date-column day"

# A command and the files that it writes. OUT1, OUT2 ... are new or contain OLD; a "~" after a name means that its
# bytes differ between runs, because they contain times.
CASES = [
    ("fit data.ldac -o OUT1 --vocabulary words.txt " + FIT, "OUT1"),
    ("fit data.ldac -o OUT1 --method vi --checkpoint OUT2 --checkpoint-every 0.001 " + FIT, "OUT1 OUT2~"),
    ("fit data.ldac -o OUT1 --trace OUT2 --test test.ldac " + FIT, "OUT1 OUT2~"),
    ("fit data.ldac -o OUT1 --resume checkpoint --quiet", "OUT1"),
    ("fit dense.csv -o OUT1 " + DENSE, "OUT1"),
    ("fit text.txt --text -o OUT1 --min-documents 1 --max-share 1 " + FIT, "OUT1"),
    ("fit data.ldac -o OUT1 --topics 3 --max-passes 2 --threads 3 --batch-size 16 --quiet", "OUT1"),
    ("fit data.ldac -o OUT1 --parameters-folder . " + FIT, "OUT1"),
    ("fit data.ldac -o OUT1 --continue model --quiet", "OUT1"),
    ("fit sequences.txt -o OUT1 --format labelled_sequences " + STATES, "OUT1"),
    ("fit dense.csv -o OUT1 " + AUTOENCODER, "OUT1"),
    ("fit binary.csv -o OUT1 --model sigmoid_belief_network --layers 2 --max-iterations 3 --threads 1 --quiet", "OUT1"),
    ("convert data.ldac OUT1 --vocabulary words.txt", "OUT1"),
    ("convert large.ldac OUT1 --quiet", "OUT1"),
    ("convert text.txt OUT1 --text " + WORDS, "OUT1"),
    ("convert text.txt OUT1 --text --encoding koi8-r " + WORDS, "OUT1"),
    ("convert long.txt OUT1 --text --quiet " + WORDS, "OUT1"),
    ("convert text.txt.gz OUT1 --text --quiet " + WORDS, "OUT1"),
    (EACH_ALLOCATION, "OUT1"),
    ("convert lines.jsonl OUT1 --text --field body " + WORDS, "OUT1"),
    ("convert table.csv OUT1 --stem --phrases --stop-words stop.txt --language en %s %s" % (TABLE, WORDS), "OUT1"),
    ("convert data.mtx OUT1", "OUT1"),
    ("convert sequences.txt OUT1 --format labelled_sequences", "OUT1"),
    ("convert sequences.txt OUT1 --format word_sequences", "OUT1"),
    ("convert sequences.txt OUT1 --format word_sequences --vocabulary symbols.txt", "OUT1"),
    ("split data.ldac OUT1 OUT2", "OUT1 OUT2"),
    ("evaluate model test.ldac", ""),
    ("evaluate model mapped --measure coherence_npmi --top-words 3", ""),
    ("infer model test.ldac -o OUT1.csv", "OUT1.csv"),
    ("infer model test.ldac -o OUT1.npy", "OUT1.npy"),
    ("infer model test.ldac", ""),
    ("get model lambda -o OUT1.json", "OUT1.json"),
    ("get model lambda", ""),
    ("infer states sequences.txt --format labelled_sequences --quantity path", ""),
    ("infer text-model table.csv -o OUT1.tsv --labels " + TABLE, "OUT1.tsv"),
    ("evaluate text-model text.txt --text", ""),
    ("topics model -o OUT1", "OUT1"),
    ("topics model --rank label -o OUT1.json", "OUT1.json"),
    ("topics model", ""),
    ("info model", ""),
    ("info mapped --verify", ""),
    ("describe lda", ""),
    ("describe --manual fit", ""),
    ("describe --completion bash", ""),
    ("sweep data.ldac --topics 2,3 --csv OUT1 --svg OUT2 --max-passes 1 --threads 1 --quiet", "OUT1~ OUT2~"),
    ("export model data.ldac -o OUT1", "OUT1"),
    ("report model -o OUT1 --data data.ldac --quiet", "OUT1"),
    ("report text-model -o OUT1 --data table.csv --quiet " + TABLE, "OUT1"),
    ("report text.txt --text -o OUT1 --save OUT2 --topics 2 --max-passes 1 --threads 1 --quiet " + WORDS, "OUT1~ OUT2"),
    ("report mixture -o OUT1 --data dense.csv --image 1x2 --quiet", "OUT1"),
    ("report states -o OUT1 --data sequences.txt --format labelled_sequences --quiet", "OUT1"),
    ("report autoencoder -o OUT1 --data dense.csv --quiet", "OUT1"),
    ("demo --text themes.txt --topics 2 --passes 1 --output . --quiet", DEMO_FILES),
    ("correlation model data.ldac", ""),
    ("timeline text-model table.csv --by day -o OUT1.json " + TABLE, "OUT1.json"),
    ("documents text-model table.csv --count 1 " + TABLE, ""),
    ("documents model data.ldac --count 2 -o OUT1.csv", "OUT1.csv"),
    ("similar model data.ldac --to 2 --count 2", ""),
    ("similar model --topic 0 --count 2", ""),
    ("--help", ""),
    ("fit --help", ""),
    ("--version", ""),
]

failures = []


def ldac(documents, seed):
    state, lines = seed, []
    for _ in range(documents):
        counts = {}
        for _ in range(25):
            state = state * 16807 % 2147483647
            word = state // 7 % 20 + 20 * (state // 1000 % 2)
            counts[word] = counts.get(word, 0) + 1
        lines.append("%d " % len(counts) + " ".join("%d:%d" % pair for pair in sorted(counts.items())))
    return "\n".join(lines) + "\n"


def write(path, text):
    with open(path, "w" if isinstance(text, str) else "wb") as file:
        file.write(text)


def plain(command, folder):
    subprocess.run([VTEMPER, *command.split()], cwd=folder, check=True, capture_output=True)


def prepare(folder):
    write(folder + "/data.ldac", ldac(60, 5))
    write(folder + "/test.ldac", ldac(12, 9))
    write(folder + "/large.ldac", 40 * ldac(60, 7))  # more than is kept in memory while it is read
    write(folder + "/words.txt", "".join("word%d\n" % i for i in range(40)))
    write(folder + "/dense.csv", "".join("%d,%d\n" % (i % 7 + 9 * (i % 2), i * i % 5) for i in range(40)))
    write(folder + "/text.txt", "".join("the cat %s sat on mat %s\n" % ("ab"[i % 2] * 4, "cd"[i % 3 % 2] * 3) for i in range(20)))
    write(folder + "/long.txt", 60 * (100 * "the cat aaaa sat on mat cccc and the dog bbbb ate dddd by the old house near our big red barn " + "\n"))
    with gzip.open(folder + "/text.txt.gz", "wb") as file:
        file.write(b"the cat sat on the mat\n" * 3)
    write(folder + "/asian.txt", "ภาษาไทยง่ายนิดเดียว\n我们爱机器学习\n東京都に住んでいます\n" * 2)
    write(folder + "/lines.jsonl", "".join('{"body": "the cat %s sat \\u00e9t\\u00e9"}\n' % ("ab"[i % 2] * 4) for i in range(6)))
    write(folder + "/stop.txt", "mat\n")
    write(folder + "/table.csv", "id,day,title,body\n" + "".join(
        'd%d,2024-05-%02d,"the cat, %s","sat on new york mats %s"\n' % (i, 1 + i % 3, "ab"[i % 2] * 4, "cd"[i % 3 % 2] * 3) for i in range(12)))
    write(folder + "/data.mtx", "%%MatrixMarket matrix coordinate integer general\n3 4 4\n1 1 2\n1 3 1\n2 2 5\n3 4 1\n")
    write(folder + "/sequences.txt", "".join("s%d %s\n" % (i, " ".join(str((i * j + j) % 3) for j in range(5 + i))) for i in range(6)))
    write(folder + "/symbols.txt", "2\n1\n0\n" + "".join("s%d\n" % i for i in range(6)))
    write(folder + "/binary.csv", "".join("%d,%d,%d\n" % (i % 2, i // 2 % 2, i // 4 % 2) for i in range(16)))
    words = ["".join(chr(97 + (7 * w + 3 * k * k) % 26) for k in range(5)) for w in range(36)]
    write(folder + "/themes.txt", "".join(" ".join(words[12 * ((j // 12 + i) % 3) + j % 12] for i in (0, 1, 1, 2)) + "\n" for j in range(120)))
    plain("fit text.txt --text -o text-model %s %s" % (WORDS, FIT), folder)
    plain("fit dense.csv -o mixture " + DENSE, folder)
    plain("fit sequences.txt -o states --format labelled_sequences " + STATES, folder)
    plain("fit dense.csv -o autoencoder " + AUTOENCODER, folder)
    plain("fit data.ldac -o model --vocabulary words.txt --checkpoint checkpoint --checkpoint-every 0 --max-iterations 40 --method vi --tolerance 0 " + FIT.replace("--max-passes 2", ""), folder)
    plain("convert data.ldac mapped --vocabulary words.txt", folder)


def strays_in(folder):
    return [name for name in os.listdir(folder) if name.startswith(".vtemper-")]


class Run:
    """One run in a folder of its own with links to the inputs and, if requested, old files."""

    def __init__(self, case, inputs, old, **fault):
        command, outputs = case
        self.outputs = outputs.split()
        self.folder = tempfile.mkdtemp(dir=inputs + "/..")
        for name in os.listdir(inputs):
            os.link(inputs + "/" + name, self.folder + "/" + name)
        if old:
            for name in self.outputs:
                write(self.folder + "/" + name.rstrip("~"), OLD)
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                       "VTEMPER_THREAD_OPERATIONS": "1", "LD_PRELOAD": LIBRARY,
                       "VTEMPER_FAULT_COUNT": self.folder + "/../count" + os.path.basename(self.folder)}
        environment.update({"VTEMPER_FAULT" + name: str(value) for name, value in fault.items()})
        with open(self.folder + ".out", "wb") as out:
            done = None
            try:
                done = subprocess.run([VTEMPER, *command.split()], cwd=self.folder, env=environment, stdout=out,
                                      stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                pass
        self.status = None if done is None else done.returncode
        self.stderr = b"" if done is None else done.stderr
        with open(self.folder + ".out", "rb") as out:
            self.stdout = out.read()
        os.unlink(self.folder + ".out")
        with open(environment["VTEMPER_FAULT_COUNT"], "rb") as count:
            self.calls = int.from_bytes(count.read(), "little")
        os.unlink(environment["VTEMPER_FAULT_COUNT"])
        self.files = {}
        self.strays = strays_in(self.folder)
        self.readable_strays = []  # the contents of those that others may read
        for name in self.strays:
            if os.stat(self.folder + "/" + name).st_mode & 0o77:
                with open(self.folder + "/" + name, "rb") as file:
                    self.readable_strays.append(file.read())
        for name in os.listdir(self.folder):
            if not os.path.exists(inputs + "/" + name) and name not in self.strays:
                with open(self.folder + "/" + name, "rb") as file:
                    self.files[name] = file.read()
        if self.strays:
            undisturbed = {name: value for name, value in environment.items() if name != "VTEMPER_FAULT_AT"}
            subprocess.run([VTEMPER, *command.split()], cwd=self.folder, env=undisturbed, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=SECONDS)
            os.unlink(environment["VTEMPER_FAULT_COUNT"])
        self.strays_later = strays_in(self.folder)
        shutil.rmtree(self.folder)


def whole(command, name, found, wanted):
    """Whether a file is the result of an undisturbed run."""
    return found == wanted or (name.endswith("~") and complete(found, wanted))


def complete(found, like):
    """Whether a file that contains times is complete."""
    if b"__metadata__" in like[:40] and b"__metadata__" not in found[:40]:
        return False
    if like.startswith(b"<svg"):
        return found.startswith(b"<svg") and found.rstrip().endswith(b"</svg>")
    if b"__metadata__" in like[:40]:
        length = int.from_bytes(found[:8], "little")
        if length > len(found) - 8:
            return False
        places = [entry["data_offsets"][1] for name, entry in json.loads(found[8:8 + length]).items() if name != "__metadata__"]
        return len(found) == 8 + length + max(places)
    return found.split(b"\n")[0] == like.split(b"\n")[0] and found.endswith(b"\n")


def check(case, run, good, fault, old):
    """What must hold after a run with a fault."""
    command = case[0]
    signalled = fault.get("_WITH") in SIGNALS and run.status in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, -signal.SIGINT)
    killed = signalled and run.status == -signal.SIGKILL
    interrupted = fault.get("_WITH") in SIGNALS and run.status == 130  # an interrupted fit, which saved its result
    wrong = []
    stderr = run.stderr.decode(errors="replace")
    if run.status is None:
        wrong.append("took longer than %d seconds" % SECONDS)
    elif run.status < 0 and not signalled:
        wrong.append("ended by signal %d" % -run.status)
    if not signalled and not interrupted:
        lines = [line for line in stderr.split("\n") if line.startswith("vtemper")]
        if run.status in (1, 2):
            if len(lines) != 1 or len(lines[0]) < 15:
                wrong.append("says no single message: %r" % stderr[-300:])
            if re.search(r"\(null\)|there is no|did you mean", stderr):
                wrong.append("says a wrong message: %r" % stderr[-300:])
            if run.status == 2 and fault[""] == "memory":
                wrong.append("calls a lack of memory a wrong usage: %r" % stderr[-300:])
        elif run.status not in (0, None):
            wrong.append("ended with status %d: %r" % (run.status, stderr[-300:]))
    names = [name.rstrip("~") for name in run.outputs]
    for name in [*run.files, *([] if killed else run.strays)]:
        if name not in names:
            wrong.append("left the file %s" % name)
    if run.strays_later:
        wrong.append("the next run left %s" % ", ".join(run.strays_later))
    for found in run.readable_strays:  # an empty one was to find the mode of new files
        if found and not any(whole(command, name, found, good.files[name.rstrip("~")]) for name in run.outputs):
            wrong.append("an incomplete temporary file can be read by others: %r" % found[:60])
    for name in run.outputs:
        plain_name = name.rstrip("~")
        found = run.files.get(plain_name)
        is_new = found is not None and whole(command, name, found, good.files[plain_name])
        if run.status == 0 and not is_new:
            wrong.append("status 0 without the result %s (%s)" % (plain_name, None if found is None else found[:60]))
        if interrupted and found is not None and complete(found, good.files[plain_name]):
            continue
        if not is_new and found != (OLD if old else None):
            wrong.append("%s is neither old nor new (%s)" % (plain_name, None if found is None else found[:60]))
    timed = command.startswith("sweep")  # its table contains seconds; --version omits what it has no memory for
    if run.status == 0 and run.stdout != good.stdout and not timed and command != "--version":
        wrong.append("status 0 and another standard output")
    for text in wrong:
        failures.append("vtemper %s; %s: %s" % (command, " ".join("%s=%s" % (k or "FAULT", v) for k, v in fault.items()), text))


def places(calls, each):
    """The numbers of the calls that are to fail."""
    if each or calls <= PLACES:
        return list(range(1, calls + 1))
    first = PLACES // 2
    return sorted(set(range(1, first + 1)) | {first + (calls - first) * (i + 1) // (PLACES - first) for i in range(PLACES - first)})


def sweep(pool, inputs, kind):
    """All commands with all faults of a kind."""
    if kind == "memory":
        faults = [{}, {"_EVER": 1}]
    else:
        faults = [{"_WITH": with_} for with_ in (ENOSPC, EIO, EINTR, "short", *SIGNALS)] + [{"_WITH": ENOSPC, "_EVER": 1}]
        # A file system without unnamed files: the first signal waits until the library's file is complete.
        faults += [{"_WITH": with_, "_NAMES": 1} for with_ in (EIO, *SIGNALS[:3])]
    jobs, calls_of_all = [], 0
    for case in CASES:
        if kind == "memory" and case[0] == "--version":
            continue  # it loads OpenBLAS, which ends the process if it has no memory to start
        good = Run(case, inputs, False, **{"": kind})
        if good.status != 0:
            failures.append("vtemper %s fails undisturbed: %r" % (case[0], good.stderr[-300:]))
            continue
        calls_of_all += good.calls
        for number, fault in enumerate(faults):
            each = EVERY or (kind == "memory" and not fault and case[0] == EACH_ALLOCATION)
            for n in places(good.calls, each):
                # In the quick form the faults of calls take turns.
                if not EVERY and kind == "calls" and (n + number) % 3 != 0 and case[1] == "":
                    continue
                if "_NAMES" in fault and case[1] == "":
                    continue
                fault_now = {"": kind, "_AT": n, **fault}
                old = (n + number) % 2 == 0
                jobs.append((case, fault_now, old, good))

    def do(job):
        case, fault, old, good = job
        run = Run(case, inputs, old, **fault)
        check(case, run, good, fault, old)
        return run.status, len(run.strays)

    statuses, strays = zip(*pool.map(do, jobs))
    print("%s: %d commands make %d calls; %d runs with a fault: %d succeeded all the same, %d were refused, %d were ended by a signal"
          % (kind, len(CASES), calls_of_all, len(jobs), statuses.count(0), statuses.count(1) + statuses.count(2),
             sum(status is not None and (status < 0 or status == 130) for status in statuses)))
    if kind == "calls":
        print("%d temporary files of killed processes, gone after the next run" % sum(strays))
        if not any(strays):
            failures.append("no process was killed while its file had a temporary name: that was not tested")


def main():
    base = tempfile.mkdtemp()
    try:
        inputs = base + "/inputs"
        os.mkdir(inputs)
        prepare(inputs)
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for kind in sys.argv[1:] or ["memory", "calls"]:
                sweep(pool, inputs, kind)
    finally:
        shutil.rmtree(base)
    for text in failures[:60]:
        print("FAILED:", text)
    print("%d failures" % len(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
