# Finds the library when it is first needed: the file named by the environment variable VTEMPER_LIBRARY, otherwise what
# the loader finds, otherwise what pkg-config knows.

"The open library; C_NULL before its first use."
const library_handle = Ref{Ptr{Cvoid}}(C_NULL)
const library_lock = ReentrantLock()
const library_name = "libvtemper.so.0"

"The address of a function by its place in `entry_names`; the first one opens the library."
@inline function entry(index)
    address = entry_addresses[index]
    return address == C_NULL ? opened_entry(index) : address
end

@noinline function opened_entry(index)
    lock(open_library, library_lock)
    return entry_addresses[index]
end

"The versions go together: the same major number (below 1.0 the same minor number), and the library is not older."
function versions_fit(ours, theirs)
    series(version) = (div(version, 1_000_000), version < 1_000_000 ? div(version, 1000) : 0)
    return series(ours) == series(theirs) && theirs >= ours
end

version_text(number) = string(div(number, 1_000_000), '.', div(rem(number, 1_000_000), 1000), '.', rem(number, 1000))

"The file of an installed library of which pkg-config knows, or nothing."
function told_by_pkg_config()
    program = Sys.which("pkg-config")
    program === nothing && return nothing
    folder = strip(read(pipeline(ignorestatus(`$program --variable=libdir vtemper`); stderr = devnull), String))
    path = joinpath(folder, library_name)
    return !isempty(folder) && isfile(path) ? path : nothing
end

"The open library and its name, or an error that says what to do."
function found_library()
    named = get(ENV, "VTEMPER_LIBRARY", "")
    name = isempty(named) ? library_name : named
    handle = dlopen(name; throw_error = false)
    if handle === nothing && isempty(named)
        told = told_by_pkg_config()
        told === nothing || ((handle, name) = (dlopen(told; throw_error = false), told))
    end
    handle === nothing || return handle, name
    error("the library $name cannot be loaded: install vtemper and run ldconfig, or let the environment variable ",
          "VTEMPER_LIBRARY name the file of the library")
end

function open_library()
    library_handle[] == C_NULL || return nothing
    handle, name = found_library()
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

The library's description of itself: version, instruction set in use, compiler; and its file.
"""
library() = string(text_at(vtemper_build_info()), "; ", dlpath(library_handle[]))
