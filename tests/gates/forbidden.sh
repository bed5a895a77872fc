#!/bin/sh
# The library does not print, end the process, or touch signals, locale, floating-point mode or the settings of OpenMP
# and BLAS; its threads are those of support/team.cpp, which may set their floating-point mode; it has no objects with
# thread-local destructors (registering one ends the process if memory is short); nothing is compiled with -ffast-math.
# Checked in the sources and in the library itself.
set -eu

calls='((v?f?|v?d|vs|vsn|s|sn|vas|as)printf|w?printf|puts|fputs|putchar|perror|abort|_?exit|_Exit|quick_exit|terminate|signal|sigaction|raise|setlocale|uselocale|setenv|putenv|strtod|strtof|atof|stod|stof|fesetround|_mm_setcsr|openblas_set_num_threads|omp_set_[a-z_]+|srand)'

# Prints each forbidden use in the sources below $1/src.
offences() {
  find "$1/src" -name '*.cpp' -o -name '*.h' -o -name '*.inc' | LC_ALL=C sort | while read -r file; do
    # The preprocessor removes the comments and leaves everything else.
    own=$calls
    case $file in
      */support/team.cpp) ;;
      *) own="($calls|fesetenv|pthread_create|pthread_sigmask)" ;;
    esac
    c++ -x c++ -fpreprocessed -dD -E -P "$file" 2>/dev/null |
      grep -nE "(^|[^A-Za-z0-9_.>])$own[[:space:]]*\(|std::(cout|cerr|clog)|<iostream>" | sed "s|^|$file: |" || true
    grep -nE '#[[:space:]]*pragma[[:space:]]+omp' "$file" | sed "s|^|$file: |" || true
  done
  find "$1" -path "$1/build*" -prune -o \( -name CMakeLists.txt -o -name '*.cmake*' -o -name CMakePresets.json -o -name '*.pc.in' \) \
    -print | xargs grep -nE -- '-ffast-math|-Ofast|-funsafe-math' /dev/null || true
}

found=$(offences "$VTEMPER_SOURCE")
if [ -n "$found" ]; then
  echo "$found"
  exit 1
fi

# The functions that the library imports. Sanitizers and coverage add calls of their own.
if ! nm -D --undefined-only "$VTEMPER_LIBRARY" | grep -qE '__(asan|tsan|ubsan|gcov)'; then
  asked=$(nm -D --undefined-only "$VTEMPER_LIBRARY" | awk '{ sub(/@.*/, "", $2); print $2 }' |
    grep -E "^($calls|_ZSt4(cout|cerr|clog)|__cxa_thread_atexit(_impl)?)\$" || true)
  if [ -n "$asked" ]; then
    echo "the library calls:"
    echo "$asked"
    exit 1
  fi
fi

# Proof that this gate can fail.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src"
cat >"$work/src/a.cpp" <<'END'
// printf("in a comment is no offence");
void f() { printf("x"); }
void g() { std::abort(); }
#pragma omp parallel
void h() { omp_set_num_threads(1); }
void i() { std::fesetenv(FE_DFL_ENV); }
END
echo 'target_compile_options(x PRIVATE -ffast-math)' >"$work/CMakeLists.txt"
if [ "$(offences "$work" | wc -l)" -ne 6 ]; then
  echo "of six forbidden things these were seen:"
  offences "$work"
  exit 1
fi
