X = themes(60)
model = quick(X; names = words())
mktempdir() do folder
    path = joinpath(folder, "model.vtemper")
    save(model, path)
    again = load(path)
    @test again isa LDA && lambda(again) == lambda(model) && names(again) == words()
    @test options(again) == options(model)
    @test predict(again, X, "gamma") == predict(model, X, "gamma")
    @test_throws ArgumentError trace(again)
    write(path, "nothing of ours")
    @test_throws VTemperError load(path)
    @test_throws VTemperError load(joinpath(folder, "nothing"))

    # A checkpoint goes on bit for bit.
    unbroken = quick(X; max_passes = 6)
    half = quick(X; max_passes = 6, report_every = 1, monitor = report -> report.iteration == 9)
    checkpoint(half, joinpath(folder, "half"))
    resumed = resume(joinpath(folder, "half"), X)
    @test report(resumed).iteration == 9
    fit!(resumed)
    @test lambda(resumed) == lambda(unbroken)
    @test_throws VTemperError resume(joinpath(folder, "half"), X[:, 1:59])
    fed = feed!(LDA(k = 4), [X]; rows_total = 60, seed = 1)
    checkpoint(fed, joinpath(folder, "fed"))
    @test report(feed!(resume(joinpath(folder, "fed")), [X])).iteration == 2
end

# Julia's own serialization, alone and within other things.
function through_bytes(value)
    stream = IOBuffer()
    serialize(stream, value)
    return deserialize(seekstart(stream))
end
again = through_bytes(model)
@test again isa LDA && lambda(again) == lambda(model) && names(again) == words()
fit!(again, X; max_passes = 1, method = :svi)
pair = through_bytes(Dict("a" => model, "b" => [model]))
@test lambda(pair["a"]) == lambda(pair["b"][1]) == lambda(model)
@test_throws VTemperError through_bytes(LDA(k = 3))
# Data comes back dead, and says so.
dead = through_bytes(Data(X))
@test !isopen(dead)
@test_throws ArgumentError length(dead)
@test_throws ArgumentError quick(dead)

# Copies are of their own.
for twin in (copy(model), deepcopy(model))
    parameters(twin)["lambda"] = 2 * lambda(model)
    @test lambda(twin) == 2 * lambda(model)
end
@test deepcopy([model, model])[1] !== model
