X = themes(80)
model = quick(X; names = words())
@test model isa LDA
@test size(lambda(model)) == (4, 40)
@test all(isfinite, lambda(model))
@test sum(parameters(model)["topics"]; dims = 2) ≈ ones(4)

# The same seed gives the same bits, another another; Random.seed! governs where no seed is given.
@test lambda(quick(X)) == lambda(model)
@test lambda(quick(X; seed = 8)) != lambda(model)
unseeded() = lambda(fit(LDA, X; k = 4, max_passes = 2))
Random.seed!(5); first_fit = unseeded()
Random.seed!(5); @test unseeded() == first_fit
@test unseeded() != first_fit
@test options(model, :optimizer)["seed"] == "7" && options(model)["topics"] == "4"
# What is "auto" has a value in use; with all of them given a fit has the same bits.
used, used_of_run = options(model; used = true), options(model, :optimizer; used = true)
@test options(model)["alpha"] == "auto" && parse(Float64, used["alpha"]) == 0.25
@test options(model, :optimizer)["rows_total"] == "auto" && parse(Float64, used_of_run["rows_total"]) == size(X, 2)
@test lambda(fit(LDA, X; (Symbol(name) => text for (name, text) in merge(used, used_of_run))...)) == lambda(model)

# Number of topics under its own name; options as numbers, words, symbols and lists.
@test lambda(quick(X; k = nothing, topics = 4)) == lambda(model)
@test lambda(quick(X; method = "svi", k = 4.0)) == lambda(model)
@test parameters(quick(X; alpha = [0.1, 0.2, 0.3, 0.4]))["alpha"] == [0.1, 0.2, 0.3, 0.4]
by_word = quick(X; eta = reshape(1:160, 4, 40) ./ 100, max_passes = 1)
@test parameters(by_word)["eta"] == reshape(1:160, 4, 40) ./ 100 || parameters(by_word)["eta"] isa Number

# Words of topics: the four themes are found.
found = topics(model; n = 5)
@test size(found.words) == size(found.indices) == size(found.scores) == (5, 4)
@test found.words == words()[found.indices]
@test all(issorted(found.scores[:, topic]; rev = true) for topic in 1:4)
@test length(Set(div.(found.indices[1, :] .- 1, 10))) == 4
@test topics(quick(X)).words[1, 1] == string(topics(quick(X)).indices[1, 1])
@test topics(model; rank = :lift).rank == "lift"
@test_throws ArgumentError topics(model; rank = "beauty")

