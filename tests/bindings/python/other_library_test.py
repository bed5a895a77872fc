"""The Python package with a library of another version: a newer one of the same series works and gives the same numbers; any
other is refused when the package is imported, in one sentence that names both versions and the file.

The other library is tests/faults/other_library.c, linked with the library: it reports the version that the environment variable
VTEMPER_OTHER_VERSION names, and has the other functions of the library.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("VTEMPER_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
LIBRARY = os.path.abspath(os.environ.get("VTEMPER_LIBRARY", "/no library"))
COMPILER = shlex.split(os.environ.get("CC", "cc"))

FIT = """
import numpy as np
import vtemper
X = np.array([[1 + (i + j) % 3 if j // 4 == i % 3 else 0 for j in range(12)] for i in range(30)])
model = vtemper.LDA(3, random_state=1, max_passes=3).fit(X)
print(vtemper.build_info().split("; ")[-1])
print(" ".join(value.hex() for value in model.components_.ravel()))
"""


def run(library, other_version=None):
    environment = dict(os.environ, VTEMPER_LIBRARY=library, PYTHONPATH=SOURCE + "/bindings/python/src", PYTHONDONTWRITEBYTECODE="1",
                       OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    environment.pop("VTEMPER_OTHER_VERSION", None)
    if other_version is not None:
        environment["VTEMPER_OTHER_VERSION"] = "%d %s" % (number_of(other_version), text_of(other_version))
    return subprocess.run([sys.executable, "-c", FIT], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False)


def number_of(version):
    return version[0] * 1000000 + version[1] * 1000 + version[2]


def text_of(version):
    return "%d.%d.%d" % version


def check(condition, what, done):
    if not condition:
        sys.exit("FAILED: %s: status %d\n%s%s" % (what, done.returncode, done.stdout, done.stderr))


def check_served(other, version, expected):
    done = run(other, version)
    check(done.returncode == 0 and done.stdout == other + "\n" + expected, "version %s" % text_of(version), done)


def check_refused(other, version, ours):
    done = run(other, version)
    sentence = "ImportError: this package was made for version %s of the library vtemper, but %s is version %s: install the matching one" % (
        text_of(ours), other, text_of(version))
    last = done.stderr.splitlines()[-1:]
    check(done.returncode == 1 and not done.stdout and last == [sentence], "version %s" % text_of(version), done)


def main():
    try:
        import numpy  # noqa: F401
        import scipy.sparse  # noqa: F401
    except ImportError:
        print("NumPy or SciPy is not installed")
        sys.exit(77)
    if not os.path.exists(LIBRARY) or not COMPILER or not shutil.which(COMPILER[0]):
        print("there is no C compiler, or VTEMPER_LIBRARY does not name the library")
        sys.exit(77)
    with open(SOURCE + "/bindings/python/src/vtemper/_header.py") as file:
        number = int(re.search(r"^VERSION_NUMBER = (\d+)$", file.read(), flags=re.M).group(1))
    ours = major, minor, patch = number // 1000000, number // 1000 % 1000, number % 1000
    served = [ours, (major, minor, patch + 1), (major, minor, 999)] + [(major, minor + 1, 0)] * (major > 0)
    refused = [(major + 2, 0, 0), (0, 0, 0)] + [(major, minor + 1, 0)] * (major == 0)
    refused += [(major, minor, patch - 1)] * (patch > 0) + [(major, minor - 1, 999)] * (minor > 0) + [(major - 1, 999, 0)] * (major > 0)
    refused += sorted({(major + 1, 0, 0), (max(1, minor), 0, 0)} - {(major, 0, 0)})  # 0.3 and 3.0 are not one series
    with tempfile.TemporaryDirectory() as folder:
        other = os.path.join(folder, "libother.so")
        subprocess.run([*COMPILER, "-shared", "-fPIC", SOURCE + "/tests/faults/other_library.c", "-Wl,--no-as-needed", LIBRARY,
                        "-Wl,-rpath," + os.path.dirname(LIBRARY), "-o", other], check=True)
        done = run(LIBRARY)
        check(done.returncode == 0 and done.stdout.startswith(LIBRARY + "\n"), "the library itself", done)
        expected = done.stdout.split("\n", 1)[1]
        assert len(expected.split()) == 36
        for version in served:
            check_served(other, version, expected)
        for version in refused:
            check_refused(other, version, ours)
        # A file that is a library, but not this one.
        foreign = os.path.join(folder, "libforeign.so")
        subprocess.run([*COMPILER, "-shared", "-fPIC", "-x", "c", os.devnull, "-o", foreign], check=True)
        done = run(foreign)
        check(done.returncode == 1 and done.stderr.splitlines()[-1:] == ["ImportError: %s is not the library vtemper" % foreign], "another library", done)
    print("%d versions of the library served with the same numbers, %d refused, and a foreign library" % (len(served), len(refused)))


if __name__ == "__main__":
    main()
