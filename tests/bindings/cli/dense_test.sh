#!/bin/sh
# Dense rows: a Gaussian mixture from CSV to inferred values, its parameters and its picture.
. "$(dirname "$0")/common.sh"

# Three clusters of 40 rows in two named columns.
awk 'BEGIN { print "length,width"
  for (i = 0; i < 120; ++i) printf "%.3f,%.3f\n", i % 3 * 8 + i * 7 % 11 / 8, (i % 3 == 1) * 6 + i * 5 % 13 / 8 }' >rows.csv
tail -n +2 rows.csv | head -n 30 >test.csv

run 0 info rows.csv
grep -q "dense rows" out && grep -q "length width" out
verdict $? "info does not say what is in a CSV file"

run 0 fit rows.csv -o m.model --model gaussian_mixture --components 3 --seed 2 --test test.csv --trace t.csv --threads 1
run 0 info m.model --picture means.svg
grep -q "components by weight" out && ! grep -q "components repeat" out
verdict $? "info does not list the components, or they merged"
grep -q "</svg>" means.svg
verdict $? "the picture is not whole"
says means.svg "<title>Means of the components, by weight</title>"
says means.svg "weight (share of the rows)"
says means.svg "columns from length to width; up: from -\\?[0-9.]* to [0-9.]*<"
count "named points of the picture" 6 "$(grep -c '<title>[a-z]*: -\?[0-9.]*</title></circle>' means.svg)"
run 0 evaluate m.model rows.csv
run 0 evaluate m.model rows.csv --measure elbo
# The command makes the library's starts.
run 0 info m.model
says out "restarts  *ELBO -[0-9.]* at best of 20 starts (kept: seed [0-9]*), -[0-9.]* at worst$"
run 0 infer m.model rows.csv
count "responsibilities" 120 "$(wc -l <out)"
awk -F, '{ sum = $1 + $2 + $3; if (sum < 0.999 || sum > 1.001 || NF != 3) exit 1 }' out
verdict $? "responsibilities do not add up to one"
run 0 infer m.model rows.csv --quantity log_density -o d.csv
says d.csv "^row,log_density$"
count "densities and their header" 121 "$(wc -l <d.csv)"
# Missing values get their expectation; the others stay, under the names of their columns.
printf 'length,width\n4.5,\n0.25,0.75\n,\n' >holes.csv
run 0 infer m.model holes.csv --quantity completed --as csv
says out '^row,length,width$'
says out '^1,0.25,0.75$'
awk -F, 'NR == 2 && ($2 != 4.5 || $3 == "") { bad = 1 } NR == 4 && ($2 < 4 || $2 > 12) { bad = 1 }
  END { exit bad || NR != 4 }' out
verdict $? "missing values are not completed"
# Columns are not brought into the model's order, so the advice is to do that.
printf 'width,length\n0.75,0.25\n' >turned.csv
refused 1 'column 0 is "width" in the data and "length" in the model; order the columns of the data as in the model$' \
  infer m.model turned.csv
run 0 get m.model covariance
tr , '\n' <out >numbers
run 0 get m.model covariance -o c.csv
says c.csv "^component,row,length,width$"
sed 1d c.csv | cut -d, -f3- | tr , '\n' >numbers.csv
same "covariances on stdout and in a file" numbers numbers.csv
sed 1d c.csv | cut -d, -f1,2 | tr '\n' ' ' >places
says places "0,0 0,1 1,0 1,1 2,0 2,1"
run 0 get m.model covariance -o c.npy
count "bytes of covariance" $((128 + 3 * 2 * 2 * 8)) "$(wc -c <c.npy)"
head -c 128 c.npy | grep -q "(3, 2, 2)"
verdict $? "the shape of the covariances is wrong"

# The picture of zeros and ones shows the probabilities of a one.
awk 'BEGIN { print "a,b,c,d"; for (i = 0; i < 60; ++i) print (i % 2 ? "1,1,0," : "0,0,1,") i % 3 % 2 }' >ones.csv
run 0 fit ones.csv -o ones.model --model bernoulli_mixture --components 2 --seed 1 --quiet
run 0 info ones.model --picture ones.svg
says out "^components by weight$"
says out "component *weight *probability of a one in each column$"
count "components of zeros and ones" 2 "$(grep -c '^ *[01]   *0\.5[0-9]*   *0\.[0-9]* 0\.[0-9]* 0\.[0-9]* 0\.[0-9]*$' out)"
says ones.svg "<title>Probabilities of a one of the components, by weight</title>"
says ones.svg "columns from a to d; up: from 0 to 1<"
count "named points of the picture of ones" 8 "$(grep -c '<title>[a-d]: 0\.[0-9]*</title></circle>' ones.svg)"

