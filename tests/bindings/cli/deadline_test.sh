#!/bin/sh
# A model with very many parameters: the estimate of its memory is printed before it is allocated, and --deadline holds
# while it is initialised, which would take more than ten seconds of CPU time.
. "$(dirname "$0")/common.sh"
awk 'BEGIN { for (d = 0; d < 50; ++d) printf "2 %d:1 %d:2\n", d, 6000 + d }' >wide.ldac
(
  ulimit -t 4
  "$VTEMPER" fit wide.ldac -o m --topics 60000 --deadline 0.3 >out 2>err
)
status=$?
count "a fit whose deadline is over before its first step" 1 $status
says err "^estimate: about [0-9.]* GB of memory$"
says err "^vtemper fit: the deadline was reached while the lda model was initialised"
count "lines that such a fit says" 2 "$(wc -l <err)"
[ ! -e m ]
verdict $? "it leaves a model"

# More memory than any machine has: the message suggests how to use less.
printf '2 0:1 5:1\n2 7:1 1999999:1\n' >wider.ldac
"$VTEMPER" fit wider.ldac -o m --topics 1000000 --deadline 0.3 >out 2>err
says err "^estimate: about [0-9,.]* [GT]B of memory, of which there is [0-9.]* [GT]B here; --parameters-folder DIRECTORY keeps the topics"
finish
