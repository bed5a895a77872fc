#!/bin/sh
# The guide as one HTML page: sh doc/guide/build.sh OUTPUT.html
set -eu
[ $# -eq 1 ] || { echo "usage: sh doc/guide/build.sh OUTPUT.html" >&2; exit 2; }
folder=$(dirname "$0")
pandoc --standalone --self-contained --toc --toc-depth 1 --metadata title="Guide to vtemper" --metadata lang=en \
  --output "$1" "$folder"/[01]*.md
