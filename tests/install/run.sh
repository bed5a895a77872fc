#!/bin/sh
# Installs the build into an empty folder and builds client programs against it: C by pkg-config, shared and static, and
# CMake with the right version; CMake with a wrong version is refused. Each program fits a model and checks the result.
set -eu
tests=$VTEMPER_SOURCE/tests/install
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*(asan|tsan|ubsan)'; then
  echo "a library with sanitizers is not for installing"
  exit 77
fi
command -v pkg-config >/dev/null || { echo "pkg-config is missing"; exit 77; }

fail() {
  echo "$1"
  exit 1
}

prefix=$work/prefix
cmake --install "$VTEMPER_BUILD" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
for file in include/vtemper/vtemper.h include/vtemper/version.h bin/vtemper share/man/man1/vtemper.1; do
  [ -f "$prefix/$file" ] || fail "$file was not installed"
done
headers=2
[ ! -e "$VTEMPER_BUILD/vtemper-mpi" ] || headers=3 # vtemper/mpi.h
[ "$(find "$prefix/include" -type f | wc -l)" -eq $headers ] || fail "other headers than the public ones were installed"
pc=$(find "$prefix" -name vtemper.pc)
[ -n "$pc" ] || fail "vtemper.pc was not installed"
export PKG_CONFIG_PATH="${pc%/*}"
unset PKG_CONFIG_LIBDIR LD_LIBRARY_PATH || true
"$prefix/bin/vtemper" --version >/dev/null || fail "the installed command does not run"
[ "$(pkg-config --variable=blas vtemper)" = libopenblas.so.0 ] || fail "vtemper.pc does not name the BLAS"

echo "== C, pkg-config, shared"
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror "$tests/fit.c" -o "$work/shared" $(pkg-config --cflags --libs vtemper) \
  "-Wl,-rpath,$(pkg-config --variable=libdir vtemper)"
"$work/shared"
readelf -d "$work/shared" | grep -q 'NEEDED.*libvtemper\.so\.[0-9]' || fail "the program does not need the SONAME"

echo "== CMake, right version"
cmake -S "$tests/cmake" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/cmake" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
"$work/cmake/fit"

if [ -e "$prefix/include/vtemper/mpi.h" ]; then
  echo "== C, pkg-config, MPI"
  compiler=mpicc.openmpi
  ldd "$(find "$prefix" -name libvtemper-mpi.so)" | grep -q 'libmpi\.so' || compiler=mpicc.mpich
  command -v $compiler >/dev/null || compiler=mpicc
  # shellcheck disable=SC2046
  $compiler -std=c11 -Wall -Wextra -Werror "$VTEMPER_SOURCE/tests/bindings/mpi/fit.c" -o "$work/mpi" \
    $(pkg-config --cflags --libs vtemper-mpi) "-Wl,-rpath,$(pkg-config --variable=libdir vtemper)"
  "$prefix/bin/vtemper-mpi" --version >/dev/null || fail "the installed vtemper-mpi does not run"
  echo "== CMake, MPI"
  cmake -S "$tests/cmake_mpi" -B "$work/cmake-mpi" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
  cmake --build "$work/cmake-mpi" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
fi

for version in 0.2 1.0 0.0.1; do
  echo "== CMake, version $version"
  if cmake -S "$tests/cmake_wrong_version" -B "$work/cmake-$version" -DCMAKE_PREFIX_PATH="$prefix" \
    -DWRONG_VERSION=$version >"$work/cmake.log" 2>&1; then
    fail "version $version was accepted"
  fi
  grep -q "compatible with requested version" "$work/cmake.log" || { cat "$work/cmake.log"; fail "refused for another reason"; }
done

echo "== C, pkg-config, static"
archive=$(find "$prefix" -name libvtemper.a)
if [ -z "$archive" ]; then
  echo "left out: this build has no static library (VTEMPER_STATIC)"
  exit 0
fi
"$work/cmake/fit_static"
# As on a machine that has only the static library: otherwise `cc` would take the shared one.
find "$prefix" -name 'libvtemper.so*' -delete
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror "$tests/fit.c" -o "$work/static" $(pkg-config --static --cflags --libs vtemper)
"$work/static"
if readelf -d "$work/static" | grep -q 'NEEDED.*libvtemper'; then fail "the program needs the shared library"; fi
# A C program must not link without the private libraries.
# shellcheck disable=SC2046
if cc "$tests/fit.c" -o "$work/incomplete" $(pkg-config --cflags --libs vtemper) 2>/dev/null; then
  fail "the archive links without Libs.private: the list there is not tested"
fi
