# Finding the library: the file that the environment variable VTEMPER_LIBRARY names, else what the loader finds.

"The open library; C_NULL before `__init__`."
const library_handle = Ref{Ptr{Cvoid}}(C_NULL)

"The versions go together: the same major number (below 1.0 the same minor number), and the library is not older."
function versions_fit(ours, theirs)
    series(version) = version < 1_000_000 ? div(version, 1000) : div(version, 1_000_000)
    return series(ours) == series(theirs) && theirs >= ours
end

version_text(number) = string(div(number, 1_000_000), '.', div(rem(number, 1_000_000), 1000), '.', rem(number, 1000))

function open_library()
    name = get(ENV, "VTEMPER_LIBRARY", "libvtemper.so.0")
    handle = dlopen(name; throw_error = false)
    if handle === nothing
        error("the library $name cannot be loaded: install vtemper and run ldconfig, or let the environment variable ",
              "VTEMPER_LIBRARY name the file of the library")
    end
    number = dlsym(handle, :vtemper_version_number; throw_error = false)
    theirs = number === nothing ? 0 : Int(ccall(number, Int32, ()))
    if !versions_fit(VTEMPER_VERSION_NUMBER, theirs)
        error("VTemper.jl was made for version $(version_text(VTEMPER_VERSION_NUMBER)) of the library, but $name is ",
              "version $(version_text(theirs)): install the matching one")
    end
    for (index, entry) in enumerate(entry_names)
        entry_addresses[index] = dlsym(handle, entry)
    end
    library_handle[] = handle
    return nothing
end

"""
    library()

What the library says of itself: version, instruction set in use, threads, compiler; and its file.
"""
library() = string(text_at(vtemper_build_info()), "; ", dlpath(library_handle[]))
