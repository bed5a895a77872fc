# What every kind has in common, whatever the library has: fit, read, predict, score, save.

"Small data that a kind can take: counts, sequences of symbols, or dense points in columns."
function sample(kind)
    kind == :lda && return themes(60)
    random = MersenneTwister(4)
    kind == :hidden_markov && return [rand(random, isodd(i) ? (1:3) : (3:5), 12) for i in 1:40]
    return hcat((4 * (i % 3) .+ randn(random, 3) for i in 1:90)...)
end

for kind in kinds()
    @testset "$kind" begin
        X = sample(kind)
        again() = fit(Model{kind}, X; k = 2, seed = 5, max_passes = 5)
        model = again()
        @test VTemper.components(model) == 2
        @test !occursin("not fitted", sprint(show, MIME("text/plain"), model))
        @test all(haskey(options(model), row.name) for row in options(kind))
        @test occursin(first(options(kind)).name, string(Docs.doc(Docs.Binding(VTemper, Symbol(VTemper.type_name(kind))))))

        # The same seed gives the same bits; files and Julia's serialization keep them.
        table = parameters(model)
        others = Any[again(), copy(model), deserialize(seekstart((stream = IOBuffer(); serialize(stream, model); stream)))]
        path = tempname()
        save(model, path)
        push!(others, load(path))
        rm(path)
        for other in others, name in keys(table)
            @test isequal(parameters(other)[name], table[name])
        end
        # What can be set stays when it is set to what it is (models may compute in float): matrices and blocks are
        # turned both ways.
        for info in table.infos
            info.settable == 1 || continue
            value = table[info.name]
            table[info.name] = value
            @test isapprox(table[info.name], value; rtol = 1e-5)
        end

        observations = length(Data(X))
        for quantity in quantities(model, X)
            value = predict(model, X, quantity.name)
            @test size(value) == VTemper.shape_of(quantity)
            @test all(isfinite, value)
        end
        @test size(predict(model, X), 1) in (observations, sum(length, X isa Vector ? X : [X]))
        @test evaluate(model, X, :elbo) < 0

        # Garbage and closed data in the middle of a run, a checkpoint, and steps beyond the end.
        data = Data(X)
        half = Model{kind}(; k = 2)
        fit!(half, data; seed = 5, max_passes = 5, report_every = 1, monitor = report -> (GC.gc(); report.iteration == 2))
        path = tempname()
        checkpoint(half, path)
        resumed = resume(path, data)
        rm(path)
        close(data)
        data = nothing
        GC.gc(true)
        unbroken = parameters(again())
        for whole in (half, resumed)
            fit!(whole)
            @test all(isequal(parameters(whole)[name], unbroken[name]) for name in keys(table))
        end
        steps = report(half).iteration
        @test step!(half).iteration == steps + 1
    end
end
