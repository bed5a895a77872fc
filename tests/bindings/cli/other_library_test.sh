#!/bin/sh
# The command with a library of another version: a newer one of the same series works, any other is refused with a message
# that names both.
. "$(dirname "$0")/common.sh"
[ -e "${VTEMPER_OTHER_LIBRARY:-}" ] || { echo "the library that says another version is missing"; exit 77; }
ldac 30 1 >data.ldac
ours=$("$VTEMPER" --version | sed -n 's/^vtemper \([0-9]*\)\.\([0-9]*\)\.\([0-9]*\);.*/\1 \2 \3/p')
set -- $ours
number=$(($1 * 1000000 + $2 * 1000 + $3))


# with NUMBER TEXT: the command finds a library of that version.
with() {
  VTEMPER_OTHER_VERSION="$1 $2" LD_PRELOAD="$VTEMPER_OTHER_LIBRARY" \
    "$VTEMPER" fit data.ldac -o other.model --topics 2 --max-passes 1 --quiet >out 2>err
}

served() {
  with "$1" "$2"
  count "exit status with version $2" 0 $?
  [ -s other.model ]
  verdict $? "no model with version $2"
  rm -f other.model
}

not_served() {
  with "$1" "$2"
  count "exit status with version $2" 1 $?
  says err "built for version $(echo $ours | tr ' ' .) of the library vtemper, but the loader found version $2; install the matching one"
  count "lines with version $2" 1 "$(wc -l <err)"
  [ ! -e other.model ]
  verdict $? "version $2 was used all the same"
}

set -- $ours
served $number "$1.$2.$3"
served $((number + 1)) "$1.$2.$(($3 + 1))"
[ "$1" -gt 0 ] && served $((number + 1000)) "$1.$(($2 + 1)).0"
[ "$1" -eq 0 ] && not_served $((number - $3 + 1000)) "$1.$(($2 + 1)).0"
not_served $((number - 1)) older
not_served $((number + 1000000)) "$(($1 + 1)).0.0"
not_served 0 0.0.0
finish
