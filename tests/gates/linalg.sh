#!/bin/sh
# Eigen is included by src/linalg/eigen.h only, which gives its namespace a name of our own; none of its code is in
# objects compiled for an instruction set, and none is in the library under its usual name, where the linker could
# merge it with that of a host.
set -eu

# Prints each include of Eigen below $1/src, and of the header that has it in the kernels, also those of single models.
offences() {
  (cd "$1" && grep -rnE '#[[:space:]]*include[[:space:]]*[<"](Eigen|eigen3|unsupported)/' src | grep -v '^src/linalg/eigen\.h:' || true
    find src/kernels src/models -path 'src/kernels/*' -type f -o -name 'kernels.h' -o -name '*.inc' |
      xargs grep -nE '#[[:space:]]*include[[:space:]]*"linalg/' /dev/null || true)
}

# True if object $1 has a symbol of Eigen (all of them: local ones were made so by the build).
has_eigen() { nm -C "$1" | grep -qE '(^|[^[:alnum:]_])(vtemper_eigen|Eigen)::'; }
# The same under the usual name.
has_plain_eigen() { nm -C "$1" | grep -qE '(^|[^[:alnum:]_])Eigen::'; }

found=$(offences "$VTEMPER_SOURCE")
if [ -n "$found" ]; then
  echo "$found"
  exit 1
fi
for object in $(find "$VTEMPER_BUILD/src" -name '*.o' | grep '/kernels' | grep -v '/dispatch'); do
  if has_eigen "$object"; then
    echo "$object holds code of Eigen"
    exit 1
  fi
done
of_mixture=$(find "$VTEMPER_BUILD/src" -name 'components.cpp.o' | grep gaussian_mixture)
has_eigen "$of_mixture" || { echo "no symbol of Eigen in $of_mixture: the gate is blind"; exit 1; }
for object in $(find "$VTEMPER_BUILD/src/CMakeFiles/vtemper_objects.dir" -name '*.o'); do
  if has_plain_eigen "$object"; then
    echo "$object holds code of Eigen under its usual name"
    exit 1
  fi
done

# Proof that this gate can fail.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/kernels" "$work/src/models"
echo '#include <Eigen/Dense>' >"$work/src/models/a.cpp"
echo '#include "linalg/eigen.h"' >"$work/src/kernels/b.cpp"
echo '#include "linalg/eigen.h"' >"$work/src/models/kernels.h"
if [ "$(offences "$work" | wc -l)" -ne 3 ]; then
  echo "of three wrong includes these were seen:"
  offences "$work"
  exit 1
fi
printf 'namespace Eigen { template <class T> T twice(T x) { return x + x; } }\nint (*f)(int) = &Eigen::twice<int>;\n' >"$work/c.cpp"
c++ -c "$work/c.cpp" -o "$work/c.o"
if ! has_eigen "$work/c.o" || ! has_plain_eigen "$work/c.o"; then
  echo "an object with a symbol of Eigen passed: the gate is blind"
  exit 1
fi
