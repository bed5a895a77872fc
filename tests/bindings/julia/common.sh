# Shared by the tests of the Julia package, which source it. Defines the function `julia`.

source_folder=${VTEMPER_SOURCE:-$(cd "$(dirname "$0")/../../.." && pwd)}
package=$source_folder/bindings/julia/VTemper

program=${JULIA:-$source_folder/build/julia/bin/julia}
[ -x "$program" ] || program=$(command -v julia || true)
if [ -z "$program" ]; then
  echo "There is no Julia: sh bindings/julia/working_julia.sh installs it."
  exit 77
fi
if ! "$program" --startup-file=no -e 'f(x) = error("x"); try f(1) catch end' >/dev/null 2>&1; then
  echo "$program ends at the first exception: sh bindings/julia/working_julia.sh makes one that does not."
  exit 77
fi
. "$source_folder/tests/bindings/sanitizer.sh"
set -eu
OMP_NUM_THREADS=1 # the fits are tiny: threads would only wait for each other where tests run side by side
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
JULIA_DEPOT_PATH=$folder/depot
export OMP_NUM_THREADS JULIA_DEPOT_PATH VTEMPER_LIBRARY

# Julia opens libraries with RTLD_DEEPBIND, which the sanitizer refuses: a preloaded library removes that flag, and since it
# then opens them in Julia's place, it needs the folder of Julia's own libraries.
if [ -n "$sanitized" ]; then
  cc -shared -fPIC "$source_folder/tests/bindings/julia/plain_dlopen.c" -o "$folder/plain_dlopen.so"
  preloaded=$folder/plain_dlopen.so
  libraries=$("$program" --startup-file=no -e 'print(normpath(Sys.BINDIR, Base.PRIVATE_LIBDIR))')
  LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$libraries
  export LD_LIBRARY_PATH
  if ! under_sanitizer "$program" --startup-file=no -e 'f(x) = error("x"); try f(1) catch end' >"$folder/try" 2>&1; then
    cat "$folder/try"
    echo "JULIA DOES NOT RUN WITH THE SANITIZER HERE: the optimised library is tested with it."
    exit 77
  fi
fi

# -O0: compiles quickly; the work is the library's.
julia() {
  if [ -n "$sanitized" ]; then
    under_sanitizer "$program" --startup-file=no -O0 --project="$package" "$@"
  else
    "$program" --startup-file=no -O0 --project="$package" "$@"
  fi
}
