#!/bin/sh
# convert --text: words of several languages, tables, JSON Lines, folders, pipes, gzip, encodings, phrases and stems.
. "$(dirname "$0")/common.sh"

all="--min-documents 1 --max-share 1"

# names FILE WORDS: the columns of a corpus are exactly these (at most eight), in any order.
names() {
  "$VTEMPER" info "$1" | sed -n 's/^names  *//p' | tr ' ' '\n' | LC_ALL=C sort >names_got
  printf '%s\n' $2 | LC_ALL=C sort >names_wanted
  cmp -s names_wanted names_got
  verdict $? "the words of $1 are $(tr '\n' ' ' <names_got), not $2"
}

# Languages: found by their function words; accents, capitals, umlauts and scripts without blanks.
cat >de.txt <<'TEXT'
Die UNIVERSITÄT ist eine der ältesten und die größte.
Straßen und Häuser sind dort sehr alt.
TEXT
cat >fr.txt <<'TEXT'
L'université n'est pas loin du café où j'ai mangé aujourd’hui.
Les étudiants ont été à l’École.
TEXT
cat >ru.txt <<'TEXT'
МОСКВА это столица России, и она очень большая.
Собаки и кошки живут в доме вместе с нами.
TEXT
cat >zh.txt <<'TEXT'
北京是中国的首都,也是文化中心。
我们喜欢学习和音乐。
TEXT
cat >ja.txt <<'TEXT'
東京は日本の首都である。
図書館で本を読みます。
TEXT
cat >th.txt <<'TEXT'
กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย
ฉันชอบกินข้าวผัด
TEXT
for language in de fr ru zh ja th; do
  run 0 convert --text $language.txt $language.corpus $all
  says err "language $language (detected"
  says err "$language.txt: 2 documents"
  says err "^dropped: [1-9][0-9]* stop words"
  count "lines of the summary" 3 "$(wc -l <err)"
done
names de.corpus "universität ältesten größte straßen häuser alt"
# Whatever code names the language, it has its stop words; only one without a list has none.
for language in de deu de-AT; do
  run 0 convert --text de.txt coded.corpus $all --language $language
  names coded.corpus "universität ältesten größte straßen häuser alt"
  says err "; language $language$"
done
for language in is isl; do
  run 0 convert --text de.txt coded.corpus $all --language $language
  says err "; language $language, which has no list of stop words$"
  says err "^dropped: 0 stop words"
done
names fr.corpus "université loin café mangé aujourd'hui étudiants école"
names ru.corpus "москва столица россии большая собаки кошки живут доме"
run 0 info ru.corpus
says out "recipe    language ru"
run 0 info zh.corpus
says out "北京"
says out "文化"
run 0 info ja.corpus
says out "図書館"
run 0 info th.corpus
says out "กรุงเทพมหานคร"
# Full-width letters, ligatures and decomposed accents are normalised; soft hyphens are dropped; Turkish has its own i.
printf 'ＦＵＬＬ e\314\201te\314\201 \357\254\201sh sun\302\255set\n' >forms.txt
run 0 convert --text forms.txt forms.corpus $all --language none
names forms.corpus "full été fish sunset"
printf 'ISPARTA\n' >tr.txt
run 0 convert --text tr.txt tr.corpus $all --language tr
names tr.corpus "ısparta"
run 0 convert --text tr.txt tr.corpus $all
names tr.corpus "isparta"
says err "language en"
refused 2 "no language \"klingon\"" convert --text tr.txt x.corpus --language klingon

# Apostrophes, own stop words, lengths, stems.
printf "The dog's running; it's dogs that run. A cat isn't running.\n" >en.txt
run 0 convert --text en.txt en.corpus $all
names en.corpus "dog running dogs run cat"
printf 'CAT\n\n run \n' >own.txt
run 0 convert --text en.txt en.corpus $all --stop-words own.txt
names en.corpus "dog running dogs"
run 0 convert --text en.txt en.corpus $all --min-length 4
names en.corpus "running dogs"
run 0 convert --text en.txt en.corpus $all --stem
names en.corpus "dog run cat"
run 0 convert --text de.txt de.corpus $all --stem
names de.corpus "universitat grosst strass haus alt"
refused 2 "no stemmer for the language \"zh\"" convert --text zh.txt x.corpus --stem
refused 1 "nowhere.txt cannot be read" convert --text en.txt x.corpus --stop-words nowhere.txt

