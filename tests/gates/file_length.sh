#!/bin/sh
# No source file is longer than 800 lines: one file, one idea.
set -eu
cd "$VTEMPER_SOURCE"
find include src bindings tests \( -name '*.h' -o -name '*.c' -o -name '*.cpp' -o -name '*.inc' -o -name '*.sh' -o -name '*.py' \
  -o -name CMakeLists.txt \) -exec wc -l {} + | awk '$2 != "total" && $1 > 800 { print $2 " has " $1 " lines"; bad = 1 } END { exit bad }'
