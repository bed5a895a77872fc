#!/bin/sh
# A new user: what the README shows for R runs as it stands.
. "$(dirname "$0")/common.sh"
not_sanitized
install_package --no-docs
cp "$VTEMPER_SOURCE/README.md" .
# The indented blocks of the section, each its own session; the first is for the shell.
awk '/^## / { inside = $0 == "## From R"; next }
     inside && /^    / { if (!block) { ++number; block = 1 } print substr($0, 5) > ("block" number ".R") }
     inside && !/^    / { block = 0 }' README.md
grep -q 'R CMD INSTALL bindings/r/vtemper' block1.R || { echo "the README does not say how to install the R package"; exit 1; }
[ -s block2.R ] || { echo "the README has no examples for R"; exit 1; }
for block in block[2-9].R; do
  rscript "$block" >"$block.out" 2>&1 || { cat "$block" "$block.out"; exit 1; }
done
grep -q 'vtemper fit of lda: 10 topics' block2.R.out || { cat block2.R.out; exit 1; }
[ -s model.vtemper ]
