#!/bin/sh
# A variational autoencoder from fit to likelihood: images of 0 and 1, and columns of numbers.
. "$(dirname "$0")/common.sh"

# 40 images of 3 x 3 pixels, 0 or 1, in two patterns.
{
  printf '\000\000\010\003\000\000\000\050\000\000\000\003\000\000\000\003'
  # shellcheck disable=SC2059  # the bytes are the format
  printf "$(awk 'BEGIN { for (i = 0; i < 360; ++i) printf "%s", (i + int(i / 9)) % 2 == 0 && i % 7 != 3 ? "\\001" : "\\000" }')"
} >images.idx

for method in vi entropy_annealing "proximity --proximity kl" "proximity --proximity orthogonal"; do
  # shellcheck disable=SC2086  # a method and its options
  run 0 fit images.idx -o m.model --model variational_autoencoder --latent 2 --hidden 8,6 --method $method \
    --max-passes 30 --threads 1 --bound sampled
  run 0 evaluate m.model images.idx --measure elbo --samples 200
  elbo=$(cat out)
  run 0 evaluate m.model images.idx --measure log_marginal --samples 200
  awk -v a="$(cat out)" -v b="$elbo" 'BEGIN { exit !(a >= b && b > -40 * 9) }'
  verdict $? "$method: the likelihood $(cat out) is below the bound $elbo, or that is worse than no model"
done
for measure in active_units dead_units dead_units.encoder.1 dead_units.decoder.0; do
  run 0 evaluate m.model images.idx --measure $measure
  awk -v a="$(cat out)" 'BEGIN { exit !(a >= 0 && a <= 2) }'
  verdict $? "$measure is $(cat out)"
done
refused 2 "dead_units.decoder.1" evaluate m.model images.idx --measure dead_units.decoder.2
run 0 info m.model
grep -q "encoder.weights.2" out && grep -q "decoder.bias.0" out
verdict $? "info does not list the layers"
run 0 get m.model encoder.weights.0 -o w.csv
count "rows of the encoder's weights, and a header" 10 "$(wc -l <w.csv)"
run 0 infer m.model images.idx
count "rows of latent means" 40 "$(wc -l <out)"
run 0 infer m.model images.idx --quantity reconstruction
count "reconstructions" 40 "$(wc -l <out)"
awk -F, 'NF != 9 { exit 1 } { for (i = 1; i <= 9; ++i) if ($i < 0 || $i > 1) exit 1 }' out
verdict $? "reconstructions are no probabilities"

# Columns of numbers on scales of their own; half of the second follows the first.
awk 'BEGIN { for (i = 0; i < 60; ++i) printf "%.4f,%.4f,%.4f\n", i * 7 % 11 + 100, i * 7 % 11 / 1000 + i % 5 / 4000, i % 5 }' >rows.csv
run 0 fit rows.csv -o g.model --model variational_autoencoder --likelihood gaussian --latent 2 --hidden 12 \
  --max-iterations 600 --learning-rate 0.01 --batch-size 0 --test rows.csv
run 0 get g.model noise.variance
count "variances of the noise" 3 "$(wc -l <out)"
awk 'NR == 1 && !($1 < 5) || NR == 2 && !($1 > 0 && $1 < 1e-5) { exit 1 }' out
verdict $? "nothing of the columns was explained: $(tr '\n' ' ' <out)"
run 0 evaluate g.model rows.csv

refused 1 "is fitted by gradients" fit images.idx -o x.model --model variational_autoencoder --method tempering
printf '0,1\n1,3\n' >wrong.csv
refused 1 "row 1, column 1 is 3; variational_autoencoder accepts 0, 1 and numbers between, with likelihood gaussian any" \
  fit wrong.csv -o x.model --model variational_autoencoder
printf '0,1\n1,\n' >missing.csv
refused 1 "row 1, column 1 is missing (NaN); variational_autoencoder" fit missing.csv -o x.model --model variational_autoencoder
refused 2 "not a number of units" fit images.idx -o x.model --model variational_autoencoder --hidden 2.5
finish
