#!/bin/sh
# Manual pages and completions, which the command prints from the tables of its help, are complete and valid.
. "$(dirname "$0")/common.sh"
verbs=$("$VTEMPER" --help | sed -n 's/^  \([a-z]*\)   *[a-z].*/\1/p' | grep -v '^vtemper$')
count "verbs of the overview" 1 "$(echo "$verbs" | grep -c '^fit$')"

for verb in $verbs; do
  run 0 describe --manual $verb
  mv out vtemper-$verb.1
  "$VTEMPER" $verb --help | grep -o '^ *-[a-z], --[a-z-]*\|^  *--[a-z-]*' | grep -o -e '--[a-z-]*' | sort -u >options
  [ -s options ]
  verdict $? "the help of $verb has no options"
  while read -r option; do
    tr -d '\\' <vtemper-$verb.1 | grep -q -e "^.It.* Fl $(echo "$option" | sed 's/^--/-/')\( \|$\)"
    verdict $? "the page of $verb does not have $option"
  done <options
done

# Every kind, method and option of the library is in the page of fit; every quantity in those of get and infer.
for kind in $("$VTEMPER" describe | sed -n 's/^models *//p'); do
  says vtemper-fit.1 "^.Ss Options of the model $kind$"
  says vtemper-get.1 "^.Ss $kind$"
  says vtemper-infer.1 "^.Ss $kind$"
done
for subject in lda hidden_markov variational_autoencoder optimizer; do
  "$VTEMPER" describe $subject | sed 1d | grep -o '^[a-z_]*' | grep . | while read -r option; do
    grep -q -x -e ".It Fl ..$(echo "$option" | sed 's/_/\\\\-/g') Ar value" vtemper-fit.1 || echo "$subject $option"
  done >missing
  [ ! -s missing ]
  verdict $? "the page of fit does not have: $(cat missing)"
done
says vtemper-infer.1 "^.It Cm responsibilities$"
says vtemper-get.1 "^.It Cm lambda$"
grep -q -e '^\.It Fl \\-heldout\\-share Ar value$' vtemper-evaluate.1
verdict $? "the page of evaluate does not have --heldout-share"

if command -v mandoc >/dev/null; then
  mandoc -T lint vtemper-*.1 2>&1 | grep -v 'referenced manual not found\|outdated mandoc.db' >lint
  [ ! -s lint ]
  verdict $? "mandoc finds: $(cat lint)"
fi
refused 2 "no manual page for \"xyzzyx\"" describe --manual xyzzyx
refused 2 "no completion for \"tcsh\"" describe --completion tcsh
refused 2 "cannot be combined" describe lda --completion bash

# Completion: the words that shells would offer.
run 0 describe --completion bash
mv out vtemper.bash
if command -v bash >/dev/null; then
  cat >offer.bash <<'BASH'
. ./vtemper.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_vtemper
printf '%s\n' "${COMPREPLY[@]}"
BASH
  offers() {
    words=$1
    shift
    bash offer.bash "$@" >offered
    echo "$words" | tr ' ' '\n' | cmp -s - offered
    verdict $? "bash offers $(cat offered) after $*, not $words"
  }
  offers "split sweep similar" vtemper s
  offers "sweep" vtemper sw
  offers "--max-share --max-passes --max-iterations" vtemper fit --max
  offers "--components" vtemper fit --model gaussian_mixture --comp
  offers "svi stochastic_annealing" vtemper fit --method s
  offers "csv" vtemper topics m --as c
  offers "gaussian_mixture" vtemper fit data --model g
  offers "" vtemper fit --comp
fi
run 0 describe --completion zsh
mv out _vtemper
if command -v zsh >/dev/null; then
  zsh -f -c 'autoload -U compinit; compinit -u -d dump; source ./_vtemper; [ "$_comps[vtemper]" = _vtemper ]' >said 2>&1
  verdict $? "zsh does not take the completion: $(cat said)"
fi
run 0 describe --completion fish
mv out vtemper.fish
if command -v fish >/dev/null; then
  HOME=$folder fish --no-config -c 'source vtemper.fish; complete -C "vtemper fit --model hidden_markov --stat"' >offered 2>said
  says offered "^--states"
  HOME=$folder fish --no-config -c 'source vtemper.fish; complete -C "vtemper fit --stat"' >offered 2>said
  [ ! -s offered ]
  verdict $? "fish offers options of another model: $(cat offered)"
fi
# The page of convert says which formats there are.
run 0 describe --manual convert
for format in docword ldac svmlight matrix_market npy idx sequences "vtemper(1)"; do
  says out "$format"
done
finish
