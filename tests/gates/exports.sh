#!/bin/sh
# The library exports the functions of its header, listed in tests/abi/vtemper.symbols, and nothing else.
# `sh exports.sh --update` writes the list.
set -eu
list=$VTEMPER_SOURCE/tests/abi/vtemper.symbols
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --defined-only "$VTEMPER_LIBRARY" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort >"$work/exported"
# Functions are declared with VTEMPER_API, possibly over several lines.
grep -v '^#' "$VTEMPER_SOURCE/include/vtemper/vtemper.h" | tr '\n' ' ' | grep -oE 'VTEMPER_API [^(;]*\(' |
  sed -E 's/.*[ *]([a-z_0-9]+)\($/\1/' | LC_ALL=C sort >"$work/declared"

if [ "${1:-}" = --update ]; then
  cp "$work/exported" "$list"
fi
diff -u "$list" "$work/exported"
diff -u "$work/declared" "$work/exported"

# Proof that this gate can fail.
echo vtemper_of_nobody >>"$work/exported"
if diff -q "$list" "$work/exported" >/dev/null; then
  echo "an export that is not in the list passed: the gate is blind"
  exit 1
fi
