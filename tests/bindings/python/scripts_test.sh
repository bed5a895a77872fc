#!/bin/sh
# Benchmarks and reproductions, which are rarely run, still find what they use: each can be started, and every name
# that they take from tests/bench/library.py (the Python package as they use it) exists.
. "$(dirname "$0")/common.sh"
not_sanitized
needs sklearn matplotlib
cat >"$folder/scripts.py" <<'END_OF_PROGRAM'
import ast
import contextlib
import io
import os
import runpy
import sys

source = os.path.join(sys.argv[1], "tests")
sys.path[:0] = [os.path.join(source, place) for place in ("bench", "reproduce")]
import library

used, started = 0, 0
for place in "bench", "reproduce":
    for file in sorted(os.listdir(os.path.join(source, place))):
        if not file.endswith(".py"):
            continue
        path = os.path.join(source, place, file)
        with open(path) as text:
            tree = ast.parse(text.read())
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "library":
                assert hasattr(library, node.attr), "%s, line %d: library has no %s" % (file, node.lineno, node.attr)
                used += 1
        # Up to the help, which comes after all imports.
        if any(isinstance(node, ast.Import) and node.names[0].name == "argparse" for node in tree.body):
            sys.argv = [path, "--help"]
            with contextlib.redirect_stdout(io.StringIO()) as told:
                try:
                    runpy.run_path(path, run_name="__main__")
                except SystemExit as end:
                    assert not end.code, file
            assert "--help" in told.getvalue(), file
            started += 1
print("%d scripts started, %d uses of library.py" % (started, used))
assert started > 15 and used > 100
END_OF_PROGRAM
run_python "$folder/scripts.py" "$source_folder"
