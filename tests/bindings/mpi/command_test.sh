#!/bin/sh
# The command vtemper-mpi under mpirun: one rank gives the bits of vtemper, several the same model within noise;
# only one rank prints; vtemper under mpirun warns.
. "$(dirname "$0")/common.sh"
ldac 600 1 >train.ldac
ldac 300 2 >test.ldac
words 40 >words.txt
run 0 convert train.ldac train.corpus --vocabulary words.txt --quiet
run 0 convert test.ldac test.corpus --vocabulary words.txt --quiet

# ---- fit ----
fit="fit train.corpus --topics 4 --seed 3 --batch-size 100 --max-passes 5 --threads 1"
run 0 $fit -o alone.model --test test.corpus --trace alone.csv
works 1 "$MPI_COMMAND" $fit -o one.model --test test.corpus --trace one.csv
same "the model of one rank" alone.model one.model
predictive=$(head -1 alone.csv | tr ',' '\n' | grep -n '^predictive$' | cut -d : -f 1)
for count in 2 3 4; do
  works $count "$MPI_COMMAND" $fit -o $count.model --test test.corpus --trace $count.csv --checkpoint $count.checkpoint
  once "5 passes, 3,000 rows.* $count ranks"
  once "the model is in $count.model"
  count "rows of the trace of $count ranks" "$(wc -l <alone.csv)" "$(wc -l <$count.csv)"
  # The last score of the curve is what one process computes for that model.
  run 0 evaluate $count.model test.corpus
  close "score by $count ranks in the trace" "$(tail -1 $count.csv | awk -F, -v column="$predictive" '{ print $column }')" "$(cat out)" 1e-9
  scores() { awk -F, -v column="$predictive" '{ n += $column != "" } END { print n }' "$1"; }
  count "scores in the trace of $count ranks" "$(scores alone.csv)" "$(scores $count.csv)"
  close "held-out score of $count ranks" "$(score $count.model test.corpus)" "$(score alone.model test.corpus)" 0.02
  run 0 info $count.model
  says out "^  rows  *600$"
  says out "^  tokens  *18000$"
done
works 3 "$MPI_COMMAND" $fit -o again.model --test test.corpus --quiet
same "the same number of ranks" 3.model again.model
[ ! -s err ] && [ ! -s out ]
verdict $? "--quiet prints: $(cat out err)"

# Another file format, one file per rank, another kind.
for count in 1 2 5; do # each rank reads its bytes of a text file
  works $count "$MPI_COMMAND" fit train.ldac --vocabulary words.txt --topics 4 --seed 3 --batch-size 100 --max-passes 5 --threads 1 \
    --test test.ldac -o text.model --quiet
  run 0 info text.model
  says out "^  rows  *600$"
  says out "^  tokens  *18000$"
  close "bytes of a text file for each of $count ranks" "$(score text.model test.corpus)" "$(score alone.model test.corpus)" 0.02
done
gzip -k train.ldac # parts of it cannot be read alone: the rows are those of the corpus
works 2 "$MPI_COMMAND" fit train.ldac.gz --vocabulary words.txt --topics 4 --seed 3 --batch-size 100 --max-passes 5 --threads 1 \
  --test test.corpus -o text.model --quiet
