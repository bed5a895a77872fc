#!/bin/sh
# Facts and sweeps as CSV, TSV and JSON.
. "$(dirname "$0")/common.sh"
ldac 200 1 >data.ldac
run 0 fit data.ldac -o m.model --topics 3 --max-passes 2 --quiet
run 0 info m.model --as csv
[ "$(head -1 out)" = "section,name,value" ]
verdict $? "the facts have no header: $(head -1 out)"
says out "^model,kind,lda$"
says out "^option,topics,3$"
says out "^parameter,lambda,3x40$"
says out "^fit,passes,2$"
run 0 info data.ldac -o facts.tsv
[ ! -s out ]
verdict $? "facts that go to a file are printed"
says facts.tsv "^data	rows	200$"
says facts.tsv "^data	tokens	6000$"
run 0 info data.ldac -o facts.json
if command -v python3 >/dev/null; then
  python3 -c 'import json; facts = {(f["section"], f["name"]): f["value"] for f in json.load(open("facts.json"))}; assert facts["data", "columns"] == "40"'
  verdict $? "the facts are no JSON: $(cat facts.json)"
fi
refused 2 "must end with .csv, .tsv or .json" info m.model -o facts.txt
refused 2 'no format "xml"' info m.model --as xml

run 0 sweep data.ldac --topics 2,3 --max-passes 2 --quiet --as tsv
count "lines of the table" 3 "$(wc -l <out)"
awk -F'\t' 'NR == 1 { ok = $1 == "topics" && $3 == "predictive" } NR > 1 { ok = ok && $2 == 1 && $3 < 0 && $4 == "" } END { exit !ok }' out
verdict $? "the table of a sweep is not one: $(cat out)"
run 0 sweep data.ldac --topics 2,3 --max-passes 2 --quiet --csv sweep.json
says out "^highest held-out score"
says sweep.json '"topics": 2, "fits": 1, "predictive": -'
refused 2 'no format "xml"' sweep data.ldac --topics 2 --as xml

# Every verb that asks for the format of data takes it: here words of a document cannot be told from a class label, unless the extension
# does it.
awk 'BEGIN { for (i = 0; i < 60; ++i) printf "1 %d:1\n", i % 40 }' >short.counts
for command in "split short.counts a b" "sweep short.counts --topics 2 --max-passes 1 --test short.counts -q" \
  "export m.model short.counts -o x.json" "fit short.counts --topics 2 --max-passes 1 -q -o x"; do
  refused 1 "the format of short.counts cannot be recognised; name it with --format: " $command
  run 0 $command --format ldac
done
run 0 info a
says out "^rows *54 documents$"
gzip -c short.counts >short.ldac.gz
mv short.counts short.libsvm
run 0 info short.ldac.gz
says out "^columns *40 words$"
run 0 info short.libsvm
says out "^columns *40 words$"
printf '2 1:1 2:1\n2 1:3 2:1\n' >both.svm
run 0 info both.svm
says out "^columns *2 words$"

# One of something is named in the singular; a file that would have no row is not written.
echo "1 0:1" >one.ldac
run 0 info one.ldac
says out "^rows *1 document$"
says out "^columns *1 word$"
says out "^entries *1 distinct word of a document$"
echo 0 >one.txt
run 0 info one.txt --format sequences
says out "^rows *1 sequence$"
says out "^columns *1 symbol$"
says out "^entries *1 symbol$"
echo 0.5 >one.csv
run 0 info one.csv
says out "^entries *1 value$"
run 0 fit one.ldac -o one.model --topics 1 --max-passes 1 --quiet
run 0 info one.model
says out "^columns *1 word$"
refused 1 "one.ldac has 1 row, of which none is left for two with --share 0.1" split one.ldac one two
[ ! -e one ] && [ ! -e two ]
verdict $? "a split that was refused left a file"
# What was probably meant otherwise is said.
awk 'BEGIN { print "id,x"; for (i = 17; i < 23; ++i) print i "," i % 2 }' >numbered.csv
awk 'BEGIN { print "id,x"; for (i = 17; i < 22; ++i) print i "," i % 2; print "21,0" }' >apart.csv
printf '2019,2020,2021\n1,0,2\n0,0,1\n3,1,1\n0,2,1\n' >years.csv
printf '0,1,2\n1,2,3\n0,0,1\n3,1,1\n0,2,1\n' >rising.csv
printf 'AACG\nGGT\nAACG\n' >letters.txt
for kind in gaussian_mixture lda deep_exponential_family; do
  run 0 fit numbered.csv -o x.model --model $kind --max-passes 1
  says err "numbered.csv: column 0 (id) holds consecutive numbers and counts as data"
  run 0 fit apart.csv -o x.model --model $kind --max-passes 1
  ! grep -q consecutive err
  verdict $? "numbers that are not consecutive: $(cat err)"
  run 0 fit years.csv -o x.model --model $kind --max-passes 1
  says err "years.csv: row 0 holds consecutive numbers and counts as data; remove it if it numbers the columns"
  run 0 fit rising.csv -o x.model --model $kind --max-passes 1
  ! grep -q consecutive err
  verdict $? "several rows of consecutive numbers: $(cat err)"