# CSV with quotes, separators and line breaks within fields, other separators, several columns, names and dates.
printf 'id,title,"body, all",date\r\n7,"Red ""apples""","green\npears, plums",2020-01-02\r\n8,Blue,"",2021-03-04\r\n' >t.csv
run 0 convert --text t.csv csv.corpus $all --column "body, all" --id-column id --date-column date
names csv.corpus "green pears plums"
says err "t.csv: 2 documents (1 without a word)"
run 0 info csv.corpus
says out '^name      of each row, the first "7", the last "8"$'
says out '^date      of each row, from "2020-01-02" to "2021-03-04"$'
run 0 convert --text t.csv csv.corpus $all --column title
names csv.corpus "red apples blue"
tr ',' '\t' <<'TEXT' >t.tsv
id,title,body
1,"one	apple",pears
2,two,plums
TEXT
run 0 convert --text t.tsv tsv.corpus $all --column title,body
names tsv.corpus "apple pears plums"
printf 'a;b\n1;"Birnen;\nsind"\n' >semicolon.data
run 0 convert --text semicolon.data semicolon.corpus $all --column b --language none
names semicolon.corpus "birnen sind"
refused 2 "table with the columns id, title, body, all, date: .*--column" convert --text t.csv x.corpus
refused 2 "table with the columns a, b: .*--column" convert --text semicolon.data x.corpus
refused 2 'no column "text" (--column); its columns are a, b' convert --text semicolon.data x.corpus --column text
refused 2 'no column "when" (--date-column)' convert --text semicolon.data x.corpus --column b --date-column when
run 0 convert --text t.csv lines.corpus $all --lines
says err "3 documents\|4 documents"
printf 'a,b\n1,2\n3\n' >short.csv
refused 1 "short.csv, the record that begins at line 3: it has 1 fields, the header 2" convert --text short.csv x.corpus --column b
printf 'a,b\n1,"two\n' >open.csv
refused 1 "at line 2: a quoted field does not end" convert --text open.csv x.corpus --column b
printf 'a,b\n1,"two"three\n' >after.csv
refused 1 "continues after its closing quote" convert --text after.csv x.corpus --column b

# JSON Lines: fields within fields, lists, null, numbers as names.
cat >t.jsonl <<'TEXT'
{"n": 1, "doc": {"text": "red apples\nand \u00e9t\u00e9"}, "when": "2020"}
{"n": 2, "doc": {"text": null}, "when": null}

{"n": 3, "doc": {"text": ["green", "pears"]}}
TEXT
run 0 convert --text t.jsonl json.corpus $all --field doc.text --id-column n --date-column when
names json.corpus "red apples été green pears"
says err "3 documents (1 without a word)"
run 0 info json.corpus
says out '^name      of each row, the first "1", the last "3"$'
says out '^date      of each row, from "2020" to "2020", no date in 2 rows$'
# Dates in any order and form; what is no date is told as it is.
printf 'body,when\npears,2021-03-04\nplums,17.05.2019\nfigs,\napples,2023-01\nnuts,20201224\n' >dated.csv
run 0 convert --text dated.csv dated.corpus $all --column body --date-column when
run 0 info dated.corpus
says out '^date      of each row, from "17.05.2019" to "2023-01", no date in 1 row$'
printf 'body,when\npears,soon\nplums,later\n' >undated.csv
run 0 convert --text undated.csv undated.corpus $all --column body --date-column when
run 0 info undated.corpus
says out '^date      of each row, the first "soon", the last "later"$'
refused 2 "JSON Lines with the fields doc, n, when: .*--field" convert --text t.jsonl x.corpus
refused 2 'no field "body" (--field); the fields of its first line are doc, n, when' convert --text t.jsonl x.corpus --field body
printf '[\n {"text": "a"}\n]\n' >list.json
refused 2 "not JSON Lines" convert --text list.json x.corpus
printf '{"text": "apple"}\n{"text": \n' >broken.jsonl
refused 1 "broken.jsonl, line 2: not a JSON object" convert --text broken.jsonl x.corpus --field text
awk 'BEGIN { printf "{\"text\":"; for (i = 0; i < 200000; ++i) printf "["; print "" }' >deep.jsonl
refused 1 "deep.jsonl, line 1: not a JSON object" convert --text deep.jsonl x.corpus --field text
refused 2 "cannot be combined" convert --text t.jsonl x.corpus --field a --column b
refused 2 "needs --text" convert t.jsonl x.corpus --field a
refused 2 "id-column needs --column or --field" convert --text en.txt x.corpus --id-column a

