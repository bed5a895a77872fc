#!/bin/sh
# vtemper demo: from own text, from a Debian index and from the synthetic corpus.
. "$(dirname "$0")/common.sh"

written() {
  for name in heldout.svg heldout.txt topics.txt train.corpus test.corpus svi.model svi.trace.csv; do
    [ -s "$1/$name" ]
    verdict $? "$1/$name is missing"
  done
  count "models in $1" 2 "$(ls "$1"/*.model | wc -l)"
  says "$1/heldout.svg" "</svg>"
  count "curves in $1/heldout.svg" 2 "$(grep -c '<polyline' "$1/heldout.svg")"
  grep -q 'nan\|inf"' "$1/heldout.svg" && verdict 1 "$1/heldout.svg holds numbers that are none"
  says out "The .* largest of .* topics"
  says out "Held-out log probability"
}

# No index there: says so and draws a corpus.
mkdir lists
run 0 demo --output synthetic --lists lists --passes 1 --topics 5
says out "no English Debian index in lists"
written synthetic
says err "svi  "
count "topics.txt of five topics" 6 "$(wc -l <synthetic/topics.txt)"
run 0 evaluate synthetic/svi.model synthetic/test.corpus

# Into the same folder again, silent.
run 0 demo --output synthetic --synthetic --passes 1 --topics 5 --quiet
[ ! -s err ]
verdict $? "--quiet is not silent: $(cat err)"

# Own text.
awk 'BEGIN {
  split("river stone water fish boat shore", a); split("engine wheel road driver brake fuel", b); state = 5
  for (d = 0; d < 200; ++d) {
    for (n = 0; n < 12; ++n) { state = (state * 16807) % 2147483647; w = 1 + state % 6; printf "%s ", d % 2 ? a[w] : b[w] }
    print ""
  }
}' >own.txt
run 1 demo --output own --text own.txt --topics 2 --quiet
says err "no word"
awk 'BEGIN {
  state = 5
  for (d = 0; d < 400; ++d) {
    group = d % 20
    for (n = 0; n < 12; ++n) { state = (state * 16807) % 2147483647; printf "word%c%c ", 97 + group, 97 + state % 9 }
    print ""
  }
}' >own.txt
run 0 demo --output own --text own.txt --topics 8 --passes 2 --quiet
written own

# A small Debian index: descriptions are taken once, whole, without the dots of empty lines.
if [ -x /usr/lib/apt/apt-helper ]; then
  mkdir index
  awk 'BEGIN {
    for (d = 0; d < 400; ++d) {
      printf "Package: p%d\nDescription-md5: %032d\nDescription-en: synopsis of %c\n", d, d % 300, 97 + d % 20
      printf " body word%c%c word%c%c\n .\n tail word%c%c\n\n", 97 + d % 20, 97 + d % 7, 97 + d % 20, 97 + d % 5,
        97 + d % 20, 97 + d % 9
    }
  }' >index/example_Translation-en
  run 0 demo --output debian --lists index --topics 4 --passes 2 --quiet
  written debian
  says out "300 package descriptions"
  count "lines of documents.txt" 300 "$(wc -l <debian/documents.txt)"
  head -1 debian/documents.txt >first
  echo "synopsis of a body wordaa wordaa tail wordaa" >wanted
  same "the first description" first wanted
fi

refused 1 "cannot be created" demo --output nowhere/folder
refused 1 "missing.txt" demo --output own --text missing.txt
finish