done
# Rows of which every value is missing are fitted by no component and scored as 0.
printf 'a,b\n0,1\n1,0\n,\n1,1\nNA,NA\n,1\n0,0\n' >gaps.csv
printf 'a,b\n0,1\n1,0\n1,1\n,1\n0,0\n,\n' >gap.csv
for kind in gaussian_mixture bernoulli_mixture; do
  run 0 fit gaps.csv -o x.model --model $kind --components 2 --max-passes 1
  says err "^gaps.csv: 2 of 7 rows have no value, the first is row 2; a mixture is fitted without them, and a mean score counts each as 0"
  run 0 infer x.model gaps.csv --quantity log_density
  count "rows that are scored as 0" 2 "$(grep -c '^0$' out)"
  run 0 fit gap.csv -o x.model --model $kind --components 2 --max-passes 1
  says err "^gap.csv: 1 of 6 rows has no value, it is row 5; a mixture is fitted without it, and a mean score counts it as 0"
done
run 0 convert gaps.csv gaps.corpus
says err "^gaps.csv: 2 of 7 rows have no value"
run 0 fit numbered.csv -o x.model --model gaussian_mixture --max-passes 1
! grep -q "no value" err
verdict $? "rows that are complete: $(cat err)"
# Columns with one value in nearly all rows.
awk 'BEGIN { print "a,b,c"; for (i = 0; i < 40; ++i) print i % 7 "," (i == 9 ? 1 : 0) ",3" }' >crowded.csv
run 0 fit crowded.csv -o x.model --model gaussian_mixture --max-passes 1
says err '^crowded.csv: 2 of 3 columns have one value in 90 % of the rows or more, the first is column 1 "b" (0 in 97.5 %); there a Gaussian density'
awk 'BEGIN { print "a,b"; for (i = 0; i < 40; ++i) print i % 7 "," (i % 9 ? 1 : i) }' >uncrowded.csv
run 0 fit uncrowded.csv -o x.model --model gaussian_mixture --max-passes 1
! grep -q "one value" err
verdict $? "columns that vary: $(cat err)"
run 0 fit letters.txt -o x.model --model hidden_markov --states 2 --format word_sequences
says err "letters.txt: every sequence has one symbol; symbols are separated by blanks"
sed 's/./& /g' letters.txt >separated.txt
run 0 fit separated.txt -o x.model --model hidden_markov --states 2 --format word_sequences
! grep -q "one symbol" err
verdict $? "sequences of letters: $(cat err)"
# What is no format of data is named, with what helps.
blanks="blanks.txt cannot be recognised: it holds numbers with blanks between; .*awk '{ \$1 = \$1 } 1' OFS=, blanks.txt makes a CSV"
printf ' 1 2.5\n3  4e1\n-1 2\n' >blanks.txt
for kind in gaussian_mixture lda; do refused 1 "$blanks" fit blanks.txt -o x.model --model $kind; done
awk '{ $1 = $1 } 1' OFS=, blanks.txt >blanks.csv
run 0 info blanks.csv
says out "^columns *2$"
printf '0 1 2\n1 0\n' >symbols.txt
refused 1 "the format of symbols.txt has to be named: --format sequences" fit symbols.txt -o x.model --model hidden_markov
printf 'PK\003\004rest of it' >book.xlsx
printf 'PAR1\000rest of it' >table.parquet
printf '\211HDF\r\n\032\n\000rest of it' >table.h5
printf 'X\n\000\000\000\003rest of it' | gzip -c >object.rds
for file in "book.xlsx is a ZIP archive or an office document" "table.parquet is a Parquet file" "table.h5 is an HDF5 file" \
  "object.rds is an object of R"; do
  for kind in gaussian_mixture lda hidden_markov; do
    refused 1 "$file; export its data as CSV" fit ${file%% *} -o x.model --model $kind
  done
done
finish
