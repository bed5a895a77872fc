"""vtemper convert writes files that are many times larger than the memory it takes, and that it may have.

Peak memory is that of the process, by the system; the limit is one of its address space. The counts of raw text are mapped
from a temporary file at the end, so that its limit is of memory that no file backs (RLIMIT_DATA). The files are made here.
"""
import os
import resource
import subprocess
import sys
import tempfile

VTEMPER = os.environ.get("VTEMPER", "")
if not os.path.exists(VTEMPER):
    print("the command is missing")
    sys.exit(77)

MEGABYTE = 1 << 20
LIMIT = 160 * MEGABYTE  # limit of the address space, much of which the command's libraries alone take
MOST_RESIDENT = 24 * MEGABYTE
LIMIT_OF_DATA = 40 * MEGABYTE


def block(documents):
    """Documents of 40 words of 50,000, as LDA-C."""
    state, lines = 7, []
    for _ in range(documents):
        words = set()
        while len(words) < 40:
            state = state * 16807 % 2147483647
            words.add(state % 50000)
        lines.append("40 " + " ".join("%d:%d" % (word, word % 7 + 1) for word in sorted(words)))
    return ("\n".join(lines) + "\n").encode()


def raw_text(lines):
    """Documents of 120 words of 3,000, a line each."""
    state, texts = 11, []
    for _ in range(lines):
        words = []
        for _ in range(120):
            state = state * 16807 % 2147483647
            number = min(state % 3000, state // 3000 % 3000)
            words.append("word" + "".join(chr(97 + number // power % 26) for power in (676, 26, 1)))
        texts.append(" ".join(words))
    return ("\n".join(texts) + "\n").encode()


def limited_data():
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT_OF_DATA, LIMIT_OF_DATA))


def check_text(folder):
    """Raw text: what is written is the same for any length, and no limit is met."""
    failures = 0
    text = raw_text(2000)
    for name, repeats in (("small", 1), ("large", 110)):
        path, out = "%s/%s.txt" % (folder, name), "%s/%s.corpus" % (folder, name)
        with open(path, "wb") as file:
            for _ in range(repeats):
                file.write(text)
        done = subprocess.Popen([VTEMPER, "convert", "--text", path, out, "--lines", "--language", "none", "--max-share", "1", "--quiet"],
                                preexec_fn=limited_data, stderr=subprocess.PIPE)
        stderr = done.stderr.read()
        _, status, usage = os.wait4(done.pid, 0)
        size, written = os.path.getsize(path), os.path.exists(out) and os.path.getsize(out)
        print("%s: %.1f MB of raw text to %.1f MB, within %d MB of memory, %.2f s of the processor"
              % (name, size / MEGABYTE, written / MEGABYTE, LIMIT_OF_DATA // MEGABYTE, usage.ru_utime))
        if status != 0 or written < repeats * 2000 * (8 + 40 * 8):
            print("FAILED: status %d, %r, %d bytes" % (status, stderr, written))
            failures += 1
        if name == "large" and size < 200 * MEGABYTE:
            print("FAILED: the file is too small for this test: %d" % size)
            failures += 1
        left = set(os.listdir(folder)) - {os.path.basename(path), os.path.basename(out)}
        if left:
            print("FAILED: left behind: %s" % left)
            failures += 1
        os.unlink(path)
        if os.path.exists(out):
            os.unlink(out)
    return failures


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        text = block(2000)
        for name, repeats in (("small", 1), ("large", 350)):
            path, out = "%s/%s.ldac" % (folder, name), "%s/%s.corpus" % (folder, name)
            with open(path, "wb") as file:
                for _ in range(repeats):
                    file.write(text)
            done = subprocess.Popen([VTEMPER, "convert", path, out, "--quiet"], preexec_fn=limited, stderr=subprocess.PIPE)
            stderr = done.stderr.read()
            _, status, usage = os.wait4(done.pid, 0)
            size, written = os.path.getsize(path), os.path.exists(out) and os.path.getsize(out)
            peak = usage.ru_maxrss * 1024
            print("%s: %.1f MB of text to %.1f MB, %.1f MB of memory at the most, %.2f s of the processor"
                  % (name, size / MEGABYTE, written / MEGABYTE, peak / MEGABYTE, usage.ru_utime))
            rows = repeats * 2000
            if status != 0 or written < rows * (8 + 40 * 8):
                print("FAILED: status %d, %r" % (status, stderr))
                failures += 1
            if peak > MOST_RESIDENT:
                print("FAILED: more than %d MB" % (MOST_RESIDENT // MEGABYTE))
                failures += 1
            if name == "large" and size < 200 * MEGABYTE:
                print("FAILED: the file is too small for this test")
                failures += 1
            os.unlink(path)
            if os.path.exists(out):
                os.unlink(out)
        failures += check_text(folder)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
