#!/bin/sh
# The top level of the repository contains only the known entries (apart from dot files and build folders).
set -eu
cd "$VTEMPER_SOURCE"
for entry in *; do
  case $entry in
    include | src | bindings | tests | doc | packaging | pkgconfig | CMakeLists.txt | CMakePresets.json | README.md | CHANGELOG.md | LICENSE) ;;
    build*) ;;
    *)
      echo "$entry does not belong to the top level"
      exit 1
      ;;
  esac
done
