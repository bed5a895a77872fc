#!/bin/sh
# The package installs against the fresh library, and its suite passes. Nothing is left in the source, and without the
# library the installation ends with a message that helps.
. "$(dirname "$0")/common.sh"
install_package --no-docs
has testthat || { echo "testthat is missing (Debian package r-cran-testthat)"; exit 77; }
cp -r "$package/tests" .
cd tests
rscript -e 'library(testthat); library(vtemper); test_check("vtemper", reporter = "summary")' >log 2>&1 ||
  { tail -n 80 log; exit 1; }
tail -n 12 log
cd ..

mkdir none
if PKG_CONFIG_PATH=none PKG_CONFIG_LIBDIR=none VTEMPER_CFLAGS=-I/none VTEMPER_LIBS=-lnone_such sh -c 'cd vtemper && sh ./configure' >log 2>&1; then
  echo "configure succeeds without the library"
  exit 1
fi
grep -q 'libvtemper .* was not found: install it' log || { cat log; exit 1; }
VTEMPER_CFLAGS=$(pkg-config --cflags vtemper) VTEMPER_LIBS=$(pkg-config --libs vtemper)
export VTEMPER_CFLAGS VTEMPER_LIBS
(cd vtemper && PKG_CONFIG_PATH=none PKG_CONFIG_LIBDIR=none sh ./configure >log) || { cat vtemper/log; exit 1; }
