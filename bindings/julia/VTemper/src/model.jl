# Models: options, parameters, local posteriors, scores.

function Model{kind}(; k = nothing, options...) where {kind}
    set = option_set(options)
    k === nothing || set_option(set, first(VTemper.options(kind)).name, k)
    return created(Model{kind}, out -> vtemper_model_create(string(kind), set, out), vtemper_model)
end

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

function options(model::Model)
    return Dict(row.name => option_text(model, row.name) for row in options(kind_of(model)))
end

"Number of topics, components or states."
components(model::Model) = parse(Int, option_text(model, first(options(kind_of(model))).name))

# ---- Named arrays --------------------------------------------------------------------------------------------------

"Name, shape, whether it can be set, and a sentence, of each of some arrays."
struct QuantityTable <: AbstractVector{NamedTuple}
    rows::Vector{NamedTuple}
end

Base.size(table::QuantityTable) = size(table.rows)
Base.getindex(table::QuantityTable, index::Int) = table.rows[index]

"The quantities that `count` and `info` describe."
function quantities(count, info)
    total = number(count, Int32)
    return QuantityTable([filled_struct(bytes -> info(Int32(index), bytes), vtemper_quantity_size, vtemper_quantity_fields) for index in 0:total-1])
end

"The library counts components from 0 and says -1 for none: from 1 here, and 0."
const places = ("path", "duplicate_of")
from_one(values, name) = name in places ? round.(Int, values) .+ 1 : values

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
shape that the library gives (topics x words); assignment sets one where the library allows it. Numbers of components
count from 1, and 0 is none.
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

# ---- Rows and scores -----------------------------------------------------------------------------------------------

"Data that the model can take: where both have names, the columns are brought into the model's order."
function fitting(model::Model, X; keywords...)
    data = Data(X; keywords...)
    ours, theirs = names(model), names(data)
    return isempty(ours) || isempty(theirs) || ours == theirs ? data : align(data, ours)
end

"Keywords in two: those that make data, and the others."
function data_keywords(keywords)
    ours = (:observations, :names, :weights, :format, :alphabet)
    mine = filter(pair -> first(pair) in ours, pairs((; keywords...)))
    return mine, filter(pair -> !(first(pair) in ours), pairs((; keywords...)))
end

"""
    predict(model, X, quantity; options...)

What the model infers of the observations in `X` (a matrix, or [`Data`](@ref)), one row an observation; of sequences, where
it infers something of each symbol, a vector with one element a sequence. `quantity` is one of those that
`quantities(model, X)` lists with their shapes: "proportions" or "gamma" of `lda`. Without it the first of the list.
States and components count from 1. Words are aligned by name where both sides have names. Options: those of `Data` and of
`options(:evaluate)`.
"""
function predict(model::Model, X, quantity::Union{Nothing,AbstractString,Symbol} = nothing; keywords...)
    mine, others = data_keywords(keywords)
    data = fitting(model, X; mine...)
    listed = quantities(model, data)
    info = quantity === nothing ? first(listed) : find(listed, string(quantity), "quantity")
    set = option_set(others)
    values = interruptible() do
        filled((out, length) -> vtemper_model_infer(model, data, info.name, set, out, length),
               (out, length, row, column) -> vtemper_model_infer_strided(model, data, info.name, set, out, length, row, column),
               shape_of(info))
    end
    values = from_one(values, info.name)
    symbols = form(data) == VTEMPER_SEQUENCES ? entries(data) : -1
    return symbols >= 0 && size(values, 1) == symbols != rows(data) ? by_sequence(values, data) : values
end

"Values of all symbols, one element a sequence."
function by_sequence(values, data)
    ends = cumsum([entries(data[[index]]) for index in 1:length(data)])
    return [copy(selectdim(values, 1, (index == 1 ? 1 : ends[index-1] + 1):ends[index])) for index in eachindex(ends)]
end

"""
    quantities(model, X)

What [`predict`](@ref) can give for these observations: name, shape and a sentence of each.
"""
quantities(model::Model, X; keywords...) = quantities(model, fitting(model, X; keywords...))
quantities(model::Model, data::Data) = quantities(out -> vtemper_model_infer_count(model, data, out),
                                                  (index, bytes) -> vtemper_model_infer_info(model, data, index, bytes))

"""
    evaluate(model, X, measure = "predictive"; heldout, options...)

The score of the observations in `X`, at temperature 1: "predictive" (mean held-out log probability per word, nats),
"perplexity", "elbo", and others that the library knows. `heldout` has held-out words of the same documents; without it
the library splits the words of each. Options: those of `Data` and of `options(:evaluate)`.
"""
function evaluate(model::Model, X, measure::Union{AbstractString,Symbol} = "predictive"; heldout = nothing, keywords...)
    mine, others = data_keywords(keywords)
    observed = fitting(model, X; mine...)
    hidden = heldout === nothing ? C_NULL : fitting(model, heldout; mine...)
    set = option_set(others)
    return interruptible(() -> number(out -> vtemper_model_evaluate(model, observed, hidden, string(measure), set, out), Float64))
end

"""
    perplexity(model, X; options...)

exp of minus the mean held-out log probability per word: [`evaluate`](@ref) with measure "perplexity".
"""
perplexity(model::Model, X; keywords...) = evaluate(model, X, "perplexity"; keywords...)
