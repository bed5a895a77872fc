#!/usr/bin/python3
"""Text from outside does not control the terminal: words, names, dates, texts of documents and names of files with
escapes, C1, DEL and bidirectional controls, shown by every command on a terminal, as a text and as CSV, TSV and JSON.

The commands run with a pseudo-terminal as their standard output and error. Prints the number of commands.
"""

import os
import pty
import re
import subprocess
import sys
import tempfile

VTEMPER = os.environ["VTEMPER"]
EVIL = "a\x1b[31mb\x7f\x9b31mc\u202ed\x07"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FIT = "--topics 2 --max-passes 2 --threads 1"
WORDS = "--text --min-documents 1 --max-share 1"
TABLE = "--text --column text --id-column id --date-column day"

COMMANDS = [
    "convert table.tsv corpus %s --min-documents 1 --max-share 1" % TABLE,
    "convert data.ldac named --vocabulary words.txt",
    "convert %s.ldac copy" % EVIL,
    "fit data.ldac -o model --vocabulary words.txt " + FIT,
    "fit corpus -o of-text " + FIT,
    "fit data.ldac -o %s.model --checkpoint %s.checkpoint %s" % (EVIL, EVIL, FIT),
    "fit data.ldac -o x --resume %s.checkpoint" % EVIL,
    "info model",
    "info corpus",
    "info of-text",
    "info model --as csv",
    "info model --as tsv",
    "info model --as json",
    "topics model --words 40",
    "topics model --words 40 --as csv",
    "topics model --words 40 --as tsv",
    "topics model --words 40 --as json",
    "get model topics --as csv",
    "get model topics --as json",
    "infer of-text corpus",
    "infer of-text corpus --as tsv",
    "infer of-text corpus --as json --labels",
    "documents of-text corpus",
    "documents of-text table.tsv " + TABLE,
    "documents of-text corpus --as csv",
    "similar of-text corpus --to 1",
    "similar of-text corpus --to 1 --as json",
    "similar model --topic 0",
    "correlation of-text corpus",
    "timeline of-text corpus --by year",
    "timeline of-text table.tsv %s" % TABLE,
    "evaluate of-text corpus",
    "report of-text --data corpus -o %s.html" % EVIL,
    "report %s.model" % EVIL,
    "sweep %s.ldac --topics 2 --max-passes 1" % EVIL,
    "info %s" % EVIL,
    "fit %s.ldac -o y --%s 3" % (EVIL, EVIL),
    "evaluate of-text other.ldac",
    "demo --text themes.txt --output %s --topics 2 --passes 1" % EVIL,
]


def write(name, text):
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def prepare():
    lines = ["%d " % 4 + " ".join("%d:%d" % (w, 1 + (d + w) % 3) for w in sorted({d % 9, d % 7 + 9, 20 + d % 5, 30 + d % 4})) for d in range(60)]
    for name in ("data", EVIL):
        write(name + ".ldac", "\n".join(lines) + "\n")
    write("words.txt", "".join("%s%d\n" % (EVIL if i % 3 else "word", i) for i in range(40)))
    write("table.tsv", "id\tday\ttext\n" + "".join("%s%d\t20%02d-05-17%s\tcat %s dog%d house %s\n" % (EVIL, i, i % 7, EVIL if i % 5 == 0 else "", EVIL, i % 4, EVIL) for i in range(30)))
    words = ["".join(chr(97 + (7 * w + 3 * k * k) % 26) for k in range(5)) for w in range(36)]
    write("themes.txt", "".join(" ".join(words[12 * ((j // 12 + i) % 3) + j % 12] for i in (0, 1, 1, 2)) + "\n" for j in range(120)))


def shown(arguments):
    """Exit status and everything that the command writes to its terminal."""
    main, terminal = pty.openpty()
    child = subprocess.Popen([VTEMPER, *arguments], stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal)
    os.close(terminal)
    seen = b""
    try:
        while True:
            more = os.read(main, 65536)
            if not more:
                break
            seen += more
    except OSError:  # the terminal was closed by the command's end
        pass
    os.close(main)
    return child.wait(), seen


def main():
    failures, refused = [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        for command in COMMANDS:
            status, seen = shown(command.split(" "))
            refused += status != 0
            text = seen.decode("utf-8", errors="replace").replace("\r\x1b[K", "").replace("\r\n", "\n")
            if CONTROLS.search(text):
                failures.append("%r shows %r" % (command, CONTROLS.findall(text)[:5]))
            if "\ufffd" in text and status == 0:
                failures.append("%r shows bytes that are no UTF-8" % command)
            if not text.strip():
                failures.append("%r shows nothing" % command)
            if status not in (0, 1, 2):
                failures.append("%r ended with status %d" % (command, status))
    print("%d commands on a terminal, %d of them refused" % (len(COMMANDS), refused))
    if refused > 6:
        failures.append("most of the commands must succeed")
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
