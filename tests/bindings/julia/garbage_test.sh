#!/bin/sh
# Garbage collection between all calls and within monitors, by one thread and by another.
. "$(dirname "$0")/common.sh"
JULIA_NUM_THREADS=2
export JULIA_NUM_THREADS
julia "$package/test/runtests.jl" garbage
