# Topics of the doc strings of Julia's own Base: a small real corpus that every Julia has.
#
#     julia bindings/julia/VTemper/examples/topics.jl

using VTemper, VTemper.Verbs
using Base.Docs: meta

# A document for each doc string: its words of three letters or more, lower case.
documents = Vector{String}[]
for (binding, multidoc) in meta(Base), (signature, docstr) in multidoc.docs
    text = join(filter(part -> part isa AbstractString, collect(docstr.text)))
    words = [lowercase(found.match) for found in eachmatch(r"\b[A-Za-z]{3,}\b", text)]
    length(words) >= 20 && push!(documents, words)
end
sort!(documents)  # the order in which Julia keeps them differs from run to run

# Words that say little, because they are in too few documents or in too many.
counts = Dict{String,Int}()
for words in documents, word in Set(words)
    counts[word] = get(counts, word, 0) + 1
end
vocabulary = sort([word for (word, count) in counts if 4 <= count <= length(documents) / 8])

train, test = split(Data(documents; names = vocabulary), 0.1; seed = 1)
println(length(train), " documents for the fit, ", length(test), " for the test, ", length(vocabulary), " words")

model = fit(LDA, train; k = 12, seed = 1, max_passes = 60)
display(model)
println()
display(topics(model; n = 8, rank = "relevance"))
println()
println("held-out perplexity ", round(perplexity(model, test; seed = 1); digits = 1), ", of words alone ",
        round(perplexity(fit(LDA, train; k = 1, seed = 1), test; seed = 1); digits = 1))

# The way of the run: the temperature falls to 1, the objective rises.
curve = trace(model)
println("temperature from ", round(first(curve.temperature); digits = 2), " to ", last(curve.temperature), " in ", last(curve.iteration), " steps")
