#!/bin/sh
# Ctrl-C, checkpoints and resuming: a run that was interrupted and resumed gives the bits of one that was not.
. "$(dirname "$0")/common.sh"
ldac 600 3 >train.ldac
# The delay is given because its default depends on the length of the run, which the interrupted run does not know.
usual="--topics 5 --batch-size 20 --step-size-delay 64 --report-every 1 --seed 4"

# A fit without end is interrupted: model, trace and checkpoint exist and are complete.
"$VTEMPER" fit train.ldac -o run.model $usual --method svi --max-passes 100000 --trace run.csv --checkpoint run.checkpoint \
  --checkpoint-every 0.05 2>run.err &
child=$!
wait_for run.checkpoint
[ -s run.checkpoint ]
verdict $? "no checkpoint was written along the way"
kill -INT $child
wait $child
count "exit status after Ctrl-C" 130 $?
says run.err "interrupted"
run 0 info run.model
run 0 get run.model lambda
steps=$(sed -n '$p' run.csv | cut -d, -f1)
[ "$steps" -gt 0 ]
verdict $? "the trace of the interrupted run is empty"
ls | grep -q part && verdict 1 "an unfinished file was left: $(ls)"

# Topics in a file that can no longer be written are a message, not a signal: here because files may no longer be so large.
# The limit holds for the message's file, too.
rm -f run.checkpoint
"$VTEMPER" fit train.ldac -o lost.model $usual --method svi --max-passes 100000 --checkpoint run.checkpoint --checkpoint-every 2 \
  --parameters-folder . --quiet 2>lost.err &
child=$!
wait_for run.checkpoint
prlimit --pid $child --fsize=1000
verdict $? "prlimit"
wait $child
count "exit status after a lost file of topics" 1 $?
says lost.err "cannot be written: File too large"
count "lines of the message" 1 "$(wc -l <lost.err)"
ls -a | grep -q -e part -e lost.model && verdict 1 "a lost file of topics left a file: $(ls -a)"

# The interrupted run equals one that was limited to the same number of steps.
run 0 fit train.ldac -o told.model $usual --method svi --max-passes 100000 --max-iterations "$steps" --quiet
"$VTEMPER" get run.model lambda >run.lambda
"$VTEMPER" get told.model lambda >told.lambda
same "interrupted and told to stop at step $steps" run.lambda told.lambda

# A run that is interrupted at some step and resumed to the end equals an uninterrupted one. A fast machine may finish before
# the interruption: then the run is made longer.
interrupted=0
for passes in 100 500 3000; do
  rm -f half.*
  "$VTEMPER" fit train.ldac -o half.model $usual --method tempering --max-passes $passes --trace half.csv \
    --checkpoint half.checkpoint --checkpoint-every 0.05 --quiet 2>half.err &
  child=$!
  wait_for half.checkpoint
  kill -INT $child 2>/dev/null
  wait $child
  if [ $? -eq 130 ] && [ -s half.checkpoint ]; then
    interrupted=1
    break
  fi
done
if [ $interrupted -eq 1 ]; then
  before=$(sed 1d half.csv | wc -l)
  run 0 fit train.ldac -o resumed.model --resume half.checkpoint --trace half.csv --quiet
  run 0 fit train.ldac -o unbroken.model $usual --method tempering --max-passes $passes --trace unbroken.csv --quiet
  "$VTEMPER" get resumed.model lambda >resumed.lambda
  "$VTEMPER" get unbroken.model lambda >unbroken.lambda
  same "resumed after $before steps and unbroken" resumed.lambda unbroken.lambda
  same "their files, notes and all" resumed.model unbroken.model
  run 0 fit train.ldac -o untraced.model --resume half.checkpoint --quiet
  same "the curve comes with the checkpoint" untraced.model unbroken.model
  cut -d, -f1,2,4- half.csv >half.cut
  cut -d, -f1,2,4- unbroken.csv >unbroken.cut
  same "their traces, seconds left out" half.cut unbroken.cut
else
  verdict 1 "no run could be interrupted in its middle"
fi

# SIGTERM is Ctrl-C to a batch system.
"$VTEMPER" fit train.ldac -o term.model $usual --max-passes 100000 --quiet --checkpoint term.checkpoint --checkpoint-every 0 &
child=$!
wait_for term.checkpoint
kill -TERM $child
wait $child
count "exit status after SIGTERM" 130 $?
[ -s term.model ]
verdict $? "no model after SIGTERM"

# Within a step that would take hours. The model is the one before that step.
"$VTEMPER" fit train.ldac -o long.model --topics 5 --method tempering --temperature-normalizer monte_carlo \
  --partition-samples 30000 --trace long.csv 2>long.err &
child=$!
sleep 1
kill -INT $child
waited=0
while kill -0 $child 2>/dev/null && [ $waited -lt 200 ]; do
  sleep 0.1
  waited=$((waited + 1))
done
kill -9 $child 2>/dev/null
wait $child
count "exit status after Ctrl-C within a step" 130 $?
says long.err "interrupted"
run 0 get long.model lambda

# What cannot be combined with --resume.
refused 2 "leave --topics out" fit train.ldac -o x.model --resume half.checkpoint --topics 3
refused 2 "leave --model out" fit train.ldac -o x.model --resume half.checkpoint --model lda
echo "no trace" >wrong.csv
refused 1 "is not a trace" fit train.ldac -o x.model --resume half.checkpoint --trace wrong.csv
ldac 60 9 >other.ldac
run 1 fit other.ldac -o x.model --resume half.checkpoint
[ ! -e x.model ]
verdict $? "a refused resume left a model"
finish
