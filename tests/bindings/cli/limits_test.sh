#!/bin/sh
# Limits of the shell: a file above the limit of its size is an error message and leaves nothing, and a fit whose
# processor time ends saves its result.
. "$(dirname "$0")/common.sh"
ldac 600 3 >train.ldac
run 0 fit train.ldac -o model --topics 5 --max-passes 1 --quiet
run 0 convert train.ldac corpus

# limited FILE COMMAND ...: the command may not write FILE, and the old one remains.
limited() {
  file=$1
  shift
  echo old >"$file"
  (ulimit -f 1 && exec "$VTEMPER" "$@") >limited.out 2>limited.err
  count "exit status of $1 above the limit of a file's size" 1 $?
  says limited.err "File too large"
  [ "$(cat "$file")" = old ]
  verdict $? "$file has changed"
  ls -A | grep -q '^\.' && verdict 1 "an unfinished file was left: $(ls -A)"
}
limited fitted fit train.ldac -o fitted --topics 5 --max-passes 1 --quiet
limited converted convert train.ldac converted
limited inferred.csv infer model train.ldac -o inferred.csv
limited inferred.npy infer model train.ldac -o inferred.npy
limited page.html report model -o page.html --quiet
limited picture.svg sweep train.ldac --topics 2,3 --max-passes 1 --svg picture.svg --quiet
(ulimit -f 1 && exec "$VTEMPER" infer model train.ldac) >standard.csv 2>standard.err
count "exit status where the standard output may not grow" 1 $?
says standard.err "File too large"

# The limit of processor time: a signal (SIGXCPU) every second.
(ulimit -S -t 1 && exec "$VTEMPER" fit corpus -o timed --topics 5 --method svi --max-passes 100000000 --threads 1 --quiet) 2>timed.err
count "exit status at the limit of processor time" 130 $?
run 0 get timed lambda
run 0 info timed
finish
