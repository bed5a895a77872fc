#!/bin/sh
# Builds the Debian packages, checks them with lintian, unpacks them into an empty folder and uses them there: the command,
# its manual pages and completions, a C program by pkg-config and by CMake, the R package. clean_root.sh installs them.
set -eu
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*(asan|tsan|ubsan)'; then
  echo "a library with sanitizers is not for installing"
  exit 77
fi
for tool in dpkg-deb dpkg-shlibdeps cpack pkg-config; do
  command -v $tool >/dev/null || { echo "$tool is missing"; exit 77; }
done
tests=$VTEMPER_SOURCE/tests/install
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$1"
  exit 1
}
logged() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$1 failed"; }; }

echo "== build"
# Beside the build that is tested and at the same depth, so that ccache finds every object.
build=$(dirname "$VTEMPER_BUILD")/debian
launcher=
if command -v ccache >/dev/null; then
  launcher="-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache"
fi
# lintian rejects addresses without a real domain, so the test uses a plausible one.
export DEBFULLNAME="The test of the packages" DEBEMAIL=packages@vtemper.org
# shellcheck disable=SC2086
logged cmake -S "$VTEMPER_SOURCE" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
  -DVTEMPER_TESTS=OFF -DVTEMPER_BENCH=OFF $launcher
logged cmake --build "$build" -j 2
rm -f "$build"/*.deb
(cd "$build" && logged cpack)
set -- "$build"/*.deb
packages=3
[ ! -e "$build/vtemper-mpi" ] || packages=6
[ $# -eq $packages ] || fail "$# packages were made, not $packages: $*"

if command -v lintian >/dev/null; then
  echo "== lintian"
  lintian --fail-on error "$@" 2>&1 | grep -v '^running with root\|^W: .*initial-upload\|^W: .*maintscript-calls-ldconfig' || true
  lintian --fail-on error "$@" >/dev/null 2>&1 || fail "lintian finds errors"
fi

echo "== unpacked into an empty folder"
root=$work/root
mkdir "$root"
for package in "$@"; do dpkg-deb -x "$package" "$root"; done
folder=$(dirname "$(find "$root" -name libvtemper.so)")
LD_LIBRARY_PATH=$folder
PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$folder/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
[ -L "$folder/libvtemper.so.0" ] || fail "the library has no link of its SONAME"
for package in libvtemper0 libvtemper-dev vtemper; do
  grep -q "Eigen" "$root/usr/share/doc/$package/copyright" || fail "$package has no copyright of what is linked"
done
for verb in $("$root/usr/bin/vtemper" --help | sed -n 's/^  \([a-z]*\)   *[a-z].*/\1/p' | grep -v '^vtemper$'); do
  [ -s "$root/usr/share/man/man1/vtemper-$verb.1.gz" ] || fail "there is no manual page of $verb"
done
for file in bash-completion/completions/vtemper zsh/vendor-completions/_vtemper fish/vendor_completions.d/vtemper.fish; do
  [ -s "$root/usr/share/$file" ] || fail "$file is missing"
done
if readelf -d "$root/usr/bin/vtemper" | grep -q 'R.*PATH'; then fail "the command looks for its library by a path of its own"; fi
if [ $packages -eq 6 ]; then
  dpkg-deb -f "$build"/vtemper-mpi_*.deb Depends | grep -q 'libvtemper-mpi0 (= .*libopenmpi\|libvtemper-mpi0 (= .*libmpich' ||
    fail "vtemper-mpi does not depend on what it needs"
  if dpkg-deb -f "$build"/vtemper_*.deb Depends | grep -q 'mpi'; then fail "the command depends on MPI"; fi
  [ -f "$root/usr/include/vtemper/mpi.h" ] && [ -L "$folder/libvtemper-mpi.so.0" ] || fail "libvtemper-mpi is not whole"
fi
dpkg-deb -f "$build"/vtemper_*.deb Depends | grep -q 'libvtemper0 (= .*libicu' || fail "the command does not depend on what it needs"

echo "== C, pkg-config"
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror "$tests/fit.c" -o "$work/program" $(pkg-config --cflags --libs vtemper)
"$work/program"

echo "== C, CMake"
logged cmake -S "$tests/cmake" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$root/usr" \
  -Dvtemper_DIR="$folder/cmake/vtemper"
logged cmake --build "$work/cmake"
"$work/cmake/fit"

if command -v R >/dev/null; then
  echo "== R CMD INSTALL"
  mkdir "$work/library"
  cp -r "$VTEMPER_SOURCE/bindings/r/vtemper" "$work/source"
  logged env R_LIBS="$work/library" R CMD INSTALL --no-docs --no-test-load -l "$work/library" "$work/source"
  cat >"$work/fit.R" <<'R'
library(vtemper)
documents <- list(a = c("sun", "moon", "sun"), b = c("moon", "star", "star"), c = c("sun", "star"))
fit <- vt_lda(documents, k = 2, method = "vi", seed = 1)
stopifnot(nrow(predict(fit, list(d = c("moon", "moon")))) == 1)
R
  logged env R_LIBS="$work/library" Rscript "$work/fit.R"
fi
echo "all is well"