run 0 convert rows.csv rows.corpus
grep -q "120 rows, 2 columns" err
verdict $? "convert does not say what it wrote"
run 0 info rows.corpus --verify
grep -q "dense rows" out && ! grep -q tokens out
verdict $? "a mapped file of dense rows is not recognised"
run 0 fit rows.corpus -o again.model --model gaussian_mixture --components 3 --seed 2 --threads 1 --quiet
run 0 fit rows.corpus -o bare.model --model gaussian_mixture --components 3 --max-passes 1 --learn-priors --quiet
run 0 fit rows.corpus -o given.model --model gaussian_mixture --components 3 --max-passes 1 --learn-priors true --quiet
same "a choice without a value and true" bare.model given.model
run 0 get m.model mean -o mean.csv
run 0 get again.model mean -o again.csv
same "means from the mapped rows" mean.csv again.csv
run 0 split rows.corpus most.corpus rest.corpus --share 0.25
run 0 info rest.corpus
grep -q "^rows *30$" out
verdict $? "split does not write dense rows"

# Rows of two shapes of 4 x 4 that add up.
awk 'BEGIN { srand(3); for (i = 0; i < 200; ++i) { a = i % 2; b = int(i / 2) % 2; line = ""
  for (j = 0; j < 16; ++j) line = line (j ? "," : "") sprintf("%.3f", a * (j < 4) + b * (j % 4 == 3) + 0.02 * (i * 7 % 11 - j % 5))
  print line } }' >shapes.csv
run 0 fit shapes.csv -o f.model --model factorial_mixture --components 5 --noise-variance 0.02 --seed 4 --threads 1
run 0 info f.model --picture shapes.svg
grep -q "components by size" out && grep -q "components unused" out && ! grep -q tokens out
verdict $? "info does not list the components of a factorial mixture, or names no unused one"
grep -q "by size" shapes.svg && grep -q "</svg>" shapes.svg
verdict $? "the picture of the factorial mixture is not whole"
run 0 evaluate f.model shapes.csv
run 0 evaluate f.model shapes.csv --measure elbo
run 0 infer f.model shapes.csv
count "rows of activations" 200 "$(wc -l <out)"
awk -F, '{ for (k = 1; k <= 5; ++k) if (NF != 5 || $k < 0 || $k > 1) exit 1 }' out
verdict $? "activations are no probabilities"
run 0 get f.model mean -o f.csv
count "components and their header" 6 "$(wc -l <f.csv)"
refused 1 "has no topics" topics f.model

refused 2 "did you mean" infer m.model rows.csv --quantity responsibility
refused 2 "those of gaussian_mixture are predictive, perplexity, elbo, log_normalizer$" evaluate m.model rows.csv \
  --measure active_units
refused 2 "infers no" infer m.model rows.csv --quantity proportions
refused 1 "has no topics" topics m.model
refused 1 "rows.csv holds dense rows, and lda needs counts: whole numbers from 0; row 1, column 0 (length) holds 8.875$" \
  fit rows.csv -o x.model --model lda

# A table of counts is read as counts: the model is that of the same counts in a format of their own.
ldac 60 5 >table.ldac
words 40 >words.txt
awk 'BEGIN { for (j = 0; j < 40; ++j) printf "word%c%d%s", 97 + int(j / 10), j % 10, j < 39 ? "," : "\n" }
  { split("", n); for (i = 2; i <= NF; ++i) { split($i, e, ":"); n[e[1]] = e[2] }
    for (j = 0; j < 40; ++j) printf "%d%s", n[j], j < 39 ? "," : "\n" }' table.ldac >table.csv
for kind in "lda --topics 3" "deep_exponential_family"; do
  run 0 fit table.ldac -o sparse.model --vocabulary words.txt --model $kind --max-passes 2 --test table.ldac --quiet
  run 0 fit table.csv -o table.model --model $kind --max-passes 2 --test table.csv --checkpoint table.checkpoint
  count "notes about the table and the test table of $kind" 2 \
    "$(grep -c '^table.csv: the dense rows are whole numbers and are read as counts$' err)"
  same "$kind of a table and of counts" sparse.model table.model
done
run 0 fit table.csv -o table.model --topics 3 --max-passes 2 --checkpoint table.checkpoint --quiet
[ ! -s err ]
verdict $? "--quiet says: $(cat err)"
run 0 convert table.csv table.corpus --quiet
for command in "infer table.model" "evaluate table.model" "documents table.model"; do
  run 0 $command table.ldac
  cp out sparse.out
  for file in table.csv table.corpus; do
    run 0 $command $file
    same "$command of $file and of counts" out sparse.out
  done
