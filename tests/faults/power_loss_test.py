"""What is on the disk after a loss of power, at every moment of every command that writes.

The calls of a command on files that it writes are recorded (failing_calls.c), and replayed up to every moment, with
every legal state of the disk: of what was written to a file and not synchronised, nothing, all, the first half, every
second write, or zeros instead; of the changes of names since the folder was synchronised, any that are first in
order, and any set of them. The result that was asked for must then be the old file or the new one, whole; and after
the command has ended with status 0, the new one.
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile

from command_test import LIBRARY, OLD, VTEMPER, complete, prepare

CASES = [
    ("fit data.ldac -o OUT1 --vocabulary words.txt --topics 3 --max-passes 2 --threads 1 --quiet", "OUT1"),
    ("fit data.ldac -o OUT1 --checkpoint OUT2 --checkpoint-every 0.001 --trace OUT3 --topics 3 --max-passes 3 --threads 1 --quiet",
     "OUT1 OUT2~ OUT3~"),
    ("convert data.ldac OUT1 --vocabulary words.txt", "OUT1"),
    ("split data.ldac OUT1 OUT2", "OUT1 OUT2"),
    ("get model lambda -o OUT1.npy", "OUT1.npy"),
    ("infer model test.ldac -o OUT1.csv", "OUT1.csv"),
    ("topics model -o OUT1", "OUT1"),
    ("report model -o OUT1 --quiet", "OUT1"),
    ("export model data.ldac -o OUT1", "OUT1"),
    ("sweep data.ldac --topics 2,3 --csv OUT1 --svg OUT2 --max-passes 1 --threads 1 --quiet", "OUT1~ OUT2~"),
]
MOST_SETS = 7  # up to so many changes of names, every subset is tried

failures = []


def base(path):
    return os.path.basename(path)


class Disk:
    """Replays calls: what files hold, and which of it is certain."""

    def __init__(self, outputs):
        self.names = {name: name for name in outputs}  # names that are certain, and their files
        self.certain = {name: OLD for name in outputs}  # contents that are certain, by file
        self.pending = {}  # file -> writes since it was synchronised
        self.changes = []  # changes of names since the folder was synchronised
        self.open = {}
        self.files = 0

    def do(self, words, line):
        call = words[0]
        if call == "open" and words[2] in "12":  # 2: an unnamed file
            self.files += 1
            file = "file %d" % self.files
            path = base(line.split(" ", 3)[3])
            self.open[words[1]] = file
            self.certain[file] = b""
            self.pending[file] = []
            if words[2] == "1":
                self.changes.append(("link", path, file))
        elif call == "name":
            self.changes.append(("link", base(line.split(" ", 2)[2]), self.open[words[1]]))
        elif call == "open":
            self.open[words[1]] = "folder" if os.path.isdir(os.path.join(self.folder, line.split(" ", 3)[3])) else None
        elif call == "write" and self.open.get(words[1]) in self.pending:
            self.pending[self.open[words[1]]].append((int(words[2]), bytes.fromhex(words[3])))
        elif call == "sync":
            file = self.open.get(words[1])
            if file == "folder":
                for change in self.changes:
                    apply(self.names, change)
                self.changes = []
            elif file in self.pending:
                self.certain[file] = written(self.certain[file], self.pending[file])
                self.pending[file] = []
        elif call == "rename":
            source, target = (base(path) for path in line.split(" ", 1)[1].split("\t"))
            self.changes.append(("rename", source, target))
        elif call == "unlink":
            self.changes.append(("unlink", base(line.split(" ", 1)[1]), None))
        elif call == "close":
            self.open.pop(words[1], None)

    def contents(self, file):
        """All that a file may hold."""
        writes = self.pending.get(file, [])
        yield self.certain[file]
        if not writes:
            return
        yield written(self.certain[file], writes)
        yield written(self.certain[file], writes[::2])
        yield written(self.certain[file], writes[1::2])
        yield written(self.certain[file], [(at, data[: len(data) // 2]) for at, data in writes])
        yield written(self.certain[file], [(at, bytes(len(data))) for at, data in writes])

    def sets_of_changes(self):
        count = len(self.changes)
        if count <= MOST_SETS:
            for size in range(count + 1):
                yield from itertools.combinations(self.changes, size)
            return
        for first in range(count + 1):
            yield self.changes[:first]
        for left_out in range(count):
            yield self.changes[:left_out] + self.changes[left_out + 1:]

    def states(self, name):
        """All contents that a name may have; None where there is no file."""
        everything = dict(self.names)  # names if nothing is lost, to look up sources that are lost
        known = {path: file for kind, path, file in self.changes if kind == "link"}
        known.update({path: file for path, file in everything.items() if path not in known})
        for changes in self.sets_of_changes():
            names = dict(self.names)
            for change in changes:
                apply(names, change, known)
            if name not in names:
                yield None
            else:
                yield from self.contents(names[name])


def apply(names, change, known=None):
    kind, first, second = change
    if kind == "link":
        names[first] = second
    elif kind == "unlink":
        names.pop(first, None)
    else:
        file = names.pop(first, None) or (known or {}).get(first)
        if file is not None:
            names[second] = file


def written(content, writes):
    result = bytearray(content)
    for at, data in writes:
        if len(result) < at:
            result += bytes(at - len(result))
        result[at:at + len(data)] = data
    return bytes(result)


def replay(command, outputs, inputs, count, old=True, named=False, without=None):
    """Replays a command over old files or none; named: where files have names from the beginning; without: as if it
    made no such calls."""
    folder = tempfile.mkdtemp(dir=inputs + "/..")
    for name in os.listdir(inputs):
        os.link(inputs + "/" + name, folder + "/" + name)
    names = [name.rstrip("~") for name in outputs]
    for name in names if old else []:
        with open(folder + "/" + name, "wb") as file:
            file.write(OLD)
    log = folder + ".log"
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "OMP_NUM_THREADS": "1", "LD_PRELOAD": LIBRARY,
                   "VTEMPER_FAULT": "calls", "VTEMPER_FAULT_LOG": log}
    if named:
        environment["VTEMPER_FAULT_NAMES"] = "1"
    subprocess.run([VTEMPER, *command.split()], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.PIPE)
    new = {}
    for name in names:
        with open(folder + "/" + name, "rb") as file:
            new[name] = file.read()
    disk = Disk(names if old else [])
    before = OLD if old else None
    disk.folder = folder
    with open(log) as file:
        lines = [line for line in file.read().splitlines() if line.split(" ")[0] != without]
    for moment, line in enumerate(lines + ["end"]):
        for output in outputs:
            name = output.rstrip("~")
            for content in disk.states(name):
                count["states"] += 1
                timed = output.endswith("~") and content is not None and complete(content, new[name])
                if content == new[name] or timed or (content == before and line != "end"):
                    continue
                failures.append("%s; %s before %r: %r" % (command, name, line[:60], None if content is None else content[:60]))
        disk.do(line.split(" "), line)
        count["moments"] += 1
    shutil.rmtree(folder)
    os.unlink(log)


def main():
    top = tempfile.mkdtemp()
    count = {"moments": 0, "states": 0}
    try:
        inputs = top + "/inputs"
        os.mkdir(inputs)
        prepare(inputs)
        for number, (command, outputs) in enumerate(CASES):
            replay(command, outputs.split(), inputs, count)
            replay(command, outputs.split(), inputs, count, old=number % 2 == 0, named=number % 2 == 0)
        real = list(failures)
        replay(*[part.split() if i else part for i, part in enumerate(CASES[2])], inputs, dict(count), without="sync")
        if len(failures) == len(real):
            real.append("a command that never synchronised would pass: this test is blind")
        failures[:] = real
    finally:
        shutil.rmtree(top)
    for text in failures[:30]:
        print("FAILED:", text)
    print("loss of power: %d commands, %d moments, %d states of results on the disk, %d failures"
          % (len(CASES), count["moments"], count["states"], len(failures)))
    sys.exit(1 if failures or count["states"] < 1000 else 0)


if __name__ == "__main__":
    main()
