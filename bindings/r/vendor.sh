#!/bin/sh
# sh bindings/r/vendor.sh FOLDER: writes FOLDER/vtemper, the R package with the sources of libvtemper inside, so that
# R CMD INSTALL (or R CMD build and install.packages) works on a machine without the library. Its configure builds them
# by CMake where pkg-config finds no library; what the library itself needs is named by SystemRequirements.
set -eu
[ $# -eq 1 ] || { echo "usage: sh bindings/r/vendor.sh FOLDER" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
package=$1/vtemper
[ ! -e "$package" ] || { echo "$package is there already" >&2; exit 1; }
mkdir -p "$1"
cp -r "$root/bindings/r/vtemper" "$package"
rm -rf "$package"/src/*.o "$package"/src/*.so "$package/src/Makevars" "$package"/.gitignore
library=$package/src/libvtemper
mkdir "$library"
cp -r "$root/include" "$root/src" "$root/pkgconfig" "$root/LICENSE" "$library"
# The library alone: no command, no MPI, no tests, no packages.
sed -e '/^add_subdirectory(bindings\/cli)$/d' -e '/^add_subdirectory(bindings\/mpi)$/d' -e '/^  add_subdirectory(packaging)$/d' "$root/CMakeLists.txt" >"$library/CMakeLists.txt"
if grep -q 'bindings/' "$library/CMakeLists.txt"; then
  echo "CMakeLists.txt names the folders of bindings in another way than this script knows" >&2
  exit 1
fi
# R CMD check takes files without a known ending for programs, and READMEs are not compiled.
find "$library" -name '*.md' -delete
sed -i 's/^SystemRequirements: .*/SystemRequirements: libvtemper (>= 0.1.0) and pkg-config, or CMake (>= 3.25), a C++17 compiler and the\n    libraries zlib, OpenBLAS, Eigen, xsimd, Random123 and xxHash/' "$package/DESCRIPTION"
echo "$package"
