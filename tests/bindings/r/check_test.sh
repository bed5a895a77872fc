#!/bin/sh
# R CMD check finds nothing: no error, warning or note. The suite itself runs in package_test.sh.
. "$(dirname "$0")/common.sh"
not_sanitized
for tool in testthat Matrix; do
  has $tool || { echo "$tool is missing (Debian package r-cran-$(echo $tool | tr A-Z a-z))"; exit 77; }
done
vignettes="--no-build-vignettes --ignore-vignettes"
building=--no-build-vignettes
if has knitr rmarkdown && command -v pandoc >/dev/null; then
  vignettes=
  building=
else
  echo "the vignette is left out: r-cran-knitr, r-cran-rmarkdown or pandoc is missing"
fi
cp -r "$package" vtemper
R CMD build --no-manual $building vtemper >log 2>&1 || { cat log; exit 1; }
_R_CHECK_FORCE_SUGGESTS_=false _R_CHECK_SYSTEM_CLOCK_=0 R CMD check --no-manual --no-tests $vignettes vtemper_*.tar.gz >log 2>&1 ||
  { tail -n 60 log; cat vtemper.Rcheck/00install.out | tail -n 20; exit 1; }
tail -n 4 log
grep -q '^Status: OK' log || { grep -A 15 -E '\.\.\. (NOTE|WARNING|ERROR)' log; exit 1; }
