#!/bin/sh
# Models with very many parameters: the estimate of the memory is printed before it is allocated, and --deadline holds
# while they are initialised. This one would take more than ten seconds of CPU time.
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

# So does a mixture whose covariances take most of the time that it is initialised: 0.8 GB if nothing ends it.
awk 'BEGIN { srand(1); for (i = 0; i < 40; ++i) { for (d = 0; d < 500; ++d) printf "%s%.3f", d ? "," : "", rand(); print "" } }' >wide.csv
(
  ulimit -t 4
  "$VTEMPER" fit wide.csv -o m --model gaussian_mixture --components 160 --deadline 0.1 >out 2>err
)
status=$?
count "a mixture whose deadline is over before its first step" 1 $status
says err "^vtemper fit: the deadline was reached while the gaussian_mixture model was initialised"
[ ! -e m ]
verdict $? "it leaves a mixture"

# More memory than any machine has: the message suggests how to use less.
printf '2 0:1 5:1\n2 7:1 1999999:1\n' >wider.ldac
"$VTEMPER" fit wider.ldac -o m --topics 1000000 --deadline 0.3 >out 2>err
says err "^estimate: about [0-9,.]* [GT]B of memory, of which there is [0-9.]* [GT]B here; --parameters-folder DIRECTORY keeps the topics"
awk 'BEGIN { for (i = 0; i < 2; ++i) { for (d = 0; d < 1000000; ++d) printf "%s%d", d ? "," : "", (i + d) % 7; print "" } }' >wider.csv
"$VTEMPER" fit wider.csv -o m --model gaussian_mixture --components 2 --deadline 0.3 >out 2>err
says err "^estimate: .* of which there is [0-9.]* [GT]B here; covariances take the square of the 1,000,000 columns: fit fewer, such as"
finish
