#!/bin/sh
# The library needs the libraries listed in tests/abi/vtemper.needed and has the SONAME given there.
# `sh dynamic_dependencies.sh --update` writes the list.
set -eu
list=$VTEMPER_SOURCE/tests/abi/vtemper.needed
# The dynamic loader, which thread-local variables require, has a different name on each processor.
needed() { readelf -d "$1" | sed -nE 's/.*\((NEEDED|SONAME)\).*\[(.*)\]/\1 \2/p' | grep -v ' ld-linux' | LC_ALL=C sort; }

if needed "$VTEMPER_LIBRARY" | grep -qE 'asan|tsan|ubsan|libomp|libc\+\+'; then
  echo "built with sanitizers or another compiler's libraries"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
needed "$VTEMPER_LIBRARY" >"$work/needed"
if [ "${1:-}" = --update ]; then
  cp "$work/needed" "$list"
fi
diff -u "$list" "$work/needed"
