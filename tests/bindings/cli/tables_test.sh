#!/bin/sh
# Results with names: CSV with a header, TSV and JSON of topics, infer, get and evaluate; the documents of topics.
. "$(dirname "$0")/common.sh"

awk 'BEGIN {
  print "id,day,text"
  for (i = 0; i < 30; ++i) print "\"doc, " i "\",2020-01-" (10 + i % 3) "," (i % 2 ? "apples pears plums cherries" : "dogs cats horses cows")
}' >t.csv
run 0 convert --text t.csv t.corpus --column text --id-column id --date-column day --min-documents 1 --max-share 1 --quiet
run 0 fit t.corpus -o t.model --topics 2 --max-passes 30 --seed 1 --quiet
ldac 20 3 >plain.ldac
run 0 fit plain.ldac -o plain.model --topics 2 --max-passes 1 --seed 1 --quiet

# infer: names and dates of the rows begin each line; numbers are those of the array.
run 0 infer t.model t.corpus -o p.csv
run 0 infer t.model t.corpus -o p.tsv
run 0 infer t.model t.corpus -o p.json
run 0 infer t.model t.corpus
same "CSV in a file and on stdout" p.csv out
[ "$(sed -n 1p p.csv)" = "row,name,date,topic_0,topic_1" ]
verdict $? "the header of p.csv is $(sed -n 1p p.csv)"
sed -n 3p p.csv | grep -q '^1,"doc, 1",2020-01-11,[0-9.e-]*,[0-9.e-]*$'
verdict $? "the third line of p.csv is $(sed -n 3p p.csv)"
[ "$(sed -n 2p p.tsv | cut -f1-3)" = "$(printf '0\tdoc, 0\t2020-01-10')" ]
verdict $? "the second line of p.tsv is $(sed -n 2p p.tsv)"
count "lines of CSV" 31 "$(wc -l <p.csv)"
sed -n 2p p.json | grep -q '^{"row": 0, "name": "doc, 0", "date": "2020-01-10", "topic_0": [0-9.e-]*, "topic_1": [0-9.e-]*},$'
verdict $? "the second line of p.json is $(sed -n 2p p.json)"
if command -v python3 >/dev/null; then
  python3 -c 'import csv, json
rows = list(csv.DictReader(open("p.csv")))
objects = json.load(open("p.json"))
assert len(rows) == len(objects) == 30
assert all(row["name"] == one["name"] and float(row["topic_1"]) == one["topic_1"] for row, one in zip(rows, objects))'
  verdict $? "CSV and JSON do not hold the same"
fi
# Without names CSV stays a matrix of numbers, and has a header when asked to.
run 0 infer plain.model plain.ldac
count "lines without a header" 20 "$(wc -l <out)"
run 0 infer plain.model plain.ldac --header
[ "$(sed -n 1p out)" = "row,topic_0,topic_1" ]
verdict $? "the header is $(sed -n 1p out)"
run 0 infer plain.model plain.ldac --as json
says out '^{"row": 19, "topic_0": '
# infer --labels: the columns say what their topics are about.
run 0 infer t.model t.corpus --labels
[ "$(sed -n 1p out | cut -d, -f1-3)" = "row,name,date" ] && sed -n 1p out | grep -q ',topic_0 [a-z]* [a-z]* [a-z]*,topic_1 [a-z]* [a-z]* [a-z]*$'
verdict $? "the header is $(sed -n 1p out)"
refused 2 'no format "xml"; --as accepts csv, tsv or json' infer plain.model plain.ldac --as xml
printf '0 1 1\n1 0\n' >s.txt
run 0 fit s.txt --format sequences --model hidden_markov --states 2 --seed 1 -o s.model --quiet
run 0 infer s.model s.txt --format sequences --quantity path -o path.tsv
refused 1 "columns are topics" infer s.model s.txt --format sequences --labels
cut -f1,2 path.tsv | tr '\t\n' ', ' >places
says places '^row,position 0,0 0,1 0,2 1,0 1,1 $'

# topics: a row for each word.
run 0 topics t.model --words 4 -o words.csv
count "rows of words" 9 "$(wc -l <words.csv)"
says words.csv "^topic,label,share,rank,word,score$"
says words.csv "^[01],[a-z]* [a-z]* [a-z]*,0\.[0-9]*,4,[a-z]*,0\.[0-9]*$"
run 0 topics t.model --words 2 --limit 1 --as json
says out '"rank": 2, "word": "'
# get and evaluate.
run 0 get t.model topics -o topics.tsv
[ "$(sed -n 1p topics.tsv | cut -f1)" = topic ]
verdict $? "the header of topics.tsv is $(sed -n 1p topics.tsv)"
sed -n 1p topics.tsv | grep -q "apples"
verdict $? "topics.tsv does not name the words"
run 0 get t.model alpha --header
says out "^topic,alpha$"
run 0 evaluate t.model t.corpus --as json
says out '^{"measure": "predictive", "score": -[0-9.]*}$'

# documents: those with the largest share of each topic, with their text if it is available.
run 0 documents t.model t.corpus --count 2
count "lines of documents" 7 "$(wc -l <out)"
says out "^topic 0: [a-z]* [a-z]* [a-z]*$"
says out 'doc, [0-9]'
run 0 documents t.model t.csv --text --column text --id-column id --count 3 -o d.csv
count "lines of documents" 7 "$(wc -l <d.csv)"
says d.csv '^topic,label,rank,share,row,name,text$'
says d.csv '^[01],[a-z ]*,1,0\.[0-9]*,[0-9]*,"doc, [0-9]*",apples pears plums cherries$'
says d.csv '^[01],[a-z ]*,1,0\.[0-9]*,[0-9]*,"doc, [0-9]*",dogs cats horses cows$'
awk -F, 'NR > 1 && $3 > 1 && $4 > last { exit 1 } { last = $4 }' d.csv
verdict $? "the documents of a topic do not come in the order of their shares: $(cat d.csv)"
run 0 documents t.model t.corpus --topic 1 --count 1 --as json
says out '^{"topic": 1, "label": "[a-z ]*", "rank": 1, '
grep -q '"topic": 0' out && verdict 1 "--topic 1 shows topic 0"
refused 2 "topic" documents t.model t.corpus --topic 2
refused 1 "shares of topics" documents s.model s.txt --format sequences
# similar: the documents most similar to one of them.
run 0 similar t.model t.corpus --to "doc, 4" --count 3
count "lines of similar" 4 "$(wc -l <out)"
awk 'NR > 1 && $2 % 2 { exit 1 }' out
verdict $? "documents of another kind are similar: $(cat out)"
run 0 similar t.model t.corpus --to 4 --count 3 --as csv
says out '^rank,distance,row,name,date$'
refused 1 'no document called "doc 99"' similar t.model t.corpus --to "doc 99"
refused 1 'no row 30' similar t.model t.corpus --to 30
# and topics.
run 0 similar plain.model --topic 1
count "lines of similar topics" 2 "$(wc -l <out)"
says out '^  *0\.[0-9]*  *0  #[0-9]* #[0-9]* #[0-9]*: #[0-9]* #'
run 0 similar t.model --topic 0 -o topics.csv
says topics.csv '^1,[01]\(\.[0-9]*\)\?,1,[a-z ]*,[a-z ]*$'
refused 2 "cannot be combined" similar t.model --topic 0 --to 1
refused 2 "leave t.corpus out" similar t.model t.corpus --topic 0
refused 2 "to needs the documents" similar t.model --to 1
refused 2 "topic must be a whole number from 0 to 1" similar t.model --topic 2
finish
