#!/bin/sh
# The user's files: inputs are not overwritten, no result replaces another, modes and links are kept. Texts from files do
# not control the terminal. A resumed fit gives the file of one that was not interrupted.
. "$(dirname "$0")/common.sh"
ldac 100 1 >data.ldac
cp data.ldac kept.ldac
run 0 fit data.ldac -o m.model --topics 3 --max-passes 2 --quiet

# Inputs, by whatever name.
ln -s data.ldac link.ldac
ln data.ldac hard.ldac
for name in data.ldac ./data.ldac link.ldac hard.ldac; do
  refused 1 "not overwritten" fit data.ldac -o "$name" --topics 3 --max-passes 1
  refused 1 "not overwritten" split data.ldac "$name" other
  refused 1 "not overwritten" split data.ldac other "$name"
  refused 1 "not overwritten" convert data.ldac "$name"
done
same "an input" data.ldac kept.ldac
cp kept.ldac data.ldac
refused 1 "not overwritten" fit data.ldac -o new.model --test kept.ldac --trace kept.ldac
refused 1 "not overwritten" report m.model -o m.model
refused 1 "not overwritten" topics m.model -o ./m.model
refused 1 "not overwritten" export m.model data.ldac -o data.ldac
printf 'the cat sat\nthe dog sat\n' >lines.txt
echo the >stop.txt
refused 1 "not overwritten" convert lines.txt stop.txt --text --stop-words stop.txt
refused 1 "not overwritten" fit lines.txt -o x --text --stop-words stop.txt --trace stop.txt
words 40 >words.txt
refused 1 "not overwritten" convert data.ldac words.txt --vocabulary words.txt
mkdir -p texts/more
cp lines.txt texts/one.csv
cp lines.txt texts/more/two.tsv
cp lines.txt three.csv
ln -s ../three.csv texts/three.csv
few="--text --min-documents 1 --max-share 1"
run 0 fit texts -o texts.model $few --topics 2 --max-passes 2 -q
for name in texts/one.csv texts/more/two.tsv three.csv; do
  refused 1 "not overwritten" fit texts -o $name $few
  refused 1 "not overwritten" fit texts -o x $few --trace $name
  refused 1 "not overwritten" convert texts $name $few
  refused 1 "not overwritten" infer texts.model texts --text -o $name
  refused 1 "not overwritten" report texts -o $name $few
  refused 1 "not overwritten" report texts.model --data texts --text -o $name
  refused 1 "not overwritten" documents texts.model texts --text -o $name
  "$VTEMPER" convert - "$name" $few <"$name" 2>err
  says err "$name is an input file (standard input)"
done
same "a document" texts/one.csv texts/more/two.tsv
ln -s texts linked
refused 1 "is an input file (in linked)" fit linked -o linked/one.csv $few
# What is not read as a document may be written there, also again.
for again in 1 2; do
  run 0 fit texts -o texts/new.model $few --topics 2 --max-passes 2 -q --checkpoint texts/.checkpoint
done
rm texts/new.model texts/.checkpoint
mkdir models
cp data.ldac models/topics-2-seed-1.model
refused 1 "not overwritten" sweep models/topics-2-seed-1.model --topics 2,3 --save-models models
refused 1 "not overwritten" sweep data.ldac --test models/topics-2-seed-1.model --topics 2,3 --save-models models
refused 1 "the same file" sweep data.ldac --topics 2,3 --save-models models --csv models/topics-3-seed-1.model
mkdir models/topics-3-seed-1.model
refused 1 "is a folder" sweep data.ldac --topics 2,3 --save-models models
same "the data of a sweep" data.ldac models/topics-2-seed-1.model
cp lines.txt topics.txt
refused 1 "not overwritten" demo --text topics.txt --output .
same "the text of a demonstration" lines.txt topics.txt

