#!/bin/sh
# A new user: the package is installed by its one command, and what the README shows for Julia runs as it stands.
. "$(dirname "$0")/common.sh"
not_sanitized
package=@. # the default environment, where the package is installed
julia "$VTEMPER_SOURCE/bindings/julia/VTemper/install.jl" >"$folder/installed" 2>&1 || { cat "$folder/installed"; exit 1; }
grep -q 'the library is vtemper' "$folder/installed" || { cat "$folder/installed"; exit 1; }

cp "$VTEMPER_SOURCE/README.md" "$folder"
cd "$folder"
# The indented blocks of the section, each its own session; the first is for the shell.
awk '/^## / { inside = $0 == "## From Julia"; next }
     inside && /^    / { if (!block) { ++number; block = 1 } print substr($0, 5) > ("block" number ".jl") }
     inside && !/^    / { block = 0 }' README.md
[ -s block3.jl ] || { echo "the README has no examples for Julia"; exit 1; }
for block in block[2-9].jl; do
  julia -e 'foreach(line -> Base.invokelatest(display, include_string(Main, line)), eachline(ARGS[1]))' "$block" >"$block.out" 2>&1 ||
    { cat "$block" "$block.out"; exit 1; }
done
grep -q '5 topics by probability' block2.jl.out && grep -q 'run: 30 steps' block3.jl.out && [ -s model.vtemper ] ||
  { tail -40 block2.jl.out block3.jl.out; exit 1; }
julia "$VTEMPER_SOURCE/bindings/julia/VTemper/examples/topics.jl"

# So do the package's own README and manual.
awk '/^```julia/ { inside = 1; next } /^```/ { inside = 0 } inside' "$VTEMPER_SOURCE/bindings/julia/VTemper/README.md" >of_readme.jl
awk '/^```julia/ { inside = 1; next } /^```/ { inside = 0 } inside' "$VTEMPER_SOURCE/bindings/julia/VTemper/docs/src/index.md" >of_manual.jl
for block in of_readme.jl of_manual.jl; do
  [ "$(wc -l <$block)" -ge 5 ] || { echo "$block has no examples"; exit 1; }
  julia $block >$block.out 2>&1 || { cat $block.out; exit 1; }
done
cmp "$VTEMPER_SOURCE/LICENSE" "$VTEMPER_SOURCE/bindings/julia/VTemper/LICENSE"
