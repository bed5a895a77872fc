#!/bin/sh
# The generated files are those of the header and of the library, and the offsets of struct fields are the C compiler's.
. "$(dirname "$0")/common.sh"
not_sanitized
julia "$package/gen/generate.jl" "$VTEMPER_SOURCE/include/vtemper/vtemper.h" "$VTEMPER_BUILD/include/vtemper/version.h" "$folder"
for file in libvtemper.jl kinds.jl; do
  if ! diff -u "$package/src/$file" "$folder/$file" >"$folder/difference"; then
    head -40 "$folder/difference"
    echo "src/$file of the Julia package is not what the header and the library say. Run: sh bindings/generate.sh"
    exit 1
  fi
done

{
  echo '#include <stddef.h>'
  echo '#include <vtemper/vtemper.h>'
  awk '/^const vtemper_[a-z]+_size = / { name = $2; sub(/_size$/, "", name)
         printf "_Static_assert(sizeof(struct %s) == %d, \"size of %s\");\n", name, $4, name }
       /^const vtemper_[a-z]+_fields = / { inside = 1; next }
       /^\)/ { inside = 0 }
       inside { offset = $3; sub(/.*\(/, "", offset); sub(/\).*/, "", offset)
         printf "_Static_assert(offsetof(struct %s, %s) == %d, \"%s.%s\");\n", name, $1, offset, name, $1 }' \
    "$package/src/libvtemper.jl"
} >"$folder/offsets.c"
asserted=$(grep -c offsetof "$folder/offsets.c")
[ "$asserted" -ge 30 ] || { echo "only $asserted offsets were found"; exit 1; }
cc -std=c11 -fsyntax-only -I "$VTEMPER_SOURCE/include" -I "$VTEMPER_BUILD/include" "$folder/offsets.c"
