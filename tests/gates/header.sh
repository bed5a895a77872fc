#!/bin/sh
# The public header is C99, C11 and C++17 without a warning, alone and first, and two C files that include it link.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

strict="-pedantic -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror"
include="-I$VTEMPER_SOURCE/include -I$VTEMPER_BUILD/include"

# Compiles what each language accepts against the include folders given; silent if there is no error.
accepts() {
  for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for standard in c99 c11; do
      $compiler -std=$standard $strict "$@" -c first.c -o first.o || return 1
      $compiler -std=$standard $strict "$@" -c second.c -o second.o || return 1
      $compiler first.o second.o -o two_files || return 1
    done
    $compiler -x c++ -std=c++17 -pedantic -Wall -Wextra -Wshadow -Werror "$@" -c first.c -o first.o || return 1
  done
}

printf '#include <vtemper/vtemper.h>\nint second(void);\nint main(void) { return second(); }\n' >first.c
printf '#include <stdio.h>\n#include <vtemper/vtemper.h>\n#include <vtemper/vtemper.h>\nint second(void);\n' >second.c
printf 'int second(void) { return VTEMPER_OK; }\n' >>second.c
# shellcheck disable=SC2086
accepts $include

# Proof that this gate can fail: a constant without `static` breaks the link, a // comment breaks C90-minded pedants.
mkdir -p broken/vtemper
cp "$VTEMPER_SOURCE/include/vtemper/vtemper.h" broken/vtemper/
sed -i 's|^#endif /\* VTEMPER_VTEMPER_H \*/|const int vtemper_constant = 1;\n&|' broken/vtemper/vtemper.h
if accepts -Ibroken "-I$VTEMPER_BUILD/include" 2>/dev/null; then
  echo "a header that defines a constant in every file passed: the gate is blind"
  exit 1
fi
