# Julia's half of same_results_test.sh; runs in its folder.
using VTemper, VTemper.Verbs

emit(name, values) = println(name, ',', join(values, ','))
by_row(values) = vec(permutedims(values))
from_zero(values) = [value === missing ? -1 : value - 1 for value in values]

model = load("topics.model")
shares = predict(model, [["sea0", "sea1", "sea1", "zebra"], ["star2", "star0", "zebra", "zebra"]])
found = topics(model; n = 3, rank = "relevance")
size(shares) == (2, 3) && size(parameters(model)["topics"]) == (3, 10) && size(found.words) == (3, 3) || error("shapes are others")
emit("proportions", by_row(shares))
emit("topics", by_row(parameters(model)["topics"]))
emit("duplicate_of", from_zero(parameters(model)["duplicate_of"]))
train = Data("train.corpus")
emit("perplexity", [perplexity(model, train; seed = 5)])
emit("elbo", [evaluate(model, train, "elbo")])
emit("words", vec(found.words))
emit("dates", row_texts(Data("new.corpus"), "date"))
points = reduce(hcat, [parse.(Int, split(line, ',')) for line in eachline("points.csv")])
emit("density", predict(load("mixture.model"), points, "log_density"))
walks = [parse.(Int, split(line)) .+ 1 for line in eachline("walks.txt")]
states = load("states.model")
paths = predict(states, walks, "path")
length(paths) == 8 || error("the paths are not one a sequence")
emit("path", from_zero(vcat(paths...)))
emit("short", by_row(vcat(predict(states, [[1, 2], [2]], "marginals")...)))
refusal = try Data([0.5 1; 2 3]; form = :counts) catch failure; sprint(showerror, failure) end
occursin("fractions = true", refusal) && Data([0.5 1; 2 3]; form = :counts, fractions = true) isa Data || error("fractions were taken: $refusal")
