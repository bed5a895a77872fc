# Packages that are not Julia's own, by stand-ins of their names and numbers: StatsAPI's verbs take our models, tables of any
# kind are data, and no exported name is one that other packages export.
stand_ins = mktempdir()
const statistics_package = "82ae8749-77ed-4fe6-ae5f-f523153014b0"
function stand_in(name, uuid, source)
    mkpath(joinpath(stand_ins, name, "src"))
    write(joinpath(stand_ins, name, "Project.toml"), "name = \"$name\"\nuuid = \"$uuid\"\nversion = \"1.0.0\"\n" *
          (occursin("using StatsAPI", source) ? "[deps]\nStatsAPI = \"$statistics_package\"\n" : ""))
    write(joinpath(stand_ins, name, "src", "$name.jl"), "module $name\n$source\nend\n")
end
const statistics = "fit, fit!, predict, loglikelihood, nobs, isfitted"
stand_in("StatsAPI", statistics_package,
         join(("function $name end" for name in split(statistics, ", ")), '\n'))
stand_in("Tables", "bd369af6-aec1-5ad0-b16a-f7cc5008161c", """
    istable(X) = false
    function columns end
    function columnnames end
    function getcolumn end""")
# Those of Distributions (which hands on StatsAPI's) and of MLJ that could be ours.
stand_in("Distributions", "31c24e10-a181-5473-b8eb-7969acd0382f", """
    using StatsAPI: $statistics
    components(x) = "theirs"; params(x) = "theirs"; perplexity(x) = "theirs"; support(x) = "theirs"
    export $statistics, components, params, perplexity, support""")
stand_in("MLJ", "add582a8-e3ab-11e8-2d5e-e98b27df1bc7", """
    using StatsAPI: fit!
    predict(x) = "theirs"; evaluate(x) = "theirs"; report(x) = "theirs"; load(x) = "theirs"; save(x) = "theirs"; info(x) = "theirs"
    transform(x) = "theirs"; source(x) = "theirs"; table(x) = "theirs"; levels(x) = "theirs"; models(x) = "theirs"; abstract type Model end
    export fit!, predict, evaluate, report, load, save, info, transform, source, table, levels, models, Model""")

script = raw"""
push!(LOAD_PATH, ARGS[1])
ARGS[3] == "first" && @eval using StatsAPI, Tables
using VTemper, SparseArrays, Test
using StatsAPI, Tables, Distributions, MLJ
include(joinpath(ARGS[2], "corpus.jl"))
X = themes(20)

# No name of ours is one of theirs, whichever was loaded first.
for other in (StatsAPI, Tables, Distributions, MLJ)
    @test intersect(names(VTemper), names(other)) ⊆ [nameof(other)]
end
@test Distributions.perplexity(1) == perplexity(1) == "theirs" && evaluate(1) == "theirs"

# StatsAPI's verbs.
model = Distributions.fit(LDA, X; k = 2, seed = 1, max_passes = 2)
@test model isa LDA && StatsAPI.isfitted(model) && !StatsAPI.isfitted(LDA(k = 2)) && nobs(model) == 20
@test StatsAPI.predict(model, X) == VTemper.predict(model, X)
@test StatsAPI.predict(model, X, "gamma") == VTemper.predict(model, X, "gamma")
own = LDA(k = 2)
@test fit!(own, X; seed = 1, max_passes = 2) === own && parameters(own)["lambda"] == parameters(model)["lambda"]
@test fit!(own) === own
mixture = StatsAPI.fit(GaussianMixture, [1 2 3 11 12 13]; k = 2, seed = 1)
@test loglikelihood(mixture, [1 2]) == VTemper.loglikelihood(mixture, [1 2])
@test_throws ArgumentError loglikelihood(model, X)

# Tables.
struct Frame
    columns::Vector{Pair{Symbol,Vector}}
end
Tables.istable(::Frame) = true
Tables.columns(frame::Frame) = frame
Tables.columnnames(frame::Frame) = first.(frame.columns)
Tables.getcolumn(frame::Frame, name::Symbol) = last(frame.columns[findfirst(==(name), first.(frame.columns))])
frame = Frame([:height => [1.5, 1.6, 1.7, 2.5, 2.6, 2.7], :weight => [50, 60, 70, 110, 120, 130]])
mixture = StatsAPI.fit(GaussianMixture, frame; k = 2, seed = 1)
@test names(mixture) == ["height", "weight"]
shares = StatsAPI.predict(mixture, frame)
@test size(shares) == (6, 2)
# Columns are found by name.
@test StatsAPI.predict(mixture, Frame(reverse(frame.columns))) == shares
@test StatsAPI.predict(mixture, (weight = [50, 60, 70, 110, 120, 130], height = [1.5, 1.6, 1.7, 2.5, 2.6, 2.7])) == shares
@test_throws ArgumentError StatsAPI.predict(mixture, (weight = [1, 2],))
@test_throws ArgumentError Data(Frame([:name => ["a", "b"]]))
@test_throws ArgumentError Data(Dict(1 => 2))
@test length(Data((a = [1, 2], b = [0, 3]))) == 2
"""
const tests = @__DIR__
mktempdir() do folder
    path = joinpath(folder, "script.jl")
    write(path, script)
    for order in ("first", "last")
        program = `$(Base.julia_cmd()) --startup-file=no -O0 --project=$(dirname(tests)) $path $stand_ins $tests $order`
        @test success(pipeline(program; stdout = stdout, stderr = stderr))
    end
end
