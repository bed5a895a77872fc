# What every kind has in common, whatever the library has.
for kind in kinds()
    @testset "$kind" begin
        model = Model{kind}()
        @test VTemper.components(Model{kind}(k = 3)) == 3
        @test occursin("not fitted", sprint(show, model))
        @test all(haskey(options(model), row.name) for row in options(kind))
    end
end
