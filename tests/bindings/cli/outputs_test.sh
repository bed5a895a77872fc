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

# An interrupted fit and its resumption: the curve has the rows of a whole run.
curve() { cut -d, -f1,2,4-8 "$1"; }
run 0 fit data.ldac -o whole.model --topics 3 --batch-size 7 --max-iterations 40000 --report-every 1999 --trace whole.csv -q
"$VTEMPER" fit data.ldac -o part.model --topics 3 --batch-size 7 --max-iterations 40000 --report-every 1999 --trace part.csv \
  --checkpoint part --checkpoint-every 0.1 -q &
pid=$!
wait_for part
kill -INT $pid
wait $pid
status=$?
if [ $status -eq 130 ]; then
  run 0 fit data.ldac -o part.model --resume part --trace part.csv -q
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
