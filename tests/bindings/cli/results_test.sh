#!/bin/sh
# The output of evaluate, infer, get, topics and info.
. "$(dirname "$0")/common.sh"
ldac 300 1 >train.ldac
ldac 60 2 >test.ldac
words 40 >words.txt
run 0 fit train.ldac -o m.model --topics 8 --batch-size 50 --max-passes 60 --precision double --quiet \
  --vocabulary words.txt

# evaluate: one number in full precision; the measures agree.
run 0 evaluate m.model test.ldac
count "numbers of evaluate" 1 "$(wc -l <out)"
cp out predictive
run 0 evaluate m.model test.ldac --measure perplexity
count "numbers of perplexity" 1 "$(wc -l <out)"
awk 'NR == FNR { wanted = exp(-$1); next } { exit !($1 / wanted > 1 - 1e-9 && $1 / wanted < 1 + 1e-9) }' predictive out
verdict $? "perplexity is not exp(-predictive)"
run 0 evaluate m.model test.ldac --measure elbo
awk '$1 >= 0 { bad = 1 } END { exit bad || NR != 1 }' out
verdict $? "the elbo is not one negative number: $(cat out)"
run 0 evaluate m.model test.ldac --seed 5
cmp -s out predictive && verdict 1 "another split gives the same score"
run 0 evaluate m.model test.ldac --heldout-share 0.2
cmp -s out predictive && verdict 1 "another share gives the same score"
run 0 evaluate m.model test.ldac --heldout test.ldac
count "numbers of evaluate with --heldout" 1 "$(wc -l <out)"
awk '{ exit !($1 < 0 && $1 > -4) }' out
verdict $? "the score with --heldout is not one: $(cat out)"
refused 2 "predictive" evaluate m.model test.ldac --measure predictve

# get: shapes and precision.
run 0 get m.model lambda
count "rows of lambda" 8 "$(wc -l <out)"
awk -F, 'NF != 40 { exit 1 }' out
verdict $? "columns of lambda are not 40"
cp out lambda.csv
run 0 get m.model lambda -o table.csv
head -n 1 table.csv >header
says header "^topic,column_0,column_1,\|^topic,[^,]*,[^,]*,"
sed 1d table.csv | cut -d, -f2- >written.csv
same "lambda on stdout and in a file" lambda.csv written.csv
run 0 get m.model topics
count "rows of topics" 8 "$(wc -l <out)"
awk -F, '{ sum = 0; for (i = 1; i <= NF; ++i) sum += $i; if (sum < 1 - 1e-9 || sum > 1 + 1e-9) exit 1 }' out
verdict $? "topics do not sum to one"
refused 2 "did you mean lambda" get m.model lamda

# .npy: magic, version, header of 128 bytes, and the doubles themselves.
run 0 get m.model lambda -o lambda.npy
count "bytes of lambda.npy" $((128 + 8 * 40 * 8)) "$(wc -c <lambda.npy)"
od -A n -t x1 -N 10 lambda.npy | tr -d ' \n' >magic
printf '934e554d505901007600' >wanted
same "start of lambda.npy" magic wanted
head -c 128 lambda.npy | tail -c 118 >literal
says literal "'descr': '<f8', 'fortran_order': False, 'shape': (8, 40)"
od -A n -t f8 -v -w8 -j 128 lambda.npy | tr -d ' ' >npy.values
tr , '\n' <lambda.csv >csv.values
awk 'NR == FNR { a[NR] = $1; next } { d = a[FNR] - $1; if (d > 1e-12 * $1 || -d > 1e-12 * $1) exit 1 }' \
  csv.values npy.values
verdict $? "lambda.npy and lambda.csv differ"
run 0 get m.model alpha -o alpha.npy
head -c 128 alpha.npy | tail -c 118 >literal
says literal "'shape': (8,)"

