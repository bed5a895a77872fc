#!/bin/sh
# Whichever OpenBLAS is installed (serial, pthread or openmp), and whatever other BLAS the process has: the command names it;
# a fit of 150 columns, whose factorisations consist of products, gives the same numbers up to rounding, and the same bits
# for any number of threads, ours or OpenBLAS's (which do no work: api/blas_threads_test.c).
set -eu
[ -n "${VTEMPER:-}" ] || { echo "the command was not built"; exit 77; }
if nm -D --undefined-only "$VTEMPER_LIBRARY" | grep -qE '__(asan|tsan|ubsan)'; then
  echo "built with sanitizers"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk 'BEGIN {
  state = 1
  for (row = 0; row < 400; ++row) {
    line = ""
    for (column = 0; column < 150; ++column) {
      state = (state * 16807) % 2147483647
      line = line (column ? "," : "") (row % 2 ? 3 : 0) * (column % 3) + state / 2147483647
    }
    print line
  }
}' >points.csv

# fit NAME THREADS BLAS_THREADS: writes the means with all digits.
fit() {
  OPENBLAS_NUM_THREADS=$3 OMP_NUM_THREADS=8 "$VTEMPER" fit points.csv -o "$1.model" --model gaussian_mixture --components 2 \
    --covariance independent --start random --threads "$2" --max-passes 5 --seed 3 --quiet
  "$VTEMPER" get "$1.model" precision.scale >"$1.csv"
}

folders=/usr/lib/$(cc -print-multiarch 2>/dev/null || uname -m)
number=0
check() {
  number=$((number + 1))
  "$VTEMPER" --version | grep -q "BLAS $1" || { echo "$2: --version does not name $1:"; "$VTEMPER" --version; exit 1; }
  fit "$number" 1 1
  for threads in 2 8; do
    fit again "$threads" 8
    cmp "$number.csv" again.csv
  done
  [ "$number" -gt 1 ] || cp 1.csv first.csv
  paste -d, first.csv "$number.csv" | awk -F, -v blas="$2" '
    { half = NF / 2
      for (i = 1; i <= half; ++i) { size = $i < 0 ? -$i : $i; if (size > largest) largest = size }
      for (i = 1; i <= half; ++i) { d = $i - $(i + half); if (d < 0) d = -d; if (d > worst) worst = d } }
    END { print blas ": largest difference " worst " of " largest; exit !(NR > 0 && largest > 0 && worst <= 1e-9 * largest) }'
}

check "" "as installed"
for kind in pthread openmp serial; do
  [ -e "$folders/openblas-$kind/libopenblas.so.0" ] || continue
  export LD_LIBRARY_PATH="$folders/openblas-$kind"
  # The code of each core is used if it is as wide as ours.
  for core in Prescott Haswell SkylakeX; do
    case $core in
      SkylakeX) grep -qw avx512bw /proc/cpuinfo 2>/dev/null || continue ;;
      Haswell) grep -qw avx2 /proc/cpuinfo 2>/dev/null || continue ;;
      *) grep -qw sse2 /proc/cpuinfo 2>/dev/null || continue ;;
    esac
    export OPENBLAS_CORETYPE=$core
    for set in scalar sse2 avx2 avx512; do
      VTEMPER_SIMD=$set "$VTEMPER" --version | grep -q "instruction set $set" || continue
      [ "$set" = scalar ] || [ "$core $set" = "Haswell avx2" ] || [ "$core $set" = "SkylakeX avx512" ] || continue
      export VTEMPER_SIMD=$set
      check "libopenblas.*core $core)" "OpenBLAS $kind $core beside $set"
      unset VTEMPER_SIMD
    done
  done
  unset LD_LIBRARY_PATH OPENBLAS_CORETYPE
done
if [ -e "$folders/blas/libblas.so.3" ]; then
  export LD_PRELOAD="$folders/blas/libblas.so.3"
  check "libopenblas" "OpenBLAS beside the reference BLAS"
  unset LD_PRELOAD
fi
