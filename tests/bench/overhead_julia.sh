#!/bin/sh
# sh tests/bench/overhead_julia.sh [BUILD [ROUNDS]]: what a fit from Julia costs more than one from C, in time and memory.
set -eu
cd "$(dirname "$0")/../.."
build=$PWD/${1:-build/release}
julia=build/julia/bin/julia
[ -x $julia ] || julia=julia
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -O2 -D_XOPEN_SOURCE=700 -I include -I "$build/include" tests/bench/overhead.c -L "$build" -lvtemper -Wl,-rpath,"$build" \
  -o "$folder/overhead"
export OVERHEAD="$folder/overhead" VTEMPER_LIBRARY="$build/libvtemper.so" OMP_NUM_THREADS=1 JULIA_DEPOT_PATH="$folder/depot"
run="$julia --startup-file=no tests/bench/overhead.jl $PWD/bindings/julia/VTemper $folder/corpus"
$run
$run 1 50 "${2:-15}"
