#!/bin/sh
# The standard back end makes a source distribution and, from that, a wheel, without network; the wheel is installed below a path
# with spaces and letters outside ASCII, works there, and so does the source distribution's own copy of the tests.
. "$(dirname "$0")/common.sh"
not_sanitized
needs pip setuptools wheel
place="$folder/a place für Ω"
mkdir "$place"
cp -r "$package" "$place/package"
rm -rf "$place/package/build" "$place"/package/src/*.egg-info # what an earlier installation left
(cd "$place/package" && run_python -c '
import sys, setuptools.build_meta
setuptools.build_meta.build_sdist(sys.argv[1])' "$place" >"$folder/log" 2>&1) || { cat "$folder/log"; exit 1; }
run_python -m pip wheel --no-index --no-build-isolation --no-deps --quiet --wheel-dir "$place" "$place"/vtemper-*.tar.gz \
  >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
run_python -m pip install --no-index --no-deps --quiet --target "$place/installed" "$place"/vtemper-*-py3-none-any.whl >"$folder/log" 2>&1 ||
  { cat "$folder/log"; exit 1; }
for file in vtemper/py.typed vtemper-*.dist-info/LICENSE; do
  # shellcheck disable=SC2086
  (cd "$place/installed" && [ -e $file ]) || { echo "$file was not installed"; exit 1; }
done
# Every module is in the wheel.
(cd "$package/src" && find vtemper -name '*.py' | sort) >"$folder/ours"
(cd "$place/installed" && find vtemper -name '*.py' | sort) >"$folder/installed"
diff "$folder/ours" "$folder/installed"

# Files with any name, and a library in any folder.
(cd "$place" && tar xzf vtemper-*.tar.gz)
cp "$VTEMPER_LIBRARY" "$place/lib tempèr.so"
cd "$place"/vtemper-*/tests
PYTHONPATH="$place/installed" VTEMPER_LIBRARY="$place/lib tempèr.so" TMPDIR=$place run_python -c '
import sys, os, unittest
import vtemper
assert vtemper.__file__.startswith(sys.argv[1]) and sys.argv[1] in vtemper.build_info(), (vtemper.__file__, vtemper.build_info())
tests = unittest.defaultTestLoader.loadTestsFromNames(["test_data", "test_runs.Models", "test_estimators.EveryKind"])
sys.exit(not unittest.TextTestRunner(verbosity=0).run(tests).wasSuccessful())' "$place"