# Folders: one document per file, in the order of their names; hidden files do not count, binary ones are left out and
# reported.
mkdir -p folder/sub folder/.hidden
printf 'apples\nand pears\n' >folder/b.txt
printf 'plums' | gzip >folder/a.txt.gz
printf 'cherries' >folder/sub/c
printf 'secret' >folder/.hidden/d
: >folder/e
printf 'PK\003\004zip' >folder/z.docx
run 0 convert --text folder folder.corpus $all
says err "folder: 4 documents (1 without a word)"
says err "; 1 file is not text and was left out: z.docx$"
names folder.corpus "apples pears plums cherries"
run 0 info folder.corpus
says out '^name      of each row, the first "a.txt.gz", the last "sub/c"$'
run 0 fit folder.corpus -o folder.model --topics 1 --max-passes 1 --quiet
run 0 infer folder.model folder --text
says err "^folder: 1 file is not text and was left out: z.docx$"
printf 'PK\003\004zip' >folder/y.docx
run 0 convert --text folder x.corpus $all
says err "; 2 files are not text and were left out; the first is y.docx$"
rm x.corpus
mkdir none images
refused 1 "there is no file in none" convert --text none x.corpus
printf '\211PNG' >images/x.png
refused 1 "no file in images is text; the first, x.png, is a PNG image" convert --text images x.corpus

# A file whose name is not UTF-8 is named, unless its name is not kept; some file systems have no such names.
mkdir badly_named
printf 'apples\n' >badly_named/a.txt
if (printf 'pears\n' >"badly_named/$(printf 'b\351\033.txt')") 2>/dev/null; then
  refused 1 "the name of the file b??.txt in badly_named is not UTF-8" convert --text badly_named x.corpus $all
  run 0 convert --text badly_named lines.corpus $all --lines
  names lines.corpus "apples pears"
  refused 1 "the name of the file b??.txt in badly_named is not UTF-8" infer folder.model badly_named --text
fi

# Pipes and gzip, found by content; one corpus by all ways.
run 0 convert --text de.txt plain.corpus $all
gzip -c de.txt >packed.txt
run 0 convert --text packed.txt packed.corpus $all
same "plain and compressed" plain.corpus packed.corpus
cat de.txt | "$VTEMPER" convert --text - piped.corpus $all 2>err
verdict $? "a pipe is refused: $(cat err)"
says err "^the standard input: 2 documents"
same "plain and piped" plain.corpus piped.corpus
gzip -c de.txt | "$VTEMPER" convert --text - piped.corpus $all --quiet
same "plain and piped compressed" plain.corpus piped.corpus
gzip -c t.csv | "$VTEMPER" convert --text - csv_piped.corpus $all --column title --quiet
same "a table in a pipe" csv.corpus csv_piped.corpus
mkfifo fifo
cat de.txt >fifo &
run 0 convert --text fifo fifo.corpus $all
same "plain and a named pipe" plain.corpus fifo.corpus
head -c 60 packed.txt >cut.gz
refused 1 "cut.gz cannot be read" convert --text cut.gz x.corpus

# Encodings: invalid bytes are refused with their line; a named encoding is converted; byte order marks are recognised.
printf 'one apple\ncaf\351 noir\n' >latin.txt
refused 1 "latin.txt, line 2: a byte that is not UTF-8" convert --text latin.txt x.corpus
run 0 convert --text latin.txt latin.corpus $all --encoding latin1 --language none
names latin.corpus "one apple café noir"
run 0 convert --text latin.txt latin.corpus $all --encoding utf-8 --language none
names latin.corpus "one apple caf noir"
says err "; 1 byte that is invalid in the encoding was replaced$"
printf '\377\376a\000p\000p\000l\000e\000\n\000' >utf16.txt
run 0 convert --text utf16.txt utf16.corpus $all
names utf16.corpus "apple"
printf '\377\376a' >cut16.txt
refused 1 "cut16.txt, line 1: bytes that are not UTF-16LE, as the byte order mark says; the file is cut off or damaged" \
  convert --text cut16.txt x.corpus
printf '\357\273\277id,text\n1,pear\n' >marked.csv
run 0 convert --text marked.csv marked.corpus $all --column text --id-column id
names marked.corpus "pear"
refused 2 "no encoding \"elvish\"" convert --text latin.txt x.corpus --encoding elvish

# Files that are not text are refused.
printf '%%PDF-1.4\n' >x.pdf
refused 1 "x.pdf is not text but a PDF document" convert --text x.pdf x.corpus
printf 'abc\000def\n' >zero.txt
refused 1 "zero.txt is not text but a file with zero bytes (the first at byte 3)" convert --text zero.txt x.corpus
{ awk 'BEGIN { for (i = 0; i < 30000; ++i) print "word" }'; printf 'a\000b\n'; } >late.txt
refused 1 "late.txt, line 30001: a zero byte" convert --text late.txt x.corpus
refused 1 "not text" convert --text plain.corpus x.corpus
refused 1 "missing.txt cannot be read" convert --text missing.txt x.corpus
: >empty.txt
refused 1 "empty.txt is empty" convert --text empty.txt x.corpus
refused 1 "empty.txt is empty: it has no header" convert --text empty.txt x.corpus --column a
[ ! -e x.corpus ]
verdict $? "a refused conversion left a file"

