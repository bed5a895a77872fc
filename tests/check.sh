#!/bin/sh
# sh tests/check.sh: installs what is needed, builds the library and runs every test, first with the sanitizers, then
# optimised. Can be run again: what is there is not installed or built twice. Ends with ctest's summary and a line that
# counts what was passed and what was skipped.
set -eu
cd "$(dirname "$0")/.."

say() { printf '\n==== %s\n' "$*"; }

# Without these nothing can be built.
needed="build-essential cmake ninja-build pkg-config libxsimd-dev librandom123-dev libxxhash-dev
  zlib1g-dev libeigen3-dev libopenblas-dev libicu-dev libstemmer-dev nlohmann-json3-dev libcmocka-dev libboost-math-dev python3"
# Without one of these some tests are skipped.
wanted="ccache clang clang-format-14 clang-tidy abigail-tools valgrind libc6-dbg python3-numpy python3-scipy
  python3-sklearn python3-pandas python3-matplotlib python3-tqdm python3-pytest python3-pip python3-setuptools python3-wheel mypy
  g++-aarch64-linux-gnu locales r-base-core r-cran-matrix r-cran-testthat r-cran-slam r-cran-generics r-cran-modeltools
  r-cran-jsonlite r-cran-tm r-cran-knitr r-cran-rmarkdown pandoc libblas3 libopenblas0-openmp libopenblas0-serial
  openmpi-bin libopenmpi-dev mpich libmpich-dev python3-mpi4py r-cran-rmpi mandoc zsh fish lintian fakeroot dpkg-dev debootstrap chromium chromium-driver python3-selenium"

# The packages among the arguments that are not installed.
missing() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

say "Debian packages"
if ! command -v apt-get >/dev/null; then
  echo "This is not a Debian system: nothing is installed. Needed are the equivalents of:" $needed
else
  # shellcheck disable=SC2086
  packages="$(missing $needed) $(missing $wanted)"
  if [ -z "$(echo $packages)" ]; then
    echo "All packages are there."
  elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "Missing, and to be installed by root:" $packages
  else
    echo "Installing:" $packages
    # shellcheck disable=SC2086
    if ! install $packages; then
      echo "The package lists may be old: updating them."
      as_root apt-get update -q
      for package in $packages; do
        install "$package" || echo "$package cannot be installed; tests that use it are skipped."
      done
    fi
  fi
fi

say "Julia"
if ! sh bindings/julia/working_julia.sh; then
  say "THERE IS NO JULIA: the tests of the Julia package are skipped"
fi

launcher=
if command -v ccache >/dev/null; then
  # Builds in folders side by side give the compiler the same words, so the packages' build takes objects of the tested one.
  export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
  launcher="-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache"
fi
jobs=$(nproc)
status=0
again=

# The tests of a suite, of which all run even when one fails. What fails beside other tests, and not by the word of a
# sanitizer, is run once more alone: a busy machine can make a test wait too long. The last line names such tests.
suite() {
  preset=$1
  shift
  log=$PWD/build/$preset-tests.log
  result=0
  ctest --preset "$preset" -j "$jobs" --output-log "$log" "$@" || result=$?
  cp "build/$preset/Testing/Temporary/LastTest.log" "$log-output"  # which another run would write anew
  [ $result = 0 ] && return
  failed=$(names Failed; names Timeout)
  if [ -z "$failed" ] || grep -qE 'Sanitizer|runtime error:|==[0-9]+== |[*]{3}(Exception|Not Run)' "$log"; then
    status=1
    return
  fi
  say "Once more, alone:" $failed
  again="$again $failed"
  ctest --preset "$preset" --output-log "$log-again" --tests-regex "^($(echo $failed | sed 's/\./\\./g; s/ /|/g'))\$" || status=1
}

# The tests of the last suite that ended so.
names() {
  sed -nE "s/.*Test *#[0-9]+: ([^ ]+) .*\*\*\*$1.*/\1/p" "$log" | sort
}

say "Build with AddressSanitizer and UndefinedBehaviorSanitizer"
cmake --preset asan-ubsan $launcher
cmake --build --preset asan-ubsan

say "Tests with AddressSanitizer and UndefinedBehaviorSanitizer"
# The leak check needs ptrace, which some containers refuse: ask a program that is known to leak.
leaks=0
if printf '#include <stdlib.h>\nvoid *volatile p;\nint main(void) { p = malloc(8); p = 0; return 0; }\n' |
  cc -fsanitize=address -x c - -o build/asan-ubsan/leak 2>/dev/null &&
  build/asan-ubsan/leak 2>&1 | grep -q 'detected memory leaks'; then
  leaks=1
fi
[ $leaks = 1 ] || echo "The leak check does not work here (ptrace is refused); valgrind looks for leaks below."
export ASAN_OPTIONS=detect_leaks=$leaks:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
suite asan-ubsan --exclude-regex '^(gate|install|bench)\.'
unset ASAN_OPTIONS UBSAN_OPTIONS

if printf 'int main() { return 0; }\n' | c++ -fsanitize=thread -x c++ - -o build/asan-ubsan/threads 2>/dev/null &&
  build/asan-ubsan/threads 2>/dev/null; then
  say "Build and tests with ThreadSanitizer"
  cmake --preset tsan $launcher
  cmake --build --preset tsan
  suite tsan --tests-regex '^(api|models|unit)\.'
else
  say "ThreadSanitizer is left out: it does not work here"
fi

say "Optimised build"
cmake --preset release -DVTEMPER_STATIC=ON -DVTEMPER_TOGETHER=tests $launcher
cmake --build --preset release

say "All tests"
round_trips=build/release/Testing/round_trips
rm -f "$round_trips"
suite release
skipped=$(names Skipped)
models() {
  awk '/^saved, loaded and compared: / { models += $5 } END { print models + 0 }' "$1"
}
of_programs=$(models "$log-output")
of_bindings=$(models "$round_trips")
say "$of_programs models of the tests' fits were saved, loaded and compared, and $of_bindings of the command and the packages"
[ "$of_programs" -gt 10000 ] && [ "$of_bindings" -gt 1000 ] || status=1
say "$(grep -c ' Passed  *[0-9.]* sec' "$log") tests passed, $(echo $skipped | wc -w) skipped${skipped:+: }" $skipped \
  "${again:+; passed or failed alone after a failure beside others:}" $again
exit $status
