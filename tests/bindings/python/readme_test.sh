#!/bin/sh
# A new user: the package is installed by its one command, without network, and what the README shows for Python runs as it stands.
. "$(dirname "$0")/common.sh"
not_sanitized
needs pip setuptools wheel
# The indented blocks of the section, each its own session; the first is for the shell.
awk -v folder="$folder" '/^## / { inside = $0 == "## From Python"; next }
     inside && /^    / { if (!block) { ++number; block = 1 } print substr($0, 5) > (folder "/block" number ".py") }
     inside && !/^    / { block = 0 }' "$VTEMPER_SOURCE/README.md"
cp "$VTEMPER_SOURCE/README.md" "$folder"
cp -r "$package" "$folder/package"
rm -rf "$folder/package/build" # what an earlier installation left
command=$(grep -o 'pip install .* bindings/python' "$folder/block1.py") || { echo "the README does not say how to install the package"; exit 1; }
options=${command#pip install }
options=${options% bindings/python}
# shellcheck disable=SC2086
run_python -m pip install $options --quiet --no-deps --target "$folder/installed" "$folder/package" >"$folder/log" 2>&1 ||
  { cat "$folder/log"; exit 1; }
[ -e "$folder/installed/vtemper/py.typed" ] || { echo "py.typed was not installed"; exit 1; }
PYTHONPATH=$folder/installed
cd "$folder"
[ -s block3.py ] || { echo "the README has no examples for Python"; exit 1; }
for block in block[2-9].py; do
  run_python "$block" >"$block.out" 2>&1 || { cat "$block" "$block.out"; exit 1; }
done
grep -q 'vtemper/__init__.py' block2.py.out || { cat block2.py.out; echo "another package was imported"; exit 1; }
[ -s model.vtemper ] || { echo "no model was saved"; exit 1; }