# The map of topics against scaling written out, up to the signs of the axes.
function scaled(p, by)
    entropy(q) = -sum(x -> x > 0 ? x * log(x) : 0.0, q)
    n = size(p, 1)
    js = [i == j ? 0.0 : entropy((p[i, :] + p[j, :]) / 2) - (entropy(p[i, :]) + entropy(p[j, :])) / 2 for i in 1:n, j in 1:n]
    squares = by == "distance" ? js : js .^ 2
    centring = [Float64(i == j) - 1 / n for i in 1:n, j in 1:n]
    found = LinearAlgebra.eigen(LinearAlgebra.Symmetric(-centring * squares * centring / 2))
    return permutedims(found.vectors[:, [n, n - 1]] .* sqrt.(max.(found.values[[n, n - 1]], 0))')
end
for by in ("distance", "divergence")
    places = topic_map(model; by)
    @test size(places) == (2, size(parameters(model)["topics"], 1))
    @test all(isapprox.(abs.(places), abs.(scaled(parameters(model)["topics"], by)); atol = 1e-5))
    @test all(axis -> axis[argmax(abs.(axis))] > 0, eachrow(places))
end
@test_throws ArgumentError topic_map(model; by = "beauty")
@test occursin(found.words[1, 1], sprint(show, MIME("text/plain"), found))

# Parameters: a dictionary whose arrays can be set where the library allows it.
table = parameters(model)
@test haskey(table, "lambda") && !haskey(table, "theta") && length(collect(table)) == length(keys(table))
changed = copy(lambda(model))
changed[2, 3] += 1
table["lambda"] = changed
@test lambda(model) == changed
@test_throws DimensionMismatch table["lambda"] = changed'
@test_throws VTemperError table["lambda"] = -changed
@test_throws ArgumentError table["theta"]
@test_throws Exception table["topics"] = changed
@test occursin("lambda", sprint(show, MIME("text/plain"), table))

# Rows of others.
shares = predict(model, X, "proportions")
@test size(shares) == (80, 4) && sum(shares; dims = 2) ≈ ones(80)
@test predict(model, X, :gamma; threads = 1) == predict(model, X, "gamma"; threads = 2)
@test predict(model, X, "gamma"; local_iterations = 1) != predict(model, X, "gamma")
@test size(predict(model, X)) == (80, 4)
@test "gamma" in [quantity.name for quantity in quantities(model, X)]
@test_throws ArgumentError predict(model, X, "thetas")
# Words are aligned by name; without names they are taken in order.
other = Data(X[40:-1:1, :]; names = reverse(words()))
@test predict(model, other, "gamma") == predict(model, X, "gamma")
@test_throws VTemperError predict(model, X[1:39, :])

@test perplexity(model, X; seed = 1) ≈ exp(-evaluate(model, X; seed = 1))
@test perplexity(model, X; seed = 1) < 40
observed, hidden = split_counts(Data(X), 0.5; seed = 1)
@test evaluate(model, observed; heldout = hidden) ≈ evaluate(model, X; seed = 1)
@test evaluate(model, X, :elbo) < 0
@test_throws ArgumentError evaluate(model, X, "beauty")

# A run can be continued, step by step or by new data.
steps = report(model).iteration
@test report(model).finished == 1
@test step!(model, 3).iteration == steps + 3
@test step!(model, 0).iteration == steps + 3
@test_throws ArgumentError step!(model, -1)
fit!(model, X; max_passes = 1, method = :svi)
@test report(model).passes == 1
curve = trace(quick(X; report_every = 1))
@test length(curve.iteration) == length(curve.temperature) == report(quick(X)).iteration
@test all(==(1), curve.temperature)
hot = trace(fit(LDA, X; k = 4, seed = 1, method = :annealing, batch_size = 8, max_passes = 6, report_every = 1))
@test first(hot.temperature) > 1 && last(hot.temperature) == 1
tempered = fit(LDA, X; k = 4, seed = 1, method = :tempering, batch_size = 8, max_passes = 6)
@test "temperature.weights" in [quantity.name for quantity in state(tempered)]
@test sum(state(tempered, "temperature.weights")) ≈ 1

# A model is not a run.
fresh = LDA(k = 3)
@test_throws ArgumentError step!(fresh)
@test_throws VTemperError parameters(fresh)["lambda"]
@test_throws VTemperError predict(fresh, X)
@test occursin("not fitted", sprint(show, fresh))
@test occursin("LDA(topics = 4)", sprint(show, MIME("text/plain"), model))
@test_throws ArgumentError fit!(fresh, X; alpha = 1.0)
close(model)
@test_throws ArgumentError parameters(model)
@test occursin("closed", sprint(show, model))

# Any number of threads gives the same bits.
@test lambda(quick(X; threads = 1)) == lambda(quick(X; threads = 2))

# A fit by time ends cold; one that ends hot or unconverged says so, also in its file.
timed = quick(themes(200); method = :annealing, batch_size = 20, max_passes = :auto, temperature_start = 4, time = 0.5)
@test report(timed).ending == VTemper.VTEMPER_ENDING_TIME
@test report(timed).temperature == 1 && report(timed).settled == 1
@test !occursin("warning", repr("text/plain", timed))
hot = @test_logs (:warn, r"the fit is hot: T = ") match_mode = :any quick(themes(200); method = :annealing, batch_size = 20,
                                                                        temperature_start = 4, temperature_steps = 1000)
@test report(hot).ending == VTemper.VTEMPER_ENDING_LENGTH && report(hot).settled == 0
@test occursin("warning: the fit is hot: T = ", repr("text/plain", hot))
mktempdir() do folder
    file = joinpath(folder, "hot.model")
    save(hot, file)
    @test occursin("warning: the fit is hot: T = ", repr("text/plain", VTemper.load(file)))
end
