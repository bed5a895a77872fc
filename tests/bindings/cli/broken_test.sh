#!/bin/sh
# Broken files and outputs are refused with one message, and leave no file, or the old file, behind.
. "$(dirname "$0")/common.sh"
ldac 100 1 >data.ldac
run 0 fit data.ldac -o m.model --topics 3 --max-passes 2 --quiet
run 0 convert data.ldac data.corpus --quiet

# Missing and foreign files.
refused 1 "missing.ldac" fit missing.ldac -o new.model
refused 1 "missing.ldac" fit data.ldac -o new.model --topics 3 --max-passes 1 --quiet --test missing.ldac
# Test rows that the model does not accept are refused before the first step; this fit would take days.
printf '2 3:1 500:2\n2 1:1 7:4\n' >wide.ldac
printf '0,1,1\n1,0,0.5\n' >halves.csv
for test in wide.ldac halves.csv; do
  timeout 20 "$VTEMPER" fit data.ldac -o new.model --topics 3 --max-iterations 1000000000 --test $test 2>err
  count "status of a fit with $test" 1 $?
  grep -q "columns, the model\|needs counts" err
  verdict $? "$test is not refused: $(cat err)"
done
refused 1 "missing.txt" fit data.ldac -o new.model --vocabulary missing.txt
refused 1 "missing" fit data.ldac -o new.model --resume missing
refused 1 "missing.model" evaluate missing.model data.ldac
refused 1 "missing.txt" convert --text missing.txt new.corpus
refused 1 "missing" info missing
refused 1 "data.ldac" topics data.ldac
refused 1 "m.model" fit data.ldac -o new.model --resume m.model
printf 'this is\nno data\n' >foreign
refused 1 "" fit foreign -o new.model
printf '2 0:1 1:x\n' >broken.ldac
refused 1 "" convert broken.ldac new.corpus --format ldac

# Damaged files: truncated, and with one bit flipped.
size=$(wc -c <m.model)
head -c $((size / 2)) m.model >cut.model
refused 1 "cut.model" topics cut.model
head -c 5 m.model >tiny.model
refused 1 "tiny.model" info tiny.model
{ head -c $((size - 9)) m.model; printf '\377'; tail -c 8 m.model; } >turned.model
cmp -s m.model turned.model || refused 1 "turned.model" get turned.model lambda
size=$(wc -c <data.corpus)
head -c $((size - 3)) data.corpus >cut.corpus
refused 1 "cut.corpus" fit cut.corpus -o new.model
{ head -c $((size - 9)) data.corpus; printf '\377'; tail -c 8 data.corpus; } >turned.corpus
cmp -s data.corpus turned.corpus || refused 1 "turned.corpus" info turned.corpus --verify

# Unwritable outputs are detected before the fit.
refused 1 "nowhere/x.model" fit data.ldac -o nowhere/x.model
refused 1 "nowhere/x.csv" fit data.ldac -o new.model --trace nowhere/x.csv
refused 1 "nowhere/x" fit data.ldac -o new.model --checkpoint nowhere/x
refused 1 "nowhere/x" convert data.ldac nowhere/x
refused 1 "nowhere/x" split data.ldac new.corpus nowhere/x
refused 1 "nowhere/x.npy" get m.model lambda -o nowhere/x.npy
mkdir folder
refused 1 "is a folder" fit data.ldac -o folder
refused 1 "is a folder" topics m.model -o folder
refused 1 "not a regular file" fit data.ldac -o /dev/null
[ -c /dev/null ]
verdict $? "/dev/null was replaced"
for name in new.model new.corpus x.model; do
  [ ! -e $name ]
  verdict $? "a refused command left $name"
done

# A failed command keeps the file that was there.
cp m.model kept.model
refused 1 "missing.ldac" fit missing.ldac -o kept.model
same "the model that was there" m.model kept.model

# Symbolic links stay links.
ln -s real.csv link.csv
: >real.csv
run 0 get m.model alpha -o link.csv
[ -h link.csv ] && [ -s real.csv ]
verdict $? "a symbolic link was replaced"
if [ -w /dev/full ]; then
  ln -s /dev/full full.csv
  refused 1 "could not be written" get m.model lambda -o full.csv
fi
ls | grep -q part && verdict 1 "an unfinished file was left: $(ls)"
finish
