#!/bin/sh
# The top level of the repository holds its folders and nothing else (dot files and build folders apart).
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
