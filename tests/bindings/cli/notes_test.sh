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
