"""
Latent-variable models by variational inference that gets out of bad local optima: annealing and learned temperatures.

    using VTemper, SparseArrays
    model = fit(LDA, X; k = 20)      # X: counts, words x documents
    topics(model)
    predict(model, X)
    perplexity(model, X)

`kinds()` lists the models, `options(LDA)` and `options(:optimizer)` what can be set; `?fit`, `?Data`, `?LDA` say more.
The work is done by the library libvtemper.
"""
module VTemper

using Libdl: dlopen, dlpath, dlsym
using LinearAlgebra: Adjoint, Transpose
using Markdown: Markdown
using Random: Random
using Serialization: Serialization, AbstractSerializer
using SparseArrays: SparseMatrixCSC, sparse

export Data, Model, VTemperError
export fit, fit!, step!, feed!, predict, topics, perplexity, parameters, evaluate, quantities
export trace, report, state, options, kinds, align, split_counts, save, load, checkpoint, resume

include("foreign.jl")
include("libvtemper.jl")
include("library.jl")
include("errors.jl")
include("handles.jl")
include("kinds.jl")
include("describe.jl")
include("data.jl")
include("model.jl")
include("topics.jl")
include("watch.jl")
include("fit.jl")
include("storage.jl")
include("show.jl")

__init__() = open_library()

end
