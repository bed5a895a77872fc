#!/bin/sh
# What the ranks of vtemper-mpi read: pipes and different copies of a file or model are refused at once, on all ranks; so
# are different command lines; the files of all ranks are kept from being overwritten.
. "$(dirname "$0")/common.sh"

# in_two COMMAND [COMMAND]: one rank in the folder A and one in B, as on two machines, with the same or another command line.
in_two() {
  timeout 60 $launcher -n 1 -wdir "$folder/A" "$MPI_COMMAND" $1 : -n 1 -wdir "$folder/B" "$MPI_COMMAND" ${2:-$1} >out 2>err
  got=$?
}

# refused_once WORDS...: the command has failed before its time was over, and every one of the words stands in its only message.
refused_once() {
  [ "$got" -ne 0 ] && [ "$got" -ne 124 ]
  verdict $? "a command that should say \"$1\" ends with $got: $(cat err)"
  once "^vtemper-mpi"
  for words in "$@"; do once "$words"; done
}

mkdir A B
ldac 25000 1 >A/data.ldac # three turns of infer
run 0 fit A/data.ldac -o A/a.model --topics 3 --max-passes 0.1 --seed 1 --threads 1 --quiet
run 0 fit A/data.ldac -o B/a.model --topics 3 --max-passes 0.1 --seed 2 --threads 1 --quiet
fit="fit data.ldac -o x.model --topics 3 --max-passes 0.1 --quiet"

# ---- A pipe: its rows would be divided between the ranks by chance (short: mpirun of MPICH fails for long ones) ----
awk 'BEGIN { for (i = 0; i < 2000; ++i) print i % 2, i % 3, 1, 0, 2, 1, 0, 2, 1, 1 }' >sequences.txt
hidden="--format sequences --model hidden_markov --states 2 --max-passes 1"
ranks 2 "$MPI_COMMAND" fit /dev/stdin $hidden -o x.model <sequences.txt
refused_once "/dev/stdin is not a regular file, so 2 ranks cannot read it; write it to a file first"
works 1 "$MPI_COMMAND" fit /dev/stdin $hidden -o one.model --quiet <sequences.txt
run 0 info one.model
says out "^  rows  *2000$"
mkfifo pipe
for command in "fit pipe -o x.model" "fit A/data.ldac --vocabulary pipe -o x.model" "evaluate A/a.model pipe" "infer A/a.model pipe"; do
  ranks 2 "$MPI_COMMAND" $command
  refused_once "pipe is not a regular file"
done

# ---- Another copy on the second rank ----
head -15000 A/data.ldac >B/data.ldac
cp A/a.model same.model
sizes="the size of data.ldac is $(wc -c <A/data.ldac) bytes on rank 0 and $(wc -c <B/data.ldac) bytes on rank 1"
for command in "$fit" "evaluate ../same.model data.ldac" "infer ../same.model data.ldac -o y.csv"; do
  in_two "$command"
  refused_once "the ranks differ: $sizes"
done
in_two "$fit" "fit missing.ldac -o x.model --topics 3 --max-passes 0.1 --quiet"
refused_once "No such file or directory"
# Files of the same size that are read whole: UCI docword, with one more row on rank 1.
printf '2\n3\n2\n1 1 1\n2 2 1\n' >A/docword
printf '3\n3\n2\n1 1 1\n2 2 1\n' >B/docword
in_two "fit docword -o x.model --topics 2"
refused_once "the content of docword is 2 rows of 3 columns with 2 entries on rank 0 and 3 rows"
in_two "infer ../same.model docword"
refused_once "the content of docword is 2 rows of 40 columns with 2 entries on rank 0 and 3 rows"
cp A/data.ldac B/data.ldac
in_two "infer a.model data.ldac -o y.csv"
refused_once "the hash of a.model is [0-9a-f]* on rank 0 and [0-9a-f]* on rank 1"
[ ! -e A/y.csv ] && [ ! -e A/x.model ]
verdict $? "a command that was refused has left a file"
in_two "infer ../same.model data.ldac -o y.npy"
count "status where both copies are the same" 0 "$got"
run 0 infer same.model A/data.ldac -o alone.npy
same "what two ranks infer of two equal copies" alone.npy A/y.npy

# ---- Another command line on the second rank ----
in_two "$fit" "evaluate ../same.model data.ldac"
refused_once "the ranks differ: the command is fit on rank 0 and evaluate on rank 1"
in_two "$fit" "$fit --test data.ldac"
refused_once "the ranks differ: --test is not given on rank 0 and given on rank 1"
in_two "evaluate ../same.model data.ldac" "evaluate ../same.model data.ldac --measure elbo"
refused_once "the ranks differ: --measure is not given on rank 0 and elbo on rank 1"
in_two "evaluate ../same.model data.ldac" "evaluate ../same.model"
refused_once "the ranks differ: the number of operands is 2 on rank 0 and 1 on rank 1"
in_two "infer ../same.model data.ldac" "infer ../same.model data.ldac --local-iterations 3"
refused_once "the ranks differ: option local_iterations is not given on rank 0 and 3 on rank 1"
in_two "$fit --threads 1" "fit $folder/B/data.ldac -o other.model --max-passes 0.1 --topics 3 --threads 2"
count "status with other names, threads and order" 0 "$got"

# ---- The files of all ranks are inputs ----
head -100 A/data.ldac >part.0
tail -100 A/data.ldac >part.1
cp part.1 kept
for outputs in "-o part.0" "-o part.1" "-o x.model --trace part.1" "-o x.model --checkpoint part.1"; do
  ranks 2 "$MPI_COMMAND" fit 'part.%r' --topics 3 --max-passes 1 $outputs
  refused_once "part.[01] is an input file (part.[01]), so it is not overwritten"
done
ranks 2 "$MPI_COMMAND" fit A/data.ldac --test 'part.%r' --topics 3 --max-passes 1 -o part.1
refused_once "part.1 is an input file"
same "a file of rank 1" kept part.1
works 2 "$MPI_COMMAND" fit 'part.%r' --topics 3 --max-passes 1 --threads 1 -o part.2 --quiet
finish
