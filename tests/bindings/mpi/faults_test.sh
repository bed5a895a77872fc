#!/bin/sh
# What can go wrong under vtemper-mpi: a rank that is killed, stopped or interrupted, ranks that disagree, a damaged
# file.
. "$(dirname "$0")/common.sh"
ldac 2000 1 >train.ldac
words 40 >words.txt
run 0 convert train.ldac train.corpus --vocabulary words.txt --quiet
long="fit train.corpus --topics 4 --seed 3 --batch-size 50 --threads 1 --method svi"

# started N ARGUMENTS...: begins a fit of N ranks, and waits until it writes checkpoints. Sets `job`.
started() {
  count=$1
  shift
  rm -f run.checkpoint
  $launcher -n "$count" "$MPI_COMMAND" "$@" --checkpoint run.checkpoint --checkpoint-every 0.2 >out 2>err &
  job=$!
  wait_for run.checkpoint
}

# rank_process N: the process of rank N of the job, by the environment that the launcher gave it.
rank_process() {
  for process in $(pgrep -x vtemper-mpi); do
    tr '\0' '\n' 2>/dev/null <"/proc/$process/environ" | grep -qx -e "OMPI_COMM_WORLD_RANK=$1" -e "PMI_RANK=$1" || continue
    [ "$(readlink "/proc/$process/cwd")" = "$folder" ] && echo "$process"
  done
}

# ended SECONDS: waits that long for the job, which must end; sets `got`.
ended() {
  tries=0
  while kill -0 "$job" 2>/dev/null && [ $tries -lt $((10 * $1)) ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  if kill -0 "$job" 2>/dev/null; then
    verdict 1 "the job goes on after $1 seconds"
    kill -9 "$job"
  fi
  wait "$job"
  got=$?
}

# ---- kill -9 of one rank: the job ends, the last checkpoint is complete ----
for victim in 0 2; do
  started 3 $long --max-passes 100000 -o killed.model
  process=$(rank_process $victim)
  count "processes of rank $victim" 1 "$(echo "$process" | wc -w)"
  kill -9 "$process"
  ended 10
  [ "$got" -ne 0 ]
  verdict $? "a job whose rank $victim was killed ended with $got"
  [ ! -e killed.model ]
  verdict $? "a job whose rank $victim was killed left a model"
  run 0 fit train.corpus -o rest.model --resume run.checkpoint --more-passes 0.1 --quiet
done

# ---- A rank that is stopped for a while: the same bits ----
works 3 "$MPI_COMMAND" $long --max-passes 30 -o whole.model --quiet
started 3 $long --max-passes 30 -o stopped.model
process=$(rank_process 1)
if [ -n "$process" ]; then
  kill -STOP "$process"
  sleep 5
  kill -CONT "$process"
fi
ended 60
count "status of a job with a rank that stood still" 0 "$got"
same "a rank that stood still" whole.model stopped.model

# ---- Ctrl-C: one rank is asked to end, and all end after the same step, with a model and a checkpoint ----
for asked in 0 1; do
  rm -f asked.model
  started 2 $long --max-passes 100000 -o asked.model
  kill -INT "$(rank_process $asked)"
  ended 10
  [ "$got" -ne 0 ]
  verdict $? "a job whose rank $asked was interrupted ended with $got"
  once "interrupted; the model so far is in asked.model"
  run 0 info asked.model
  says out "ended by *interruption"
  run 0 fit train.corpus -o rest.model --resume run.checkpoint --more-passes 0.1 --quiet
done

# ---- Ranks with different options or data ----
# Two programs in one job: some ranks have another option, or another vocabulary.
mpmd() { timeout 60 $launcher -n 1 "$MPI_COMMAND" $1 : -n 1 "$MPI_COMMAND" $2 >out 2>err; got=$?; }
short="$long --max-passes 1 -o x.model"
mpmd "$short" "$short --batch-size 60"
[ "$got" -ne 0 ]
verdict $? "ranks with other options end with $got"
once "batch_size"
once "vtemper-mpi fit: "
sed 's/^worda0$/fresh/' words.txt >others.txt
mpmd "fit train.ldac --vocabulary words.txt -o x.model" "fit train.ldac --vocabulary others.txt -o x.model"
[ "$got" -ne 0 ]
verdict $? "ranks with other words end with $got"
once "vtemper-mpi fit: "
once "fresh"
# A file of one rank that is damaged.
head -1000 train.ldac >half.ldac
run 0 convert half.ldac half.0 --vocabulary words.txt --quiet
run 0 convert half.ldac half.1 --vocabulary words.txt --quiet
size=$(wc -c <half.1)
head -c 4000 /dev/zero | tr '\0' '\377' | dd of=half.1 bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
ranks 2 "$MPI_COMMAND" fit half.%r --topics 4 -o x.model
[ "$got" -ne 0 ]
verdict $? "a damaged file of one rank ends with $got"
once "vtemper-mpi fit: "
grep -q "half\.1" err
verdict $? "the damaged file is not named: $(cat err)"
: >half.1
ranks 2 "$MPI_COMMAND" fit half.%r --topics 4 -o x.model
[ "$got" -ne 0 ]
verdict $? "an empty file of one rank ends with $got"
once "vtemper-mpi fit: "
[ ! -e x.model ]
verdict $? "a fit that failed left a model"
finish
