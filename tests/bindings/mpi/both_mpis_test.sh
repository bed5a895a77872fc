#!/bin/sh
# The command by Open MPI and by MPICH: 1 to 8 ranks of either give the same model, score and inference, bit for bit, 2 and 3
# ranks in each of 6 runs (VTEMPER_MPI_ROUNDS); and the other tests of the command also pass with the MPI that the build did not use.
. "$(dirname "$0")/common.sh"
here=$VTEMPER_SOURCE/tests/bindings/mpi
ldac 400 1 >train.ldac
ldac 200 2 >test.ldac
words 40 >words.txt
for set in train test; do run 0 convert $set.ldac $set.corpus --vocabulary words.txt --quiet; done
run 0 fit train.corpus -o alone.model --topics 4 --seed 3 --batch-size 100 --max-passes 3 --threads 1 --test test.corpus --quiet
run 0 evaluate alone.model test.corpus
cp out alone.score

rounds=${VTEMPER_MPI_ROUNDS:-6}
tried=
for mpi in openmpi mpich; do
  use_mpi $mpi || continue
  tried="$tried $mpi"
  begin=$(date +%s)
  for count in 1 2 3 4 5 6 7 8; do
    works $count "$MPI_COMMAND" fit train.corpus -o $mpi.$count --topics 4 --seed 3 --batch-size 100 --max-passes 3 --threads 1 \
      --test test.corpus --quiet
    works $count "$MPI_COMMAND" evaluate alone.model test.corpus
    same "score by $count ranks of $mpi" out alone.score
  done
  same "the model of one rank of $mpi" alone.model $mpi.1
  for count in 2 3; do
    round=1
    while [ $round -le "$rounds" ]; do
      works $count "$MPI_COMMAND" fit train.corpus -o again --topics 4 --seed 3 --batch-size 100 --max-passes 3 --threads 1 \
        --test test.corpus --quiet
      same "the model of $count ranks of $mpi, run $round" again $mpi.$count
      round=$((round + 1))
    done
  done
  echo "$mpi: 1 to 8 ranks, and 2 and 3 ranks $rounds times, in $(($(date +%s) - begin)) seconds"
done
if [ "$tried" = " openmpi mpich" ]; then
  for count in 1 2 3 4 5 6 7 8; do same "the model of $count ranks" openmpi.$count mpich.$count; done
else
  echo "only one of Open MPI and MPICH is there"
fi

for mpi in $tried; do
  [ "$mpi" != $flavour ] || continue
  for test in command faults inputs; do
    begin=$(date +%s)
    VTEMPER_MPI=$mpi sh "$here/${test}_test.sh" >log 2>&1
    verdict $? "${test}_test.sh fails by $mpi: $(cat log)"
    echo "$mpi: ${test}_test.sh in $(($(date +%s) - begin)) seconds"
  done
done
finish
