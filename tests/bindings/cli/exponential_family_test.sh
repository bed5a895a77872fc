#!/bin/sh
# Documents of three themes: a deep exponential family from fit to words, by every method of models fitted by gradients.
. "$(dirname "$0")/common.sh"

# 60 documents in LDA-C's form; words 0 to 3, 4 to 7 and 8 to 11 come together.
awk 'BEGIN {
  for (d = 0; d < 60; ++d) {
    printf "5"
    for (i = 0; i < 4; ++i) printf " %d:%d", d % 3 * 4 + i, 2 + (d + i) % 4
    printf " %d:1\n", (d * 5 + 3) % 3 == d % 3 ? 4 * ((d + 1) % 3) : 4 * ((d + 2) % 3) + 1
  }
}' >themes.ldac

for method in vi entropy_annealing proximity; do
  run 0 fit themes.ldac -o $method.model --model deep_exponential_family --latent 3 --method $method --batch-size 20 \
    --max-passes 150 --threads 1 --seed 2
  run 0 evaluate $method.model themes.ldac --measure elbo --samples 50
  elbo=$(cat out)
  run 0 evaluate $method.model themes.ldac --measure log_marginal --samples 50
  awk -v a="$(cat out)" -v b="$elbo" 'BEGIN { exit !(a >= b) }'
  verdict $? "$method: the likelihood $(cat out) is below the bound $elbo"
  run 0 evaluate $method.model themes.ldac --measure perplexity --heldout-share 0.5
  awk -v a="$(cat out)" 'BEGIN { exit !(a > 1 && a < 9) }'
  verdict $? "$method: perplexity $(cat out) of themes of four words"
done
run 0 topics vi.model --words 4
awk 'NR > 1 { split("", seen); for (i = 4; i <= 7; ++i) seen[int(substr($i, 2) / 4)] = 1; n = 0; for (t in seen) ++n; if (n != 1) bad = 1 }
  END { exit bad || NR != 4 }' out
verdict $? "the words of a factor are not those of a theme: $(cat out)"
run 0 info vi.model
grep -q "factor.rate" out
verdict $? "info does not list the factors"
run 0 infer vi.model themes.ldac
count "rows of latent means" 60 "$(wc -l <out)"

# More rows than are inferred at once: equal documents, each with draws of its own, as in the library.
awk 'BEGIN { for (d = 0; d < 10002; ++d) print "4 0:2 1:3 2:4 3:5" }' >equal.ldac
run 0 infer vi.model equal.ldac --threads 1
count "rows of latent means of equal documents" 10002 "$(wc -l <out)"
[ "$(sed -n 1p out)" != "$(sed -n 10001p out)" ]
verdict $? "row 10,001 has the draws of row 1"

# A resumed run gives the same result, including the rows' own posteriors.
run 0 fit themes.ldac -o whole.model --model deep_exponential_family --latent 3 --method proximity --batch-size 20 \
  --max-passes 40 --threads 2 --seed 3 --checkpoint run.checkpoint
run 0 fit themes.ldac -o again.model --resume run.checkpoint
cmp -s whole.model again.model
verdict $? "a finished run that is resumed gives another model"

refused 1 "orthogonal" fit themes.ldac -o x.model --model deep_exponential_family --proximity orthogonal
# The options of the constraint change the run.
for choice in "" "--proximity-average parameters" "--proximity-inner-steps 5"; do
  run 0 fit themes.ldac -o x.model --model deep_exponential_family --latent 3 --proximity kl \
    --proximity-distance square --proximity-decay constant --max-passes 8 --seed 3 $choice
  run 0 evaluate x.model themes.ldac --measure elbo --samples 20
  cat out >>scores
done
count "different scores of ways to take a constraint" 3 "$(sort -u scores | wc -l)"
printf '0,1\n1,3.5\n' >dense.csv
refused 1 "deep_exponential_family needs counts: whole numbers from 0; row 1, column 1 holds 3.5$" fit dense.csv -o x.model --model deep_exponential_family
finish
