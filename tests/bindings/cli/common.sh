# Shared by the tests of the command, which source it. VTEMPER is the command.

if [ -z "${VTEMPER:-}" ] || [ ! -x "$VTEMPER" ]; then
  echo "VTEMPER does not name the command."
  exit 77
fi
set -u
LC_ALL=C
OMP_NUM_THREADS=1 # the fits are tiny: threads would only wait for each other where tests run side by side
export LC_ALL OMP_NUM_THREADS

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

# verdict STATUS TEXT: counts and prints a failure if STATUS is not 0.
verdict() {
  [ "$1" -eq 0 ] && return 0
  failures=$((failures + 1))
  echo "FAILED: $2"
  return 0
}

# run STATUS ARGUMENTS...: runs the command; its output is in the files out and err.
run() {
  wanted=$1
  shift
  "$VTEMPER" "$@" >out 2>err
  got=$?
  [ "$got" -eq "$wanted" ] || sed 's/^/  /' err
  [ "$got" -eq "$wanted" ]
  verdict $? "vtemper $* ended with $got, not $wanted"
}

# refused STATUS WORDS ARGUMENTS...: the command ends with the status, one line on stderr that contains WORDS, and nothing
# on stdout.
refused() {
  status=$1
  words=$2
  shift 2
  run "$status" "$@"
  [ "$(wc -l <err)" -eq 1 ]
  verdict $? "vtemper $* says $(wc -l <err) lines, not one message: $(cat err)"
  grep -q -e "$words" err
  verdict $? "vtemper $* does not name \"$words\": $(cat err)"
  [ ! -s out ]
  verdict $? "vtemper $* prints results although it fails"
}

# says FILE WORDS: the file contains the words (a basic regular expression).
says() {
  grep -q -e "$2" "$1"
  verdict $? "$1 does not hold \"$2\": $(head -c 600 "$1")"
}

# same WHAT FIRST SECOND: two files are equal.
same() {
  cmp -s "$2" "$3"
  verdict $? "$1: $2 and $3 differ"
}

# count WHAT WANTED GOT: two numbers are equal.
count() {
  [ "$2" -eq "$3" ]
  verdict $? "$1: $3, not $2"
}

# wait_for FILE [WORDS]: until the file exists and is not empty, or contains the words; fails after a minute, since a busy
# machine may be slow to start a command.
wait_for() {
  tries=0
  until if [ $# -eq 1 ]; then [ -s "$1" ]; else grep -q -e "$2" "$1" 2>/dev/null; fi; do
    tries=$((tries + 1))
    [ $tries -le 1200 ] || { verdict 1 "after a minute there is no $*"; return 0; }
    sleep 0.05
  done
}

finish() {
  [ "$failures" -gt 0 ] || { echo "all is well"; exit 0; }
  echo "$failures failed"
  exit 1 # not their number: 77 of them would count as skipped, 256 as success
}

# ldac DOCUMENTS SEED: prints a corpus of four topics of ten words, 30 tokens per document, as LDA-C.
ldac() {
  awk -v documents="$1" -v state="$2" '
    function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN {
      for (i = 0; i < 10; ++i) uniform()
      for (d = 0; d < documents; ++d) {
        split("", counts)
        main = int(uniform() * 4)
        for (n = 0; n < 30; ++n) {
          topic = uniform() < 0.8 ? main : int(uniform() * 4)
          ++counts[topic * 10 + int(uniform() * uniform() * 10)]
        }
        unique = 0
        line = ""
        for (word = 0; word < 40; ++word) {
          if (word in counts) { ++unique; line = line " " word ":" counts[word] }
        }
        print unique line
      }
    }'
}

# words COUNT: prints names of columns, one per line.
words() { awk -v count="$1" 'BEGIN { for (i = 0; i < count; ++i) printf "word%c%d\n", 97 + int(i / 10), i % 10 }'; }
