#!/bin/sh
# vtemper sweep: the table, its CSV and picture, kept models, seeds, Ctrl-C.
. "$(dirname "$0")/common.sh"
ldac 300 1 >all.ldac
ldac 80 2 >test.ldac
words 40 >words.txt
usual="--vocabulary words.txt --max-passes 5 --batch-size 50"

run 0 sweep all.ldac --topics 2,4,6 --seeds 2 --seed 5 $usual --csv s.csv --svg s.svg --save-models kept --quiet
[ ! -s err ]
verdict $? "--quiet is not silent: $(cat err)"
count "lines of the table" 5 "$(wc -l <out)"
says out "^topics  *held-out  *coherence  *diversity  *seconds"
says out "^ *4  *-[0-9.]* +- [0-9.]*  *[0-9.-]* +- "
says out "^highest held-out score: [246] topics; highest coherence: [246] topics"
count "rows of the CSV" 4 "$(wc -l <s.csv)"
count "models kept" 6 "$(ls kept | wc -l)"
head -1 s.csv >header
echo "topics,fits,predictive,predictive_spread,coherence_npmi,coherence_npmi_spread,topic_diversity,topic_diversity_spread,seconds,seconds_spread" >wanted
same "header of the CSV" header wanted
says s.svg "^<svg "
count "points of the picture" 9 "$(grep -c 'class="panel-dot' s.svg)"
grep -qi "nan\|inf" s.svg s.csv && verdict 1 "nan in the files"

# The numbers are those of the kept models: the split is that of vtemper split with the same share and seed.
run 0 convert all.ldac all.corpus --vocabulary words.txt --quiet
run 0 split all.corpus train.corpus held.corpus --share 0.1 --seed 5
: >scores
for seed in 5 6; do
  run 0 evaluate kept/topics-4-seed-$seed.model held.corpus
  cat out >>scores
  run 0 evaluate kept/topics-4-seed-$seed.model train.corpus --measure coherence_npmi
  cat out >>scores
  run 0 evaluate kept/topics-4-seed-$seed.model --measure topic_diversity
  cat out >>scores
done
awk -F, 'NR == FNR { value[NR] = $1; next }
  function near(a, b) { return a - b < 1e-9 && b - a < 1e-9 }
  function spread(a, b) { return sqrt((a - b) * (a - b) / 2) }
  $1 == 4 { found = near($3, (value[1] + value[4]) / 2) && near($4, spread(value[1], value[4])) &&
                    near($5, (value[2] + value[5]) / 2) && near($6, spread(value[2], value[5])) &&
                    near($7, (value[3] + value[6]) / 2) && near($8, spread(value[3], value[6])) && $9 > 0 && $2 == 2 }
  END { exit !found }' scores s.csv
verdict $? "the CSV does not hold the scores of the models: $(cat scores s.csv)"

# The models are those that fit gives; one seed has no spread; held-out data can be given.
run 0 fit train.corpus -o m.model --topics 4 --seed 6 --max-passes 5 --batch-size 50 --report-every 20 --quiet
"$VTEMPER" get m.model lambda >fitted.csv
"$VTEMPER" get kept/topics-4-seed-6.model lambda >kept.csv
same "a model of the sweep and of fit" fitted.csv kept.csv
run 0 sweep train.corpus --topics 4 --seed 6 --test held.corpus --max-passes 5 --batch-size 50 --csv one.csv
says err "4 topics, seed 6  5 passes"
grep -q "+-" out && verdict 1 "one fit has a spread"
count "lines of the CSV of one fit" 2 "$(wc -l <one.csv)"
awk -F, 'NR == 2 { exit !($4 == "" && $10 == "" && $3 < 0) }' one.csv
verdict $? "the CSV of one fit has a spread: $(cat one.csv)"

# A single word has no coherence; the rest of the table is there.
awk 'BEGIN { for (i = 0; i < 60; ++i) print "1 0:" 1 + i % 4 }' >one.ldac
run 0 sweep one.ldac --format ldac --topics 2,3 --seeds 2 --max-passes 2 --csv one.csv --svg one.svg --quiet
says out "^ *2  *-\?0.0000 +- 0.0000  *-  *[0-9.]* +- "
says out "^highest held-out score: [23] topics$"
count "lines of the CSV of a single word" 3 "$(wc -l <one.csv)"
awk -F, 'NR > 1 && !($3 < 1e-6 && $3 > -1e-6 && $5 == "" && $6 == "" && $7 > 0) { exit 1 }' one.csv
verdict $? "the CSV of a single word: $(cat one.csv)"
says one.svg "not defined for these documents"
grep -qi "nan\|inf" out one.csv one.svg && verdict 1 "nan in the table of a single word"

# A number that is given twice is fitted once.
run 0 sweep all.ldac --topics 2,3,2 --max-passes 2 --csv twice.csv --quiet
echo "topics 2 3" >wanted
echo $(cut -d, -f1 twice.csv) >numbers
same "numbers of topics of which one is given twice" numbers wanted

refused 2 "output is missing\|topics is missing" sweep all.ldac
refused 2 "separated by commas" sweep all.ldac --topics 2,,4
refused 2 "separated by commas" sweep all.ldac --topics 0
refused 2 "separated by commas" sweep all.ldac --topics 5x
refused 2 "did you mean --topics" sweep all.ldac --topcs 5
refused 2 "no effect with --test" sweep all.ldac --topics 2 --test test.ldac --test-share 0.2
refused 2 "alpha" sweep all.ldac --topics 2,3 --alpha 0.1,0.2
refused 1 "cannot be" sweep all.ldac --topics 2 --csv no/such/folder.csv

# Ctrl-C: what was done is printed and written.
"$VTEMPER" sweep all.ldac --topics 2,3,4 --vocabulary words.txt --max-passes 3000 --method svi --csv part.csv >part.out \
  2>part.err &
child=$!
wait_for part.csv
kill -INT $child 2>/dev/null
wait $child
status=$?
if [ $status -eq 130 ]; then
  says part.err "interrupted after [012] of 3"
  [ -e part.csv ] || echo header >part.csv # interrupted within the first number
  [ "$(sed 1d part.csv | wc -l)" -eq "$(sed 1d part.out | grep -cv highest)" ]
  verdict $? "table and CSV of an interrupted sweep differ: $(cat part.csv part.out)"
else
  count "exit status of a sweep that was done before Ctrl-C" 0 $status
fi
finish
