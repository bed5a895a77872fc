# Data from Julia's arrays and files.

const Index = Union{Int32,Int64}
const Element = Union{Int32,Int64,Float32,Float64}

element(::Type{Int32}) = VTEMPER_INT32
element(::Type{Int64}) = VTEMPER_INT64
element(::Type{Float32}) = VTEMPER_FLOAT
element(::Type{Float64}) = VTEMPER_DOUBLE

const forms = (counts = VTEMPER_COUNTS, dense = VTEMPER_DENSE, sequences = VTEMPER_SEQUENCES)

"The name of a form by its number."
form_name(number) = keys(forms)[findfirst(==(number), values(forms))]

"The array itself where the library knows its elements, else a copy with elements that it knows."
known(values::Vector{<:Element}) = values
known(values::AbstractVector{<:Integer}) = Vector{Int64}(values)
known(values::AbstractVector{<:Real}) = Vector{Float64}(values)
known_index(values::Vector{<:Index}) = values
known_index(values::AbstractVector{<:Integer}) = Vector{Int64}(values)

check_observations(observations) = observations in (:columns, :rows) ||
    throw(ArgumentError("observations is :$observations; valid values are :columns and :rows"))

check_form(form, allowed, what) = form === nothing || form in allowed ||
    throw(ArgumentError("$what cannot be taken as :$form, only as $(join((":$one" for one in allowed), " or "))"))

"Julia does not compare the lengths of a sparse matrix' vectors, which the library takes from `colptr`."
function check_vectors(X::SparseMatrixCSC)
    length(X.colptr) == size(X, 2) + 1 && X.colptr[end] - 1 <= min(length(X.rowval), length(X.nzval)) && return nothing
    throw(ArgumentError("the sparse matrix is inconsistent: $(size(X, 2)) columns, colptr with $(length(X.colptr)) elements of which the last is " *
                        "$(get(X.colptr, length(X.colptr), "absent")), $(length(X.rowval)) rows and $(length(X.nzval)) values"))
end

"Counts of words are whole; most fractions are tf-idf by mistake."
function check_whole(X::SparseMatrixCSC, fractions)
    fractions && return nothing
    used = view(X.nzval, 1:max(X.colptr[end] - 1, 0))
    at = findfirst(value -> isfinite(value) && value > 0 && value != floor(value), used)
    at === nothing && return nothing
    throw(ArgumentError("row $(X.rowval[at]), column $(searchsortedlast(X.colptr, at)) is $(X.nzval[at]), which is not a count: the model is of " *
                        "word counts, not of tf-idf or other weights (fractions = true takes them as they are)"))
end
check_whole(X::SparseMatrixCSC{<:Integer}, fractions) = nothing

function Data(X::SparseMatrixCSC{<:Real}; observations::Symbol = :columns, form = nothing, fractions::Bool = false, keywords...)
    check_form(form, (:counts,), "a sparse matrix")
    return complete(counts(X, observations == :columns, observations, fractions); keywords...)
end

"Of a transposed matrix the columns are the rows of its parent."
function Data(X::Union{Adjoint{T,S},Transpose{T,S}}; observations::Symbol = :columns, form = nothing, fractions::Bool = false,
              keywords...) where {T<:Real,S<:SparseMatrixCSC}
    check_form(form, (:counts,), "a sparse matrix")
    return complete(counts(parent(X), observations == :rows, observations, fractions); keywords...)
end

"Sparse counts, the observations in the matrix' columns or in its rows; columns are borrowed, rows are gathered once."
function counts(X::SparseMatrixCSC, in_columns, observations, fractions)
    check_observations(observations)
    check_vectors(X)
    check_whole(X, fractions)
    offsets, indices, values = known_index(X.colptr), known_index(X.rowval), known(X.nzval)
    rows, columns = in_columns ? reverse(size(X)) : size(X)
    layout, ownership = in_columns ? (VTEMPER_BY_ROWS, VTEMPER_BORROW) : (VTEMPER_BY_COLUMNS, VTEMPER_COPY)
    roots = in_columns ? (offsets, indices, values) : nothing
    return created(handle -> Data(handle, roots),
                   out -> vtemper_data_from_counts(layout, rows, columns, offsets, element(eltype(offsets)), indices, element(eltype(indices)),
                                                   values, element(eltype(values)), 1, ownership, C_NULL, C_NULL, out), vtemper_data)
end

"A dense matrix: counts of whole numbers, reals, or of sequences of one length; `form` decides, else the type of the numbers."
function Data(X::AbstractMatrix{<:Union{Missing,Real}}; observations::Symbol = :columns, form = nothing, fractions::Bool = false,
              alphabet = nothing, keywords...)
    check_observations(observations)
    check_form(form, keys(forms), "a matrix")
    if form == :sequences
        eltype(X) <: Integer || throw(ArgumentError("sequences must consist of whole numbers from 1, or of strings"))
        return Data([collect(one) for one in (observations == :columns ? eachcol(X) : eachrow(X))]; form = form, alphabet = alphabet, keywords...)
    end
    alphabet === nothing || throw(ArgumentError("alphabet is for sequences, not for a matrix"))
    if form == :counts || (form === nothing && eltype(X) <: Integer)
        Missing <: eltype(X) && any(ismissing, X) && throw(ArgumentError("counts cannot be missing"))
        return Data(sparse(convert(AbstractMatrix{nonmissingtype(eltype(X))}, X)); observations = observations, fractions = fractions, keywords...)
    end
    values = dense(X)
    along, across = strides(values)
    rows, columns = size(values)
    if observations == :columns
        rows, columns, along, across = columns, rows, across, along
    end
    data = created(handle -> Data(handle, values),
                   out -> vtemper_data_from_dense(rows, columns, values, element(eltype(values)), along, across, VTEMPER_BORROW, C_NULL, C_NULL, out),
                   vtemper_data)
    return complete(data; keywords...)
