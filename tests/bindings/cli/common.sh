# What the tests of the command share; sourced by each of them. VTEMPER is the command.

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

# verdict STATUS TEXT: counts and says what went wrong where STATUS is not 0.
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

# refused STATUS WORDS ARGUMENTS...: ends with the status, one sentence on stderr that holds WORDS, nothing on stdout.
refused() {
  status=$1
  words=$2
  shift 2
  run "$status" "$@"
  [ "$(wc -l <err)" -eq 1 ]
  verdict $? "vtemper $* says $(wc -l <err) lines, not one sentence: $(cat err)"
  grep -q -e "$words" err
  verdict $? "vtemper $* does not name \"$words\": $(cat err)"
  [ ! -s out ]
  verdict $? "vtemper $* prints results although it fails"
}

# says FILE WORDS: the file holds the words (a basic regular expression).
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

# wait_for FILE [WORDS]: until the file is there and not empty, or holds the words; a minute at most, for a busy machine
# may take its time to start a command.
wait_for() {
  tries=0
  until if [ $# -eq 1 ]; then [ -s "$1" ]; else grep -q -e "$2" "$1" 2>/dev/null; fi; do
    tries=$((tries + 1))
    [ $tries -le 1200 ] || return 0
    sleep 0.05
  done
}

finish() {
  [ "$failures" -eq 0 ] && echo "all is well"
  exit "$failures"
}

# ldac DOCUMENTS SEED: a corpus of four topics of ten words, 30 tokens a document, as LDA-C on stdout.
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

# words COUNT: names of columns, one a line.
words() { awk -v count="$1" 'BEGIN { for (i = 0; i < count; ++i) printf "word%c%d\n", 97 + int(i / 10), i % 10 }'; }
