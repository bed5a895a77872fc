# What every kind has in common, whatever the library has: fit, read, predict, score, save.

"Small data that a kind can take: sequences of symbols, or zeros and ones, sparse or dense, in columns."
function sample(kind)
    form = VTemper.number(out -> VTemper.vtemper_model_kind_form(string(kind), out), Cint)
    random = MersenneTwister(4)
    form == VTemper.VTEMPER_SEQUENCES && return [rand(random, isodd(i) ? (1:3) : (3:5), 12 + i % 2) for i in 1:40]
    points = [rand(random) < (isodd(i + j) ? 0.9 : 0.1) for i in 1:6, j in 1:90]
    return form == VTemper.VTEMPER_COUNTS ? sparse(Int32.(points)) : Float64.(points)
end

for kind in kinds()
    @testset "$kind" begin
        X = sample(kind)
        again() = fit(Model{kind}, X; k = 2, seed = 5, max_passes = 5)
        model = again()
        @test VTemper.components(model) == 2
        @test !occursin("not fitted", sprint(show, MIME("text/plain"), model))
        @test occursin("not fitted", sprint(show, Model{kind}()))  # of the default size
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
            if X isa Vector && value isa Vector{<:Array}  # of symbols
                @test size.(value, 1) == length.(X)
                value = vcat(value...)
            end
            @test size(value) == VTemper.shape_of(quantity)
            @test all(isfinite, value)
        end
        @test size(predict(model, X), 1) == observations
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

# States are counted from 1, as symbols are.
sequences = [[1, 1, 1, 2, 2, 2], [2, 2, 1]]
model = fit(HiddenMarkov, sequences; k = 2, seed = 1)
path = predict(model, sequences, "path")
@test length.(path) == [6, 3] && eltype(path) == Vector{Int} && all(in(1:2), vcat(path...))
@test size.(predict(model, sequences)) == [(6, 2), (3, 2)]
@test size(topics(model).words) == (2, 2)  # no more than there are
@test all(in(1:3), skipmissing(parameters(fit(LDA, themes(20); k = 3, seed = 1))["duplicate_of"]))
@test occursin("initial [2]", sprint(show, MIME("text/plain"), parameters(model)))
@test occursin("path [9]", sprint(show, MIME("text/plain"), quantities(model, sequences)))