end

"A matrix of objects, such as what `readdlm` makes of a table with a header, is of numbers where all elements are."
function Data(X::AbstractMatrix; keywords...)
    at = findfirst(value -> !(value isa Union{Missing,Real}), X)
    at === nothing || throw(ArgumentError("row $(at[1]), column $(at[2]) of the matrix holds $(repr(X[at])), which is no number"))
    numbers = all(value -> value isa Integer, X) ? Integer : any(ismissing, X) ? Union{Missing,Real} : Real
    return Data(convert(Matrix{numbers}, X); keywords...)
end

"The array itself where the library can read it in place, else a copy; `missing` becomes NaN."
dense(X::StridedMatrix{<:Union{Float32,Float64}}) = all(>=(0), strides(X)) ? X : Matrix(X)
dense(X::AbstractMatrix{Float32}) = Matrix{Float32}(X)
dense(X::AbstractMatrix{<:Real}) = Matrix{Float64}(X)
dense(X::AbstractMatrix) = Float64[x === missing ? NaN : x for x in X]

function Data(path::AbstractString; format::AbstractString = "auto", form = nothing, keywords...)
    data = created(handle -> Data(handle, nothing), out -> vtemper_data_read(path, format, out), vtemper_data)
    # What a model cannot use it refuses itself.
    form === nothing || haskey(keywords, :model) || check_form(form, (held_form(data),), "the file $path")
    return complete(data; keywords...)
end

function Data(data::Data; form = nothing, keywords...)
    isempty(keywords) || throw(ArgumentError("$(join(keys(keywords), ", ")) belongs to the making of the data, which exists already"))
    return data
end

"A table: its rows are the observations. The columns that a fitted model has are found by name."
function Data(X; form = nothing, observations::Symbol = :rows, names = nothing, model = nothing, keywords...)
    table = table_columns(X)
    table === nothing && X isa AbstractVector && observations == :rows && any(row -> row isa Union{AbstractVector,AbstractString}, X) &&
        return Data(common_rows(X); form = form, names = names, model = model, keywords...)
    table === nothing && throw(ArgumentError("an object of type $(typeof(X)) cannot be taken as data: give a matrix, a table, sequences of symbols, " *
                                             "documents as vectors of words, or the path of a file; tables other than named tuples need the package Tables"))
    observations == :rows || throw(ArgumentError("the observations of a table are its rows"))
    names === nothing || throw(ArgumentError("a table has names of columns already"))
    found, values = table
    for (name, column) in zip(found, values)
        nonmissingtype(eltype(column)) <: Real || throw(ArgumentError("column $name of the table is not numeric"))
    end
    columns = model === nothing ? String[] : Base.names(model)
    if !isempty(columns)
        absent = setdiff(columns, found)
        isempty(absent) || throw(ArgumentError("the table has no column \"$(first(absent))\", which the model has"))
        order = indexin(columns, found)
        found, values = found[order], values[order]
    end
    return Data(reduce(hcat, values); form = form, observations = :rows, names = found, keywords...)
end

"Rows of different types, such as those of a vector that began empty, as one type; one that is missing is named."
function common_rows(X)
    all(row -> row isa AbstractString, X) && return String[row for row in X]
    at = findfirst(row -> !(row isa AbstractVector), X)
    at === nothing || throw(ArgumentError("element $at of the data is $(repr(X[at])), not a vector of words or symbols; leave out what is missing"))
    return AbstractVector[row for row in X]
end

table_columns(X) = read_table[](X)
table_columns(X::NamedTuple{names,<:Tuple{Vararg{AbstractVector}}}) where {names} =
    isempty(X) ? nothing : ([string(name) for name in names], AbstractVector[column for column in values(X)])

function complete(data; names = nothing, weights = nothing, row_texts = nothing, model = nothing, unknown_keywords...)
    isempty(unknown_keywords) || throw(ArgumentError("$(join(keys(unknown_keywords), ", ")) is no keyword of this kind of data"))
    if names !== nothing
        texts = String[string(name) for name in names]
        check(vtemper_data_set_names(data, texts, length(texts)))
    end
    if weights !== nothing
        at = weights isa AbstractVector ? findfirst(weight -> !(weight isa Real), weights) : nothing
        at === nothing || throw(ArgumentError("weights[$at] is $(repr(weights[at])), which is no number"))
        reals = Vector{Float64}(weights)
        check(vtemper_data_set_weights(data, reals, length(reals)))
    end
    row_texts === nothing || foreach(pair -> set_row_texts(data, pair...), pairs(row_texts))
    return data
end