# Outputs, even if there is no file yet.
refused 1 "the same file" split data.ldac same.corpus ./same.corpus
refused 1 "the same file" fit data.ldac -o x --checkpoint x --topics 3 --max-passes 1
refused 1 "the same file" fit data.ldac -o x --trace ./x --topics 3 --max-passes 1
refused 1 "the same file" sweep data.ldac --topics 2 --csv t --svg t
[ ! -e x ] && [ ! -e same.corpus ] && [ ! -e t ]
verdict $? "a refused command left a file"

# A checkpoint may be written over the one that is resumed.
run 0 fit data.ldac -o n.model --topics 3 --max-passes 2 --quiet --checkpoint c
run 0 fit data.ldac -o n.model --resume c --checkpoint c --quiet

# Modes.
for mode in 600 640; do
  echo old >page.html
  chmod "$mode" page.html
  run 0 report m.model -o page.html --quiet
  [ "$(stat -c %a page.html)" = "$mode" ]
  verdict $? "report made $(stat -c %a page.html) of a file of mode $mode"
done
if [ "$(id -u)" -ne 0 ]; then
  chmod 444 page.html
  refused 1 "page.html" report m.model -o page.html
elif setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
  chmod 777 .
  chmod 644 m.model
  chmod 444 page.html
  cp page.html page.before
  setpriv --reuid=65534 --clear-groups "$VTEMPER" report m.model -o page.html --quiet 2>err
  count "a report over a file that may not be written" 1 $?
  same "a file that may not be written" page.html page.before
  # root gives a file back to its owner
  chmod 640 page.html
  chown 65534:65534 page.html
  run 0 report m.model -o page.html --quiet
  [ "$(stat -c %a:%u:%g page.html)" = 640:65534:65534 ]
  verdict $? "root took a file: $(stat -c %a:%u:%g page.html)"
  # in a folder such as /tmp
  mkdir sticky
  cp page.before sticky/page.html
  chmod 666 sticky/page.html
  chmod 1777 sticky
  setpriv --reuid=65534 --clear-groups "$VTEMPER" report m.model -o sticky/page.html --quiet 2>err
  count "a report over a file of another user in a sticky folder" 1 $?
  says err "only its owner may replace it"
  cp page.before page.html
fi

# Links.
mkdir sub
ln -s sub/there.txt dangling
run 0 topics m.model -o dangling
[ -h dangling ] && [ -f sub/there.txt ]
verdict $? "a link to no file yet is not followed by the command"
ln -s sub/there.model dangling.model
run 0 fit data.ldac -o dangling.model --topics 3 --max-passes 1 --quiet
[ -h dangling.model ] && [ -f sub/there.model ]
verdict $? "a link to no file yet is not followed by the library"

# Paths where no file can be: refused before the work, which a fit to data that are missing would not survive either.
never() {
  words=$1
  shift
  refused 1 "$words" fit missing.ldac -o "$@"
}
: >plain.file
: >program.file
chmod 755 program.file
for file in plain.file program.file; do
  never "$file/y cannot be written: Not a directory" $file/y
  refused 1 "Not a directory" report m.model -o page.html --save $file/y
  refused 1 "Not a directory" sweep missing.ldac --topics 2 --csv $file/y.csv
