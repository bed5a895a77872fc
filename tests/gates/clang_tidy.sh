#!/bin/sh
# clang-tidy finds nothing in src (the checks are in .clang-tidy).
set -eu
command -v clang-tidy >/dev/null || { echo "clang-tidy is missing"; exit 77; }
database=$VTEMPER_BUILD/compile_commands.json
[ -f "$database" ] || { echo "the build has no compile_commands.json"; exit 77; }

# Kernels are one source compiled for each instruction set: the scalar one stands for all.
find "$VTEMPER_SOURCE/src" -name '*.cpp' ! -path '*/kernels/sse2.cpp' ! -path '*/kernels/avx2.cpp' \
  ! -path '*/kernels/avx512.cpp' ! -path '*/kernels/neon.cpp' -print0 |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$VTEMPER_BUILD" --quiet --extra-arg=-Wno-error 2>/dev/null

# Proof that this gate can fail.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$VTEMPER_SOURCE/.clang-tidy" "$work/"
printf 'int f(int x) {\n  if (x = 1) return 0;\n  return sizeof(sizeof(x));\n}\n' >"$work/bad.cpp"
if clang-tidy --quiet "$work/bad.cpp" -- -std=c++17 >/dev/null 2>&1; then
  echo "a doubtful program passed: the gate is blind"
  exit 1
fi
