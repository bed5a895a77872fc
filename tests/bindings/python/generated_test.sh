#!/bin/sh
# The generated files are those of the header and of the library, and the layout of structs is the C compiler's.
. "$(dirname "$0")/common.sh"
not_sanitized
run_python "$package/tools/generate.py" "$VTEMPER_SOURCE/include/vtemper/vtemper.h" "$VTEMPER_BUILD/include/vtemper/version.h" "$folder"
for file in _header.py kinds.py; do
  if ! diff -u "$package/src/vtemper/$file" "$folder/$file" >"$folder/difference"; then
    head -40 "$folder/difference"
    echo "$file of the Python package is not what the header and the library say. Run: sh bindings/generate.sh"
    exit 1
  fi
done

run_python -c '
import ctypes
from vtemper import _header
print("#include <stddef.h>\n#include <vtemper/vtemper.h>")
for name in "Option", "Quantity", "Report":
    struct = getattr(_header, name)
    c_name = "struct vtemper_" + name.lower()
    print("_Static_assert(sizeof(%s) == %d, \"%s\");" % (c_name, ctypes.sizeof(struct), name))
    for field, _ in struct._fields_:
        print("_Static_assert(offsetof(%s, %s) == %d, \"%s.%s\");" % (c_name, field, getattr(struct, field).offset, name, field))
' >"$folder/offsets.c"
asserted=$(grep -c offsetof "$folder/offsets.c")
[ "$asserted" -ge 30 ] || { echo "only $asserted offsets were found"; exit 1; }
cc -std=c11 -fsyntax-only -I "$VTEMPER_SOURCE/include" -I "$VTEMPER_BUILD/include" "$folder/offsets.c"
