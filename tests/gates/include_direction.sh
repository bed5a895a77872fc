#!/bin/sh
# Includes go in one direction through the folders, and the bindings include the public header only.
set -eu

# Prints each include of the tree below $1 that goes in the wrong direction.
offences() {
  (cd "$1" && grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src bindings --include=*.h --include=*.cpp \
    --include=*.inc --include=*.c || true) | awk -F'"' '
    BEGIN {
      sees["support"] = "support"
      sees["kernels"] = "kernels registries support"  # written by CMake: the kernels of single models
      sees["linalg"] = "linalg kernels support"
      sees["storage"] = "storage support"
      sees["group"] = "group support"
      sees["data"] = "data group storage support"
      sees["models"] = "models data group storage linalg kernels support"
      sees["inference"] = "inference models data group storage linalg kernels support"
      sees["evaluation"] = "evaluation models data group storage linalg kernels support"
      sees["api"] = "api inference evaluation models data group storage linalg kernels support"
    }
    {
      split($1, place, ":")
      split(place[1], path, "/")
      split($2, target, "/")
      if (path[1] == "bindings") {  # own headers, without a folder
        if (index($2, "/")) print place[1] ":" place[2] ": a binding includes \"" $2 "\""
        next
      }
      allowed = " " sees[path[2]] " "
      if (!index(allowed, " " target[1] " "))
        print place[1] ":" place[2] ": " path[2] " includes \"" $2 "\""
      # No model includes another one.
      else if (path[2] == "models" && target[1] == "models" && target[3] != "" && path[4] != "" && path[3] != target[2])
        print place[1] ":" place[2] ": model " path[3] " includes \"" $2 "\""
    }'
}

found=$(offences "$VTEMPER_SOURCE")
if [ -n "$found" ]; then
  echo "$found"
  exit 1
fi

# Proof that this gate can fail.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/models/lda" "$work/src/support" "$work/bindings/cli"
echo '#include "inference/optimizer.h"' >"$work/src/models/lda/a.cpp"
echo '#include "models/hidden_markov/model.h"' >"$work/src/models/lda/b.cpp"
echo '#include "kernels/table.h"' >"$work/src/support/c.h"
echo '#include "support/text.h"' >"$work/bindings/cli/d.c"
if [ "$(offences "$work" | wc -l)" -ne 4 ]; then
  echo "of four wrong includes these were seen:"
  offences "$work"
  exit 1
fi
