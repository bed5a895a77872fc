#!/bin/sh
# sh tests/bench/overhead_julia.sh [BUILD]: what a fit from Julia costs more than one from C, in CPU time and memory.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/release}
julia=build/julia/bin/julia
[ -x $julia ] || julia=julia
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -O2 -I include -I "$build/include" tests/bench/overhead.c -L "$build" -lvtemper -Wl,-rpath,"$PWD/$build" -o "$folder/overhead"
OVERHEAD=$folder/overhead VTEMPER_LIBRARY=$PWD/$build/libvtemper.so OMP_NUM_THREADS=1 JULIA_DEPOT_PATH=$folder/depot \
  $julia --startup-file=no tests/bench/overhead.jl "$PWD/bindings/julia/VTemper" "$folder/corpus" 1 50 7
