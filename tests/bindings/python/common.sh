# Shared by the tests of the Python package, which source it. Defines the function `run_python`.

set -eu
source_folder=${VTEMPER_SOURCE:-$(cd "$(dirname "$0")/../../.." && pwd)}
here=$source_folder/tests/bindings/python
package=$source_folder/bindings/python

python=
for program in ${PYTHON:-} /usr/bin/python3 python3; do
  if command -v "$program" >/dev/null && "$program" -c 'import numpy, scipy.sparse' 2>/dev/null; then
    python=$program
    break
  fi
done
[ -n "$python" ] || { echo "There is no Python with NumPy and SciPy (Debian: python3-numpy, python3-scipy)."; exit 77; }
. "$source_folder/tests/bindings/sanitizer.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
OMP_NUM_THREADS=1    # the fits are tiny: threads would only wait for each other where tests run side by side
OPENBLAS_NUM_THREADS=1
PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$package/src
MPLBACKEND=Agg
MPLCONFIGDIR=$folder
export OMP_NUM_THREADS OPENBLAS_NUM_THREADS PYTHONDONTWRITEBYTECODE PYTHONPATH MPLBACKEND MPLCONFIGDIR VTEMPER_LIBRARY

run_python() {
  if [ -n "$sanitized" ]; then
    PYTHONMALLOC=malloc under_sanitizer "$python" "$@"
  else
    "$python" "$@"
  fi
}

# needs MODULE...: skips if one of them is not installed.
needs() {
  for module in "$@"; do
    "$python" -c "import $module" 2>/dev/null || { echo "$module is not installed."; exit 77; }
  done
}
