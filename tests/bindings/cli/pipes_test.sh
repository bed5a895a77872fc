#!/bin/sh
# Standard input and output as data: pipes are read once, and a file behind /dev/stdout is replaced like any other.
. "$(dirname "$0")/common.sh"
ldac 300 1 >data.ldac
yes '0 1 2 1 0' | head -2000 >sequences.txt

# info looks into regular files only: what it took from a pipe would be missing.
"$VTEMPER" info /dev/stdin --format sequences <sequences.txt >from_file
cat sequences.txt | "$VTEMPER" info /dev/stdin --format sequences >from_pipe
says from_pipe "2,000 sequences"
same "info of a file and of a pipe" from_file from_pipe
cat data.ldac | "$VTEMPER" info /dev/stdin --format ldac >from_pipe
says from_pipe "300 documents"

# Results go through pipes, also where they have a name.
run 0 fit data.ldac -o m.model --topics 2 --max-passes 1 --quiet
run 0 topics m.model
"$VTEMPER" topics m.model -o /dev/stdout 2>err | cat >topics.txt
same "topics through a pipe with a name" out topics.txt

# The summary is that of the file which was written.
"$VTEMPER" convert data.ldac /dev/stdout >data.corpus 2>err
count "convert to a file behind /dev/stdout" 0 $?
says err "/dev/stdout: 300 documents, 40 words, 9,000 tokens"
run 0 convert data.ldac named.corpus
same "a corpus written through /dev/stdout" named.corpus data.corpus

# What is gone when it has been read cannot be read twice.
printf 'the cat sat\nthe dog sat\n' >lines.txt
once="can be read only once"
few="--text --min-documents 1 --max-share 1"
refused 2 "- and - are the same input, which $once" convert - x $few --stop-words -
for stop_words in - /dev/stdin; do
  cat lines.txt | "$VTEMPER" convert - x $few --stop-words $stop_words 2>err
  says err "- and $stop_words are the same input, which $once"
done
mkfifo pipe
timeout 20 "$VTEMPER" fit pipe -o x --test ./pipe 2>err
count "exit status where a pipe is to be read twice" 2 $?
says err "pipe and ./pipe are the same input, which $once"
run 0 fit data.ldac -o x --test data.ldac --topics 2 --max-passes 1 --quiet
finish
