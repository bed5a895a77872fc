#!/bin/sh
# The NEON kernels compile: with the cross compiler if it is installed (package g++-aarch64-linux-gnu).
set -eu
case $(uname -m) in
  aarch64 | arm64) echo "compiled and tested natively"; exit 0 ;;
esac
command -v aarch64-linux-gnu-g++ >/dev/null || { echo "aarch64-linux-gnu-g++ is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The cross compiler does not search /usr/include, where xsimd is: give it only those headers.
mkdir "$work/include"
xsimd=$(sed -n 's/^VTEMPER_FOLDER_xsimd[^=]*=//p' "$VTEMPER_BUILD/CMakeCache.txt")
ln -s "$xsimd/xsimd" "$work/include/xsimd"
aarch64-linux-gnu-g++ -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -I"$VTEMPER_SOURCE/src" -I"$VTEMPER_BUILD/src" -isystem "$work/include" \
  -c "$VTEMPER_SOURCE/src/kernels/neon.cpp" -o "$work/neon.o"
aarch64-linux-gnu-nm --defined-only "$work/neon.o" | grep -q ' T vtemper_kernels_neon$'
