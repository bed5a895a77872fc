#!/bin/sh
# --vocabulary: a file or a pipe with one word per line; what is not text is refused.
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
