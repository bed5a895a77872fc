#!/bin/sh
# --vocabulary: a file or a pipe, also gzip, with one word per line; what is not text is refused.
. "$(dirname "$0")/common.sh"

printf '2 0:1 1:2\n1 2:3\n' >data.ldac
printf 'apple\r\npear\nplum' >words.txt
mkfifo pipe

run 0 convert data.ldac file.corpus --vocabulary words.txt
run 0 info file.corpus
says out "^names  *apple pear plum$"
cat words.txt >pipe &
run 0 convert data.ldac pipe.corpus --vocabulary pipe
same "a file and a named pipe" file.corpus pipe.corpus
cat words.txt | "$VTEMPER" convert data.ldac pipe.corpus --vocabulary /dev/stdin --quiet
verdict $? "a pipe is refused"
same "a file and a pipe" file.corpus pipe.corpus
"$VTEMPER" convert data.ldac pipe.corpus --vocabulary /dev/fd/3 --quiet 3<words.txt
verdict $? "an open file is refused"
same "a file and an open file" file.corpus pipe.corpus

printf '\357\273\277' | cat - words.txt >marked.txt
run 0 convert data.ldac marked.corpus --vocabulary marked.txt
same "a file with a byte order mark and one without" file.corpus marked.corpus

gzip -c words.txt >words.txt.gz
run 0 convert data.ldac compressed.corpus --vocabulary words.txt.gz
same "a compressed file and a plain one" file.corpus compressed.corpus
iconv -f utf-8 -t utf-16 words.txt >wide.txt
run 0 convert data.ldac wide.corpus --vocabulary wide.txt
same "a file in UTF-16 and one in UTF-8" file.corpus wide.corpus
printf '\n\r\n' | cat words.txt - >blank_end.txt
run 0 convert data.ldac blank_end.corpus --vocabulary blank_end.txt
same "a file with blank lines at its end and one without" file.corpus blank_end.corpus

# What does not name the columns is refused with its line and what to do.
printf 'apple\n\nplum\n' >gap.txt
refused 1 "gap.txt, line 2: the line is blank, .* give the column a name$" convert data.ldac x.corpus --vocabulary gap.txt
printf 'apple\npear\napple\n' >twice.txt
refused 1 'twice.txt, line 3: "apple" is also the name in line 1; rename one of them' \
  convert data.ldac x.corpus --vocabulary twice.txt
printf 'apple\t3\npear\t2\nplum\t1\n' >table.txt
refused 1 "table.txt, line 1: a tab within the name; .* keep its column of names, for instance by cut -f 1$" \
  fit data.ldac -o x.model --topics 2 --vocabulary table.txt
printf 'apple\np\303\251ar\npr\374ne\n' >latin.txt
refused 1 "latin.txt, line 3: a byte that is not UTF-8; convert the file, for instance by iconv" \
  convert data.ldac x.corpus --vocabulary latin.txt

# Lines of any length.
awk 'BEGIN { for (i = 0; i < 3; ++i) { for (j = 254; j < 256 + i; ++j) printf "%c", 97 + i; for (j = 0; j < 254; ++j) printf "x"; print "" } }' >long.txt
run 0 convert data.ldac long.corpus --vocabulary long.txt
run 0 info long.corpus
says out "aax*  *bbbx*  *ccccx*"

printf 'apple\npe\000ar\nplum\n' >zero.txt
refused 1 "zero.txt is not text but a file with zero bytes (the first at byte 8)" convert data.ldac x.corpus --vocabulary zero.txt
refused 1 "zero.txt is not text" fit data.ldac -o x.model --vocabulary zero.txt --topics 2
# Devices have zero bytes without end; where the file above is not refused, they would fill the memory.
if [ "$failures" -eq 0 ]; then
  refused 1 "/dev/zero is not text" convert data.ldac x.corpus --vocabulary /dev/zero
  refused 1 "/dev/zero is not text" fit data.ldac -o x.model --vocabulary /dev/zero --topics 2
fi
refused 1 "/dev/null names no words" convert data.ldac x.corpus --vocabulary /dev/null
[ ! -e x.corpus ] && [ ! -e x.model ]
verdict $? "a refused vocabulary left a file"
finish