same "rows of a compressed file" text.model 2.model
printf '1 0:1\n1 1:1\n1 0:1\n1 1:1\n1 2:x\n' >wrong.ldac
ranks 2 "$MPI_COMMAND" fit wrong.ldac -o x.model
[ "$got" -ne 0 ]
verdict $? "a fault in the bytes of one rank ends with $got"
once "wrong.ldac, line [0-9]* from byte [0-9]* on: \"x\" is not a count"
# Without names the columns are those of the rank that has the most.
awk 'NR <= 300 && / 39:/ { next } { print }' train.ldac >narrow.ldac
works 3 "$MPI_COMMAND" fit narrow.ldac --topics 4 --seed 3 --batch-size 100 --max-passes 1 -o narrow.model --quiet
run 0 info narrow.model
says out '^columns  *40'
head -400 train.ldac >part.0.ldac
tail -200 train.ldac >part.1.ldac
for part in 0 1; do run 0 convert part.$part.ldac part.$part.corpus --vocabulary words.txt --quiet; done
works 2 "$MPI_COMMAND" fit 'part.%r.corpus' --topics 4 --seed 3 --batch-size 100 --max-passes 5 -o parts.model
close "one file a rank" "$(score parts.model test.corpus)" "$(score alone.model test.corpus)" 0.02
# Files with different words: their union, those of rank 0 first, whichever rank comes first.
sed '1!G;h;$!d' words.txt >backwards.txt  # the same words in another order, and two others
sed 's/^worda0$/fresh/; s/^wordb0$/young/' backwards.txt >others.txt
run 0 convert part.1.ldac own.1.corpus --vocabulary others.txt --quiet
cp part.0.corpus own.0.corpus
union="--topics 4 --seed 3 --batch-size 100 --max-passes 5 --threads 1 --reproducible true --quiet"
works 2 "$MPI_COMMAND" fit 'own.%r.corpus' $union -o union.model
run 0 info union.model
says out '^columns  *42'
awk 'NR == FNR { have[$1] = 1; print; next } !($1 in have)' words.txt others.txt >all.txt
# The same rows by one machine that has all words, each row in the order of its columns.
awk -v all=all.txt -v own=others.txt 'BEGIN {
  while ((getline word < all) > 0) place[word] = n++
  while ((getline word < own) > 0) names[m++] = word
} {
  split("", counts)
  for (i = 2; i <= NF; ++i) { split($i, pair, ":"); counts[place[names[pair[1]]]] = pair[2] }
  printf "%s", $1
  for (i = 0; i < n; ++i) if (i in counts) printf " %d:%s", i, counts[i]
  print ""
}' part.1.ldac >renamed.1.ldac
cat part.0.ldac renamed.1.ldac >renamed.ldac
run 0 convert renamed.ldac renamed.corpus --vocabulary all.txt --quiet
run 0 fit renamed.corpus $union -o renamed.model
run 0 get renamed.model lambda
cp out renamed.lambda
run 0 get union.model lambda
same "files with words of their own" renamed.lambda out
works 2 "$MPI_COMMAND" fit 'own.%r.corpus' $union -o union2.model
same "files with words of their own, again" union.model union2.model
awk 'BEGIN { srand(2); for (i = 0; i < 300; ++i) printf "%.6f,%.6f\n", (i % 3) * 4 + rand(), (i % 2) * 4 + rand() }' >points.csv
mixture="fit points.csv --model gaussian_mixture --components 4 --seed 1"
run 0 $mixture --restarts 1 -o alone.mixture # spread rows have one start
works 3 "$MPI_COMMAND" $mixture -o mixture.model
close "a mixture" "$(score mixture.model points.csv)" "$(score alone.mixture points.csv)" 0.05

# ---- continued by another number of ranks ----
run 0 fit train.corpus -o resumed.model --resume 4.checkpoint --more-passes 1 --quiet
works 2 "$MPI_COMMAND" fit train.corpus -o resumed2.model --resume 4.checkpoint --more-passes 1
once "the model is in resumed2.model"
close "a checkpoint of four ranks that two go on from" "$(score resumed.model test.corpus)" "$(score resumed2.model test.corpus)" 0.02
sed 's/^worda0$/fresh/' words.txt >others.txt
run 0 convert test.ldac others.corpus --vocabulary others.txt --quiet
run 0 fit others.corpus -o wide.model --continue alone.model --seed 1 --threads 1 --quiet
works 1 "$MPI_COMMAND" fit others.corpus -o wide1.model --continue alone.model --seed 1 --threads 1
same "one rank goes on from a model with new words" wide.model wide1.model
works 3 "$MPI_COMMAND" fit others.corpus -o wide3.model --continue alone.model --seed 1
once "1 word is new to the model"
run 0 info wide3.model
says out "^  rows  *300$"
close "three ranks go on from a model" "$(score wide3.model others.corpus)" "$(score wide.model others.corpus)" 0.02

# Topics in a file: the same bits as in memory, and a model that ranks can continue; nothing is left in the folder.
mkdir topics
for count in 1 3; do
  works $count "$MPI_COMMAND" $fit -o folder.model --test test.corpus --parameters-folder topics --quiet
  run 0 get folder.model lambda
  cp out in_file
  run 0 get $([ $count -eq 1 ] && echo alone || echo 3).model lambda
  same "topics of $count ranks in a file" in_file out
  for from in alone folder; do
    works $count "$MPI_COMMAND" fit others.corpus -o from_$from.model --continue $from.model --seed 1 --threads 1 --quiet
  done
  run 0 info from_folder.model
  says out "^  rows  *300$"
  close "$count ranks go on from topics that were in a file" "$(score from_folder.model others.corpus)" "$(score wide.model others.corpus)" 0.02
done
count "files left in the folder of topics" 0 "$(find topics -type f | wc -l)"

