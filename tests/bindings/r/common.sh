# Shared by the tests of the R package, which source it. Installs the package into a folder of its own, against
# the library that was just built, by the one command of the README.

package=$VTEMPER_SOURCE/bindings/r/vtemper

if ! command -v R >/dev/null; then
  echo "There is no R (Debian package r-base-core)."
  exit 77
fi
. "$VTEMPER_SOURCE/tests/bindings/sanitizer.sh"
set -eu
LC_ALL=C.UTF-8
OMP_NUM_THREADS=1 # the fits are tiny: threads would only wait for each other where tests run side by side
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
R_LIBS=${R_LIBRARY:-$folder/library}
mkdir -p "$R_LIBS"
export LC_ALL OMP_NUM_THREADS R_LIBS
unset R_TESTS || true
cd "$folder"

has() {
  R --vanilla --no-echo -e "quit(status = !all(sapply(commandArgs(TRUE), requireNamespace, quietly = TRUE)))" --args "$@" >/dev/null 2>&1
}

# pkg-config as after an installation; the uninstalled .pc names the build folder.
PKG_CONFIG_PATH=$folder
export PKG_CONFIG_PATH
cp "$VTEMPER_BUILD/pkgconfig/vtemper-uninstalled.pc" vtemper.pc
# The package's own C is compiled as the library is.
[ -z "$sanitized" ] || sed -i 's/^Cflags:.*/& -fsanitize=address,undefined -fno-sanitize-recover=all -g1/' vtemper.pc

rscript() {
  if [ -n "$sanitized" ]; then under_sanitizer Rscript --vanilla "$@"; else Rscript --vanilla "$@"; fi
}

install_package() {
  cp -r "$package" vtemper # keeps objects out of the source
  R CMD INSTALL --no-test-load ${1:-} vtemper >installed 2>&1 || { cat installed; exit 1; }
  rscript -e 'invisible(loadNamespace("vtemper"))'
}
