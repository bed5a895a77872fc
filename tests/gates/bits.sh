#!/bin/sh
# The same seed gives the same bits for any number of threads, on every instruction set of this machine and with float
# and double; instruction sets agree with each other up to rounding.
set -eu
[ -n "${VTEMPER:-}" ] || { echo "the command was not built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# 300 documents of 3 themes over 120 words, as LDA-C: "entries word:count ...".
awk 'BEGIN {
  state = 1
  for (document = 0; document < 300; ++document) {
    line = ""
    entries = 0
    for (word = 0; word < 120; ++word) {
      state = (state * 16807) % 2147483647
      common = int(word / 40) == document % 3 ? 4 : 40
      if (state % common == 0) {
        line = line " " word ":" 1 + state % 7
        ++entries
      }
    }
    print entries line
  }
}' >corpus.ldac

# fit SET THREADS METHOD PRECISION: writes lambda as text with all digits and prints the name of that file.
fit() {
  name=$1-$2-$3-$4
  VTEMPER_SIMD=$1 OMP_NUM_THREADS=8 "$VTEMPER" fit corpus.ldac -o "$name.model" --topics 7 --method "$3" --precision "$4" \
    --threads "$2" --batch-size 64 --max-passes 3 --seed 5 --quiet
  "$VTEMPER" get "$name.model" lambda -o "$name.csv"
  echo "$name.csv"
}

sets=scalar
for candidate in sse2 avx2 avx512 neon; do
  # A set that this machine or this build does not have is not used.
  if VTEMPER_SIMD=$candidate "$VTEMPER" --version | grep -qE "instruction set $candidate"; then sets="$sets $candidate"; fi
done
echo "instruction sets: $sets"

for precision in float double; do
  for method in svi tempering local_tempering; do
    for set in $sets; do
      one=$(fit "$set" 1 $method $precision)
      for threads in 2 8; do
        cmp "$one" "$(fit "$set" $threads $method $precision)"
      done
    done
  done
done

# Between sets: rounding only, in double. Proof that this comparison can fail: another seed differs.
for set in $sets; do
  paste -d, "scalar-1-svi-double.csv" "$set-1-svi-double.csv" | awk -F, -v set="$set" '
    { half = NF / 2
      for (i = 1; i <= half; ++i) {
        difference = $i - $(i + half)
        if (difference < 0) difference = -difference
        if (difference > 1e-7 * ($i < 0 ? -$i : $i)) { print set ": row " NR ", column " i ": " $i " and " $(i + half); exit 1 }
      }
    }'
done
"$VTEMPER" fit corpus.ldac -o other.model --topics 7 --method svi --batch-size 64 --max-passes 3 --seed 6 --quiet
"$VTEMPER" get other.model lambda -o other.csv
if cmp -s other.csv scalar-1-svi-float.csv; then
  echo "another seed gave the same bits: the gate is blind"
  exit 1
fi
