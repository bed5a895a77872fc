# Writes src/libvtemper.jl from the public header, and src/kinds.jl from the list of model kinds of the library.
#
#     VTEMPER_LIBRARY=... julia gen/generate.jl HEADER VERSION_HEADER [FOLDER]
#
# HEADER is vtemper.h, VERSION_HEADER version.h beside it; FOLDER receives the two files (default: ../src). The test
# tests/bindings/julia/generated_test.sh runs this and compares with what is committed.

using Libdl

const notice = """
# Written by gen/generate.jl: change that, or the header, and run it again.

"""

# ---- Reading the header -------------------------------------------------------------------------------------------

"Comments as they are written, without stars and commands of Doxygen."
function plain_comment(comment)
    text = replace(comment, r"^/\*\*<?|\*/$" => "")
    text = replace(text, r"\n[ ]*\*[ ]?" => "\n")
    text = replace(text, "@param  " => "@param ")
    text = replace(text, r"@param ([a-z_]+) +" => s"`\1`: ")
    return strip(text)
end

"The text without comments."
code_of(text) = replace(text, r"/\*.*?\*/"s => "")

"Names and values of an enumeration's constants."
function constants_of(body)
    pairs = Pair{String,Int}[]
    for item in split(code_of(body), ',')
        found = match(r"^\s*(\w+)\s*=\s*(-?\d+)\s*$", item)
        found === nothing && error("this enumeration constant is not NAME = NUMBER: $item")
        push!(pairs, found[1] => parse(Int, found[2]))
    end
    return pairs
end

const plain_types = Dict("double" => "Cdouble", "int" => "Cint", "size_t" => "Csize_t", "int32_t" => "Int32",
                         "int64_t" => "Int64", "uint64_t" => "UInt64", "void" => "Cvoid")

"What is declared besides functions: names of enumerations, structs that callers fill, handles, callbacks."
struct Declared
    enums::Vector{String}
    structs::Vector{String}
    handles::Vector{String}
    callbacks::Vector{String}
end

"The Julia type of a C type in an argument list or as a result."
function julia_type(c_type, declared; result = false)
    stars = count(==('*'), c_type)
    base = strip(replace(replace(c_type, r"\bconst\b" => ""), "*" => ""))
    if base == "char"
        stars == 1 && return result ? "Ptr{UInt8}" : "Cstring"
        # `const char* const*` is a list that is handed in, `const char**` a text that is given out.
        return occursin(r"\*\s*const\s*\*", c_type) ? "Ptr{Cstring}" : "Ptr{Ptr{UInt8}}"
    elseif base in declared.enums
        return stars == 0 ? "Cint" : "Ptr{Cint}"
    elseif base in declared.structs
        return "Ptr{UInt8}"
    elseif base in declared.callbacks
        return "Ptr{Cvoid}"
    end
    julia = base in declared.handles ? base : get(() -> error("unknown type $c_type"), plain_types, base)
    for _ in 1:stars
        julia = "Ptr{$julia}"
    end
    return julia
end

# Sizes in bytes of what a struct may hold; an element's alignment is its size.
const field_types = Dict("double" => ("Float64", 8), "int32_t" => ("Int32", 4), "int64_t" => ("Int64", 8),
                         "size_t" => ("Csize_t", 8), "const char*" => ("Ptr{UInt8}", 8))

"Name, type and offset of each field, and the size of the struct, by the rules of C on 64-bit machines."
function fields_of(body)
    fields = Tuple{String,String,Int}[]
    offset = 0
    alignment = 1
    for item in split(code_of(body), ';')
        isempty(strip(item)) && continue
        found = match(r"^\s*(const char\*|\w+)\s+(\w+)(?:\[(\d+)\])?\s*$", item)
        found === nothing && error("this struct field is not understood: $item")
        julia, size = field_types[found[1]]
        offset = cld(offset, size) * size
        number = found[3] === nothing ? 1 : parse(Int, found[3])
        push!(fields, (found[2], found[3] === nothing ? julia : "NTuple{$number,$julia}", offset))
        offset += size * number
        alignment = max(alignment, size)
    end
    return fields, cld(offset, alignment) * alignment
end

# ---- Writing ------------------------------------------------------------------------------------------------------

function write_enums(out, header)
    names = String[]
    for found in eachmatch(r"typedef enum (\w+) \{(.*?)\}\s*(\w+);"s, header)
        push!(names, found[1])
        println(out, "# ", found[1])
        for (name, value) in constants_of(found[2])
            println(out, "const ", name, " = Cint(", value, ")")
        end
        println(out)
    end
    return names
end

function write_structs(out, header)
    names = String[]
    for found in eachmatch(r"typedef struct (\w+) \{(.*?)\}\s*\w+;"s, header)
        fields, size = fields_of(found[2])
        push!(names, found[1])
        println(out, "const ", found[1], "_size = ", size)
        println(out, "const ", found[1], "_fields = (")
        for (name, type, offset) in fields
            println(out, "    ", name, " = Field{", type, "}(", offset, "),")
        end
        println(out, ")\n")
    end
    return names
