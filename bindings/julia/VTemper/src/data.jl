# Data from Julia's arrays.

const Index = Union{Int32,Int64}
const Element = Union{Int32,Int64,Float32,Float64}

element(::Type{Int32}) = VTEMPER_INT32
element(::Type{Int64}) = VTEMPER_INT64
element(::Type{Float32}) = VTEMPER_FLOAT
element(::Type{Float64}) = VTEMPER_DOUBLE

"The array itself where the library knows its elements, else a copy with elements that it knows."
known(values::Vector{<:Element}) = values
known(values::AbstractVector{<:Integer}) = Vector{Int64}(values)
known(values::AbstractVector{<:Real}) = Vector{Float64}(values)
known_index(values::Vector{<:Index}) = values
known_index(values::AbstractVector{<:Integer}) = Vector{Int64}(values)

function Data(X::SparseMatrixCSC{<:Real}; observations::Symbol = :columns, names = nothing, weights = nothing)
    return complete(counts(X, observations == :columns, observations), names, weights)
end

"Of a transposed matrix the columns are the rows of its parent."
function Data(X::Union{Adjoint{T,S},Transpose{T,S}}; observations::Symbol = :columns, names = nothing, weights = nothing) where {T<:Real,S<:SparseMatrixCSC}
    return complete(counts(parent(X), observations == :rows, observations), names, weights)
end

"Sparse counts, the observations in the matrix' columns or in its rows; columns are borrowed, rows are gathered once."
function counts(X::SparseMatrixCSC, in_columns, observations)
    check_observations(observations)
    offsets, indices, values = known_index(X.colptr), known_index(X.rowval), known(X.nzval)
    rows, columns = in_columns ? reverse(size(X)) : size(X)
    layout, ownership = in_columns ? (VTEMPER_BY_ROWS, VTEMPER_BORROW) : (VTEMPER_BY_COLUMNS, VTEMPER_COPY)
    roots = in_columns ? (offsets, indices, values) : nothing
    return created(handle -> Data(handle, roots),
                   out -> vtemper_data_from_counts(layout, rows, columns, offsets, element(eltype(offsets)), indices, element(eltype(indices)),
                                                   values, element(eltype(values)), 1, ownership, C_NULL, C_NULL, out), vtemper_data)
end

Data(X::AbstractMatrix{<:Integer}; keywords...) = Data(sparse(X); keywords...)

function Data(X::AbstractMatrix{<:Union{Missing,Real}}; observations::Symbol = :columns, names = nothing, weights = nothing)
    check_observations(observations)
    values = dense(X)
    along, across = strides(values)
    rows, columns = size(values)
    if observations == :columns
        rows, columns, along, across = columns, rows, across, along
    end
    data = created(handle -> Data(handle, values),
                   out -> vtemper_data_from_dense(rows, columns, values, element(eltype(values)), along, across, VTEMPER_BORROW, C_NULL, C_NULL, out),
                   vtemper_data)
    return complete(data, names, weights)
end

"The array itself where the library can read it in place, else a copy; `missing` becomes NaN."
dense(X::StridedMatrix{<:Union{Float32,Float64}}) = all(>=(0), strides(X)) ? X : Matrix(X)
dense(X::AbstractMatrix{Float32}) = Matrix{Float32}(X)
dense(X::AbstractMatrix{<:Real}) = Matrix{Float64}(X)
dense(X::AbstractMatrix) = Float64[x === missing ? NaN : x for x in X]

function Data(documents::AbstractVector{<:AbstractVector{<:AbstractString}}; names = nothing, weights = nothing)
    vocabulary = names === nothing ? sort!(unique(Iterators.flatten(documents))) : collect(names)
    place = Dict(word => index for (index, word) in enumerate(vocabulary))
    words, columns = Int[], Int[]
    for (column, document) in enumerate(documents), word in document
        haskey(place, word) || continue
        push!(words, place[word])
        push!(columns, column)
    end
    X = sparse(words, columns, ones(Int32, length(words)), length(vocabulary), length(documents))
    return Data(X; names = vocabulary, weights = weights)
end

"The largest symbol."
largest(sequences) = maximum(symbol for sequence in sequences for symbol in sequence)

