# The words of topics.

"The highest-ranked words of every topic (or state; `what` says which): `words` and `indices` and `scores`, [n x topics], best first."
struct Topics
    what::String
    rank::String
    words::Matrix{String}
    indices::Matrix{Int}
    scores::Matrix{Float64}
end

"""
    topics(model; n = 10, rank = "probability")

The `n` highest-ranked words of every topic (all of them where there are fewer). `rank` is "probability", "lift",
"relevance", "frex" or "label", what distinguishes a topic from all others; "relevance:0.3", "frex:0.7" and "label:0.8" set other
weights. The result is shown as a table; its fields `words`, `indices` and `scores` are matrices [n x topics] to plot or save.
Words without names are their numbers. To plot the first topic:

    using Plots
    found = topics(model)
    bar(found.words[:, 1], found.scores[:, 1]; orientation = :horizontal, yflip = true, legend = false)
"""
function topics(model::Model; n::Integer = 10, rank::Union{AbstractString,Symbol} = "probability")
    n >= 1 || throw(ArgumentError("n is $n: the number of words of each topic must be 1 or more"))
    count = components(model)
    n = max(columns(model), 1) < n ? columns(model) : n
    indices, scores = Matrix{Int64}(undef, n, count), Matrix{Float64}(undef, n, count)
    for topic in 1:count
        check(vtemper_model_rank_words(model, topic - 1, string(rank), n, view(indices, :, topic), view(scores, :, topic)))
    end
    indices .+= 1
    known = names(model)
    return Topics(first(options(kind_of(model))).name, string(rank), isempty(known) ? string.(indices) : known[indices], indices, scores)
end

"""
    topic_map(model; by = "distance")

Places the topics in the plane, those with similar words close together: a matrix [2 x topics], the direction of larger spread first.
It is classical scaling (Torgerson 1952) of the square roots of the Jensen-Shannon divergences between the topics' word
probabilities, or, `by = "divergence"`, of the divergences themselves, as LDAvis uses them.

    using Plots
    x, y = eachrow(topic_map(model))
    scatter(x, y; series_annotations = string.(eachindex(x)), aspect_ratio = :equal, legend = false)
"""
function topic_map(model::Model; by::Union{AbstractString,Symbol} = "distance")
    places = Matrix{Float64}(undef, 2, components(model))
    check(vtemper_model_topic_map(model, string(by), places, length(places)))
    return places
end

function Base.show(io::IO, ::MIME"text/plain", topics::Topics)
    count = size(topics.words, 2)
    print(io, count, " ", topics.what, " by ", topics.rank)
    shown = min(count, max(displaysize(io)[1] - 4, 1))
    for topic in 1:shown
        line = string(lpad(topic, length(string(count))), "  ", join(topics.words[:, topic], ' '))
        print(io, "\n  ", length(line) > displaysize(io)[2] - 2 ? first(line, displaysize(io)[2] - 3) * "…" : line)
    end
    shown < count && print(io, "\n  ⋮")
end
