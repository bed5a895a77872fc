#!/bin/sh
# The Julia package with a library of another version: a newer one of the same series works and gives the same numbers; any
# other is refused at its first use, in one sentence that names both versions and the file, and leaves the package usable.
# The other library is tests/faults/other_library.c, linked with the library.
. "$(dirname "$0")/common.sh"
not_sanitized
compiler=${CC:-cc}
command -v "${compiler%% *}" >/dev/null || { echo "There is no C compiler."; exit 77; }
$compiler -shared -fPIC "$source_folder/tests/faults/other_library.c" -Wl,--no-as-needed "$VTEMPER_LIBRARY" \
  "-Wl,-rpath,$(cd "$(dirname "$VTEMPER_LIBRARY")" && pwd)" -o "$folder/libother.so"
cat >"$folder/other.jl" <<'END'
using VTemper, VTemper.Verbs, SparseArrays
include(joinpath(ARGS[1], "test", "corpus.jl"))
const other = ARGS[2]

number_of(version) = version[1] * 1_000_000 + version[2] * 1000 + version[3]
text_of(version) = join(version, '.')

"Lets the package find the library anew, as in a new session."
function forget_library()
    VTemper.library_handle[] = C_NULL
    fill!(VTemper.entry_addresses, C_NULL)
end

function use_version(version)
    ENV["VTEMPER_LIBRARY"] = other
    ENV["VTEMPER_OTHER_VERSION"] = string(number_of(version), ' ', text_of(version))
    forget_library()
end

numbers() = lambda(fit(LDA, themes(60); k = 3, seed = 1, max_passes = 2))

const ours = VTemper.VTEMPER_VERSION_NUMBER
const (major, minor, patch) = (div(ours, 1_000_000), div(ours, 1000) % 1000, ours % 1000)
const expected = numbers()
served = [(major, minor, patch), (major, minor, patch + 1), (major, minor, 999)]
refused = [(major + 2, 0, 0), (0, 0, 0)]
push!(major > 0 ? served : refused, (major, minor + 1, 0))
patch > 0 && push!(refused, (major, minor, patch - 1))
minor > 0 && push!(refused, (major, minor - 1, 999))
major > 0 && push!(refused, (major - 1, 999, 0))
append!(refused, setdiff([(major + 1, 0, 0), (max(1, minor), 0, 0)], [(major, 0, 0)]))  # 0.3 and 3.0 are not one series

for version in refused
    use_version(version)
    message = try
        numbers()
        "no error"
    catch failure
        sprint(showerror, failure)
    end
    sentence = string("VTemper.jl was made for version ", text_of((major, minor, patch)), " of the library, but ", other,
                      " is version ", text_of(version), ": install the matching one")
    message == sentence || error("version $(text_of(version)): $message")
    VTemper.library_handle[] == C_NULL || error("version $(text_of(version)) was opened")
end
for version in served
    use_version(version)
    numbers() == expected || error("other numbers with version $(text_of(version))")
    startswith(VTemper.library(), "vtemper ") && endswith(VTemper.library(), other) || error("not the other library: $(VTemper.library())")
end
println(length(served), " versions of the library served with the same numbers, ", length(refused), " refused")
END
julia "$folder/other.jl" "$package" "$folder/libother.so"
