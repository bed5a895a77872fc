#!/bin/sh
# The top level of the house holds its rooms and nothing else (dot files and build folders apart).
set -eu
cd "$VTEMPER_SOURCE"
for entry in *; do
  case $entry in
    include | src | bindings | tests | pkgconfig | CMakeLists.txt | CMakePresets.json | README.md | LICENSE) ;;
    build*) ;;
    *)
      echo "$entry does not belong to the top level"
      exit 1
      ;;
  esac
done
