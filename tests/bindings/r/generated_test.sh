#!/bin/sh
# The verbs of the kinds and their help are those of the library.
. "$(dirname "$0")/common.sh"
not_sanitized
install_package --no-docs
mkdir R man
rscript "$package/tools/generate.R" "$folder"
for file in NAMESPACE R/kinds.R man/vt_fit.Rd; do
  if ! diff -u "$package/$file" "$file" >difference; then
    head -40 difference
    echo "$file of the R package is not what the library says. Run: sh bindings/generate.sh"
    exit 1
  fi
done
