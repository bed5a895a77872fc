#!/bin/sh
# The binary interface equals the committed one, tests/abi/baseline.abi.xml: types of the public header as the debug
# information of src/api sees them. `sh tests/gates/abi.sh --update` writes the baseline (after a change that only adds,
# or together with VTEMPER_SOVERSION in CMakeLists.txt), from build/release unless VTEMPER_BUILD says otherwise.
set -eu
: "${VTEMPER_SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${VTEMPER_BUILD:=$VTEMPER_SOURCE/build/release}"
: "${VTEMPER_LIBRARY:=$VTEMPER_BUILD/libvtemper.so}"
command -v abidiff >/dev/null && command -v abidw >/dev/null || { echo "abidiff is missing (package abigail-tools)"; exit 77; }
baseline=$VTEMPER_SOURCE/tests/abi/baseline.abi.xml
soname=$(readelf -d "$VTEMPER_LIBRARY" | sed -nE 's/.*\(SONAME\).*\[(.*)\]/\1/p')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds src/api with debug information against the headers in $1/include; the rest of the library has no part in the
# interface and stays undefined.
build() {
  mkdir -p "$1/objects"
  find "$VTEMPER_SOURCE/src/api" -name '*.cpp' -print0 |
    (cd "$1/objects" && xargs -0 -n 1 -P "$(nproc)" c++ -c -std=c++17 -g -O0 -fPIC -fvisibility=hidden \
      -DXXH_INLINE_ALL -I"$1/include" -I"$VTEMPER_SOURCE/src")
  c++ -shared -o "$1/$soname" "$1"/objects/*.o "-Wl,-soname,$soname" \
    "-Wl,--version-script=$VTEMPER_SOURCE/src/api/exports.map" -Wl,--unresolved-symbols=ignore-all
}
# The baseline contains the types of the public header, without source locations. With --headers-dir2 abidiff 2.2 would
# regard its types as private and hide a changed struct; without that option only the handles, which the baseline
# merely declares, are not compared.
compare() { abidiff --redundant --exported-interfaces-only --suppressions "$work/private" "$baseline" "$1/$soname"; }

# The types behind the opaque handles are not part of the interface.
cat >"$work/private" <<'END'
[suppress_type]
  name_regexp = ^(std|__gnu_cxx|vtemper)::
  drop = yes
END

for tree in same broken; do
  mkdir -p "$work/$tree/include"
  cp -r "$VTEMPER_SOURCE/include/vtemper" "$VTEMPER_BUILD/include/vtemper" "$work/$tree/include/"
done
build "$work/same"
if [ "${1:-}" = --update ]; then
  # Source locations and this machine's paths are not part of the interface.
  abidw --headers-dir "$work/same/include" --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path \
    --exported-interfaces-only --no-elf-needed --type-id-style hash --suppressions "$work/private" \
    --out-file "$baseline" "$work/same/$soname"
  sed -i "s#$VTEMPER_SOURCE/##g" "$baseline"  # the build folder does not matter
fi
compare "$work/same"

# Proof that this gate can fail: a field in the middle of a struct, and another value of an enum.
broken=$work/broken/include/vtemper/vtemper.h
sed -i -e 's|^  int64_t rows_seen;.*|  int64_t rows_inserted;\n&|' -e 's|VTEMPER_ERROR_DATA = 3|VTEMPER_ERROR_DATA = 33|' "$broken"
if cmp -s "$broken" "$work/same/include/vtemper/vtemper.h"; then
  echo "the header was not broken as intended"
  exit 1
fi
build "$work/broken"
if report=$(compare "$work/broken" 2>&1); then
  echo "a broken header passed: the gate is blind"
  exit 1
fi
for sign in rows_inserted VTEMPER_ERROR_DATA; do
  if ! echo "$report" | grep -q "$sign"; then
    echo "abidiff did not see $sign in the broken header; it said:"
    echo "$report" | head -50
    exit 1
  fi
done
