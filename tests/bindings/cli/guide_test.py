#!/usr/bin/python3
"""Runs every command of the guide and compares what it prints with what stands there, numbers apart.

    guide_test.py             compares
    guide_test.py --update    writes what is printed into the guide

A block of C, R, Julia or Python is written to the file that its first line names. A block of sh is run; the block of text behind it
is what it prints. Numbers are not compared: their last digits depend on the machine. Blocks whose program is missing are
left out.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("VTEMPER_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
GUIDE = os.path.join(SOURCE, "doc/guide")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)


def masked(text):
    text = re.sub(r"-?\d[\d,.]*(e[-+]?\d+)?", "N", text)
    return re.sub(r"[ ]+", " ", text)


def environment(work):
    """What the commands find: vtemper, pkg-config's file of the build, the packages of R, Julia and Python where they are."""
    programs = os.path.join(work, "programs")
    os.mkdir(programs)
    os.symlink(os.environ["VTEMPER"], os.path.join(programs, "vtemper"))
    os.symlink(sys.executable, os.path.join(programs, "python3"))  # another one may have other packages
    library = os.environ["VTEMPER_LIBRARY"]
    folder = os.path.dirname(library)
    env = dict(os.environ, GUIDE=GUIDE, PATH=programs + ":" + os.environ["PATH"], LC_ALL="C.UTF-8", OMP_NUM_THREADS="1",
               LD_LIBRARY_PATH=folder, PKG_CONFIG_PATH=os.path.join(os.environ["VTEMPER_BUILD"], "pkgconfig"),
               PYTHONPATH=os.path.join(SOURCE, "bindings/python/src"), PYTHONDONTWRITEBYTECODE="1",
               JULIA_LOAD_PATH="@stdlib:" + os.path.join(SOURCE, "bindings/julia"), JULIA_DEPOT_PATH=os.path.join(work, "depot"))
    missing = {name for name in ("Rscript", "julia", "cc", "pkg-config", "mpirun") if not shutil.which(name)}
    if subprocess.run([sys.executable, "-c", "import numpy, scipy"], capture_output=True).returncode:
        missing.add("python3")
    ranks = os.path.join(os.environ["VTEMPER_BUILD"], "vtemper-mpi")
    if os.path.exists(ranks):
        os.symlink(ranks, os.path.join(programs, "vtemper-mpi"))
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    else:
        missing.add("mpirun")
    if "Rscript" not in missing:
        packages = os.path.join(work, "packages")
        os.mkdir(packages)
        shutil.copytree(os.path.join(SOURCE, "bindings/r/vtemper"), os.path.join(work, "r-source"))
        done = subprocess.run(["R", "CMD", "INSTALL", "--no-docs", "--no-test-load", "-l", packages, os.path.join(work, "r-source")],
                              env=env, capture_output=True, text=True)
        if done.returncode:
            print(done.stderr)
            sys.exit("the R package cannot be installed")
        env["R_LIBS"] = packages
    return env, missing


def main():
    for name in ("VTEMPER", "VTEMPER_LIBRARY", "VTEMPER_BUILD"):
        if name not in os.environ:
            print(name, "is not set")
            return 77
    update = "--update" in sys.argv[1:]
    chapters = sorted(glob.glob(os.path.join(GUIDE, "[01]*.md")))
    failures = ["there are not eleven chapters"] if len(chapters) != 11 else []
    commands = 0
    with tempfile.TemporaryDirectory() as work:
        env, missing = environment(work)
        for chapter in chapters:
            text = open(chapter, encoding="utf-8").read()
            name = os.path.basename(chapter)
            folder = os.path.join(work, name)
            os.mkdir(folder)
            result = []
            end = 0
            for block in BLOCK.finditer(text):
                language, code, wanted = block.groups()
                result.append(text[end:block.start()])
                end = block.end()
                if language != "sh":
                    with open(os.path.join(folder, re.search(r"[\w-]+\.\w+", code.split("\n")[0]).group()), "w") as file:
                        file.write(code)
                    result.append(block.group())
                    continue
                lacking = [program for program in missing if program in code]
                if lacking:
                    print(f"{name}: a block is left out: there is no {lacking[0]}")
                    result.append(block.group())
                    continue
                done = subprocess.run(["sh", "-e", "-c", code], cwd=folder, env=env, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
                commands += code.count("\n")
                if done.returncode:
                    failures.append(f"{name}: status {done.returncode} of\n{code}{done.stdout}")
                    result.append(block.group())
                    continue
                if not update and masked(done.stdout) != masked(wanted or ""):
                    failures.append(f"{name}:\n{code}prints\n{done.stdout}not\n{wanted}")
                shown = f"\n```text\n{done.stdout}```\n" if done.stdout else ""
                result.append(f"```sh\n{code}```\n{shown}")
            result.append(text[end:])
            if update:
                with open(chapter, "w", encoding="utf-8") as file:
                    file.write("".join(result))
        if shutil.which("pandoc"):
            page = os.path.join(work, "guide.html")
            subprocess.run(["sh", os.path.join(GUIDE, "build.sh"), page], check=True)
            html = open(page, encoding="utf-8").read()
            if html.count("<h1") < len(chapters):
                failures.append("the page does not have all chapters")
    for failure in failures:
        print(failure)
    print(f"{commands} lines of commands")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
