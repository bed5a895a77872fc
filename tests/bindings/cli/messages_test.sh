#!/bin/sh
# Wrong words are answered with the right ones: kinds and options under other names, text instead of counts, models instead
# of data.
. "$(dirname "$0")/common.sh"
ldac 30 1 >data.ldac
run 0 convert data.ldac data.corpus --quiet
run 0 fit data.corpus -o m.model --topics 2 --max-passes 1 --seed 1 --checkpoint m.checkpoint --quiet

# An unknown model is reported before its options are checked.
refused 2 'no model "LDA"; did you mean lda' fit data.ldac -o x --topics 3 --model LDA
refused 2 'no model "hmm"; did you mean hidden_markov' fit data.ldac -o x --states 3 --model=hmm
refused 2 'no model "vae"; did you mean variational_autoencoder' fit data.ldac -o x --model vae --nonsense 3
refused 2 'no model "xyzzyx"; see vtemper describe' fit data.ldac -o x --model xyzzyx --topics 2

# Options: their names elsewhere and here.
while read -r kind word here; do
  refused 2 "no option --$word; did you mean --$here?" fit data.ldac -o x --model $kind --$word 3
done <<'TABLE'
lda passes max-passes
lda epochs max-passes
lda k topics
lda num-topics topics
lda n_components topics
lda iter max-iterations
lda random-state seed
lda jobs threads
gaussian_mixture k components
gaussian_mixture n-clusters components
hidden_markov components states
variational_autoencoder factors latent
TABLE
refused 2 "models of kind gaussian_mixture have no topics; did you mean --components?" \
  fit data.ldac -o x --model gaussian_mixture --topics 3
refused 2 "no option -k; did you mean --topics?" fit data.ldac -o x -k 3
refused 2 "no option -k; did you mean --states?" fit data.ldac -o x -k 3 --model hidden_markov
while read -r word here; do
  refused 2 "no option --$word; did you mean --$here?" convert data.ldac x --$word 3
done <<'TABLE'
min-df min-documents
max-df max-share
stopwords stop-words
max-features vocabulary-size
bigrams phrases
stemming stem
TABLE

# Commands.
for word in train predict score; do refused 2 "no command \"$word\"; did you mean" $word; done
run 0 version
says out "[0-9]*\.[0-9]*\.[0-9]"
run 0 help fit
says out "^usage: vtemper fit"
refused 2 'no command "fti"; did you mean fit' help fti

# Text instead of counts, and one kind of file instead of another.
printf 'The first document.\nAnother one of plain words.\n' >text.txt
mkdir texts
for command in "fit text.txt -o x" "infer m.model text.txt" "evaluate m.model text.txt" "sweep text.txt --topics 2"; do
  refused 1 "text.txt holds no counts; if it is raw text, convert it by vtemper convert --text" $command
done
refused 1 "texts is a folder; if it holds texts, convert it by vtemper convert --text" fit texts -o x
refused 1 "data.corpus holds data, but a model is needed here" topics data.corpus
for data in data.corpus data.ldac; do
  for command in infer evaluate documents "export -o x" correlation timeline "similar --to 3"; do
    name=${command%% *}
    refused 2 "$data and m.model are swapped, since the model is the second: write vtemper $name m.model $data" \
      $command $data m.model
  done
done
refused 2 "lambda and m.model are swapped.*write vtemper get m.model lambda" get lambda m.model
refused 1 "data.ldac is not a vtemper model" infer data.ldac data.corpus
for word in model kind; do
  refused 2 "no option --$word: vtemper sweep fits lda models only; vtemper fit has --model for the other kinds" \
    sweep data.ldac --topics 2,3 --$word gaussian_mixture
done
refused 1 "m.model is a model, but data are needed here" fit m.model -o x
refused 1 "m.checkpoint is a checkpoint, but a model is needed here" topics m.checkpoint
refused 1 "m.checkpoint is a checkpoint, but data are needed here" fit m.checkpoint -o x
refused 1 "data.corpus holds data, but a checkpoint is needed here" fit data.corpus -o x --resume data.corpus

# Unknown quantities list those that are known; no names of C functions or their arguments.
refused 2 "it infers proportions, gamma" infer m.model data.corpus --quantity foo
refused 2 "it has lambda, topics" get m.model foo
refused 2 "those of lda are predictive" evaluate m.model data.corpus --measure foo
refused 2 "DATA is missing: measure predictive needs data" evaluate m.model
printf '0 1 2\n1 0\n' >sequences.txt
for data in "data.ldac --model gaussian_mixture" "data.ldac --model variational_autoencoder" \
  "data.ldac --model hidden_markov" "sequences.txt --format sequences --model lda"; do
  "$VTEMPER" fit $data -o x >out 2>err
  [ $? -ne 0 ]
  verdict $? "vtemper fit $data succeeds"
  grep -q "vtemper_\|NULL" err && verdict 1 "a name of C in: $(cat err)"
done
finish
