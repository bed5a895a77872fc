#!/bin/sh
# The recipe of the words is stored in corpus and model: infer and evaluate process new text as the model's own was, and
# names and dates of documents stay with their rows.
. "$(dirname "$0")/common.sh"

# Forty documents in French of two kinds, with a phrase, and a table of new ones.
awk 'BEGIN {
  print "id;jour;texte"
  for (i = 0; i < 40; ++i) {
    printf "doc%d;2020-%02d;", i, 1 + i % 12
    if (i % 2) print "\"Les étudiants de l’université lisent des livres; la machine à écrire, machine learning\""
    else print "Le chat noir et les chiens mangent du poisson au marché machine learning"
  }
}' >train.csv
run 0 convert --text train.csv train.corpus --column texte --id-column id --date-column jour --stem --phrases \
  --min-documents 10 --max-share 0.6 --quiet
run 0 info train.corpus
says out "recipe    language fr, [0-9]* stop words, stems, [1-9]"
run 0 fit train.corpus -o m.model --topics 2 --max-passes 20 --seed 1 --quiet
run 0 info m.model
says out "recipe    language fr, [0-9]* stop words, stems, [1-9]"

# One new document is enough, because no thresholds apply to it; stems, elision and capitals are those of the recipe.
printf "L'Université: un étudiant lit le livre\nDES CHATS NOIRS\nzzz inconnu\n" >new.txt
run 0 infer m.model new.txt --text
count "rows inferred" 3 "$(wc -l <out)"
says err "new.txt: [2-4] tokens .* are left out"
awk -F, 'NR == 1 { first = $1 > $2 } NR == 2 { exit (($1 > $2) == first) }' out
verdict $? "the two kinds of new documents are not told apart: $(cat out)"
run 0 evaluate m.model new.txt --text --measure elbo --quiet
# The training documents themselves, read anew, are the same rows.
run 0 infer m.model train.corpus -o own.npy --quiet
run 0 infer m.model train.csv --text --column texte -o anew.npy --quiet
same "rows of the corpus and of its text" own.npy anew.npy
cut -d';' -f3- train.csv | tail -n +2 | tr -d '"' | "$VTEMPER" infer m.model - --text -o piped.npy --quiet
verdict $? "infer refuses a pipe"
same "rows of the table and of a pipe" own.npy piped.npy
run 0 infer m.model new.txt --text --encoding utf-8 --quiet

# split and a second conversion keep recipe, names and dates.
run 0 split train.corpus one.corpus two.corpus --share 0.2
run 0 info two.corpus
says out "recipe    language fr"
says out '^name      of each row, the first "doc[0-9]*", the last "doc[0-9]*"$'
says out '^date      of each row, from "2020-[0-9]*"'
run 0 convert train.corpus again.corpus --quiet
same "a corpus and its copy" train.corpus again.corpus
run 0 info again.corpus --verify

# A damaged text of a row is detected; a corpus without text has no recipe.
LC_ALL=C sed 's/doc17\x00/doc17x/' train.corpus >damaged.corpus
refused 1 "damaged" info damaged.corpus --verify
ldac 20 3 >counts.ldac
run 0 fit counts.ldac -o counts.model --topics 2 --max-passes 1 --quiet
refused 1 "counts.model has no record of how its words were made" infer counts.model new.txt --text
refused 2 "format cannot be combined with --text" infer m.model new.txt --text --format ldac
refused 2 "column needs --text" infer m.model new.txt --column a
refused 2 "heldout cannot be combined with --text" evaluate m.model new.txt --text --heldout new.txt

# A checkpoint has no recipe, but its data do: a resumed fit keeps it.
run 0 fit train.corpus -o half.model --topics 2 --max-passes 1 --seed 1 --checkpoint half.checkpoint --quiet
run 0 fit train.corpus -o whole.model --resume half.checkpoint --quiet
run 0 info whole.model
says out "recipe    language fr"

# fit and report take raw text as well, and give what convert and fit give.
words="--column texte --id-column id --date-column jour --stem --phrases --min-documents 10 --max-share 0.6"
run 0 fit train.csv --text $words --topics 2 --max-passes 20 --seed 1 -o direct.model --quiet
run 0 get m.model lambda -o m.npy
run 0 get direct.model lambda -o direct.npy
same "fitted to a corpus and to its text" m.npy direct.npy
run 0 info direct.model
says out "recipe    language fr"
run 0 fit train.csv --text $words --topics 2 --max-passes 2 --test train.csv --trace t.csv --seed 1 -o tested.model --quiet
tail -n 1 t.csv | grep -q ',-[0-9.]*$'
verdict $? "fit --text --test has no held-out score: $(tail -n 1 t.csv)"
mkdir letters
for i in 0 1 2 3 4 5 6 7 8 9; do
  echo "Les étudiants de l'université lisent des livres" >letters/a$i.txt
  echo "Le chat noir et les chiens mangent du poisson" >letters/b$i.txt
done
run 0 report letters --text -o page.html --topics 2 --seed 1 --max-passes 20 --max-share 0.6 --save letters.model --quiet
says page.html "université"
says page.html "letters"
run 0 report letters.model -o again.html --quiet
run 0 infer letters.model letters --text
says out '^0,a0.txt,0.'
refused 2 "output is missing" report letters --text --topics 2
refused 2 "topics needs --text" report letters.model --topics 2
refused 2 "save needs --text" report letters.model --save x.model
refused 2 "data cannot be combined with --text" report letters --text -o x.html --data train.corpus
finish
