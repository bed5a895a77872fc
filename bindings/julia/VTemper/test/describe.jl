@test occursin("vtemper", VTemper.library())
@test :lda in kinds()

# Every kind of the library has a name here, and the other way round.
named = [getfield(VTemper, name) for name in names(VTemper) if getfield(VTemper, name) isa DataType && getfield(VTemper, name) <: Model]
@test Set(named) == Set(Model{kind} for kind in kinds())

table = options(LDA)
@test first(table).name == "topics" && first(table).type == VTemper.VTEMPER_OPTION_INTEGER
@test all(!isempty(row.description) for row in table)
@test occursin(first(table).description, sprint(show, MIME("text/plain"), table))
@test "method" in [row.name for row in options(:optimizer)]
@test !isempty(options(:evaluate))
@test_throws ArgumentError options(:nothing_of_that_name)

# The help of a kind is made of the library's descriptions.
help = string(Docs.doc(Docs.Binding(VTemper, :LDA)))
@test all(occursin(split(row.description, ' ')[1], help) for row in table)
@test occursin("rows_total", help) && occursin("entropy_annealing", sprint(show, MIME("text/plain"), Docs.doc(Docs.Binding(VTemper, :LDA))))
for name in names(VTemper)
    @test !occursin("No documentation found", string(Docs.doc(Docs.Binding(VTemper, name))))
end

# Versions: the same series, not older.
@test VTemper.versions_fit(1_002, 1_002) && VTemper.versions_fit(1_002, 1_003)
@test !VTemper.versions_fit(1_002, 1_001) && !VTemper.versions_fit(1_002, 2_002)
@test VTemper.versions_fit(1_002_003, 1_004_000) && !VTemper.versions_fit(1_002_003, 2_002_003)
@test !VTemper.versions_fit(1_002, 0)

# Errors name what is wrong.
@test occursin("topics", message(() -> LDA(topicz = 3)))
@test_throws VTemperError LDA(k = 0)
@test_throws ArgumentError Model{:nothing_of_that_name}()
@test_throws ArgumentError LDA(k = 3, alpha = 1:3 => 2)
@test occursin("did you mean topics", message(() -> fit(LDA, themes(20); topicz = 3)))
@test occursin("(counted from 0)", message(() -> fit(LDA, -themes(20); k = 2)))
@test occursin(r"row 1, column 1 is 0.*fractions = true", message(() -> fit(LDA, fill(0.5, 3, 4); k = 2)))
@test occursin("align(data", message(() -> predict(fit(LDA, themes(20); k = 2, max_passes = 1), themes(20)[1:30, :])))
@test occursin("cannot be taken as data", message(() -> fit(LDA, 3; k = 2)))
@test occursin("max_passes", message(() -> fit(LDA, themes(20); k = 2, max_pases = 3)))
