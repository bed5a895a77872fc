# What the tests of the Julia package share; sourced by each of them. Sets the function `julia`.

source_folder=${VTEMPER_SOURCE:-$(cd "$(dirname "$0")/../../.." && pwd)}
package=$source_folder/bindings/julia/VTemper

program=${JULIA:-$source_folder/build/julia/bin/julia}
[ -x "$program" ] || program=$(command -v julia || true)
if [ -z "$program" ]; then
  echo "There is no Julia: sh tests/bindings/julia/install_julia.sh installs it."
  exit 77
fi
if ! "$program" --startup-file=no -e 'f(x) = error("x"); try f(1) catch end' >/dev/null 2>&1; then
  echo "$program ends at the first exception: sh tests/bindings/julia/install_julia.sh makes one that does not."
  exit 77
fi
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*(asan|tsan)'; then
  echo "Julia cannot load a library that was built with a sanitizer; the optimised build is tested with it."
  exit 77
fi
set -eu
OMP_NUM_THREADS=1 # the fits are tiny: threads would only wait for each other where tests run side by side
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
JULIA_DEPOT_PATH=$folder/depot
export OMP_NUM_THREADS JULIA_DEPOT_PATH VTEMPER_LIBRARY

# Quickly compiled: the work is the library's.
julia() {
  "$program" --startup-file=no -O0 --project="$package" "$@"
}
