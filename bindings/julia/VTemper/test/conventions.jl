# What is taken for what, what is told, and what the compiler knows.
X = themes(40)
form(data) = VTemper.form_name(VTemper.form(data))

# The kind says what data is: whole numbers are points of a mixture, strings are symbols of a hidden Markov model.
points = [i % 2 == 0 ? j : 20 + j for j in 1:2, i in 1:30]
mixture = fit(GaussianMixture, points; k = 2, seed = 1)
@test size(predict(mixture, points)) == (30, 2)
@test parameters(mixture)["mean"] == parameters(fit(GaussianMixture, Float64.(points); k = 2, seed = 1))["mean"]
@test predict(mixture, points'; observations = :rows) == predict(mixture, points)
walks = [["sun", "sun", "rain"], ["rain", "sun"], ["rain", "rain", "rain", "sun"]]
weather = fit(HiddenMarkov, walks; k = 2, seed = 1)
@test names(weather) == ["rain", "sun"]
numbered = [[2, 2, 1], [1, 2], [1, 1, 1, 2]]
@test parameters(weather)["emission"] == parameters(fit(HiddenMarkov, numbered; k = 2, seed = 1))["emission"]
@test predict(weather, walks) == predict(weather, numbered)
@test size.(predict(weather, [["sun"]])) == [(1, 2)]  # without the other symbol
@test occursin("\"snow\" is not in the alphabet", message(() -> predict(weather, [["snow"]])))
@test size.(predict(fit(HiddenMarkov, [[1, 2, 3], [3, 1]]; k = 2, seed = 1), [[1, 2], [1]])) == [(2, 2), (1, 2)]
numbers = fit(HiddenMarkov, [[1, 2, 3], [3, 1]]; k = 2, seed = 1)
@test occursin("the symbols are words, but the model was fitted to numbers", message(() -> predict(numbers, [["a"]])))
@test form(Data([["a", "b"]]; form = :sequences)) == :sequences && form(Data([["a", "b"]])) == :counts
@test form(Data([[1, 2], [1]]; form = :counts)) == :counts && form(Data([1 2; 3 4]; form = :dense)) == :dense
@test fit(LDA, Float64.(Matrix(X)); k = 2, seed = 1, max_passes = 1) isa LDA
@test size.(predict(fit(HiddenMarkov, [1 2; 2 1; 1 1]; k = 2, seed = 1), [1 2; 2 1; 1 1])) == [(3, 2), (3, 2)]
# Sequences of one symbol are sequences, too: the path is of symbols, the likelihood of sequences.
@test predict(weather, [["sun"], ["rain"]], "path") isa Vector{Vector{Int}}
@test predict(weather, [["sun"], ["rain"]], "log_likelihood") isa Vector{Float64}

# Fractions are no counts, unless they are meant.
@test occursin("fractions = true", message(() -> fit(LDA, 0.5 * X; k = 2)))
@test occursin("row 2, column 1 is 0.25", message(() -> Data(sparse([1, 2], [1, 1], [1.0, 0.25]))))
@test length(Data(0.5 * X; fractions = true)) == 40
@test fit(LDA, 0.5 * X; k = 2, seed = 1, max_passes = 1, fractions = true) isa LDA

# Words that the model does not know are left out, and their number is told.
topical = fit(LDA, [["a", "b", "a"], ["c", "d"], ["a", "c"]]; k = 2, seed = 1)
@test_logs (:info, "1 token of words that the model does not know left out") predict(topical, [["a", "zebra"]])
@test_logs (:info, "3 tokens of words that the model does not know left out") match_mode = :any align(Data([["x", "x", "y", "b"]]), ["a", "b"])
@test_logs (:info, "1 token of words that are not among the names left out") Data([["a", "q"]]; names = ["a"])
@test_logs predict(topical, [["a", "b"]])

# What is nearly data says what is missing.
@test occursin("there is no K: the number of topics is k", message(() -> fit(LDA, X; K = 3)))
@test occursin("there is no K: the number of states is k", message(() -> HiddenMarkov(K = 3)))
@test occursin("n is 0", message(() -> topics(topical; n = 0)))
@test occursin("split each text into words", message(() -> fit(LDA, ["a text", "another"]; k = 2)))
@test occursin("split each text into words", message(() -> fit(LDA, [["a text"], ["another one"]]; k = 2)))
@test length(Data([["new york"], ["paris", "rome"]])) == 2  # words may hold spaces
@test occursin("a single sequence is a vector of one", message(() -> fit(HiddenMarkov, [1, 2, 1]; k = 2)))
@test occursin("a single document or sequence", message(() -> fit(HiddenMarkov, ["a", "b"]; k = 2)))
@test occursin("element 2 of the data", message(() -> Data([Any[1, 2], Any[1.5]])))
@test occursin("is not fitted: fit it to data", message(() -> predict(LDA(k = 2), X)))
@test occursin("no keyword", message(() -> Data(X; nmaes = ["a"])))
@test occursin("seed or rng", message(() -> fit(LDA, X; k = 2, seed = 1, rng = MersenneTwister(1))))
@test occursin("k and topics are the same option", message(() -> fit(LDA, X; k = 2, topics = 5)))
for seed in (-1, UInt64(2)^63, big(2)^80, NaN, 1.5)
    @test occursin("seed is $seed", message(() -> fit(LDA, X; k = 2, seed = seed)))
    @test occursin("seed is $seed", message(() -> split(Data(X); seed = seed)))
end
@test occursin("option topics is $(big(2)^80)", message(() -> LDA(k = big(2)^80)))
@test occursin("option topics is NaN", message(() -> LDA(k = NaN)))
@test occursin("counted from 0", message(() -> Data(X; weights = fill(-1.0, 40))))
one_step = fit(LDA, X; k = 2, seed = 1, max_iterations = 1)
@test occursin("steps is $(big(2)^80)", message(() -> step!(one_step, big(2)^80)))
@test occursin("run: 1 step, ", repr("text/plain", one_step)) && occursin("Data: 1 observation of 40 columns", sprint(show, Data(X)[1:1]))

# None is `missing`: three equal topics of which two are those of the first.
equal = fit(LDA, sparse(ones(Int, 6, 30)); k = 3, seed = 1, method = :vi, topic_posterior = :dirichlet, max_passes = 200)
duplicates = parameters(equal)["duplicate_of"]
@test eltype(duplicates) == Union{Missing,Int} && length(duplicates) == 3
@test all(one -> one === missing || one in 1:3, duplicates) && any(ismissing, duplicates)
@test !any(isequal(0), duplicates)
@test occursin(r"duplicate_of .*or missing", repr("text/plain", parameters(equal))) && !occursin("-1", repr("text/plain", parameters(equal)))
@test occursin(r"duplicate_of .*; missing for none", repr("text/plain", parameters(GaussianMixture(k = 2))))
@test occursin(r"path .*from 1", repr("text/plain", quantities(weather, walks)))

# Random numbers of one's own.
by_rng(seed) = lambda(fit(LDA, X; k = 3, rng = MersenneTwister(seed), max_passes = 1))
@test by_rng(3) == by_rng(3) && by_rng(3) != by_rng(4)
@test names(split(Data(X; names = words()); rng = MersenneTwister(1))[2]) == words() && length.(split(Data(X))) == (36, 4)
first_part = split_counts(Data(X); rng = MersenneTwister(2))[1]
@test VTemper.entries(first_part) == VTemper.entries(split_counts(Data(X); rng = MersenneTwister(2))[1])
drawn = feed!(LDA(k = 2), [X]; rows_total = 40, rng = MersenneTwister(5))
@test options(drawn, :optimizer)["seed"] == options(fit(LDA, X; k = 2, rng = MersenneTwister(5), max_passes = 1), :optimizer)["seed"]

# Types that the compiler knows.
@test (@inferred fit(LDA, X; k = 2, seed = 1, max_passes = 1)) isa LDA
@test (@inferred fit(GaussianMixture, points; k = 2, seed = 1)) isa GaussianMixture
@test (@inferred predict(topical, [["a"]])) isa Matrix{Float64}
@test (@inferred predict(mixture, points)) isa Matrix{Float64}
@test (@inferred predict(weather, walks)) isa Vector{Matrix{Float64}}
@test (@inferred perplexity(topical, [["a", "b", "c"]]; seed = 1)) isa Float64
@test trace(one_step).iteration isa Vector{Int} && trace(one_step).temperature isa Vector{Float64}

# Missing values get their expectation given the others of their point.
holes = predict(mixture, [1.0 missing; missing 22.0], "completed")
@test holes[1, 1] == 1 && holes[2, 2] == 22 && isapprox(holes[2, 1], 21; atol = 1) && !any(isnan, holes)

# A likelihood only where there is one; a bound is called a bound.
@test loglikelihood(mixture, points) ≈ sum(predict(mixture, points, "log_density"))
@test loglikelihood(weather, walks) ≈ sum(predict(weather, walks, "log_likelihood"))
@test occursin("lower bound", message(() -> loglikelihood(topical, [["a"]])))

# Texts of observations and notes come back from files.
mktempdir() do folder
    data = Data([["a"], ["b", "a"]]; row_texts = (name = ["first", "second"], date = ["2020-01-01", ""]))
    path = joinpath(folder, "corpus.vtemper")
    save(data, path)
    again = Data(path)
    @test sort(row_texts(again)) == ["date", "name"] && row_texts(again, :name) == ["first", "second"]
    @test row_texts(again[[2]], "date") == [""] && row_texts(again[[1]], "date") == ["2020-01-01"]
    @test isempty(notes(again)) && isempty(row_texts(Data(X)))
    @test occursin("no texts \"place\"; they have", message(() -> row_texts(again, "place")))
    hot = quick(themes(200); method = :annealing, batch_size = 20, temperature_start = 4, temperature_steps = 1000)
    save(hot, joinpath(folder, "hot"))
    @test occursin("the fit is hot", notes(load(joinpath(folder, "hot")))["ending"])
end
