# Inference about observations, and their scores.

# Kinds that were added to the library after kinds.jl was generated report their form at run time.
form_of(::Val{kind}) where {kind} = number(out -> vtemper_model_kind_form(string(kind), out), Cint)

"Data of the model's form; where both have names, the columns are brought into the model's order."
function fitting(model::Model{kind}, X; keywords...) where {kind}
    X isa Data && return aligned(model, Data(X; keywords...))
    return aligned(model, Data(X; form = form_name(form_of(Val(kind))), model = initialized(model) ? model : nothing, keywords...))
end

function aligned(model::Model, data::Data)
    ours, theirs = names(model), names(data)
    return isempty(ours) || isempty(theirs) || ours == theirs ? data : align(data, ours)
end

"Keywords in two: those that make data, and the others."
function data_keywords(keywords)
    ours = (:observations, :names, :weights, :format, :alphabet, :row_texts, :fractions)
    mine = filter(pair -> first(pair) in ours, pairs((; keywords...)))
    return mine, filter(pair -> !(first(pair) in ours), pairs((; keywords...)))
end

"""
    predict(model, X; options...)
    predict(model, X, quantity; options...)

What the model infers about the observations in `X` (a matrix, a table, or whatever [`Data`](@ref) accepts), one row per observation;
for sequences, if the quantity has a value for each symbol, a vector with one element per sequence. `quantity` is one of those that
`quantities(model, X)` lists with their shapes: "proportions" or "gamma" for `lda`. Without it the first of the list is used, whose type
is known at compile time. States and components count from 1. Words are matched by name where both sides have names;
those that the model does not know are left out, with a message. Options: those of `Data` and of `options(:evaluate)`.
"""
function predict(model::Model{kind}, X; keywords...) where {kind}
    values = inferred(model, X, nothing; keywords...)
    return form_of(Val(kind)) == VTEMPER_SEQUENCES ? values::Vector{Matrix{Float64}} : values::Matrix{Float64}
end
predict(model::Model, X, quantity::Union{AbstractString,Symbol}; keywords...) = inferred(model, X, string(quantity); keywords...)

function inferred(model, X, quantity; keywords...)
    mine, others = data_keywords(keywords)
    data = fitting(model, X; mine...)
    listed = quantities(model, data)
    info = quantity === nothing ? first(listed) : find(listed, quantity, "quantity")
    set = option_set(others)
    values = interruptible() do
        filled((out, length) -> vtemper_model_infer(model, data, info.name, set, out, length),
               (out, length, row, column) -> vtemper_model_infer_strided(model, data, info.name, set, out, length, row, column),
               shape_of(info))
    end
    values = from_one(values, info.name)
    return form(data) == VTEMPER_SEQUENCES && of_symbols(model, data, info) ? by_sequence(values, data) : values
end

"Whether a quantity has a row for each symbol. If all sequences have one symbol, a longer one is tried."
function of_symbols(model, data, info)
    size = first(shape_of(info))
    entries(data) == rows(data) || return size == entries(data)
    longer = symbols_data([[1, 1]], columns(model))
    return first(shape_of(find(quantities(model, longer), info.name, "quantity"))) == 2
end

"Values of all symbols, one element a sequence."
function by_sequence(values::Array{T,N}, data) where {T,N}
    ends = cumsum(Int[entries(data[[index]]) for index in 1:length(data)])
    return Array{T,N}[copy(selectdim(values, 1, (index == 1 ? 1 : ends[index-1] + 1):ends[index])) for index in eachindex(ends)]
end

"""
    quantities(model, X)

What [`predict`](@ref) can give for these observations: name, shape and description of each.
"""
quantities(model::Model, X; keywords...) = quantities(model, fitting(model, X; keywords...))
quantities(model::Model, data::Data) = quantities(out -> vtemper_model_infer_count(model, data, out),
                                                  (index, bytes) -> vtemper_model_infer_info(model, data, index, bytes))

"""
    evaluate(model, X, measure = "predictive"; heldout, options...)

The score of the observations in `X`, at temperature 1: "predictive" (mean held-out log probability per word, nats),
"perplexity", "elbo" (a lower bound on the log marginal likelihood, not a likelihood: see [`loglikelihood`](@ref)), and others of
the library. `heldout` has held-out words of the same documents; without it the library splits the words of each.
Options: those of `Data` and of `options(:evaluate)`.
"""
function evaluate(model::Model, X, measure::Union{AbstractString,Symbol} = "predictive"; heldout = nothing, keywords...)
    mine, others = data_keywords(keywords)
    observed = fitting(model, X; mine...)
    hidden = heldout === nothing ? C_NULL : fitting(model, heldout; mine...)
    set = option_set(others)
    return interruptible(() -> number(out -> vtemper_model_evaluate(model, observed, hidden, string(measure), set, out), Float64))::Float64
end

"""
    perplexity(model, X; options...)

exp of minus the mean held-out log probability per word, given half of its document (document completion):
[`evaluate`](@ref) with measure "perplexity".
"""
perplexity(model::Model, X; keywords...) = evaluate(model, X, "perplexity"; keywords...)

"Quantities that are log probabilities of whole observations."
const log_probabilities = ("log_likelihood", "log_density")

"""
    loglikelihood(model, X; options...)

The log probability (for points the log density) of the observations in `X` under the fitted model, summed over them. Only
for models that can compute it, such as `HiddenMarkov` and `GaussianMixture`: topic models have a lower bound,
`evaluate(model, X, :elbo)`, which is not a likelihood and no basis for AIC or BIC.
"""
function loglikelihood(model::Model, X; keywords...)
    data = fitting(model, X; first(data_keywords(keywords))...)
    at = findfirst(info -> info.name in log_probabilities, quantities(model, data))
    at === nothing && throw(ArgumentError("the likelihood of a $(kind_of(model)) cannot be computed: evaluate(model, X, :elbo) is a lower bound of " *
                                          "it, perplexity(model, X) a held-out score"))
    return sum(inferred(model, data, quantities(model, data)[at].name; last(data_keywords(keywords))...)::Vector{Float64})
end

"Number of observations that the run of the model was given, or was told of where they are fed."
function nobs(model::Model)
    run = run_of(model)
    return run.data === nothing ? throw(ArgumentError("the model was fed its observations: their number is the option rows_total")) : length(run.data)
end
