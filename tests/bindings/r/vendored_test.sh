#!/bin/sh
# The package with the library's sources inside is complete: CMake configures them where they lie, and a machine without the
# library is told how they are built. VTEMPER_VENDORED=1 compiles everything and fits with it, which takes minutes.
. "$(dirname "$0")/common.sh"
not_sanitized
sh "$VTEMPER_SOURCE/bindings/r/vendor.sh" "$folder" >/dev/null
package=$folder/vtemper
if sh "$VTEMPER_SOURCE/bindings/r/vendor.sh" "$folder" 2>/dev/null; then
  echo "vendor.sh writes over what is there"
  exit 1
fi
# R CMD build warns of longer paths, and takes neither objects nor Makevars.
long=$(cd "$folder" && find vtemper -type f | awk 'length > 100')
[ -z "$long" ] || { echo "paths of more than 100 bytes:"; echo "$long"; exit 1; }
[ -z "$(find "$package" -name '*.o' -o -name Makevars)" ]
PKG_CONFIG_PATH=none PKG_CONFIG_LIBDIR=none
export PKG_CONFIG_PATH PKG_CONFIG_LIBDIR
if [ -n "${VTEMPER_VENDORED:-}" ]; then
  R CMD INSTALL "$package" >installed 2>&1 || { tail -n 30 installed; exit 1; }
  rscript -e 'library(vtemper); print(vt_lda(vt_help_pages("graphics"), 4, seed = 1, max_passes = 1))'
  exit 0
fi
# A cmake that configures but builds nothing shows that the sources are complete, and tests the message if they cannot be built.
mkdir tools
printf '#!/bin/sh\n[ "$1" != --build ] || { echo "nothing is built: $*"; exit 1; }\nexec %s "$@"\n' "$(command -v cmake)" >tools/cmake
chmod +x tools/cmake
if (cd "$package" && PATH=$folder/tools:$PATH sh ./configure) >log 2>&1; then
  echo "configure succeeds without a library"
  exit 1
fi
grep -q 'the bundled libvtemper could not be built: it needs CMake' log || { cat log; exit 1; }
grep -q 'Configuring done' "$package/src/libvtemper-build.log" || { cat log "$package/src/libvtemper-build.log"; exit 1; }
grep -q 'nothing is built: .*vtemper_static' "$package/src/libvtemper-build.log" || { cat "$package/src/libvtemper-build.log"; exit 1; }
