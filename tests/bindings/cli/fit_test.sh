#!/bin/sh
# vtemper fit: progress, trace, held-out scores, vocabulary, seeds, options of both tables.
. "$(dirname "$0")/common.sh"
ldac 400 1 >train.ldac
ldac 100 2 >test.ldac
words 40 >words.txt
usual="--topics 4 --batch-size 50 --max-passes 10"

# Progress and results.
run 0 fit train.ldac -o m.model $usual --vocabulary words.txt
[ ! -s out ]
verdict $? "fit prints on stdout"
says err "10 passes, 4,000 rows"
says err "m.model"
[ -s m.model ]
verdict $? "there is no model"
run 0 fit train.ldac -o quiet.model $usual --quiet --vocabulary words.txt
[ ! -s out ] && [ ! -s err ]
verdict $? "--quiet is not silent: $(cat out err)"
"$VTEMPER" get m.model lambda >first.csv
"$VTEMPER" get quiet.model lambda >second.csv
same "the same fit twice" first.csv second.csv

# Names with dashes, underscores, equals signs; a boolean or number of the model's table.
run 0 fit train.ldac -o m2.model --topics=4 --batch_size=50 --max_passes 10 --quiet --vocabulary=words.txt
"$VTEMPER" get m2.model lambda >third.csv
same "options spelled otherwise" first.csv third.csv
run 0 fit -o m3.model $usual --quiet --seed 7 --alpha 0.5,0.25,0.125,0.125 -- train.ldac
"$VTEMPER" get m3.model alpha >alpha.csv
printf '0.5\n0.25\n0.125\n0.125\n' >wanted.csv
same "alpha as given" alpha.csv wanted.csv
"$VTEMPER" get m3.model lambda >seed.csv
cmp -s first.csv seed.csv && verdict 1 "another seed gives the same topics"

# The trace.
run 0 fit train.ldac -o t.model $usual --trace t.csv --report-every 4 --test test.ldac --vocabulary words.txt
head -1 t.csv >header
echo "iteration,passes,seconds,temperature,step_size,elbo,objective,expected_log_likelihood,predictive" >wanted
same "header of the trace" header wanted
count "rows of the trace" 20 "$(sed 1d t.csv | wc -l)"
awk -F, 'NR > 1 && (NF != 9 || $1 % 4 || $2 != $1 / 8 || $3 < 0) { exit 1 }' t.csv
verdict $? "rows of the trace are not whole: $(cat t.csv)"
awk -F, 'NR > 1 && $9 != "" { ++scores; last = $9 } END { exit !(scores >= 18 && last < 0 && last > -5) }' t.csv
verdict $? "held-out scores are not in the trace: $(cat t.csv)"
grep -qi nan t.csv && verdict 1 "the trace holds nan"
says err "held-out predictive -[0-9]"
run 0 fit train.ldac -o t2.model $usual --trace t2.csv --report-every 4 --test test.ldac --vocabulary words.txt
cut -d, -f1,2,4- t.csv >t.cut
cut -d, -f1,2,4- t2.csv >t2.cut
same "the traces of equal runs, seconds left out" t.cut t2.cut
"$VTEMPER" get t.model lambda >t.lambda
same "scoring along the way changes nothing" first.csv t.lambda

# The last score is that of the saved model.
run 0 fit train.ldac -o s.model $usual --trace s.csv --test test.ldac --method svi --quiet
[ ! -s err ]
verdict $? "--quiet with --test is not silent: $(cat err)"
awk -F, '$9 != "" { n++ } END { exit !(n > 1) }' s.csv
verdict $? "there are no scores with --quiet"
run 0 evaluate s.model test.ldac
awk -F, '$9 != "" { print $9 }' s.csv | tail -1 >last
same "the last score of the fit and that of its model" last out

# Words are matched by name, and unknown ones are counted; data that ends early has empty columns.
run 0 convert test.ldac test.corpus --vocabulary words.txt --quiet
run 0 fit train.ldac -o v.model $usual --vocabulary words.txt --test test.corpus
sed 's/worda0/strange/' words.txt >strange.txt
run 0 convert test.ldac strange.corpus --vocabulary strange.txt --quiet
run 0 fit train.ldac -o v.model $usual --vocabulary words.txt --test strange.corpus
says err "tokens (.* %) of words that the model does not know"
echo "2 0:3 5:2" >early.ldac
run 0 evaluate v.model early.ldac
count "one number" 1 "$(wc -l <out)"
words 45 >longer.txt
run 0 fit train.ldac -o w.model $usual --vocabulary longer.txt --quiet
run 0 info w.model
says out "45 words"

# Every method.
for method in vi svi annealing entropy_annealing stochastic_annealing tempering local_tempering; do
  run 0 fit train.ldac -o method.model --topics 4 --max-passes 2 --method $method --quiet
done
finish
