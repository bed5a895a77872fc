#!/bin/sh
# Garbage collection between all calls and within monitors, by one thread and by another. With a library built with
# AddressSanitizer, a read of arrays that Julia has freed fails the test; that this is detected is tested, too.
. "$(dirname "$0")/common.sh"
JULIA_NUM_THREADS=2
export JULIA_NUM_THREADS
julia "$package/test/runtests.jl" garbage

[ -n "$sanitized" ] || exit 0
cat >"$folder/wrong.jl" <<'JULIA'
using VTemper, VTemper.Verbs, SparseArrays
include(joinpath(ARGS[1], "test", "corpus.jl"))
function forgetful()
    data = Data(themes(2000))
    data.roots = nothing  # a mistake: the library still borrows the arrays
    return data
end
data = forgetful()
GC.gc(true)
GC.gc(true)
fit(LDA, data; k = 3, seed = 1, max_passes = 2)
JULIA
if julia "$folder/wrong.jl" "$package" >"$folder/log" 2>&1 || ! grep -q 'heap-use-after-free' "$folder/log"; then
  tail -n 40 "$folder/log"
  echo "the sanitizer did not find that the library read arrays which Julia had freed"
  exit 1
fi
