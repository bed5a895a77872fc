"""
Latent-variable models by variational inference that escapes bad local optima: annealing and learned temperatures.

    using VTemper, VTemper.Verbs, SparseArrays
    model = fit(LDA, X; k = 20)      # X: counts, words x documents
    topics(model)
    predict(model, X)
    perplexity(model, X)

`kinds()` lists the models, `options(LDA)` and `options(:optimizer)` what can be set; `?fit`, `?Data`, `?LDA` say more.
[`VTemper.Verbs`](@ref) says why the most common verbs have a module of their own. The work is done by the library libvtemper.
"""
module VTemper

using Libdl: dlopen, dlpath, dlsym
using LinearAlgebra: Adjoint, Transpose
using Markdown: Markdown
using Random: Random
using Serialization: Serialization, AbstractSerializer
using SparseArrays: SparseMatrixCSC, sparse

export Data, VTemperError
export step!, feed!, topics, topic_map, parameters, quantities, spread
export trace, state, options, kinds, align, split_counts, checkpoint, resume, notes, row_texts

include("foreign.jl")
include("libvtemper.jl")
include("library.jl")
include("errors.jl")
include("handles.jl")
include("kinds.jl")
include("describe.jl")
include("data.jl")
include("tokens.jl")
include("rows.jl")
include("texts.jl")
include("model.jl")
include("predict.jl")
include("topics.jl")
include("watch.jl")
include("fit.jl")
include("storage.jl")
include("ranks.jl")
include("show.jl")
include("extensions.jl")

"""
    using VTemper, VTemper.Verbs

The verbs whose names other packages export, too: `fit`, `fit!`, `predict`, `evaluate`, `loglikelihood`, `perplexity`, `report`,
`save`, `load`, and the type `Model`. `using VTemper` alone brings none of them, so that nothing clashes with Distributions, MLJ
or FileIO. Where the package StatsAPI is loaded, as by Distributions, GLM and others, its own `fit`, `fit!`, `predict`,
`loglikelihood`, `nobs` and `isfitted` accept models of this package: then `using Distributions, VTemper` is enough.
"""
module Verbs
using ..VTemper: Model, evaluate, fit, fit!, load, loglikelihood, perplexity, predict, report, save
export Model, evaluate, fit, fit!, load, loglikelihood, perplexity, predict, report, save
end

function __init__()
    library_handle[] = C_NULL  # an image may have been made while the library was open
    fill!(entry_addresses, C_NULL)
    mpi_library_handle[] = C_NULL
    watch_for_packages()
end

end
