#!/bin/sh
# convert and split: formats, running text, rows.
. "$(dirname "$0")/common.sh"

# Running text: case, short words, stop words, accents, an empty line, no newline at the end.
cat >text <<'TEXT'
The Apples and the pears, APPLES! A pear is no apple.
apples grow; pears grow

Caf\303\251s sell pears and apples 1234 ab abc
grow grow grow common
common pears
TEXT
printf "$(cat text)" >documents.txt
run 0 convert --text documents.txt out.corpus --min-documents 1 --max-share 1
says err "6 documents"
run 0 info out.corpus
says out "6 documents"
# pears 4, apples 4, grow 5, common 2, and once each: pear, apple, cafés, sell, abc; "the", "and" are function words.
says out "9 words"
says out "names     grow apples pears common abc apple cafés pear"
says out "^tokens    20"
run 0 convert --text documents.txt out.corpus --min-documents 2 --max-share 1 --quiet
[ ! -s err ]
verdict $? "--quiet is not silent"
run 0 info out.corpus
says out "names     grow apples pears common$"
run 0 convert --text documents.txt out.corpus --min-documents 1 --max-share 0.5 --vocabulary-size 3
run 0 info out.corpus
says out "names     grow apples common$"
says out "6 documents"
refused 1 "no word" convert --text documents.txt none.corpus
[ ! -e none.corpus ]
verdict $? "a refused conversion left a file"
# In few documents words may be in twice --min-documents.
awk 'BEGIN { for (i = 0; i < 17; ++i) print "word" (i % 3 ? "s" : "") " everywhere once" substr("abcdefghijklmnopq", i + 1, 1) }' >few.txt
run 0 convert --text few.txt few.corpus --language none
says err "of more than 58.8235 %"
run 0 info few.corpus
says out "names     word$"
refused 1 "at most 20 %" convert --text few.txt none.corpus --max-share 0.2
awk 'BEGIN { for (i = 0; i < 20000; ++i) printf "longword%c ", 97 + i % 26; print ""; for (i = 0; i < 500; ++i) printf "x"; print " tail" }' >long.txt
run 0 convert --text long.txt long.corpus --min-documents 1 --max-share 1
says err "2 documents, 27 words, 20,001 tokens"
: >empty.txt
refused 1 "empty.txt is empty" convert --text empty.txt none.corpus

# Formats: the same counts from all of them.
ldac 30 5 >data.ldac
words 40 >words.txt
run 0 convert data.ldac from_ldac.corpus --vocabulary words.txt --quiet
awk '{ for (i = 2; i <= NF; ++i) { split($i, pair, ":"); print NR, pair[1] + 1, pair[2] } }' data.ldac >entries
{ echo 30; echo 40; wc -l <entries; cat entries; } >docword.txt
run 0 convert docword.txt from_docword.corpus --vocabulary words.txt --quiet
same "from LDA-C and from docword" from_ldac.corpus from_docword.corpus
{ echo "%%MatrixMarket matrix coordinate integer general"; echo "30 40 $(wc -l <entries)"; cat entries; } >data.mtx
run 0 convert data.mtx from_market.corpus --vocabulary words.txt --quiet
same "from LDA-C and from Matrix Market" from_ldac.corpus from_market.corpus
gzip -k data.ldac
run 0 convert data.ldac.gz from_gzip.corpus --format ldac --vocabulary words.txt --quiet
same "from LDA-C and compressed" from_ldac.corpus from_gzip.corpus
run 0 info from_ldac.corpus --verify
run 0 convert from_ldac.corpus again.corpus --quiet
same "converted twice" from_ldac.corpus again.corpus
words 39 >short.txt
refused 1 "39" convert data.ldac x.corpus --vocabulary short.txt

# split: sizes, seeds, the order of rows, names.
run 0 split from_ldac.corpus one.corpus two.corpus --share 0.2 --seed 3
run 0 info one.corpus
says out "24 documents"
says out "worda0"
run 0 info two.corpus
says out "6 documents"
run 0 split from_ldac.corpus one_again.corpus two_again.corpus --share 0.2 --seed 3
same "the same split twice" two.corpus two_again.corpus
run 0 split from_ldac.corpus one_other.corpus two_other.corpus --share 0.2 --seed 4
cmp -s two.corpus two_other.corpus && verdict 1 "another seed gives the same split"
# Counts with fractions are accepted with one message on stderr, by fit as well; integers and dense rows give no message.
awk 'NR == 1 { sub("integer", "real") } { last = $0; if (NR > 1) print before; before = last } END { print before ".5" }' data.mtx >fractions.mtx
told="the counts include fractions, as tf-idf does, but the model is for word counts (--quiet hides this)"
for verb in "convert fractions.mtx fractions.corpus" "fit fractions.mtx -o fractions.model --topics 2 --max-passes 1" \
  "fit fractions.corpus -o fractions.model --topics 2 --max-passes 1"; do
  run 0 $verb
  [ "$(grep -c "$told" err)" -eq 1 ]
  verdict $? "vtemper $verb does not tell of fractions once: $(cat err)"
  [ ! -s out ]
  verdict $? "vtemper $verb prints on stdout"
  run 0 $verb --quiet
  [ ! -s err ]
  verdict $? "--quiet is not silent: $(cat err)"
done
printf '1.5,2\n3,4.25\n2,2\n' >points.csv
for verb in "convert data.mtx whole.corpus" "convert points.csv points.corpus" \
  "fit data.mtx -o whole.model --topics 2 --max-passes 1"; do
  run 0 $verb
  grep -q fractions err
  [ $? -eq 1 ]
  verdict $? "vtemper $verb tells of fractions where there are none: $(cat err)"
done
finish
