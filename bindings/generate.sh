#!/bin/sh
# sh bindings/generate.sh [BUILD]: writes what the R, the Julia and the Python package take from the library and its header
# when it has learned a kind of model or a function: R/kinds.R and man/vt_fit.Rd, src/kinds.jl and src/libvtemper.jl,
# kinds.py and _header.py. Everything else (options, parameters, help of options) is read at run time.
set -eu
cd "$(dirname "$0")/.."
build=$PWD/${1:-build/release}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if command -v Rscript >/dev/null; then
  mkdir "$folder/library"
  cp -r bindings/r/vtemper "$folder"
  cp "$build/pkgconfig/vtemper-uninstalled.pc" "$folder/vtemper.pc"
  PKG_CONFIG_PATH=$folder R CMD INSTALL --no-docs --library="$folder/library" "$folder/vtemper" >"$folder/log" 2>&1 ||
    { cat "$folder/log"; exit 1; }
  R_LIBS=$folder/library Rscript --vanilla bindings/r/vtemper/tools/generate.R
  echo "The R package is up to date."
else
  echo "There is no R: its package stays as it is."
fi

julia=build/julia/bin/julia
[ -x $julia ] || julia=julia
if command -v $julia >/dev/null; then
  VTEMPER_LIBRARY=$build/libvtemper.so $julia --startup-file=no bindings/julia/VTemper/gen/generate.jl \
    include/vtemper/vtemper.h "$build/include/vtemper/version.h"
  echo "The Julia package is up to date."
else
  echo "There is no Julia: its package stays as it is."
fi

if command -v python3 >/dev/null; then
  VTEMPER_LIBRARY=$build/libvtemper.so python3 bindings/python/tools/generate.py include/vtemper/vtemper.h \
    "$build/include/vtemper/version.h"
  echo "The Python package is up to date."
else
  echo "There is no Python: its package stays as it is."
fi
