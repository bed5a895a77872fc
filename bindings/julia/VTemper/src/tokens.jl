# Documents as vectors of words, and sequences of symbols.

"What is taken by its text: words, also those of one letter."
const Word = Union{AbstractString,Symbol,AbstractChar}

function Data(rows::AbstractVector{<:AbstractVector}; form = nothing, alphabet = nothing, names = nothing, fractions = false, model = nothing, keywords...)
    check_form(form, (:counts, :sequences), "a vector of vectors")
    words = all(row -> all(token -> token isa Word, row), rows) && !isempty(rows) && any(!isempty, rows)
    whole = !words && all(row -> all(token -> token isa Integer, row), rows)
    words || whole || throw(ArgumentError(refusal_of(rows)))
    if form == :sequences || (form === nothing && whole)
        # New sequences consist of symbols that the model knows, though not all of these may occur.
        if model !== nothing && alphabet === nothing && names === nothing
            names = isempty(Base.names(model)) ? nothing : Base.names(model)
            alphabet = names === nothing || !words ? columns(model) : nothing
        end
        words && model !== nothing && names === nothing && alphabet == columns(model) &&
            throw(ArgumentError("the symbols are words, but the model was fitted to numbers, whose words it does not know"))
        words || return symbols_data(rows, alphabet === nothing ? largest(rows) : alphabet; names = names, keywords...)
        alphabet === nothing || names !== nothing || throw(ArgumentError("the symbols are strings: give them as names, not their number as alphabet"))
        return worded_sequences(rows, names; keywords...)
    end
    alphabet === nothing || throw(ArgumentError("alphabet is for sequences, not for documents"))
    return words ? worded_documents(rows, names; keywords...) : numbered_documents(rows, names, model; keywords...)
end

"What is wrong with rows that are neither words nor symbols: the first token that is neither, else a mixture of both."
function refusal_of(rows)
    for (number, row) in enumerate(rows), (place, token) in enumerate(row)
        token isa Union{Word,Integer} ||
            return "element $number of the data holds $(repr(token)) at position $place, which is neither a word nor a symbol from 1"
    end
    return "the data hold words and numbers: all must be words, or all symbols from 1"
end

# Arguments that are easily given by mistake instead of a vector of vectors.
Data(texts::AbstractVector{<:AbstractString}; keywords...) = throw(ArgumentError(
    "a vector of strings is no data: split each text into words, such as [split(lowercase(text)) for text in texts]; a single document or " *
    "sequence is a vector of one, [words]"))
Data(letters::AbstractVector{<:AbstractChar}; keywords...) = throw(ArgumentError(
    "a vector of characters is no data: a single sequence is a vector of one, [letters]"))
Data(values::AbstractVector{<:Union{Missing,Real}}; keywords...) = throw(ArgumentError(
    "a vector of numbers is no data: a single sequence is a vector of one, [symbols]; points of one variable are a matrix, reshape(values, 1, :)"))

"The largest symbol."
largest(sequences) = reduce(max, (symbol for sequence in sequences for symbol in sequence); init = 0)

function symbols_data(sequences, alphabet; keywords...)
    offsets = cumsum([1; length.(sequences)])
    beyond = Iterators.filter(symbol -> !(typemin(Int32) <= symbol <= typemax(Int32)), Iterators.flatten(sequences))
    isempty(beyond) || throw(ArgumentError("the symbol $(first(beyond)) is too large: symbols are whole numbers from 1 to $(typemax(Int32))"))
    symbols = Int32[symbol for sequence in sequences for symbol in sequence]
    data = created(handle -> Data(handle, (offsets, symbols)),
                   out -> vtemper_data_from_sequences(length(sequences), int64(alphabet, "alphabet"), offsets, VTEMPER_INT64, symbols, VTEMPER_INT32, 1,
                                                      VTEMPER_BORROW, C_NULL, C_NULL, out), vtemper_data)
    return complete(data; keywords...)
end

"Sequences of strings, numbered by the names of the symbols."
function worded_sequences(sequences, names; keywords...)
    symbols = names === nothing ? sort!(unique(string(word) for row in sequences for word in row)) : String[string(name) for name in names]
    place = Dict(symbol => index for (index, symbol) in enumerate(symbols))
    numbered = [Int32[get(() -> throw(ArgumentError("the symbol \"$word\" is not in the alphabet")), place, string(word)) for word in row]
                for row in sequences]
    return symbols_data(numbered, length(symbols); names = symbols, keywords...)
end

"Documents that are one text each were not split into words."
function check_split(documents)
    filled = Iterators.filter(!isempty, documents)
    all(document -> length(document) == 1, filled) && any(document -> occursin(r"\s", string(first(document))), filled) || return nothing
    throw(ArgumentError("every document is a single string with spaces: split each text into words, for example by split(lowercase(text))"))
end

function worded_documents(documents, names; keywords...)
    check_split(documents)
    vocabulary = names === nothing ? sort!(unique(string(word) for document in documents for word in document)) : String[string(name) for name in names]
    place = Dict(word => index for (index, word) in enumerate(vocabulary))
    unknown = 0
    numbered = map(documents) do document
        known_words = Int[]
        for word in document
            index = get(place, string(word), 0)
            index == 0 ? (unknown += 1) : push!(known_words, index)
        end
        known_words
    end
    tell_unknown(unknown, "words that are not among the names")
    return counted(numbered, length(vocabulary); names = vocabulary, keywords...)
end

"Documents as vectors of the numbers of their words."
function numbered_documents(documents, names, model; keywords...)
    all(word -> word >= 1, Iterators.flatten(documents)) || throw(ArgumentError("words as numbers count from 1"))
    size = names !== nothing ? length(names) : model !== nothing ? max(columns(model), largest(documents)) : largest(documents)
    return counted(documents, size; names = names, keywords...)
end

function counted(documents, size; keywords...)
    words, columns = Int[], Int[]
    for (column, document) in enumerate(documents), word in document
        push!(words, word)
        push!(columns, column)
    end
    return Data(sparse(words, columns, ones(Int32, length(words)), size, length(documents)); keywords...)
end

"\"1 step\", \"2 steps\""
counted_text(number, what, ending = "s") = string(isinteger(number) ? Int(number) : number, ' ', what, number == 1 ? "" : ending)

tell_unknown(number, words = "words that the model does not know") = number > 0 && @info("$(counted_text(number, "token")) of $words left out")