function Data(sequences::AbstractVector{<:AbstractVector{<:Integer}}, alphabet::Integer; names = nothing, weights = nothing)
    offsets = cumsum([1; length.(sequences)])
    symbols = Int32[symbol for sequence in sequences for symbol in sequence]
    data = created(handle -> Data(handle, (offsets, symbols)),
                   out -> vtemper_data_from_sequences(length(sequences), alphabet, offsets, VTEMPER_INT64, symbols, VTEMPER_INT32, 1,
                                                      VTEMPER_BORROW, C_NULL, C_NULL, out), vtemper_data)
    return complete(data, names, weights)
end
Data(sequences::AbstractVector{<:AbstractVector{<:Integer}}; alphabet::Integer = largest(sequences), keywords...) =
    Data(sequences, alphabet; keywords...)

function Data(path::AbstractString; format::AbstractString = "auto", names = nothing, weights = nothing)
    data = created(handle -> Data(handle, nothing), out -> vtemper_data_read(path, format, out), vtemper_data)
    return complete(data, names, weights)
end

function Data(data::Data; keywords...)
    isempty(keywords) || throw(ArgumentError("$(join(keys(keywords), ", ")) belongs to the making of the data, which exists already"))
    return data
end

Data(X; keywords...) = throw(ArgumentError("an object of type $(typeof(X)) cannot be taken as data: give a matrix, sequences of symbols, documents as " *
                                           "vectors of words, or the path of a file"))

function check_observations(observations)
    observations in (:columns, :rows) || throw(ArgumentError("observations is :$observations; valid are :columns and :rows"))
end

function complete(data, names, weights)
    if names !== nothing
        texts = String[string(name) for name in names]
        check(vtemper_data_set_names(data, texts, length(texts)))
    end
    if weights !== nothing
        reals = Vector{Float64}(weights)
        check(vtemper_data_set_weights(data, reals, length(reals)))
    end
    return data
end

rows(data::Data) = Int(number(out -> vtemper_data_rows(data, out), Int64))
columns(data::Data) = Int(number(out -> vtemper_data_columns(data, out), Int64))

entries(data::Data) = Int(number(out -> vtemper_data_entries(data, out), Int64))
form(data::Data) = number(out -> vtemper_data_kind(data, out), Cint)

"Number of observations."
Base.length(data::Data) = rows(data)

"A text that a handle owns, copied."
owned_text(call) = text_at(number(call, Ptr{UInt8}))

"""
    names(data)
    names(model)

The names of the columns (words, variables); empty where there are none.
"""
function Base.names(data::Data)
    count = columns(data)
    (count == 0 || isempty(owned_text(out -> vtemper_data_name(data, 0, out)))) && return String[]
    return [owned_text(out -> vtemper_data_name(data, column, out)) for column in 0:count-1]
end

"""
    data[indices]

New data from the given observations.
"""
function Base.getindex(data::Data, indices::AbstractVector{<:Integer})
    places = Int64[index - 1 for index in indices]
    return created(handle -> Data(handle, data), out -> vtemper_data_select(data, places, length(places), out), vtemper_data)
end
Base.lastindex(data::Data) = length(data)

"Two data handles that `call` writes."
function created_pair(call, parent)
    return disable_sigint() do
        first, second = Ref{Ptr{vtemper_data}}(C_NULL), Ref{Ptr{vtemper_data}}(C_NULL)
        check(call(first, second))
        (Data(first[], parent), Data(second[], parent))
    end
end

"""
    split(data, share; seed)

The observations in two: a `share` of them, drawn by the seed, is the second part.
"""
Base.split(data::Data, share::Real; seed::Integer = drawn_seed()) =
    created_pair((first, second) -> vtemper_data_split(data, share, seed, first, second), data)

"""
    split_counts(data, share; seed)

The words of each document in two, observed and held out: a `share` of them, drawn by the seed, is the second part.
"""
split_counts(data::Data, share::Real; seed::Integer = drawn_seed()) =
    created_pair((first, second) -> vtemper_data_split_counts(data, share, seed, first, second), data)

"""
    align(data, names)

The data with its columns brought into the order of `names`; words outside them are dropped.
"""
function align(data::Data, names)
    texts = String[string(name) for name in names]
    return created(handle -> Data(handle, data), out -> vtemper_data_align(data, texts, length(texts), C_NULL, out), vtemper_data)
end

"A seed from Julia's own generator, so that `Random.seed!` governs."
drawn_seed() = Int64(rand(Random.default_rng(), UInt32))

# Data is read only, so a deep copy can be the same object.
Base.deepcopy_internal(data::Data, ::IdDict) = data
