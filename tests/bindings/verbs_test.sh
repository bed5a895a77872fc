#!/bin/sh
# bindings/README.md says how each task is done in the command, R, Julia and Python: each verb and argument of its table exists.
# A front end that cannot run here is left out and reported.
set -eu
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*(asan|tsan|ubsan)'; then
  echo "Names are tested with the optimised library."
  exit 77
fi
here=$VTEMPER_SOURCE/tests/bindings
table=${1:-$VTEMPER_SOURCE/bindings/README.md}
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT

# A line for each call of a column: its name, then its arguments. `f(a, b; c)` is "f a b c", `vtemper fit --x` "fit --x".
column() {
  awk -F' *[|] *' -v column="$1" '
    /^\| task / { inside = 1; next } inside && !/^\|/ { exit }
    inside && !/^\|-/ {
      text = $column
      while (match(text, /`[^`]+`/)) {
        call = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        gsub(/[(),;]/, " ", call)
        sub(/^vtemper /, "", call)
        print call
      }
    }' "$table"
}
column 3 >"$lists/command"
column 4 >"$lists/r"
column 5 >"$lists/julia"
column 6 >"$lists/python"
for list in command r julia python; do
  [ "$(wc -l <"$lists/$list")" -ge 15 ] || { echo "the table has only $(wc -l <"$lists/$list") calls of $list"; exit 1; }
done

by_command() {
  [ -x "${VTEMPER:-}" ] || exit 77
  options=$("$VTEMPER" describe lda; "$VTEMPER" describe optimizer; "$VTEMPER" describe evaluate)
  while read -r verb arguments; do
    help=$("$VTEMPER" "$verb" --help) || { echo "there is no vtemper $verb"; exit 1; }
    for argument in $arguments; do
      echo "$help" | grep -qE -- "(^| |,)$argument( |\$|\])" && continue
      name=$(echo "${argument#--}" | tr - _)
      echo "$options" | grep -q "^$name " || { echo "vtemper $verb has no $argument"; exit 1; }
    done
  done <"$lists/command"
}

by_r() {
  . "$here/r/common.sh"
  install_package --no-docs
  rscript "$here/verbs.R" "$lists/r"
}

by_julia() {
  . "$here/julia/common.sh"
  julia "$here/verbs.jl" "$lists/julia"
}

by_python() {
  . "$here/python/common.sh"
  run_python "$VTEMPER_SOURCE/tests/bindings/verbs.py" "$lists/python"
}

left_out=
walked=
for front in command r julia python; do
  status=0
  (by_$front) >"$lists/log" 2>&1 || status=$?
  case $status in
    0) walked="$walked $front" ;;
    77) left_out="$left_out $front" ;;
    *) cat "$lists/log"; echo "bindings/README.md says what is not so of: $front"; exit 1 ;;
  esac
done
echo "What bindings/README.md names is there:$walked${left_out:+; left out, as they cannot run here:$left_out}"