end

function write_handles(out, header)
    names = [String(found[1]) for found in eachmatch(r"typedef struct (\w+) \1;", header)]
    foreach(name -> println(out, "mutable struct ", name, " end"), names)
    println(out)
    return names
end

function write_function(out, index, comment, result, name, arguments, declared)
    parts = strip(arguments) == "void" ? String[] : strip.(split(arguments, ','))
    names, types = String[], String[]
    for part in parts
        found = match(r"^(.*?)(\w+)$"s, part)
        push!(names, found[2])
        push!(types, julia_type(found[1], declared))
    end
    list = join(names, ", ")
    if !isempty(comment)
        println(out, "\"\"\"\n    ", name, "(", list, ")\n\n", replace(replace(comment, "\\" => "\\\\"), "\$" => "\\\$"), "\n\"\"\"")
    end
    back = julia_type(result, declared; result = true)
    # Finalizers call what gives nothing back; the rest leaves other threads free to collect garbage meanwhile.
    call = back == "Cvoid" ? "@foreign_now" : "@foreign"
    tuple = isempty(types) ? "()" : "(" * join(types, ", ") * ",)"
    println(out, name, "(", list, ") =\n    ", call, "(entry(", index, "), ", back, ", ", tuple,
            isempty(names) ? "" : ", " * list, ")\n")
end

function low_level(header, version)
    number(part) = parse(Int, match(Regex("#define VTEMPER_VERSION_$part (\\d+)"), version)[1])
    out = IOBuffer()
    print(out, notice)
    println(out, "# The version this file belongs to: major * 1000000 + minor * 1000 + patch.")
    println(out, "const VTEMPER_VERSION_NUMBER = ", number("MAJOR") * 1000000 + number("MINOR") * 1000 + number("PATCH"), "\n")
    enums = write_enums(out, header)
    handles = write_handles(out, header)
    println(out, "# Structs are read by the offsets of their fields, in bytes.")
    structs = write_structs(out, header)
    callbacks = [String(found[1]) for found in eachmatch(r"typedef \w+ \(\*(\w+)\)\(", header)]
    declared = Declared(enums, structs, handles, callbacks)

    functions = collect(eachmatch(r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?VTEMPER_API ([\w \*]+?)\s*\b(vtemper_\w+)\(([^;]*)\);"s, header))
    println(out, "# Functions, by their place in the table of addresses.")
    println(out, "const entry_names = (")
    foreach(found -> println(out, "    :", found[3], ","), functions)
    println(out, ")\nconst entry_addresses = fill(C_NULL, ", length(functions), ")\n")
    for (index, found) in enumerate(functions)
        comment = found[1] === nothing ? "" : plain_comment(found[1])
        write_function(out, index, comment, found[2], found[3], found[4], declared)
    end
    return rstrip(String(take!(out))) * "\n"
end

"GaussianMixture for gaussian_mixture; a short single word is an acronym."
julia_name(kind) = !occursin('_', kind) && length(kind) <= 4 ? uppercase(kind) : join(uppercasefirst.(split(kind, '_')))

function kind_names(library)
    handle = dlopen(library)
    count = ccall(dlsym(handle, :vtemper_model_kind_count), Int32, ())
    kinds = [unsafe_string(ccall(dlsym(handle, :vtemper_model_kind_name), Ptr{UInt8}, (Int32,), index)) for index in 0:count-1]
    form = Ref{Cint}()
    forms = map(kinds) do kind
        ccall(dlsym(handle, :vtemper_model_kind_form), Cint, (Cstring, Ptr{Cint}), kind, form) == 0 || error("$kind has no form")
        ("VTEMPER_COUNTS", "VTEMPER_DENSE", "VTEMPER_SEQUENCES")[form[]]
    end
    out = IOBuffer()
    print(out, notice)
    println(out, "# Names of the library's kinds of models. `Model{:kind}` is the same for any kind.")
    foreach(kind -> println(out, "const ", julia_name(kind), " = Model{:", kind, "}"), kinds)
    println(out, "\nexport ", join(julia_name.(kinds), ", "))
    println(out, "\n# The form of data that a kind is fitted to, known when code is compiled.")
    foreach((kind, form) -> println(out, "form_of(::Val{:", kind, "}) = ", form), kinds, forms)
    return String(take!(out))
end

function main(arguments)
    2 <= length(arguments) <= 3 || error("usage: julia generate.jl HEADER VERSION_HEADER [FOLDER]")
    folder = length(arguments) == 3 ? arguments[3] : joinpath(@__DIR__, "..", "src")
    header = replace(read(arguments[1], String), "\r" => "")
    write(joinpath(folder, "libvtemper.jl"), low_level(header, read(arguments[2], String)))
    write(joinpath(folder, "kinds.jl"), kind_names(get(ENV, "VTEMPER_LIBRARY", "libvtemper.so.0")))
end

main(ARGS)
