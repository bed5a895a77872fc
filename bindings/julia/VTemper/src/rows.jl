# Contents of data, and data made from other data.

rows(data::Data) = Int(number(out -> vtemper_data_rows(data, out), Int64))
columns(data::Data) = Int(number(out -> vtemper_data_columns(data, out), Int64))

entries(data::Data) = Int(number(out -> vtemper_data_entries(data, out), Int64))
form(data::Data) = number(out -> vtemper_data_form_of(data, out), Cint)
held_form(data::Data) = form_name(form(data))

"Number of observations."
Base.length(data::Data) = rows(data)

"A text that a handle owns, copied."
owned_text(call) = text_at(number(call, Ptr{UInt8}))

"""
    names(data)
    names(model)

The names of the columns (words, variables); empty if there are none.
"""
function Base.names(data::Data)
    count = columns(data)
    (count == 0 || isempty(owned_text(out -> vtemper_data_name(data, 0, out)))) && return String[]
    return [owned_text(out -> vtemper_data_name(data, column, out)) for column in 0:count-1]
end

check_observation(data, index) =
    1 <= index <= length(data) || throw(ArgumentError("there is no observation $index; the data has $(length(data)), counted from 1"))

"""
    size(data)
    size(data, dimension)

Number of observations and of columns, as of a table whose rows are the observations.
"""
Base.size(data::Data) = (rows(data), columns(data))
function Base.size(data::Data, dimension::Integer)
    dimension >= 1 || throw(ArgumentError("the dimension is $dimension; dimensions count from 1"))
    return dimension == 1 ? rows(data) : dimension == 2 ? columns(data) : 1
end
Base.ndims(::Data) = 2

"""
    data[index]
    data[indices]
    data[mask]

New data from the given observations, or from those where the mask, a vector of `Bool`, is true.
"""
Base.getindex(data::Data, index::Integer) = data[[index]]
Base.getindex(::Data, ::Bool) = throw(ArgumentError("observations are selected by numbers or by a mask, a vector of Bool for all of them"))
Base.getindex(::Data, others...) = throw(ArgumentError(
    "observations are selected by one index, a vector of numbers or a mask, columns cannot be selected; got [" *
    join((other isa Colon ? ":" : repr(other) for other in others), ", ") * "]"))

function Base.getindex(data::Data, indices::AbstractVector{<:Integer})
    foreach(index -> check_observation(data, index), indices)
    places = Int64[index - 1 for index in indices]
    return created(handle -> Data(handle, data), out -> vtemper_data_select(data, places, length(places), out), vtemper_data)
end

function Base.getindex(data::Data, mask::AbstractVector{Bool})
    length(mask) == length(data) || throw(ArgumentError("the mask has $(length(mask)) elements, the data $(length(data)) observations"))
    return data[findall(mask)]
end
Base.getindex(data::Data, ::Colon) = data

"""
    view(data, first:last)

The observations of the range as new data, without a copy. They keep their numbers: `split`, `split_counts` and
samples treat them as in the whole.
"""
function Base.view(data::Data, range::AbstractUnitRange{<:Integer})
    isempty(range) || foreach(index -> check_observation(data, index), (first(range), last(range)))
    first_row, count = Int64(first(range)) - 1, Int64(length(range))
    return created(handle -> Data(handle, data), out -> vtemper_data_slice(data, first_row, count, out), vtemper_data)
end
Base.firstindex(::Data) = 1
Base.lastindex(data::Data) = length(data)
Base.keys(data::Data) = Base.OneTo(length(data))

"""
    for row in data

The observations one by one, each as data of one observation, without a copy.
"""
Base.iterate(data::Data, index::Integer = 1) = index > length(data) ? nothing : (view(data, index:index), index + 1)
Base.eltype(::Type{Data}) = Data
Base.isempty(data::Data) = length(data) == 0

"Two data handles that `call` writes."
function created_pair(call, parent)
    return disable_sigint() do
        first, second = Ref{Ptr{vtemper_data}}(C_NULL), Ref{Ptr{vtemper_data}}(C_NULL)
        check(call(first, second))
        (Data(first[], parent), Data(second[], parent))
    end
end

"""
    split(data, share = 0.1; seed, rng)

Divides the observations in two: a `share` of them, drawn by the seed, is the second part.
"""
function Base.split(data::Data, share::Real = 0.1; seed = nothing, rng = nothing)
    drawn = chosen_seed(seed, rng)
    return created_pair((first, second) -> vtemper_data_split(data, share, drawn, first, second), data)
end

"""
    split_counts(data, share = 0.5; seed, rng)

Divides the words of each document in two, observed and held out: a `share` of them, drawn by the seed, is the second part.
"""
function split_counts(data::Data, share::Real = 0.5; seed = nothing, rng = nothing)
    drawn = chosen_seed(seed, rng)
    return created_pair((first, second) -> vtemper_data_split_counts(data, share, drawn, first, second), data)
end

"""
    align(data, names)

The data with their columns in the order of `names`; other words are left out, with a message.
"""
function align(data::Data, names)
    texts = String[string(name) for name in names]
    unknown = Ref{Cdouble}(0)
    aligned = created(handle -> Data(handle, data), out -> vtemper_data_align(data, texts, length(texts), unknown, out), vtemper_data)
    tell_unknown(unknown[])
    return aligned
end

"A seed from Julia's own generator, so that `Random.seed!` governs."
drawn_seed(rng = Random.default_rng()) = Int64(rand(rng, UInt32))

"The seed that is given, else one drawn from the generator `rng`, else from Julia's own."
function chosen_seed(seed, rng)
    seed === nothing && return rng === nothing ? drawn_seed() : drawn_seed(rng)
    rng === nothing || throw(ArgumentError("give seed or rng, not both"))
    number = seed isa AbstractString ? tryparse(Int64, seed) : seed
    number isa Integer && 0 <= number <= typemax(Int64) && return Int64(number)
    throw(ArgumentError("seed is $seed; it must be a whole number from 0 to $(typemax(Int64))"))
end

# Data is read only, so a copy can be the same object.
Base.copy(data::Data) = data
Base.deepcopy_internal(data::Data, ::IdDict) = data
