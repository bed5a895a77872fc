#!/bin/sh
# R with each BLAS that Debian has (the reference, OpenBLAS with threads of either kind and without): fits with large
# products give the same numbers up to rounding, with the same bits for any number of threads, and R's own products are
# the same before and after a fit, with the same BLAS and the same number of its threads.
. "$(dirname "$0")/common.sh"
not_sanitized
unset OMP_NUM_THREADS
install_package --no-docs
cat >blas.R <<'END'
library(vtemper)
cat(extSoftVersion()[["BLAS"]], "\n")
set.seed(1)
x <- matrix(rnorm(400 * 150), 400) + outer(rep(c(0, 3), 200), (1:150) %% 3)
before <- crossprod(x)
inverse <- solve(before)
fit <- function(threads) {
  coef(vt_fit(x, "gaussian_mixture", components = 2, covariance = "independent", threads = threads, max_passes = 5, seed = 3),
       "mean")
}
means <- fit(1)
stopifnot(identical(fit(2), means), identical(crossprod(x), before), identical(solve(before), inverse),
          all(abs(inverse %*% before - diag(150)) < 1e-8))
writeLines(format(c(means, before), digits = 17), commandArgs(TRUE)[1])
cat(vt_build_info(), "\n")
END

libraries=$(dirname "$(R --vanilla --no-echo -e 'cat(extSoftVersion()[["BLAS"]])')")/..
kinds=0
for kind in installed blas openblas-pthread openblas-openmp openblas-serial; do
  preloaded=
  if [ "$kind" != installed ]; then
    [ -e "$libraries/$kind/libblas.so.3" ] || { echo "$kind is not here"; continue; }
    preloaded=$(ls "$libraries/$kind/libblas.so.3" "$libraries/$kind/liblapack.so.3" "$libraries/$kind/libopenblas.so.0" \
      2>/dev/null | tr '\n' ' ')
  fi
  LD_PRELOAD=$preloaded Rscript --vanilla blas.R "$kind" >log 2>&1 || { echo "with $kind:"; cat log; exit 1; }
  [ "$kind" = installed ] || grep -q "/$kind/" log || { echo "R does not use $kind:"; cat log; exit 1; }
  head -n 1 log
  [ -e first ] || cp "$kind" first
  paste first "$kind" | awk -v kind="$kind" '
    { size = $1 < 0 ? -$1 : $1; if (size > largest) largest = size; d = $1 - $2; if (d < 0) d = -d; if (d > worst) worst = d }
    END { print kind ": largest difference " worst + 0 " of " largest; exit !(NR > 300 && largest > 0 && worst <= 1e-9 * largest) }'
  kinds=$((kinds + 1))
done
echo "$kinds kinds of BLAS"
[ "$kinds" -gt 1 ] || { echo "only the installed BLAS is here"; exit 77; }