# Long lines and words, and texts without any blank.
awk 'BEGIN { for (i = 0; i < 300000; ++i) printf "wordx "; print ""; for (i = 0; i < 2000000; ++i) printf "x"; print " tail" }' >long.txt
run 0 convert --text long.txt long.corpus $all --language none
names long.corpus "wordx tail"
says err "300,001 tokens"
awk 'BEGIN { for (i = 0; i < 100000; ++i) printf "東京"; print "" }' >blankless.txt
run 0 convert --text blankless.txt blankless.corpus $all
says err "100,000 tokens"

# Words that once took time in the square of their length, together minutes: a letter with a million combining marks,
# of which no two stand in their order, and in French articles or other words before each of many apostrophes.
# in_time ARGUMENTS...: as run 0, but the command must end within a minute.
in_time() {
  timeout 60 "$VTEMPER" "$@" >out 2>err
  got=$?
  [ $got -eq 0 ]
  verdict $? "vtemper $* ended with $got (124: it took more than a minute): $(cat err)"
}
awk 'BEGIN {
  printf "a"
  for (i = 0; i < 170000; ++i) printf "\314\201\314\243\314\225"
  print "\ngalaxy star"
}' >marks.txt
in_time convert --text marks.txt marks.corpus $all --language none
names marks.corpus "galaxy star"
says err " 0 short and 1 long word;"
for word in "abc'" "l'"; do
  awk -v word="$word" 'BEGIN {
    for (line = 0; line < 8; ++line) {
      printf "%c", 97 + line # no two lines are the same word
      for (i = 0; i < 1000000 / length(word); ++i) printf "%s", word
      print "\ngalaxie"
    }
  }' >apostrophes.txt
  in_time convert --text apostrophes.txt apostrophes.corpus $all --language fr
  names apostrophes.corpus "galaxie"
done
awk 'BEGIN {
  printf "{\"text\": \"galaxy\", \"list\": ["
  for (i = 0; i < 1500000; ++i) printf "{},"
  print "{}]}"
}' >objects.jsonl
in_time convert --text objects.jsonl objects.corpus $all --field text
names objects.corpus "galaxy"
# A word may have as many marks as letters, wherever it stands; one with very many is too long, and no others are.
awk 'BEGIN {
  for (i = 0; i < 200; ++i) {
    for (j = 0; j < i; ++j) printf "x"
    printf " many"
    for (j = 0; j < 50; ++j) printf "\314\243"
    printf " more"
    for (j = 0; j < 50 + 2 * i; ++j) printf "\314\243"
    print " tail"
  }
}' >many_marks.txt
run 0 convert --text many_marks.txt many_marks.corpus --language none --min-documents 10 --max-share 1
marks=$(awk 'BEGIN { for (j = 1; j < 50; ++j) printf "\314\243" }') # the first makes one character with its letter
names many_marks.corpus "manỵ$marks tail"
says err " 2 short and 329 long words"

# Phrases: words that come together are joined, also three; what is apart by chance, a stop word or a full stop is not.
awk 'BEGIN { for (i = 0; i < 40; ++i) {
  printf "visit new york city and los angeles. "
  printf "%s old %s road %s\n", i % 2 ? "green" : "grey", i % 3 ? "green" : "grey", i % 5 ? "old" : "new"
} }' >phrases.txt
run 0 convert --text phrases.txt phrases.corpus $all --phrases
says err "joined to phrases: [1-9]"
run 0 fit phrases.corpus -o phrases.model --topics 1 --max-passes 1 --quiet
run 0 topics phrases.model --words 30
says out " los_angeles"
says out "new_york_city"
grep -q "angeles_\|green_old_green" out && verdict 1 "words were joined over a full stop: $(cat out)"
run 0 convert --text phrases.txt apart.corpus $all
run 0 info apart.corpus
grep -q "_" out && verdict 1 "words are joined without --phrases"
refused 2 "needs --phrases" convert --text phrases.txt x.corpus --phrase-score 0.3

# Texts without a word that counts.
printf '\n\n\n' >blank.txt
refused 1 "blank.txt has no words$" convert --text blank.txt x.corpus
printf 'the and of\nof 12 ab\n' >plain_words.txt
refused 1 "plain_words.txt has no words to count: 4 are stop words, 1 number, 1 short (--min-length) and 0 long$" \
  convert --text plain_words.txt x.corpus --language en
finish
