#!/bin/sh
# sh tests/bench/overhead_r.sh [BUILD [ROUNDS]]: what a fit from R costs more than one from C, in time and memory.
set -eu
cd "$(dirname "$0")/../.."
build=$PWD/${1:-build/release}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -O2 -D_XOPEN_SOURCE=700 -I include -I "$build/include" tests/bench/overhead.c -L "$build" -lvtemper -Wl,-rpath,"$build" \
  -o "$folder/overhead"
mkdir "$folder/library"
cp -r bindings/r/vtemper "$folder"
cp "$build/pkgconfig/vtemper-uninstalled.pc" "$folder/vtemper.pc"
PKG_CONFIG_PATH=$folder R CMD INSTALL --no-docs --library="$folder/library" "$folder/vtemper" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
export OMP_NUM_THREADS=1 R_LIBS="$folder/library" OVERHEAD="$folder/overhead"
Rscript --vanilla tests/bench/overhead.R "$folder/corpus"
Rscript --vanilla tests/bench/overhead.R "$folder/corpus" 2 20 "${2:-15}"
