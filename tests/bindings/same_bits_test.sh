#!/bin/sh
# The same corpus, options and seed give the same bits from C, the command, Julia, R and Python. Compared is what
# the command reads from their model files: lambda and alpha, with all digits.
# Front ends that cannot run here are left out and reported.
set -eu
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*(asan|tsan|ubsan)'; then
  echo "The optimised library is compared."
  exit 77
fi
[ -x "${VTEMPER:-}" ] || { echo "VTEMPER does not name the command."; exit 77; }
here=$VTEMPER_SOURCE/tests/bindings
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Documents of 30 tokens, most of them of one of four themes of ten words.
awk 'function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
  BEGIN {
    state = 7
    for (d = 0; d < 200; ++d) {
      split("", counts)
      theme = int(uniform() * 4)
      for (n = 0; n < 30; ++n) ++counts[(uniform() < 0.8 ? theme : int(uniform() * 4)) * 10 + int(uniform() * uniform() * 10)]
      unique = 0
      line = ""
      for (word = 0; word < 40; ++word) if (word in counts) { ++unique; line = line " " word ":" counts[word] }
      print unique line
    }
  }' >corpus.ldac

by_c() { ./same_bits corpus.ldac "$1" "$2"; }
by_command() {
  "$VTEMPER" fit corpus.ldac -o "$2" --topics 4 --alpha 0.2 --method "$1" --seed 11 --max-passes 5 --quiet
}
by_julia() {
  (
    . "$here/julia/common.sh"
    julia -e 'using VTemper, VTemper.Verbs
      model = fit(LDA, ARGS[1]; k = 4, alpha = 0.2, method = ARGS[2], seed = 11, max_passes = 5)
      save(model, ARGS[3])' corpus.ldac "$1" "$2"
  )
}
# The package is installed once, for the first method.
r_library=$folder/r
by_r() {
  (
    from=$PWD
    [ -d "$r_library" ] || installs=yes
    mkdir -p "$r_library"
    R_LIBRARY=$r_library
    . "$here/r/common.sh"
    [ -z "${installs:-}" ] || install_package --no-docs
    rscript -e 'library(vtemper)
      arguments <- commandArgs(TRUE)
      fit <- vt_lda(arguments[1], 4, alpha = 0.2, method = arguments[2], seed = 11, max_passes = 5)
      vt_save(fit, arguments[3])' "$from/corpus.ldac" "$1" "$from/$2"
  )
}
by_python() {
  (
    from=$PWD
    . "$here/python/common.sh"
    run_python -c 'import sys, vtemper
_, corpus, method, path = sys.argv
vtemper.LDA(4, alpha=0.2, method=method, random_state=11, max_passes=5).fit(corpus).save(path)' "$from/corpus.ldac" "$1" "$from/$2"
  )
}

arrays() { "$VTEMPER" get "$1" lambda && "$VTEMPER" get "$1" alpha; }

methods="svi annealing tempering local_tempering"
left_out=
compared=0

# compare NAME: every method's model equals that of C.
compare() {
  for method in $methods; do
    status=0
    "by_$1" $method "$1.$method" >"$1.log" 2>&1 || status=$?
    if [ $status -eq 77 ]; then
      left_out="$left_out $1"
      return 0
    fi
    [ $status -eq 0 ] || { cat "$1.log"; echo "$1 with $method ended with $status"; exit 1; }
    arrays "$1.$method" >"$1.$method.arrays"
    cmp "c.$method.arrays" "$1.$method.arrays" || { echo "$1 and C differ with $method"; exit 1; }
  done
  compared=$((compared + 1))
}

cc -I "$VTEMPER_SOURCE/include" -I "$VTEMPER_BUILD/include" "$here/same_bits.c" "$VTEMPER_LIBRARY" \
  -Wl,-rpath,"$(dirname "$VTEMPER_LIBRARY")" -o same_bits
for method in $methods; do
  by_c $method "c.$method"
  arrays "c.$method" >"c.$method.arrays"
done
if cmp -s c.svi.arrays c.annealing.arrays; then
  echo "all methods give the same model"
  exit 1
fi

compare command
compare julia
compare r
compare python
echo "C and $compared others give the same bits${left_out:+; left out, as they cannot run here:$left_out}"
