#!/bin/sh
# One model file, read by the command, R, Julia and Python, gives the same numbers of the same new data, in the shapes and with the
# first numbers that bindings/README.md says: proportions, words by relevance, scores, paths, densities, names and dates of rows.
# A front end that cannot run here is left out and reported.
set -eu
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*(asan|tsan|ubsan)'; then
  echo "The optimised library is compared."
  exit 77
fi
[ -x "${VTEMPER:-}" ] || { echo "VTEMPER does not name the command."; exit 77; }
here=$VTEMPER_SOURCE/tests/bindings
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

# Documents of two themes; two topics fitted to them are distinct, a third is superfluous.
awk 'BEGIN { for (d = 0; d < 40; ++d) { line = ""; for (n = 0; n < 6; ++n) line = line (d % 2 ? " sea" : " star") (d * 7 + n * n) % 5; print line } }' >texts
"$VTEMPER" convert --text texts train.corpus --min-documents 1 --max-share 1 --language none --quiet
"$VTEMPER" fit train.corpus -o topics.model --topics 3 --method vi --seed 4 --quiet
printf '1 2\n2 3\n11 12\n12 12\n13 11\n3 1\n' | tr ' ' , >points.csv
"$VTEMPER" fit points.csv -o mixture.model --model gaussian_mixture --components 2 --seed 2 --quiet
awk 'BEGIN { for (s = 0; s < 8; ++s) { for (i = 0; i < 12; ++i) printf "%d ", int((i + s) / 6) % 2 ? 2 : i * i % 3; print "" } }' >walks.txt
"$VTEMPER" fit walks.txt --format sequences -o states.model --model hidden_markov --states 2 --seed 3 --quiet

# New documents, of which "zebra" is unknown to the model, and with names and dates.
printf 'id\tday\ttext\na\t2020-01-01\tsea0 sea1 sea1 zebra\nb\t2020-01-02\tstar2 star0 zebra zebra\n' >new.tsv
"$VTEMPER" convert --text new.tsv new.corpus --column text --id-column id --date-column day --min-documents 1 --max-share 1 \
  --language none --quiet
printf '0 1\n1\n' >short.txt # without the last symbol


# Lines "name,value,value,...": matrices row by row, places counted from 0 and none as -1. Each front end prints its own.
by_command() {
  flat() { tr '\n' , | sed "s/^/$1,/; s/,$//"; echo; }
  "$VTEMPER" infer topics.model new.corpus -o shares.csv 2>told
  grep -q '3 .*not know' told || { cat told; echo "the command did not tell of the unknown words"; exit 1; }
  sed 1d shares.csv | cut -d, -f4- | flat proportions
  sed 1d shares.csv | cut -d, -f3 | flat dates
  "$VTEMPER" get topics.model topics | flat topics
  "$VTEMPER" get topics.model duplicate_of | flat duplicate_of
  "$VTEMPER" evaluate topics.model train.corpus --measure perplexity --seed 5 --quiet | flat perplexity
  "$VTEMPER" evaluate topics.model train.corpus --measure elbo --quiet | flat elbo
  "$VTEMPER" topics topics.model --words 3 --rank relevance -o words.csv
  # Columns by their names: topic, rank and word, among others.
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next } { print $at["topic"] "," $at["rank"] "," $at["word"] }' words.csv |
    sort -t, -k1n,1 -k2n,2 | cut -d, -f3 | flat words
  "$VTEMPER" infer mixture.model points.csv --quantity log_density | flat density
  "$VTEMPER" infer states.model walks.txt --format sequences --quantity path | flat path
  "$VTEMPER" infer states.model short.txt --format sequences --quantity marginals | flat short
}
by_r() {
  (
    . "$here/r/common.sh"
    install_package --no-docs
    rscript "$here/same_results.R" "$place"
  )
}
by_julia() {
  (
    . "$here/julia/common.sh"
    julia "$here/same_results.jl"
  )
}
by_python() {
  (
    . "$here/python/common.sh"
    run_python "$VTEMPER_SOURCE/tests/bindings/same_results.py"
  )
}

by_command >command.out
for line in proportions=6 dates=2 topics=30 duplicate_of=3 perplexity=1 elbo=1 words=9 density=6 path=96 short=6; do
  awk -F, -v name="${line%=*}" -v count="${line#*=}" '$1 == name && NF == count + 1 { found = 1 } END { exit !found }' command.out ||
    { cat command.out; echo "the command gave no ${line#*=} values of ${line%=*}"; exit 1; }
done
[ "$(grep '^path' command.out | tr , '\n' | sort -u | wc -l)" -eq 3 ] || { echo "the path has not both states"; exit 1; }
grep -q '^duplicate_of,.*-1' command.out && grep '^duplicate_of' command.out | grep -qE ',[0-2](,|$)' ||
  { grep duplicate_of command.out; echo "the topics have no duplicate, or nothing else"; exit 1; }

left_out=
compared=
for front in r julia python; do
  status=0
  by_$front >$front.out 2>$front.log || status=$?
  if [ $status -eq 77 ]; then
    left_out="$left_out $front"
    continue
  fi
  [ $status -eq 0 ] || { cat $front.out $front.log; echo "$front ended with $status"; exit 1; }
  grep -q '3 tokens of words that the model does not know' $front.log || { cat $front.log; echo "$front did not tell of the unknown words"; exit 1; }
  # Numbers are equal as numbers, texts as texts.
  awk -F, -v front=$front '
    function fail(text) { print front ": " text; failed = 1; exit 1 }
    NR == FNR { expected[$1] = $0; next }
    {
      if (!($1 in expected)) fail("gave " $1 ", which the command does not")
      count = split(expected[$1], values, ",")
      if (NF != count) fail($1 " has " NF - 1 " values, not " count - 1)
      for (i = 2; i <= NF; ++i)
        if ($1 == "words" || $1 == "dates" ? $i "" != values[i] "" : $i + 0 != values[i] + 0) fail($1 "[" i - 1 "] is " $i ", not " values[i])
      seen[$1] = 1
    }
    END { if (!failed) for (name in expected) if (!(name in seen)) fail("gave no " name) }' command.out $front.out || exit 1
  compared="$compared $front"
done
echo "The command's results are those of:$compared${left_out:+; left out, as they cannot run here:$left_out}"
