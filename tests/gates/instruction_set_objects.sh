#!/bin/sh
# Each instruction set's object defines one global symbol, its table, and no weak one: the linker cannot take code
# compiled for one processor for use on another.
set -eu
objects=$VTEMPER_BUILD/src/kernels
ls "$objects"/*.o >/dev/null 2>&1 || { echo "the kernels were built without GNU binutils"; exit 77; }

# True if object $1 defines the global symbol $2 only.
is_clean() {
  [ "$(nm --defined-only "$1" | awk '$2 ~ /[A-Zuvw]/ { print $2, $3 }')" = "T $2" ]
}

for object in "$objects"/*.o; do
  set_name=$(basename "$object" .o)
  if ! is_clean "$object" "vtemper_kernels_$set_name"; then
    echo "$object defines:"
    nm -C --defined-only "$object" | awk '$2 ~ /[A-Zuvw]/'
    exit 1
  fi
done

# Proof that this gate can fail: an inline function leaves a weak symbol.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/weak.cpp" <<'END'
inline int weak(int x) { return x + 1; }
extern "C" int (*vtemper_kernels_weak())(int) { return &weak; }
END
c++ -c "$work/weak.cpp" -o "$work/weak.o"
if is_clean "$work/weak.o" vtemper_kernels_weak; then
  echo "an object with a weak symbol passed: the gate is blind"
  exit 1
fi
