# The library's descriptions of itself: kinds, options, help.

"""
    kinds()

The kinds of models in the library.
"""
kinds() = [Symbol(text_at(vtemper_model_kind_name(Int32(index)))) for index in 0:vtemper_model_kind_count()-1]

"The options of a subject, as `options` gives them."
struct OptionTable <: AbstractVector{NamedTuple}
    subject::String
    rows::Vector{NamedTuple}
end

Base.size(table::OptionTable) = size(table.rows)
Base.getindex(table::OptionTable, index::Int) = table.rows[index]

"""
    options(LDA)
    options(:optimizer)
    options(:evaluate)

The options of a kind of model, of a run (`fit`, `fit!`, `feed!`), or of `predict` and `evaluate`: a table of name, type,
default, range or choices, and a description, as given by the library. `options(model)` and `options(model, :optimizer)`
give the options of a model and of its run as they were set, "auto" where the library was to choose; with
`used = true` the values in use: a fit with all of them repeats this one.
"""
function options(subject::Union{Symbol,AbstractString})
    name = string(subject)
    count = number(out -> vtemper_option_count(name, out), Int32)
    rows = NamedTuple[filled_struct(bytes -> vtemper_option_info(name, Int32(index), bytes), vtemper_option_size, vtemper_option_fields)
                      for index in 0:count-1]
    return OptionTable(name, rows)
end
options(::Type{Model{kind}}) where {kind} = options(kind)

option_names(subject) = [Symbol(row.name) for row in options(subject)]

"Valid values of an option in words."
function values_text(option)
    isempty(option.choices) || return join(split(option.choices), ", ")
    option.type == VTEMPER_OPTION_BOOLEAN && return "true, false"
    option.type == VTEMPER_OPTION_TEXT && return "any text"
    bound(value) = isinteger(value) && abs(value) < 1e10 ? string(Int(value)) : string(value)
    return option.maximum >= 9e15 ? "$(bound(option.minimum)) or more" : "$(bound(option.minimum)) to $(bound(option.maximum))"
end

function Base.show(io::IO, ::MIME"text/plain", table::OptionTable)
    println(io, length(table), " options of ", table.subject)
    width = maximum(length(row.name) for row in table.rows)
    for row in table.rows
        print(io, "  ", rpad(row.name, width), "  ", row.default_text, "  [", values_text(row), "]\n", " "^(width + 4), row.description)
        row === table.rows[end] || println(io)
    end
end

"Help of a kind, made of the library's own descriptions."
function Base.Docs.getdoc(::Type{Model{kind}}, ::Type = Union{}) where {kind}
    kind isa Symbol || return nothing
    io = IOBuffer()
    name = type_name(kind)
    print(io, "    fit(", name, ", X; k, options...)\n    ", name, "(; k, options...)\n\n")
    print(io, "A model of kind `", kind, "`; `k` is its option `", first(options(kind)).name, "`.\n\n# Options of the model\n\n")
    plain(text) = replace(text, r"[_*`]" => s"\\\0")  # no markup
    list(table) = foreach(row -> print(io, "  - `", row.name, "` (default ", plain(row.default_text), "; ", plain(values_text(row)), "): ",
                                       plain(row.description), "\n"), table)
    list(options(kind))
    print(io, "\n# Options of the run\n\n")
    list(options(:optimizer))
    return Markdown.parse(String(take!(io)))
end

"A whole number as the library takes it."
function int64(value, what)
    value isa Integer && typemin(Int64) <= value <= typemax(Int64) && return Int64(value)
    throw(ArgumentError("$what is $value; it must be a whole number below 2^63"))
end

"A set of options from names and values."
function option_set(given)
    set = created(Options, vtemper_options_create, vtemper_options)
    for (name, value) in pairs(given)
        set_option(set, string(name), value)
    end
    return set
end

set_option(set, name, ::Nothing) = nothing  # the library's own default
set_option(set, name, value::Union{AbstractString,Symbol,Bool}) = check(vtemper_options_set(set, name, string(value)))
set_option(set, name, value::Integer) = check(vtemper_options_set_integer(set, name, int64(value, "option $name")))
function set_option(set, name, value::Real)
    isnan(value) && throw(ArgumentError("option $name is $value"))
    check(vtemper_options_set_real(set, name, Float64(value)))
end
function set_option(set, name, values::AbstractArray{<:Real})
    reals = Vector{Float64}(row_by_row(values))
    check(vtemper_options_set_reals(set, name, reals, length(reals)))
end
set_option(set, name, value) = throw(ArgumentError("option $name cannot be a $(typeof(value)); give a number, a list of numbers or a word"))

"What the library says of each option of a subject; options of parts that a method does not use have no value."
function known_texts(ask, subject)
    texts = Dict{String,String}()
    for row in options(subject)
        out = Ref{Ptr{UInt8}}(C_NULL)
        ask(row.name, out) == VTEMPER_OK && (texts[row.name] = text_at(out[]))
    end
    return texts
end

function texts_of(set::Options, subject)
    return GC.@preserve set known_texts((name, out) -> vtemper_options_get_text(set, name, out), subject)
end

"The elements of an array in the library's order: the last dimension runs fastest."
row_by_row(values::AbstractVector) = values
row_by_row(values::AbstractArray) = vec(permutedims(values, reverse(1:ndims(values))))
