#!/bin/sh
# Continued fits: from a model with further rows and new words, from a checkpoint beyond its end; scores of restarts;
# one score of fit and evaluate.
. "$(dirname "$0")/common.sh"
ldac 400 1 >all.ldac
head -300 all.ldac >first.ldac
tail -100 all.ldac >rest.ldac
ldac 200 2 >test.ldac
words 40 >words.txt
run 0 convert first.ldac first.corpus --vocabulary words.txt --quiet
run 0 convert rest.ldac rest.corpus --vocabulary words.txt --quiet

# The score that fit prints is that of evaluate, whatever the seed of the fit.
for seed in 0 3; do
  run 0 fit first.corpus -o m.model --topics 4 --seed $seed --test test.ldac
  told=$(sed -n 's/.*held-out predictive \(-[0-9.]*\)$/\1/p' err)
  run 0 evaluate m.model test.ldac
  [ "$told" = "$(awk '{ printf "%.4f", $1 }' out)" ]
  verdict $? "fit tells $told, evaluate $(cat out)"
done
awk 'BEGIN { srand(2); for (i = 0; i < 60; ++i) { for (j = 0; j < 6; ++j) printf "%s%d", j ? "," : "", rand() < (i % 2 ? 0.8 : 0.2); print "" } }' >bits.csv
run 0 fit bits.csv -o vae.model --model variational_autoencoder --latent 2 --max-passes 2 --test bits.csv
told=$(sed -n 's/.*held-out predictive \(-[0-9.]*\)$/\1/p' err)
run 0 evaluate vae.model bits.csv
[ "$told" = "$(awk '{ printf "%.4f", $1 }' out)" ]
verdict $? "fit tells '$told' of sampled rows, evaluate $(cat out)"

# Further rows count as much as those that the model was fitted to: its topics then hold the tokens of all, and are
# nearly those of a fit to all rows.
run 0 fit rest.corpus -o on.model --continue m.model --test test.ldac
says err ", temperature 1, held-out"
grep -q "hot\|new to the model" err && verdict 1 "continuing says: $(cat err)"
"$VTEMPER" get on.model tokens | awk '{ total += $1 } END { exit !(total > 11500 && total < 12500) }'
verdict $? "the topics do not hold the tokens of old and new rows: $("$VTEMPER" get on.model tokens)"
run 0 fit all.ldac -o whole.model --topics 4 --seed 3 --quiet
on=$("$VTEMPER" evaluate on.model test.ldac) whole=$("$VTEMPER" evaluate whole.model test.ldac)
awk -v on="$on" -v whole="$whole" 'BEGIN { exit !(on > whole - 0.02) }'
verdict $? "going on with the rest scores $on, a fit to all $whole"
run 0 info on.model
says out "^  before  *annealing, [0-9.]* passes over 300 rows$"
says out "^  passes  *1$"
run 0 fit first.corpus -o more.model --continue m.model --max-passes 2 --quiet
"$VTEMPER" get more.model tokens | awk '{ total += $1 } END { exit !(total > 8900 && total < 9100) }'
verdict $? "more passes over the same rows change how many they are"
cp m.model kept.model
run 0 fit rest.corpus -o kept.model --continue kept.model --test test.ldac --quiet
same "a model that is continued in its place" on.model kept.model

# The command reckons with the rows of a step that the library takes by default.
for rows in 5 30 1550 110000; do
  awk -v rows=$rows 'BEGIN { for (i = 0; i < rows; ++i) print "2 " i % 20 ":1 " 20 + i % 19 ":2" }' >many.ldac
  run 0 fit many.ldac -o own.model --topics 4 --method svi --max-iterations 1 --quiet
  run 0 info own.model
  grep "^  batch size " out >wanted
  run 0 fit many.ldac -o on.model --continue m.model --max-iterations 1 --quiet
  run 0 info on.model
  grep "^  batch size " out >got
  verdict $? "info does not tell the rows of a step"
  same "rows of a step of $rows rows" wanted got
done

# New words get columns after the old ones; words that a topic does not use stay at the prior.
sed 's/^worda0$/fresh/' words.txt >others.txt
run 0 convert rest.ldac others.corpus --vocabulary others.txt --quiet
run 0 fit others.corpus -o wide.model --continue m.model
says err "^others.corpus: 1 word is new to the model"
run 0 info wide.model
says out "41 words"
"$VTEMPER" get wide.model topics | awk -F, '{ if ($41 > most) most = $41; old += $1 } END { exit !(most > 0.02 && old > 0) }'
verdict $? "the new word has no share of a topic"
run 0 evaluate wide.model others.corpus
printf '0 1 2 1\n1 0 0 1\n' >two.txt
printf '0 3 3 1\n1 0 3 1\n' >four.txt
run 0 fit two.txt --format sequences -o s.model --model hidden_markov --states 2 --quiet
run 0 fit four.txt --format sequences -o s2.model --continue s.model --quiet
run 0 info s2.model
says out "4 symbols"

