#!/bin/sh
# Dense rows: a Gaussian mixture from CSV to what it infers, its parameters and its picture.
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
run 0 evaluate m.model rows.csv
run 0 evaluate m.model rows.csv --measure elbo
run 0 infer m.model rows.csv
count "responsibilities" 120 "$(wc -l <out)"
awk -F, '{ if ($1 + $2 + $3 < 0.999 || NF != 3) exit 1 }' out
verdict $? "responsibilities do not add up to one"
run 0 infer m.model rows.csv --quantity log_density -o d.csv
count "densities" 120 "$(wc -l <d.csv)"
run 0 get m.model covariance -o c.npy
count "bytes of covariance" $((128 + 3 * 2 * 2 * 8)) "$(wc -c <c.npy)"
head -c 128 c.npy | grep -q "(3, 2, 2)"
verdict $? "the shape of the covariances is wrong"

refused 2 "did you mean" infer m.model rows.csv --quantity responsibility
refused 2 "infers no" infer m.model rows.csv --quantity proportions
refused 1 "has no topics" topics m.model
refused 1 "counts of words" fit rows.csv -o x.model --model lda
printf '1,2\n3\n4,5\n' >wrong.csv
refused 1 "cannot be told" fit wrong.csv -o x.model --model gaussian_mixture
finish
