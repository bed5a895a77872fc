#!/bin/sh
# The package loads without a library, and says what to do at its first use; the library is also found by pkg-config.
# A Julia that ends at the first exception, as that of Debian 11 on Debian 12, installs the package all the same.
. "$(dirname "$0")/common.sh"
not_sanitized

cat >"$folder/absent.jl" <<'JULIA'
using VTemper
fine = isdefined(VTemper, :LDA) && !isempty(string(Docs.doc(Docs.Binding(VTemper, :Data))))
fine || error("the package did not load")
for first_use in (() -> LDA(k = 2), () -> Data([["a", "b"]]), kinds, VTemper.library)
    message = try first_use(); "" catch failure; sprint(showerror, failure) end
    occursin("/nowhere/libvtemper.so cannot be loaded: install vtemper", message) || error("the first use said: $message")
end
GC.gc()
ENV["VTEMPER_LIBRARY"] = ARGS[1]  # what was missing now exists
:lda in kinds() || error("the library was not found after all")
JULIA
library=$VTEMPER_LIBRARY
VTEMPER_LIBRARY=/nowhere/libvtemper.so
julia "$folder/absent.jl" "$library"

# An installed library that the loader does not know: pkg-config does.
mkdir "$folder/lib"
cp "$(readlink -f "$library")" "$folder/lib/libvtemper.so.0"
printf 'libdir=%s\nName: vtemper\nDescription: x\nVersion: 1\n' "$folder/lib" >"$folder/vtemper.pc"
found=$(unset VTEMPER_LIBRARY; PKG_CONFIG_PATH=$folder julia -e 'using VTemper; print(VTemper.library())')
case $found in
  *"; $folder/lib/libvtemper.so.0") ;;
  *) ldconfig -p | grep -q 'libvtemper.so.0' || { echo "pkg-config's library was not found: $found"; exit 1; } ;;
esac

# The machine's Julia as it is, without the libraries that the tests provide.
VTEMPER_LIBRARY=$library
plain=$(command -v julia || true)
[ -n "$plain" ] || exit 0
if "$plain" --startup-file=no -e 'f(x) = error("x"); try f(1) catch end' >/dev/null 2>&1; then exit 0; fi
JULIA_DEPOT_PATH=$folder/other "$plain" --startup-file=no "$package/install.jl" >"$folder/installed" 2>&1 ||
  { cat "$folder/installed"; echo "install.jl ended with a failure"; exit 1; }
grep -q 'ends at the first exception' "$folder/installed" && grep -q 'VTemper is installed; the library is vtemper' "$folder/installed" ||
  { cat "$folder/installed"; exit 1; }