# Raw text: by the model's recipe, with new words if enough documents have them.
for i in 1 2 3 4 5 6 7 8 9 10; do
  printf 'harbour ship sail anchor wind\noven flour sugar butter bread\n'
done >old.txt
for i in 1 2 3 4 5 6; do printf 'harbour ship lighthouse keeper\nbread flour oven cinnamon\nsail anchor wind\n'; done >new.txt
run 0 fit old.txt --text --max-share 0.6 -o text.model --topics 2 --quiet
run 0 fit new.txt --text --max-share 0.6 -o text2.model --continue text.model
says err "3 words are new"
run 0 topics text2.model --words 8
says out lighthouse
run 0 fit new.txt --text --min-documents 7 -o text3.model --continue text.model --quiet
run 0 topics text3.model --words 8
grep -q lighthouse out && verdict 1 "--min-documents has no effect on new words"

# Options that cannot be combined.
refused 2 "leave --topics out" fit all.ldac -o x --continue m.model --topics 3
refused 2 "leave --model out" fit all.ldac -o x --continue m.model --model lda
refused 2 "give only one" fit all.ldac -o x --continue m.model --resume m.checkpoint
refused 2 "needs --resume" fit all.ldac -o x --more-passes 2
run 0 fit first.ldac -o eta.model --topics 2 --quiet --eta "$(awk 'BEGIN { for (i = 0; i < 80; ++i) printf "%s0.5", i ? "," : "" }')"
run 0 fit rest.ldac -o eta2.model --continue eta.model --quiet
printf '1,2\n3,4.5\n5,6\n' >points.csv
refused 1 "lda needs counts: whole numbers from 0; row 1, column 1 holds 4.5$" fit points.csv -o x --continue m.model
# Other data are refused before anything is said about new words.
run 0 fit points.csv -o points.model --model gaussian_mixture --components 1 --quiet
refused 1 "gaussian_mixture models" fit rest.ldac -o x --continue points.model
refused 1 "gaussian_mixture models" fit rest.corpus -o x --continue points.model

# Priors with a number for each word: new words get the mean of their component.
one_to_eighty=$(seq -s , 1 80)
run 0 fit first.corpus -o eta.model --topics 2 --max-passes 2 --eta "$one_to_eighty" --quiet
run 0 fit others.corpus -o eta2.model --continue eta.model
says err "^others.corpus: 1 word is new to the model"
run 0 get eta2.model eta
awk -F, -v OFS=, '{ print $1, $40, $41 }' out >eta
printf '1,40,20.5\n41,80,60.5\n' >wanted
same "a prior of each word and a new one" eta wanted
run 0 fit two.txt --format sequences -o s.model --model hidden_markov --states 2 --emission-prior 1,2,3,4,5,6 --quiet
run 0 fit four.txt --format sequences -o s2.model --continue s.model --quiet
run 0 info s2.model --as csv
says out 'emission_prior,"1,2,3,2,4,5,6,5"'

# A finished run is extended from its checkpoint.
run 0 fit all.ldac -o c.model --topics 4 --max-passes 3 --checkpoint c.checkpoint --quiet
run 0 fit all.ldac -o same.model --resume c.checkpoint
says err "^the run of c.checkpoint has ended; --more-passes N extends it$"
run 0 fit all.ldac -o beyond.model --resume c.checkpoint --more-passes 2 --trace t.csv
says err "  5 passes, 2,000 rows"
run 0 info beyond.model
says out "^  passes  *5$"

# Restarts report their scores, and which start is kept.
run 0 fit two.txt --format sequences -o r.model --model hidden_markov --states 2 --restarts 3 --seed 5
says err "^restarts: ELBO -[0-9.]*.*, -[0-9.]*.*, -[0-9.]*.* *"
count "kept starts" 1 "$(grep -c '(kept: seed [567])' err)"
cp err restarts.err
run 0 info r.model
says out "^  restarts  *ELBO"
kept=$(sed -n 's/.*(kept: seed \([0-9]*\)).*/\1/p' restarts.err)
says out "^  seed  *$kept\$"
sed -n 's/^restarts: *//p' restarts.err >told
awk -F', ' '{ for (i = 1; i <= NF; ++i) { sub(/^ELBO /, "", $i); split($i, part, " ")
  if (i == 1 || part[1] + 0 > best) best = part[1] + 0
  if ($i ~ /kept/) kept = part[1] + 0 } exit kept != best }' told
verdict $? "the start that is kept is not the best: $(cat told)"

# Mixtures and hidden Markov models that stop before they have converged say so.
awk 'BEGIN { srand(1); for (i = 0; i < 200; ++i) print rand() + i % 3, rand() }' | tr ' ' , >points.csv
run 0 fit points.csv -o g.model --model gaussian_mixture --components 3 --max-passes 2 --method vi
says err "^note: the fit has not converged after 2 steps"
run 0 fit two.txt --format sequences -o h.model --model hidden_markov --states 2 --max-passes 2 --method vi --moves off
says err "^note: the fit has not converged after 2 steps"
run 0 info h.model
says out "^  warning  *the fit has not converged after 2 steps"
finish