done
# Weights of the rows stay, which only the library sets.
if command -v python3 >/dev/null && ! nm -D --undefined-only "$VTEMPER_LIBRARY" | grep -qE '__(asan|tsan|ubsan)'; then
  run 0 convert table.ldac sparse.corpus --vocabulary words.txt --quiet
  python3 -c 'import ctypes, os
library = ctypes.CDLL(os.environ["VTEMPER_LIBRARY"])
for path in (b"table.corpus", b"sparse.corpus"):
    data = ctypes.c_void_p()
    weights = (ctypes.c_double * 60)(*[row % 3 for row in range(60)])
    assert library.vtemper_data_read(path, None, ctypes.byref(data)) == 0
    assert library.vtemper_data_set_weights(data, weights, ctypes.c_int64(60)) == 0
    assert library.vtemper_data_write(data, b"weighted_" + path) == 0'
  verdict $? "data cannot be given weights"
  run 0 fit weighted_sparse.corpus -o sparse.model --topics 3 --max-passes 2 --quiet
  run 0 fit weighted_table.corpus -o weighted.model --topics 3 --max-passes 2 --quiet
  same "a model of weighted rows of a table and of counts" sparse.model weighted.model
fi
run 0 fit table.csv -o longer.model --resume table.checkpoint --more-passes 1
says err "^table.csv: the dense rows are whole numbers and are read as counts$"
run 0 fit table.csv -o longer.model --continue table.model --quiet
run 0 sweep table.csv --topics 2 --max-passes 1
run 0 report table.model -o table.html --data table.csv
run 0 split table.csv most.corpus rest.corpus
run 0 info rest.corpus
says out "dense rows"
printf 'a,b\n1,2\n3,-1\n' >negative.csv
refused 1 "needs counts: whole numbers from 0; row 1, column 1 (b) holds -1$" fit negative.csv -o x.model
printf '1,2\n,1\n' >hole.csv
refused 1 "lda needs counts: whole numbers from 0; row 1, column 0 is missing$" infer table.model hole.csv

printf '1,2\n3\n4,5\n' >wrong.csv
refused 1 "wrong.csv, line 2: row 1 has 1 field, but the first line has 2" fit wrong.csv -o x.model --model gaussian_mixture
printf '1 2\n3 4\n' >blanks.csv
refused 1 "fields are separated by commas, semicolons or tabs, not by blanks" fit blanks.csv -o x.model \
  --model gaussian_mixture
# The same rows as they come from elsewhere: tabs, semicolons with decimal commas, a column of names of the rows.
run 0 convert rows.csv points.corpus --quiet
tr , '\t' <rows.csv >rows.tsv
sed 'y/,./;,/' rows.csv >semicolons.txt
for table in rows.tsv semicolons.txt; do
  run 0 convert $table table.corpus --quiet
  same "rows of $table" points.corpus table.corpus
done
awk 'NR == 1 { print "," $0 } NR > 1 { print "point" NR "," $0 }' rows.csv >named.csv
run 0 infer m.model named.csv -o named_rows.csv
says named_rows.csv "^0,point2,"
printf 'x,y\n' >header.csv
refused 1 "the data have no rows" fit header.csv -o x.model --model gaussian_mixture
refused 1 "read from /dev/stdin" fit - -o x.model --model gaussian_mixture

# A prior far from the data: the fit ends, with a model that can be used or with a message, and hears a signal.
awk 'BEGIN { for (i = 0; i < 60; ++i) printf "%.4f,%.4f\n", 5 * (i % 2) + i % 7 / 10, i % 5 / 10 }' >far.csv
for prior in 1e9 1e12 1e100; do
  for covariance in normal_wishart independent; do
    rm -f far.model
    timeout -k 5 60 "$VTEMPER" fit far.csv -o far.model --model gaussian_mixture --components 3 --covariance $covariance \
      --mean-prior $prior --quiet 2>err
    status=$?
    [ $status -eq 1 ] || [ $status -eq 0 ]
    verdict $? "mean prior $prior, $covariance: ended with $status: $(cat err)"
    [ $status -ne 0 ] || run 0 evaluate far.model far.csv
  done
done
"$VTEMPER" fit far.csv -o endless.model --model gaussian_mixture --components 3 --mean-prior 1e12 --tolerance 0 \
  --max-iterations 1000000000 --quiet 2>err &
child=$!
sleep 0.5
kill -TERM $child 2>/dev/null
waited=0
while kill -0 $child 2>/dev/null && [ $waited -lt 300 ]; do
  sleep 0.1
  waited=$((waited + 1))
done
[ $waited -lt 300 ]
verdict $? "a fit with a prior far from the data does not hear SIGTERM"
kill -9 $child 2>/dev/null
wait $child 2>/dev/null
finish
