#!/bin/sh
# Sources are formatted by clang-format 14 (other versions decide differently).
set -eu
formatter=
for candidate in clang-format-14 clang-format; do
  if command -v $candidate >/dev/null && $candidate --version | grep -q 'version 14\.'; then
    formatter=$candidate
    break
  fi
done
[ -n "$formatter" ] || { echo "clang-format 14 is missing"; exit 77; }
cd "$VTEMPER_SOURCE"
find include src bindings tests \( -name '*.h' -o -name '*.c' -o -name '*.cpp' -o -name '*.inc' \) -print0 |
  xargs -0 $formatter --dry-run --Werror

# Proof that this gate can fail.
if echo 'int  x;' | $formatter --dry-run --Werror --assume-filename=x.cpp 2>/dev/null; then
  echo "a line with two blanks passed: the gate is blind"
  exit 1
fi
