#!/usr/bin/python3
"""Every message with which the command ends stands in messages.tsv: exit status, command line, the exact message.

Each line is run and compared. Lines with the status "-" are messages that no test can bring about; their second column
says why, their third is the format of the source. A message of the sources without a line is a failure.

    messages_table_test.py             compares
    messages_table_test.py --update    writes status and message of every line anew; read what changed
"""

import gzip
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "messages.tsv")
SOURCES = os.path.join(os.environ.get("VTEMPER_SOURCE", os.path.join(HERE, "../../..")), "bindings/cli")

TOLD = {"convert fractions.mtx fractions.corpus"}  # messages after which the command continues


def run(line):
    done = subprocess.run([os.environ["VTEMPER"]] + shlex.split(line), capture_output=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def write(name, content):
    with open(name, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def changed(source, target, place):
    content = bytearray(open(source, "rb").read())
    for i in range(place, place + 8):
        content[i] ^= 0xFF
    write(target, bytes(content))


def make_fixtures():
    """The files that the command lines name."""
    rows = [[(7 * d + 3 * i) % 40 for i in range(6)] for d in range(200)]
    write("data.ldac", "".join(f"6 {' '.join(f'{w}:{1 + (d + w) % 3}' for w in sorted(r))}\n" for d, r in enumerate(rows)))
    write("words.txt", "".join(f"word{chr(97 + i // 10)}{i % 10}\n" for i in range(40)))
    write("other.ldac", "2 0:1 99:1\n")
    write("nothing.ldac", "1 0:0\n")
    write("one.ldac", "2 0:1 1:1\n")
    write("three.txt", "a\nb\nc\n")
    write("one.txt", "a\n")
    write("gap.txt", "a\n\nb\n")
    write("twice.txt", "a\nb\na\n")
    write("counted.txt", "a\t3\nb\t2\n")
    write("twice.csv", ",cell\ngene,1\ngene,2\n")
    write("header.csv", "cell1,cell2\n")
    write("named.csv", ",c1,c2,c3\ng1,1,2,0\ng2,0,3,1\n")
    write("turned.csv", ",g1,g2\nc1,1,0\nc2,2,3\nc3,0,1\n")
    write("wide.mtx", "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 2\n2 3 1\n")
    write("lines.txt", "\n\n")
    write("stops.txt", "the and of\n")
    write("blanks.txt", "1 2.5\n3 4\n")
    write("book.xlsx", b"PK\3\4rest of it")
    write("nameless.csv", ",cell\ngene,1\n,2\n")
    write("empty", "")
    write("noise", bytes((i * i * 31 + i * 7) % 251 for i in range(600)))
    write("text.txt", "".join(f"The document number {i} of plain words.\n" for i in range(20)))
    write("latin.txt", "Ein Käse.\n".encode("latin1"))
    write("cut.txt", b"\xff\xfea")
    write("zero.txt", b"some words\n\0more words\n" * 20)
    write("late.txt", b"words without any zero byte\n" * 40000 + b"a zero \0 byte\n")
    write("model.gz", gzip.compress(bytes(range(256)) * 20))
    write("table.csv", "a,b\n1,plain words here\n2,other words there\n")
    write("dated.csv", "when,b\nsoon,plain words here\nlater,other words there\n" * 10)
    write("ragged.csv", "a,b\n1,plain words here\n2,other,words,there\n")
    write("damaged.csv", 'a,b\n1,"plain words\n')
    write("empty.csv", "")
    write("lines.jsonl", '{"a": "plain words", "b": "2"}\n{"a": "other words", "b": "3"}\n')
    write("broken.jsonl", '{"a": "plain words"}\n{"a": other words\n')
    write("list.json", '[{"a": "plain words"}, {"a": "other words"}]\n')
    write("sequences.txt", "0 1 2\n1 0\n2 2 1\n")
    write("from_0.svm", "1 0:5 1:1\n1 1:2 2:2\n" * 10)
    write("from_1.svm", "1 1:5 2:1\n" * 3)
    write("points.csv", "1,2\n3,4\n5,6\n2,2\n1,3\n4,4\n")
    write("halves.csv", "1,2\n0.5,4\n")
    write("colours.csv", "colour,size\nred,1\nblue,2\n")
    write("symmetric.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 2\n2 1 1\n")
    write("fractions.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 2\n2 1 1\n2 3 0.5\n")
    os.mkdir("texts")
    os.mkdir("nothing")
    os.mkdir("binaries")
    write("binaries/a", bytes(range(256)) * 20)
    for line in (
        "convert data.ldac data.corpus --vocabulary words.txt -q",
        "fit data.corpus -o m.model --topics 2 --max-passes 1 --checkpoint m.checkpoint -q",
        "fit data.ldac -o m2.model --topics 2 --max-passes 1 --checkpoint m2.checkpoint -q",
        "fit named.csv --transpose -o t.model --topics 2 --max-passes 1 -q",
        "fit sequences.txt --format sequences -o s.model --model hidden_markov --states 2 -q",
        "fit points.csv -o g.model --model gaussian_mixture --components 1 -q",
        "convert dated.csv dated.corpus --text --column b --date-column when --max-share 1 -q",
        "fit dated.corpus -o dated.model --topics 2 --max-passes 1 -q",
        "convert data.ldac named.corpus --vocabulary more.txt -q",
    ):
        if "more.txt" in line:
            write("more.txt", "".join(f"w{i}\n" for i in range(45)))
        status, _, said = run(line)
        if status:
            sys.exit(f"vtemper {line}: {said}")
    for name in ("model", "corpus", "checkpoint"):
        whole = {"model": "m.model", "corpus": "data.corpus", "checkpoint": "m.checkpoint"}[name]
        write("cut." + name, open(whole, "rb").read()[:-1000])
        changed(whole, "changed." + name, 30)
    size = os.path.getsize("data.corpus")
    changed("data.corpus", "counts.corpus", size - size // 8)


def read_table():
    with open(TABLE, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]


def formats():
    """The formats of all messages, with their files."""
    call = re.compile(r'\bfail(?:_usage)?\(\s*((?:"(?:[^"\\]|\\.)*"|PRI[a-z]\d+|\s)+)[,)]')
    for name in sorted(os.listdir(SOURCES)):
        if not name.endswith((".c", ".cpp")):
            continue
        for found in call.finditer(open(os.path.join(SOURCES, name), encoding="utf-8").read()):
            pieces = re.findall(r'"((?:[^"\\]|\\.)*)"|PRI([a-z])', found.group(1))
            text = "".join(piece if not letter else letter for piece, letter in pieces)
            yield name, text.replace('\\"', '"')


def pattern(text):
    parts = re.split(r"(%%|%(?:\.\*)?[-+ 0#]*\d*(?:ll|z)?[a-z])", text)
    return "".join("%" if part == "%%" else "(?s:.*)" if i % 2 else re.escape(part) for i, part in enumerate(parts))


def message_of(text):
    """What stands after "vtemper VERB: "."""
    return re.sub(r"^vtemper( [a-z]+)?: ", "", text)


def main():
    if "VTEMPER" not in os.environ:
        print("VTEMPER does not name the command.")
        return 77
    os.environ.update(LC_ALL="C", OMP_NUM_THREADS="1")
    update = sys.argv[1:] == ["--update"]
    table = read_table()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_fixtures()
        for row in table:
            if row[0] == "-":
                continue
            status, out, said = run(row[1])
            said = said.rstrip("\n")
            if update:
                row[:] = [str(status), row[1], said.replace("\n", "\\n")]
                if status == 0 and row[1] not in TOLD:
                    print(f"not refused: vtemper {row[1]}")
                continue
            if [str(status), said.replace("\n", "\\n")] != [row[0], row[2]]:
                failures.append(f"vtemper {row[1]}\n  says   {status} {said}\n  wanted {row[0]} {row[2]}")
            if out:
                failures.append(f"vtemper {row[1]} prints results although it fails")
        os.chdir(HERE)
    said = [message_of(row[2].split("\\n")[-1]) for row in table if row[0] != "-"]
    never = {row[2] for row in table if row[0] == "-"}
    used = set()
    for name, text in formats():
        if text == "%s":
            continue  # a message of the library, or another one of the command
        if text in never:
            used.add(text)
        elif not any(re.fullmatch(pattern(text), message) for message in said):
            failures.append(f"{name}: no line of messages.tsv has the message: {text}")
    failures += [f"messages.tsv has a message that is in no source: {text}" for text in sorted(never - used)]
    for message in said:
        if re.search(r"vtemper_[a-z_]+|\bNULL\b|argument [a-z_]+ is", message):
            failures.append(f"a name of C: {message}")
    if update:
        head = [line for line in open(TABLE, encoding="utf-8") if line.startswith("#")]
        with open(TABLE, "w", encoding="utf-8") as file:
            file.writelines(head + ["\t".join(row) + "\n" for row in table])
    for failure in failures:
        print(failure)
    print("all is well" if not failures else f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
