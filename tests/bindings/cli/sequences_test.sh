#!/bin/sh
# Sequences of symbols through the command: formats, fits, results, states.
. "$(dirname "$0")/common.sh"

# Symbols go round in a circle of six, mostly; every third line is reversed.
awk 'BEGIN {
  x = 17
  for (n = 0; n < 80; ++n) {
    line = ""
    symbol = n % 6
    for (t = 0; t < 12 + n % 7; ++t) {
      line = line (t ? " " : "") symbol
      x = (x * 1103 + 12345) % 65536
      symbol = x % 8 == 0 ? x % 6 : (symbol + (n % 3 ? 1 : 5)) % 6
    }
    print line
  }
}' >plain.txt
awk '{ print "label" NR % 2, $0 }' plain.txt >labelled.txt
tokens=$(wc -w <plain.txt)

refused 1 "the format of plain.txt has to be named: --format sequences" fit plain.txt -o m.model --model hidden_markov --quiet
run 0 fit plain.txt -o m.model --model hidden_markov --states 4 --format sequences --max-iterations 40 --quiet
run 0 fit labelled.txt -o labelled.model --model hidden_markov --states 4 --format labelled_sequences \
  --max-iterations 40 --quiet
run 0 get m.model emission
count "states of emission" 4 "$(wc -l <out)"
cp out emission.csv
run 0 get labelled.model emission
same "fits to lines with labels and without" emission.csv out
run 0 get m.model transition.mean
awk -F, '{ sum = 0; for (i = 1; i <= NF; ++i) sum += $i; if (NF != 4 || sum < 1 - 1e-9 || sum > 1 + 1e-9) exit 1 }' out
verdict $? "the mean transitions are not 4 x 4 with rows that sum to one"

# The mapped file needs no format.
run 0 convert plain.txt plain.vtemper --format sequences --quiet
run 0 info plain.vtemper --verify
says out "sequences of symbols"
run 0 fit plain.vtemper -o mapped.model --model hidden_markov --states 4 --max-iterations 40 --quiet --test plain.vtemper
run 0 get mapped.model emission
same "fits to text and to the mapped file" emission.csv out

run 0 evaluate m.model plain.vtemper
cp out predictive
run 0 infer m.model plain.vtemper --quantity log_likelihood
count "sequences" 80 "$(wc -l <out)"
awk -v tokens="$tokens" 'NR == FNR { wanted = $1 * tokens; next } { sum += $1 }
  END { exit !(sum / wanted > 1 - 1e-9 && sum / wanted < 1 + 1e-9) }' predictive out
verdict $? "the log likelihoods do not sum to the predictive score"
run 0 infer m.model plain.vtemper
count "marginals" "$tokens" "$(wc -l <out)"
run 0 infer m.model plain.vtemper --quantity path
count "states of the paths" "$tokens" "$(wc -l <out)"
awk '$1 < 0 || $1 > 3 || $1 != int($1) { exit 1 }' out
verdict $? "the paths hold what is no state"
refused 2 "did you mean path" infer m.model plain.vtemper --quantity paths
run 0 info m.model
says out "likeliest next states"
says out "6 symbols"

# Options that cannot be combined are refused by name.
refused 1 "lda models counts" fit plain.vtemper -o l.model --model lda --quiet
ldac 20 1 >train.ldac
refused 1 "hidden_markov models sequences" fit train.ldac -o l.model --model hidden_markov --quiet
echo "0 1 6" >larger.txt
refused 1 "alphabet of 7 symbols" evaluate m.model larger.txt --format sequences
refused 1 "scored; fit with --vocabulary FILE, which names all symbols" evaluate m.model larger.txt --format sequences
words 7 >symbols.txt
run 0 fit plain.txt -o all.model --model hidden_markov --states 2 --format sequences --vocabulary symbols.txt --quiet \
  --test larger.txt
run 0 evaluate all.model larger.txt --format sequences

# Words as symbols: the fit is that to their numbers, and new data are compared by the names.
awk '{ for (i = 1; i <= NF; ++i) { if (!($i in number)) { number[$i] = n++; print "s" $i }; } }' plain.txt >order.txt
sed 's/[0-9]/s&/g' plain.txt >words.txt
awk 'NR == FNR { number[$1] = NR - 1; next } { for (i = 1; i <= NF; ++i) printf "%s%s", number[$i], i < NF ? " " : "\n" }' \
  order.txt words.txt >numbers.txt
of_words="--format word_sequences"
run 0 fit words.txt -o words.model --model hidden_markov --states 4 $of_words --max-iterations 40 --quiet
run 0 fit numbers.txt -o numbers.model --model hidden_markov --states 4 --format sequences --vocabulary order.txt \
  --max-iterations 40 --quiet
same "models of words and of their numbers" numbers.model words.model
run 0 convert words.txt words.vtemper $of_words --quiet
run 0 fit words.vtemper -o mapped.model --model hidden_markov --states 4 --max-iterations 40 --quiet
same "models of words and of their mapped file" words.model mapped.model
run 0 evaluate words.model numbers.txt --format sequences
cp out predictive
tail -n 40 words.txt >last.txt
head -n 40 words.txt >>last.txt
run 0 evaluate words.model last.txt $of_words
same "scores of words in another order" predictive out
sort -r order.txt >reversed.txt
run 0 convert words.txt reversed.vtemper $of_words --vocabulary reversed.txt --quiet
run 0 info reversed.vtemper
says out "names  *s5 s4 s3 s2 s1 s0$"
run 0 evaluate words.model reversed.vtemper
same "scores of words in the order of a vocabulary" predictive out
unknown="row 0, position 1 is the symbol 's9', which is not a name of the model or of --vocabulary; fit with --vocabulary"
echo "s1 s9" >unknown.txt
refused 1 "$unknown" infer words.model unknown.txt $of_words
refused 1 "$unknown" convert unknown.txt x.vtemper $of_words --vocabulary order.txt
run 0 fit unknown.txt -o wider.model --continue words.model $of_words
says err "1 word is new to the model"
refused 1 "the symbols of the model are numbers and have no names, so the words of words.txt are unknown" \
  infer m.model words.txt $of_words
printf 'ACGT\nGGA\n' >letters.txt
refused 1 "sed 's/./& /g' letters.txt separates letters" fit letters.txt -o x.model --model hidden_markov
refused 1 "line 1: \"ACGT\" is not a symbol's number; blanks separate symbols, and words as symbols are of format word_sequences" \
  fit letters.txt -o x.model --model hidden_markov --format sequences
refused 2 "hidden_markov needs sequences: --format word_sequences" fit letters.txt -o x.model --model hidden_markov --text
refused 2 "text counts words, gaussian_mixture needs dense rows" fit letters.txt -o x.model --model gaussian_mixture --text
sed 's/./& /g' letters.txt >spaced.txt
run 0 fit spaced.txt -o letters.model --model hidden_markov --states 2 $of_words --quiet
run 0 info letters.model
says out "names  *A C G T$"
finish
