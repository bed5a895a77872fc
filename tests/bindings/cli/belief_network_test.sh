#!/bin/sh
# Binary rows from an IDX file: a sigmoid belief network from fit to likelihood, by vi and with a proximity constraint.
. "$(dirname "$0")/common.sh"

# 40 images of 3 x 3 pixels, 0 or 1, in two patterns.
pixels=$(awk 'BEGIN { for (i = 0; i < 360; ++i) printf "%s", (i + int(i / 9)) % 2 == 0 && i % 7 != 3 ? "\\001" : "\\000" }')
{
  printf '\000\000\010\003\000\000\000\050\000\000\000\003\000\000\000\003'
  printf '%b' "$pixels"
} >images.idx

run 0 info images.idx
grep -q "dense rows" out
verdict $? "info does not say what is in an IDX file"
for method in vi entropy_annealing proximity; do
  run 0 fit images.idx -o $method.model --model sigmoid_belief_network --layers 4,2 --method $method --max-passes 30 \
    --trace $method.csv --threads 1
  run 0 evaluate $method.model images.idx --samples 200
  run 0 evaluate $method.model images.idx --measure elbo --samples 200
  elbo=$(cat out)
  run 0 evaluate $method.model images.idx --measure log_marginal --samples 200
  awk -v a="$(cat out)" -v b="$elbo" 'BEGIN { exit !(a >= b && b > -40 * 9) }'
  verdict $? "$method: the likelihood $(cat out) is below the bound $elbo, or that is worse than no model"
  run 0 evaluate $method.model images.idx --measure active_units
done
run 0 info proximity.model
grep -q "posterior.weights.1" out
verdict $? "info does not list the layers"
run 0 infer proximity.model images.idx
count "rows of units" 40 "$(wc -l <out)"
awk -F, 'NF != 6 { exit 1 } { for (i = 1; i <= 6; ++i) if ($i < 0 || $i > 1) exit 1 }' out
verdict $? "posterior means are no probabilities"

# A resumed run gives the same result.
run 0 fit images.idx -o half.model --model sigmoid_belief_network --layers 4,2 --method proximity --max-passes 30 \
  --threads 2 --checkpoint run.checkpoint
run 0 fit images.idx -o again.model --resume run.checkpoint
cmp -s half.model again.model
verdict $? "a finished run that is resumed gives another model"

refused 1 "is fitted by gradients" fit images.idx -o x.model --model sigmoid_belief_network --method tempering
refused 1 "models fitted by gradients" fit images.idx -o x.model --model gaussian_mixture --method proximity
printf '0,1\n1,3\n' >wrong.csv
printf '0,1\n1,NA\n' >missing.csv
refused 1 "row 1, column 1 is missing (NaN); sigmoid_belief_network" fit missing.csv -o x.model --model sigmoid_belief_network
refused 1 "accepts 0, 1 and numbers between; divide shades of grey by the largest" fit wrong.csv -o x.model --model sigmoid_belief_network
finish
