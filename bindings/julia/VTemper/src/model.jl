# Models: options, parameters, local posteriors, scores.

function Model{kind}(; k = nothing, options...) where {kind}
    refuse_capital(kind, options)
    set = option_set(options)
    if k !== nothing
        size = first(VTemper.options(kind)).name
        haskey(options, Symbol(size)) && throw(ArgumentError("k and $size are the same option: give one of them"))
        set_option(set, size, k)
    end
    return created(Model{kind}, out -> vtemper_model_create(string(kind), set, out), vtemper_model)::Model{kind}
end

refuse_capital(kind, given) =
    haskey(given, :K) && throw(ArgumentError("there is no K: the number of $(first(VTemper.options(kind)).name) is k"))

kind_of(model::Model{kind}) where {kind} = kind
kind_of(handle::Ptr{vtemper_model}) = Symbol(text_at(vtemper_model_kind(handle)))

"An object of the right type for a model's handle, which it takes over."
adopted(handle::Ptr{vtemper_model}) = Model{kind_of(handle)}(handle)

Base.copy(model::Model{kind}) where {kind} = created(Model{kind}, out -> vtemper_model_copy(model, out), vtemper_model)
function Base.deepcopy_internal(model::Model, seen::IdDict)
    return get!(() -> copy(model), seen, model)
end

initialized(model::Model) = columns(model) > 0
columns(model::Model) = Int(number(out -> vtemper_model_columns(model, out), Int64))

function Base.names(model::Model)
    count = columns(model)
    (count == 0 || isempty(owned_text(out -> vtemper_model_name(model, 0, out)))) && return String[]
    return [owned_text(out -> vtemper_model_name(model, column, out)) for column in 0:count-1]
end

option_text(model::Model, name) = owned_text(out -> vtemper_model_option(model, name, out))

function options(model::Model; used = false)
    used && return texts_of(created(Options, out -> vtemper_model_used_options(model, out), vtemper_options), kind_of(model))
    return Dict(row.name => option_text(model, row.name) for row in options(kind_of(model)))
end

"Number of topics, components or states: the rows of the first parameter."
components(model::Model) = first(shape_of(first(parameters(model).infos)))

"The option that sets it, such as \"topics = 10\"; networks have several numbers, or \"auto\"."
function size_text(model::Model)
    names = option_names(kind_of(model))
    return isempty(names) ? "" : string(first(names), " = ", option_text(model, string(first(names))))
end

# ---- Named arrays --------------------------------------------------------------------------------------------------

"Name, shape, whether it can be set, and a description, of each of some arrays."
struct QuantityTable <: AbstractVector{NamedTuple}
    rows::Vector{NamedTuple}
end

Base.size(table::QuantityTable) = size(table.rows)
Base.getindex(table::QuantityTable, index::Int) = table.rows[index]

"The quantities that `count` and `info` describe."
function quantities(count, info)
    total = number(count, Int32)
    rows = [filled_struct(bytes -> info(Int32(index), bytes), vtemper_quantity_size, vtemper_quantity_fields) for index in 0:total-1]
    return QuantityTable([merge(row, (description = as_counted_here(row.name, row.description),)) for row in rows])
end

"The library's description of what is counted from 1 here."
as_counted_here(name, description) =
    name in ("path", "duplicate_of") ? replace(replace(description, "from 0" => "from 1"), "-1" => "missing") : description

"The library counts components from 0 and says -1 for none: from 1 here, and `missing`."
function from_one(values, name)
    name == "path" && return round.(Int, values) .+ 1
    name == "duplicate_of" && return Union{Missing,Int}[value < 0 ? missing : round(Int, value) + 1 for value in values]
    return values
end

shape_of(quantity) = Int.(quantity.shape[1:quantity.rank])

function find(quantities, name, what)
    for quantity in quantities
        quantity.name == name && return quantity
    end
    throw(ArgumentError("there is no $what \"$name\"; there are $(join((quantity.name for quantity in quantities), ", "))"))
end

"The array of a quantity: matrices are written by columns in place, others from the library's order, the last index fastest."
function filled(get, get_strided, shape)
    if isempty(shape)
        out = Ref(NaN)
        check(get(out, 1))
        return out[]
    elseif length(shape) == 2
        values = Matrix{Float64}(undef, shape)
        check(get_strided(values, length(values), 1, max(shape[1], 1)))
        return values
    end
    values = Array{Float64}(undef, reverse(shape))
    check(get(values, length(values)))
    return length(shape) == 1 ? values : permutedims(values, reverse(1:length(shape)))
end

"""
    parameters(model)

The parameters of a fitted model by name, a dictionary: `parameters(model)["lambda"]` reads one, as an array of the
library's shape (topics x words); assignment sets one where the library allows it. Components are numbered
from 1, and `missing` is none.
"""
parameters(model::Model) = Parameters(model, quantities(out -> vtemper_model_parameter_count(model, out),
                                                        (index, bytes) -> vtemper_model_parameter_info(model, index, bytes)))

struct Parameters <: AbstractDict{String,Any}
    model::Model
    infos::QuantityTable
end

Base.length(parameters::Parameters) = length(parameters.infos)
Base.keys(parameters::Parameters) = [info.name for info in parameters.infos]
Base.haskey(parameters::Parameters, name::AbstractString) = name in keys(parameters)
Base.get(parameters::Parameters, name::AbstractString, default) = haskey(parameters, name) ? parameters[name] : default
function Base.iterate(parameters::Parameters, index = 1)
    index > length(parameters) && return nothing
    name = parameters.infos[index].name
    return name => parameters[name], index + 1
end

function Base.getindex(parameters::Parameters, name::AbstractString)
    model = parameters.model
    info = find(parameters.infos, name, "parameter")
    values = filled((out, length) -> vtemper_model_get(model, name, out, length),
                    (out, length, row, column) -> vtemper_model_get_strided(model, name, out, length, row, column), shape_of(info))
    return from_one(values, name)
end

function Base.setindex!(parameters::Parameters, values, name::AbstractString)
    info = find(parameters.infos, name, "parameter")
    given = values isa Real ? () : size(values)
    given == shape_of(info) || throw(DimensionMismatch("parameter $name is of size $(shape_of(info)), not $given"))
    flat = values isa Real ? [Float64(values)] : Vector{Float64}(row_by_row(values))
    check(vtemper_model_set(parameters.model, name, flat, length(flat)))
    return parameters
end
