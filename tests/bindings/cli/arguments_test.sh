#!/bin/sh
# Options that would do nothing are refused; numbers are read as the library reads those of its options; wrong arguments
# are reported before data are read.
. "$(dirname "$0")/common.sh"
ldac 50 1 >data.ldac
words 40 >words.txt
run 0 fit data.ldac -o m.model --vocabulary words.txt --topics 2 --max-passes 1 --quiet
run 0 convert data.ldac data.corpus --quiet

# What the model holds already.
for option in "--language de" --stem --phrases "--min-length 4" "--stop-words words.txt"; do
  refused 2 "--continue makes words by the model's recipe, so leave ${option%% *} out" \
    fit words.txt --text -o x --continue m.model $option
done
# What belongs to data, of which there are none, or to data of another kind.
refused 1 "m.model is a model; --verify is for data" info m.model --verify
refused 1 "m.model is a model; --format is for data" info m.model --format nonsense
refused 1 "data.ldac has no checksum" info data.ldac --verify
run 0 info data.corpus --verify
refused 2 "leave --text out" similar m.model --topic 0 --text --column foo
refused 2 "leave --format out" similar m.model --topic 0 --format ldac
refused 2 "--text needs DATA" evaluate m.model --measure topic_diversity --text --column x
refused 2 "--format needs DATA" evaluate m.model --measure topic_diversity --format csv
run 0 evaluate m.model --measure topic_diversity
# Names where there is no room for them.
refused 2 "numbers alone, so leave --header out" infer m.model data.ldac -o x.npy --header
refused 2 "numbers alone, so leave --labels out" infer m.model data.ldac -o x.npy --labels
refused 2 "numbers alone, so leave --header out" get m.model lambda -o x.npy --header
refused 2 "must end with .csv, .tsv, .json or .npy" get m.model lambda -o x.txt --header
# What belongs to a fit, or to a model.
refused 2 "--save cannot be combined with --data: nothing is fitted" report m.model --data words.txt --text --save x
refused 2 "--image cannot be combined with --text" report words.txt --text -o x --image 5x8
for sources in "--text words.txt --synthetic" "--text words.txt --lists ." "--synthetic --lists ."; do
  refused 2 "cannot be combined" demo --output x $sources
done
ls | grep -q '^x' && verdict 1 "a refused command left a file: $(ls)"

# Numbers: decimal, blanks around them, a whole one also with an exponent.
for number in 0x10 0x1p3 "1 0" 1.5 1e-1 --1 1e400 ""; do
  refused 2 "words must be a whole number" topics m.model "--words=$number"
done
for number in 0x0.8p0 "0. 5" nan inf 1e 0,5; do
  refused 2 "share must be a number" split data.ldac x y --share "$number"
done
refused 2 "more-passes must be a number" fit data.ldac -o x --resume missing --more-passes 0x10
run 0 topics m.model --words 10
cp out ten.txt
for number in "10 " " +10" 1e1 10.0; do
  run 0 topics m.model --words "$number"
  same "ten words, as \"$number\"" ten.txt out
done
run 0 split data.ldac x y --share " 5e-1	"
run 0 info x
says out "25 documents"

# Values that are not UTF-8 are named by their option; paths may be any bytes.
bytes=$(printf 'x\377')
for option in --parameters-folder --parameters_folder --method --topics --format; do
  refused 2 "the value of $option is not UTF-8: x?" fit data.ldac -o x $option "$bytes"
done
refused 2 "the value of --threads is not UTF-8" evaluate m.model data.ldac "--threads=$bytes"
refused 2 "the value of --measure is not UTF-8" evaluate m.model data.ldac --measure "$bytes"
refused 2 "the value of --rank is not UTF-8" topics m.model --rank "$bytes"
refused 1 "x? cannot be opened: No such file" fit data.ldac -o x --test "$bytes"

# Before data are read: here they are missing.
for option in --time --deadline; do
  refused 2 '"1m"; it must be a number of seconds from 0 to 1e+09' fit data.ldac -o x $option 1m
done
refused 2 "checkpoint-every must be" fit missing.ldac -o m --checkpoint c --checkpoint-every abc
refused 2 "more-passes must be" fit missing.ldac -o m --resume missing --more-passes abc
refused 2 'no format "foo"' evaluate m.model missing.ldac --as foo
refused 2 "count must be" correlation m.model missing.ldac --count 0
for command in correlation documents timeline; do
  refused 2 "topic must be a whole number from 0 to 1" $command m.model missing.ldac --topic -1
  refused 2 "topic must be a whole number from 0 to 1" $command m.model missing.ldac --topic 2
done
refused 2 "image is 5x9" report m.model -o x --data missing.ldac --image 5x9
refused 2 "topics must be" demo --output demo --text missing.txt --topics 0
[ ! -e demo ]
verdict $? "a refused demonstration left a folder"
finish
