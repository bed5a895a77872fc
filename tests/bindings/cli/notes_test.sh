#!/bin/sh
# What a fit records and reports about itself: notes, equal files of equal fits, useless topics by number, the estimate.
. "$(dirname "$0")/common.sh"
ldac 400 1 >train.ldac
ldac 100 2 >test.ldac
words 40 >words.txt
usual="--topics 12 --batch-size 50 --max-passes 20 --vocabulary words.txt --test test.ldac"

# Equal fits give equal files, although they took different times; the file says how it was made.
run 0 fit train.ldac -o m.model $usual --quiet
run 0 fit train.ldac -o again.model $usual --quiet --trace t.csv
same "the same fit twice" m.model again.model
run 0 info m.model
says out "^  method  *annealing$"
says out "^  passes  *20$"
says out "^  rows  *400$"
says out "^  batch size  *50$"
says out "^  tokens  *12000$"
says out "^  ended by  *its limit$"

# Topics beyond those of the corpus are unused or duplicates; at most ten of each are named, correctly.
run 0 fit train.ldac -o many.model --topics 40 --method vi --max-passes 200
cp err many.err
"$VTEMPER" get many.model tokens >tokens
"$VTEMPER" get many.model duplicate_of >duplicate_of
first_ten='{ if (++count <= 10) list = list (count > 1 ? ", " : "") $0 }
  END { if (count > 0) print list (count > 10 ? " and " count - 10 " more" : "") }'
awk '$1 < 0.5 { print NR - 1 }' tokens | awk "$first_ten" >unused
paste tokens duplicate_of | awk '$1 >= 0.5 && $2 >= 0 { print NR - 1 " of " $2 }' | awk "$first_ten" >duplicates
[ -s unused ] || [ -s duplicates ]
verdict $? "40 topics for a corpus of four are all of use"
cat unused duplicates | grep -q " and [1-9][0-9]* more$"
verdict $? "no line of this fit has more than ten topics to name: $(cat unused duplicates)"
run 0 info many.model
for file in many.err out; do
  sed -n 's/.*topics unused (less than half a token): //p' $file >said
  same "unused topics in $file" unused said
  sed -n 's/.*topics duplicate (.*): //p' $file >said
  same "duplicate topics in $file" duplicates said
done
awk '{ total += $1 } END { exit !(total > 11999 && total < 12001) }' tokens
verdict $? "the topics do not hold all tokens"

# Large bounds are written out, with digits enough to tell the starts apart; one of anything is singular.
awk '{ line = $1; for (i = 2; i <= NF; ++i) { split($i, e, ":"); line = line " " e[1] ":" e[2] * 20000 } print line }' train.ldac >large.ldac
run 0 fit large.ldac -o large.model --topics 3 --method vi --restarts 2 --max-passes 1
says err "^best of 2 starts, vi  1 pass, 400 rows in "
says err "^restarts: ELBO -"
sed -n 's/^restarts: ELBO //p' err | grep -q "e+" && verdict 1 "a bound has an exponent: $(cat err)"
sed -n 's/^restarts: ELBO //p' err | sed 's/ (kept[^)]*)//' | awk -F', ' '{ differ = NF == 2 && $1 != $2 } END { exit !differ }'
verdict $? "the bounds of two starts look alike: $(cat err)"
printf '1 0:1\n' >one.ldac
run 0 fit one.ldac -o one.model --topics 2 --max-passes 1
says err "  1 pass, 1 row in "
run 0 fit train.ldac -o again.model --continue m.model --max-passes 1
run 0 fit one.ldac -o once.model --continue one.model --method vi --max-passes 1 --quiet
run 0 info once.model
says out "^  before  *[a-z]*, 1 pass over 1 row$"
run 0 convert train.ldac named.corpus --vocabulary words.txt --quiet
run 0 fit named.corpus -o named.model --topics 2 --max-passes 1 --quiet
printf 'worda0\nstranger\n' >two.txt
printf '2 0:3 1:1\n' >two.ldac
run 0 convert two.ldac two.corpus --vocabulary two.txt --quiet
run 0 evaluate named.model two.corpus --measure elbo
says err "^two.corpus: 1 token (25.0 %) of words that the model does not know is left out.$"

# A long fit prints an estimate once it knows the speed of its first steps; a short one does not.
run 0 fit train.ldac -o short.model $usual
grep -q estimate err && verdict 1 "a short fit prints an estimate"
: >long.err
"$VTEMPER" fit train.ldac -o long.model --topics 12 --method svi --batch-size 50 --max-passes 10000000 2>long.err &
child=$!
wait_for long.err estimate
kill -INT $child
wait $child
count "exit status after Ctrl-C" 130 $?
says long.err "^estimate: about [0-9]* [a-z]* for 80,000,000 steps, about [0-9.]* [kM]B of memory$"
count "estimates" 1 "$(grep -c estimate long.err)"
run 0 info long.model
says out "ended by  *interruption"
"$VTEMPER" fit train.ldac -o long.model --topics 12 --method svi --max-passes 10000000 --quiet --checkpoint long.checkpoint \
  --checkpoint-every 1.5 2>quiet.err &
child=$!
wait_for long.checkpoint
kill -INT $child
wait $child
[ ! -s quiet.err ]
verdict $? "--quiet prints an estimate: $(cat quiet.err)"
finish