done
never "its path is empty" ""
never "is the path of a folder" new/
never "File name too long" "$(printf '%256s' | tr ' ' n)"
mkdir gone
(cd gone && rmdir ../gone && exec "$VTEMPER" fit ../missing.ldac -o y) 2>err
says err "y cannot be written: its folder was removed"
# A path of the greatest length: no other file fits beside it.
long=$(printf '%60s' | tr ' ' d)
deep=$PWD
while [ ${#deep} -lt 3840 ]; do deep=$deep/$long; done
longest=$deep/$(printf "%$((4088 - ${#deep}))s" | tr ' ' e)
mkdir -p "$longest"
longest=$longest/model
count "bytes of the longest path" 4095 ${#longest}
never "a temporary file beside it would be too long" "$longest"
refused 1 "a temporary file beside it would be too long" topics m.model -o "$longest"
# In a folder whose own path is longer, names are good.
model=$PWD/m.model data=$PWD/data.ldac messages=$PWD/messages
(
  cd -P "$deep" || exit 0
  for below in 1 2 3 4 5; do mkdir "$long" && cd -P "$long" || exit 0; done
  for again in 1 2; do
    "$VTEMPER" fit "$data" -o y.model --topics 2 --max-passes 1 --quiet &&
      "$VTEMPER" convert "$data" y.corpus --quiet && "$VTEMPER" topics "$model" -o y.txt || exit 1
  done
  [ "$(ls -A | wc -l)" -eq 3 ]
) 2>"$messages"
verdict $? "files in a deep folder: $(tail -c 300 "$messages")"
# Where files may only be added, none is replaced.
mkdir log
echo old >log/y
if chattr +a log 2>/dev/null; then
  never "attribute append only" log/y
  refused 1 "attribute append only" topics m.model -o log/y
  run 0 topics m.model -o log/new
  chattr -a log
fi

# Texts from outside: escapes, C1, bidirectional marks.
words 40 | awk 'NR == 1 { printf "a\033[31mb\n"; next } NR == 2 { printf "t\033]0;title\007\n"; next }
  NR == 3 { printf "c1\302\233x\n"; next } NR == 4 { printf "bidi\342\200\256x\n"; next } { print }' >names.txt
run 0 fit data.ldac -o evil.model --vocabulary names.txt --topics 2 --max-passes 1 --quiet
run 0 topics evil.model --words 40
says out 'bidi???x'
for command in "topics evil.model --words 40" "info evil.model"; do
  run 0 $command
  LC_ALL=C tr -d '\n' <out | LC_ALL=C grep -q "[[:cntrl:]]"
  [ $? -eq 1 ]
  verdict $? "$command prints control characters"
  ! LC_ALL=C grep -q "$(printf '\302\233')" out && ! LC_ALL=C grep -q "$(printf '\342\200\256')" out
  verdict $? "$command prints C1 or bidirectional controls"
done
"$VTEMPER" info "$(printf 'no\033[2Jfile')" >out 2>err
! LC_ALL=C grep -q "$(printf '\033')" err
verdict $? "a message prints an escape of a file's name"

# A trace or a checkpoint that cannot be written costs neither the fit nor its model.
run 1 fit data.ldac -o t.model --topics 3 --max-passes 2 --seed 1 --trace /dev/full
says err "could not be written completely"
run 0 fit data.ldac -o u.model --topics 3 --max-passes 2 --seed 1
same "a model whose trace could not be written" u.model t.model
mkdir gone
"$VTEMPER" fit data.ldac -o c.model --topics 3 --max-passes 40000 --seed 1 --checkpoint gone/c --checkpoint-every 0.1 \
  --trace gone/t.csv >out 2>err &
pid=$!
wait_for gone/c
rm -rf gone
wait_for err "the fit goes on"
kill -INT $pid
wait $pid
count "status of a fit whose folder of checkpoints is gone" 1 $?
says err "gone/c"
says err "vtemper fit: gone/t.csv"
run 0 info c.model

# An interrupted fit and its resumption: the curve has the rows of a whole run.
curve() { cut -d, -f1,2,4- "$1"; }
long="--topics 3 --batch-size 7 --max-iterations 40000 --report-every 1999 --test kept.ldac -q"
run 0 fit data.ldac -o whole.model $long --trace whole.csv
"$VTEMPER" fit data.ldac -o part.model $long --trace part.csv --checkpoint part --checkpoint-every 0.1 &
pid=$!
wait_for part
kill -INT $pid
wait $pid
status=$?
if [ $status -eq 130 ]; then
  run 0 fit data.ldac -o part.model --resume part --trace part.csv --test kept.ldac -q
  curve whole.csv >whole.curve
  curve part.csv >part.curve
  same "the curve of a resumed fit" whole.curve part.curve
  run 0 get whole.model lambda -o whole.npy
  run 0 get part.model lambda -o part.npy
  same "a resumed fit" whole.npy part.npy
fi

[ $status -eq 130 ]
verdict $? "the fit that was to be interrupted ended with $status"
finish
