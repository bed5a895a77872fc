#!/bin/sh
# The grammar: help, versions, exit statuses, nearest words, descriptions.
. "$(dirname "$0")/common.sh"
ldac 50 1 >data.ldac

run 2
says err "usage: vtemper COMMAND"
for word in --help -h help; do
  run 0 $word
  says out "usage: vtemper COMMAND"
done
run 0 --version
says out "[0-9]*\.[0-9]*\.[0-9]"
commands=$("$VTEMPER" --help | sed -n 's/^  \([a-z]*\)   *[a-z].*/\1/p' | grep -v '^vtemper$')
[ "$(echo "$commands" | wc -w)" -ge 17 ]
verdict $? "the overview lists only: $commands"
for command in $commands; do
  run 0 $command --help
  says out "^usage: vtemper $command"
  [ ! -s err ]
  verdict $? "the help of $command writes to stderr"
  awk 'length > 130' out | grep -q . && verdict 1 "the help of $command has lines beyond 130 columns"
done

# The help of evaluate says of every kind what its score is, and which kinds have the measures that not all have.
"$VTEMPER" evaluate --help | tr '\n' ' ' >explained
for kind in $("$VTEMPER" describe | sed -n 's/^models *//p'); do
  says explained "predictive, in nats: .*$kind.* perplexity is exp"
done
says explained "for gaussian_mixture and bernoulli_mixture the mean log density of a row"
says explained "perplexity is exp(-predictive); these two networks have none"
says explained "Only for these two networks and deep_exponential_family: log_marginal, "
says explained "For models with conjugate updates: log_normalizer, "

# Wrong words: status 2 and the nearest valid one.
refused 2 "did you mean fit" fti data.ldac
refused 2 "did you mean evaluate" evalute
refused 2 "see vtemper --help" xyzzyx
refused 2 "did you mean --topics" fit data.ldac -o m --topcs 5
refused 2 "did you mean --max-passes" fit data.ldac -o m --max-pases 5
refused 2 "did you mean --max-passes" fit data.ldac -o m --max_pases=5
refused 2 "did you mean --trace" fit data.ldac -o m --trcae t.csv
refused 2 "see vtemper fit --help" fit data.ldac -o m --xyzzyx 1
refused 2 "did you mean lda" fit data.ldac -o m --model ldaa
refused 2 "svi" fit data.ldac -o m --method svii
refused 2 "did you mean --measure" evaluate m data.ldac --mesure elbo
refused 2 "did you mean alpha\|did you mean eta" describe alhpa
refused 2 "topics" fit data.ldac -o m --topics 0
refused 2 "topics" fit data.ldac -o m --topics many
refused 2 "max_passes" fit data.ldac -o m --max-passes -3

# Something missing or too much.
refused 2 "output is missing" fit data.ldac
refused 2 "the usage is" fit
refused 2 "unexpected argument" fit data.ldac data.ldac -o m
refused 2 "needs a value" fit data.ldac -o
refused 2 "needs a value" fit data.ldac -o m --topics
refused 2 "needs a value" fit data.ldac -o m --topics --quiet
refused 2 "takes no value" fit data.ldac -o m --quiet=yes
refused 2 "no option -x" fit data.ldac -x
refused 2 "needs --checkpoint" fit data.ldac -o m --checkpoint-every 3
refused 2 "whole number" topics m --words ten
refused 2 "whole number" topics m --words 0
refused 2 "between 0 and 1" split data.ldac a b --share 1
refused 2 "needs --text" convert data.ldac out --max-share 0.5
refused 2 "cannot be combined with --text" convert data.ldac out --text --vocabulary words
refused 2 "\.json or \.npy" get m lambda -o lambda.txt
[ ! -e m ] && [ ! -e out.part ]
verdict $? "a refused command left a file"

# Descriptions come from the library.
run 0 describe
says out "lda"
says out "svi"
run 0 describe lda
says out "^topics .*100"
run 0 describe optimizer
says out "^method"
says out "^max_passes"
run 0 describe evaluate
says out "^heldout_share"
run 0 describe max-passes
says out "default"
run 0 describe method
says out "annealing"
awk 'length > 130' out | grep -q . && verdict 1 "a description has lines beyond 130 columns"
finish
