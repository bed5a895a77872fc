#!/bin/sh
# correlation and timeline: statistics of topics over many documents.
. "$(dirname "$0")/common.sh"

# Three subjects: x and y come together, z by itself, and more often every month.
awk 'function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
  BEGIN {
  state = 12345
  print "id,date,text"
  for (i = 0; i < 240; ++i) {
    month = i % 6 + 1
    words = ""
    alone = int(i / 6) < 6 * month
    for (n = 0; n < 24; ++n) {
      subject = alone ? "zed" : n % 2 ? "yan" : "xio"
      words = words " " subject substr("abcdefgh", int(8 * uniform()) + 1, 1)
    }
    printf "doc %d,%s,%s\n", i, i == 7 ? "in spring" : sprintf("2024-%02d-%02d", month, i % 28 + 1), words
  }
}' >t.csv
text="--text --column text --id-column id --date-column date"
run 0 convert t.csv t.corpus $text --min-documents 1 --max-share 1 --language none --quiet
run 0 fit t.corpus -o t.model --topics 2 --max-passes 30 --seed 3 --quiet

run 0 correlation t.model t.corpus
count "lines of a correlation" 2 "$(wc -l <out)"
awk 'NR == 2 { exit !($1 < -0.9) }' out
verdict $? "two topics that keep apart have no correlation near -1: $(cat out)"
run 0 correlation t.model t.csv $text -o c.csv
says c.csv '^correlation,topic,label,other_topic,other_label$'
count "lines of c.csv" 2 "$(wc -l <c.csv)"
run 0 infer t.model t.corpus -o p.csv
awk -F, 'FNR > 1 && NR == FNR { a += $4; b += $5; aa += $4 * $4; bb += $5 * $5; ab += $4 * $5; ++n; next }
  NR != FNR && FNR == 2 { r = (ab - a * b / n) / sqrt((aa - a * a / n) * (bb - b * b / n)); d = r - $1; exit !(d * d < 1e-12) }' p.csv c.csv
verdict $? "the correlation is not that of the shares of infer: $(cat c.csv)"
run 0 correlation t.model t.corpus --topic 1 --count 1 --as json
says out '"topic": 1, .*"other_topic": 0,'
refused 2 "topic must be a whole number from 0 to 1" correlation t.model t.corpus --topic 2

# timeline: the mean over the documents of a month, its deviation and standard error.
run 0 timeline t.model t.corpus -o m.csv
says err ': 1 document has no date that can be read as a month and is left out: "in spring" of row 7$'
says m.csv '^period,documents,topic,label,share,deviation,standard_error$'
count "lines of a timeline" 13 "$(wc -l <m.csv)"
awk -F, 'NR == FNR { if (substr($3, 1, 7) == "2024-02") { s += $4; ss += $4 * $4; ++n } next }
  $1 == "2024-02" && $3 == 0 { found = 1; m = s / n; d = sqrt((ss - n * m * m) / (n - 1))
    bad = $2 != n || ($5 - m) ^ 2 > 1e-16 || ($6 - d) ^ 2 > 1e-14 || ($7 - d / sqrt(n)) ^ 2 > 1e-14 }
  END { exit bad || !found }' p.csv m.csv
verdict $? "the share of a month is not that of infer: $(cat m.csv)"
zed=$(awk -F, '$4 ~ /zed/ { print $3; exit }' m.csv)
awk -F, -v zed="$zed" '$3 == zed { if ($5 < last) exit 1; last = $5 }' m.csv
verdict $? "the share of the topic that grows falls: $(cat m.csv)"
run 0 timeline t.model t.csv $text --by quarter --topic "$zed" --quiet
says out '^  2024-Q1  *1[0-9]*  *[0-9.]* %  *[0-9.]* %$'
count "lines of two quarters" 4 "$(wc -l <out)"
run 0 timeline t.model t.corpus --by year --quiet --as tsv
count "lines of a year" 3 "$(wc -l <out)"
run 0 timeline t.model t.corpus --by day --quiet --as json
says out '"period": "2024-01-01", "documents": [1-9]'
sed 's/^doc 8,[^,]*/doc 8,in summer/' t.csv >undated.csv
run 0 timeline t.model undated.csv $text --by year -o m.csv
says err ': 2 documents have no date that can be read as a year and are left out, the first is "in spring" of row 7$'
refused 2 'by is "week"; it must be day' timeline t.model t.corpus --by week
run 0 convert t.csv plain.corpus --text --column text --min-documents 1 --max-share 1 --quiet
refused 1 "have no dates" timeline t.model plain.corpus
run 0 convert t.csv odd.corpus --text --column text --date-column id --min-documents 1 --max-share 1 --quiet
refused 1 'no date of odd.corpus can be read as a month, the first is "doc 0"' timeline t.model odd.corpus
# Other forms of dates; days that do not exist are not dates.
for date in 20240229 2024/02/29 29.02.2024 2024-02-29T10:00 "2024.02.29 noon" 2024-02; do
  printf 'date,text\n%s,xioa yanb\n' "$date" >one.csv
  run 0 timeline t.model one.csv --text --column text --date-column date --as csv
  says out '^2024-02,1,0,'
done
for date in 2023-02-29 2024-13-01 2024-00-10 2024-1-5 20240 2024; do
  printf 'date,text\n%s,xioa yanb\n' "$date" >one.csv
  refused 1 "can be read as a month" timeline t.model one.csv --text --column text --date-column date --as csv
done
finish
