#!/bin/sh
# sh tests/bench/overhead_python.sh [BUILD [ROUNDS]]: what a fit from Python costs more than one from C, in time and memory.
set -eu
cd "$(dirname "$0")/../.."
build=$PWD/${1:-build/release}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -O2 -D_XOPEN_SOURCE=700 -I include -I "$build/include" tests/bench/overhead.c -L "$build" -lvtemper -Wl,-rpath,"$build" \
  -o "$folder/overhead"
export OVERHEAD="$folder/overhead" VTEMPER_LIBRARY="$build/libvtemper.so" OMP_NUM_THREADS=1 PYTHONPATH="$PWD/bindings/python/src"
python=/usr/bin/python3
[ -x $python ] || python=python3
$python tests/bench/overhead.py "$folder/corpus"
$python tests/bench/overhead.py "$folder/corpus" 1 50 "${2:-15}"