# infer.
run 0 infer m.model test.ldac --quantity proportions -o shares.csv
says shares.csv "^row,topic_0,topic_1,"
sed 1d shares.csv | cut -d, -f2- >p.csv
count "rows of proportions" 60 "$(wc -l <p.csv)"
awk -F, 'NF != 8 { exit 1 } { sum = 0; for (i = 1; i <= NF; ++i) sum += $i; if (sum < 1 - 1e-6 || sum > 1 + 1e-6) exit 1 }' p.csv
verdict $? "proportions do not sum to one"
run 0 infer m.model test.ldac
same "proportions on stdout" p.csv out
run 0 infer m.model test.ldac --quantity gamma -o g.npy
count "bytes of g.npy" $((128 + 60 * 8 * 8)) "$(wc -c <g.npy)"
refused 2 "proportions" infer m.model test.ldac --quantity proportion

# topics: a table; the four topics of the corpus are found.
run 0 topics m.model
count "lines of the table" 9 "$(wc -l <out)"
awk 'NR > 1 && NF != 16 { exit 1 }' out
verdict $? "rows of the table are not whole: $(cat out)"
run 0 topics m.model --words 3
for topic in a b c d; do says out " word$topic[0-9] word$topic[0-9] word$topic[0-9]"; done
for how in lift relevance frex label label:0.8; do
  run 0 topics m.model --rank $how --limit 2
  count "lines with --limit" 3 "$(wc -l <out)"
done
run 0 topics m.model --rank probability --words 5
cp out probability
run 0 topics m.model --rank relevance:1 --words 5
sed 1d out >relevance
run 0 topics m.model --rank label --words 3 -o labels.csv
count "lines of labels.csv" 25 "$(wc -l <labels.csv)"
awk -F, 'NR > 1 { if ($4 == 1) seen = $5; else seen = seen " " $5; if ($4 == 3 && $2 != seen) exit 1 }' labels.csv
verdict $? "labels are not the words that --rank label gives: $(cat labels.csv)"
sed 1d probability | cmp -s - relevance
verdict $? "relevance with all weight on the probability is not probability"
run 0 topics m.model --rank frex:0.8 --words 5
refused 2 "lift" topics m.model --rank lfit
refused 2 "from 0 to 1" topics m.model --rank relevance:2
refused 2 "takes no weight" topics m.model --rank lift:0.5

# Quality of the topics: one number each; diversity and exclusivity need no data.
for measure in coherence_umass coherence_npmi topic_diversity exclusivity; do
  run 0 evaluate m.model train.ldac --measure $measure --top-words 5
  count "numbers of $measure" 1 "$(wc -l <out)"
  cp out $measure
done
awk '{ exit !($1 > 0 && $1 <= 1) }' coherence_npmi
verdict $? "words of the corpus' own topics do not come together: $(cat coherence_npmi)"
run 0 evaluate m.model --measure topic_diversity --top-words 5
same "diversity without data" out topic_diversity
refused 2 "needs data" evaluate m.model --measure coherence_npmi
refused 2 "needs data" evaluate m.model
refused 2 "top_words" evaluate m.model train.ldac --top-words 5
refused 2 "coherence_npmi" evaluate m.model train.ldac --measure coherence_nmpi
run 0 topics m.model -o table.txt
count "lines of table.txt" 9 "$(wc -l <table.txt)"

# info.
run 0 info m.model
says out "lda model"
says out "lambda .*8 x 40"
says out "worda0"
run 0 info train.ldac
says out "300 documents"
says out "9,000"

# If the reader of a pipe closes it, that is not an error and prints no message.
for command in "get m.model lambda" "infer m.model train.ldac" "topics m.model" "describe optimizer" "--help"; do
  { "$VTEMPER" $command 2>pipe.err; echo $? >pipe.status; } | head -n 1 >pipe.out
  count "exit status of $command | head" 0 "$(cat pipe.status)"
  [ ! -s pipe.err ]
  verdict $? "$command | head complains: $(cat pipe.err)"
done

# A full device is an error.
if [ -w /dev/full ]; then
  "$VTEMPER" get m.model lambda >/dev/full 2>err
  count "exit status on a full device" 1 $?
  says err "could not be written"
fi
finish
