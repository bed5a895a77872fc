#!/bin/sh
# Fits by time, and the warnings of fits that end at T > 1 or unconverged.
. "$(dirname "$0")/common.sh"
ldac 400 1 >train.ldac
usual="--topics 2 --seed 4"

# A fit by time ends at T = 1 and prints its plan. The machine may be busy, so no speed is required.
run 0 fit train.ldac -o timed.model $usual --time 3 --temperature-start 4 --report-every 1 --trace timed.csv
says err "^plan: about [0-9,]* steps, [0-9.,]* passes, in the [0-9]* seconds that are left$"
says err ", temperature 1$"
grep -q "warning" err && verdict 1 "a cold fit warns: $(cat err)"
cut -d, -f4 timed.csv | awk 'NR > 2 && $1 > last && last != 1 { bad = 1 } NR > 1 { last = $1 } $1 == 1 { ++cold }
  END { exit bad || last != 1 || cold < 3 }'
verdict $? "the temperatures of a fit by time rise, or do not end at 1"
run 0 info timed.model
says out "^  ended by  *its time$"
grep -q "hot" out && verdict 1 "a cold fit is called hot"
refused 2 "leave max_passes out" fit train.ldac -o x.model $usual --time 3 --max-passes 2
refused 2 "leave deadline out" fit train.ldac -o x.model $usual --time 3 --deadline 2
[ ! -e x.model ]
verdict $? "a refused fit left a model"

# A network takes no more passes than by default, because more would overfit, however much time there is.
awk 'BEGIN { for (i = 0; i < 40; ++i) print i % 2 "," i % 3 % 2 "," i % 5 % 2 }' >bits.csv
network="--model variational_autoencoder --latent 1 --hidden 2 --seed 3"
run 0 fit bits.csv -o untimed.model $network
run 0 fit bits.csv -o complete.model $network --time 5000
says err "^note: the fit is complete after [0-9.]* of 5000 seconds: more passes would fit"
run 0 info complete.model
says out "^  ended by  *its limit$"
run 0 evaluate untimed.model bits.csv
cp out untimed.out
run 0 evaluate complete.model bits.csv
cmp -s out untimed.out
verdict $? "a network fitted with time to spare differs from the default"

# An interrupted one continues with the remaining time. On a busy machine the time may be over before the signal.
for seconds in 4 15 40; do
  rm -f half.*
  "$VTEMPER" fit train.ldac -o half.model $usual --time $seconds --temperature-start 4 --checkpoint half.checkpoint \
    --checkpoint-every 0.05 2>half.err &
  child=$!
  wait_for half.checkpoint
  kill -INT $child
  wait $child
  status=$?
  [ $status -eq 130 ] && break
done
if [ $status -eq 130 ]; then
  run 0 fit train.ldac -o resumed.model --resume half.checkpoint
  says err ", temperature 1$"
  run 0 info resumed.model
  says out "^  ended by  *its time$"
else
  verdict 1 "a fit of $seconds seconds could not be interrupted"
fi

# Time that one start of a mixture does not need is used for further starts, and the best is kept.
awk 'BEGIN { srand(3); for (i = 0; i < 90; ++i) print 4 * (i * 3 % 7) + rand(), 3 * (i % 7) + rand() }' |
  tr ' ' , >points.csv
for seconds in 2 20 100; do # until the last starts were in vain: the one that time cuts off is not that of its seed
  run 0 fit points.csv -o several.model --model gaussian_mixture --components 7 --start random --method vi --seed 2 \
    --time $seconds --trace several.csv --report-every 1
  grep -q "were not better" err && break
done
says err "^note: [0-9]* starts were fitted one after the other; the one with seed [0-9]* has the best bound"
says err " rows in [0-9:]*, temperature 1$"
kept=$(sed -n 's/^restarts: .*(kept: seed \([0-9]*\)).*/\1/p' err)
run 0 fit points.csv -o single.model --model gaussian_mixture --components 7 --start random --method vi --seed "$kept" \
  --max-passes 100000 --trace single.csv --report-every 1
cut -d, -f1,2,4-7 several.csv >several.rows
cut -d, -f1,2,4-7 single.csv >single.rows
cmp -s several.rows single.rows
verdict $? "the curve of the start that was kept is not that of its seed alone"
for name in mean weights; do
  "$VTEMPER" get several.model $name >several.$name
  "$VTEMPER" get single.model $name >single.$name
  cmp -s several.$name single.$name
  verdict $? "the $name of the start that was kept are not those of its seed alone"
done

# A fit that is cut off at T > 1 says so at its end and in its file.
run 0 fit train.ldac -o hot.model $usual --max-passes 100000 --deadline 1 --temperature-start 4
says err "^warning: the fit is hot: T = [0-9.]* after [0-9]* steps* (deadline reached); option time "
run 0 info hot.model
says out "^  ended by  *its deadline$"
says out "^  warning  *the fit is hot: T = "
run 0 fit train.ldac -o quiet.model $usual --max-passes 100000 --deadline 1 --temperature-start 4 --quiet
[ ! -s err ]
verdict $? "--quiet warns: $(cat err)"

# A fit that should converge and has not says so.
run 0 fit train.ldac -o unconverged.model $usual --method vi --max-passes 2
says err "^note: the fit has not converged after 2 steps"
run 0 info unconverged.model
says out "^  warning  *the fit has not converged after 2 steps"
run 0 fit train.ldac -o converged.model $usual --method vi --tolerance 0.01 --max-passes 500
grep -q "not converged" err && verdict 1 "a converged fit complains: $(cat err)"
run 0 info converged.model
says out "^  ended by  *convergence$"

# Fits of very few steps end at T = 1.
ldac 5 1 >five.ldac
for method in annealing entropy_annealing tempering local_tempering stochastic_annealing svi vi; do
  for passes in 1 2 3; do
    run 0 fit five.ldac -o five.model --topics 2 --method $method --max-passes $passes
    says err ", temperature 1$"
    grep -q "hot\|perturbed" err && verdict 1 "$method, $passes passes over five documents: $(cat err)"
  done
done
finish