# ---- topics that are divided over the ranks ----
whole="$fit --moves off --precision double --local-sparsity 0"
sharded="$whole --exchange sharded"
run 0 $whole -o whole.model
for count in 2 3; do
  works $count "$MPI_COMMAND" $sharded -o sharded$count.model --checkpoint sharded.checkpoint --checkpoint-every 0.001
  once "the model is in sharded$count.model"
  close "$count ranks with a share of the topics each" "$(score sharded$count.model test.corpus)" \
    "$(score whole.model test.corpus)" 0.000000001
done
works 3 "$MPI_COMMAND" $sharded -o again.model --quiet
same "the same number of ranks with a share of the topics each" sharded3.model again.model
run 0 fit train.corpus -o resumed.model --resume sharded.checkpoint --more-passes 1 --quiet
works 2 "$MPI_COMMAND" fit train.corpus -o resumed2.model --resume sharded.checkpoint --more-passes 1 --quiet
close "a checkpoint of three shares that two ranks go on from" "$(score resumed2.model test.corpus)" \
  "$(score resumed.model test.corpus)" 0.000000001
works 2 "$MPI_COMMAND" $sharded -o tested.model --test test.corpus
close "held-out score of two ranks with a share of the topics each" "$(score tested.model test.corpus)" \
  "$(score whole.model test.corpus)" 0.000000001

# ---- evaluate, infer: the numbers of one process ----
for measure in predictive elbo coherence_umass; do
  run 0 evaluate alone.model test.corpus --measure $measure
  cp out alone.score
  for count in 1 3; do
    works $count "$MPI_COMMAND" evaluate alone.model test.corpus --measure $measure
    count "lines of a score" 1 "$(wc -l <out)"
    awk 'NR == FNR { a = $1; next } { d = a - $1; s = a < 0 ? -a : a; exit !(d <= 1e-6 * s && -d <= 1e-6 * s) }' alone.score out
    verdict $? "$measure of $count ranks is $(cat out), not $(cat alone.score)"
  done
done
seq 42 | while read -r _; do cat train.ldac; done >many.ldac # 25,200 rows: three turns
run 0 infer alone.model many.ldac -o alone.npy
for count in 1 2; do
  works $count "$MPI_COMMAND" infer alone.model many.ldac -o ranks.npy
  same "what $count ranks infer of $(wc -l <many.ldac) rows" alone.npy ranks.npy
done

# ---- Only one rank prints ----
ranks 3 "$MPI_COMMAND" fit train.corpus -o x.model --topcis 3
[ "$got" -eq 2 ]
verdict $? "a misspelt option ends with $got"
once "vtemper-mpi fit: there is no option --topcis"
ranks 3 "$MPI_COMMAND" fit train.corpus -o x.model --topics 0
[ "$got" -eq 2 ]
verdict $? "an option out of range ends with $got"
once "vtemper-mpi fit: "
ranks 3 "$MPI_COMMAND" fit nothing.corpus -o x.model
[ "$got" -eq 1 ]
verdict $? "a missing file ends with $got"
once "vtemper-mpi fit: .*nothing.corpus"
ranks 2 "$MPI_COMMAND" fit --text train.ldac -o x.model
once "raw text is not divided over ranks"
ranks 2 "$MPI_COMMAND" infer alone.model train.ldac --text
once "raw text is not divided over ranks"
ranks 2 "$MPI_COMMAND" fit train.ldac -o x.model --transpose
once "what --transpose turns is not divided over ranks"
[ ! -e x.model ]
verdict $? "a fit that failed left a model"
works 3 "$MPI_COMMAND" fit --help
count "usages of fit" 1 "$(grep -c '^usage' out)"
works 3 "$MPI_COMMAND" --version
count "versions" 1 "$(wc -l <out)"
works 3 "$MPI_COMMAND" topics alone.model
cp out ranks.topics
run 0 topics alone.model
same "a verb of rank 0 alone" out ranks.topics
works 2 "$MPI_COMMAND" sweep train.corpus --topics 2 --seeds 1 --max-passes 1
once "note: sweep is the work of rank 0 alone"
works 1 "$MPI_COMMAND" info alone.model

# ---- vtemper by itself under mpirun ----
ranks 3 "$VTEMPER" info alone.model
count "warnings of separate runs" 1 "$(grep -c 'was started 3 times, and each does all of the work by itself; vtemper-mpi info' err)"
works 1 "$VTEMPER" info alone.model
[ ! -s err ]
verdict $? "one process is warned: $(cat err)"
finish
