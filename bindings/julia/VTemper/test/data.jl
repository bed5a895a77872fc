X = themes(60)
reference = lambda(quick(X))
size_of(data) = (VTemper.rows(data), VTemper.columns(data))

# Every element type and both index types are taken as they are, and give the same fit.
for element in (Int32, Int64, Float32, Float64), index in (Int32, Int64)
    Y = SparseMatrixCSC{element,index}(X)
    data = Data(Y)
    @test data.roots[1] === Y.colptr && data.roots[2] === Y.rowval && data.roots[3] === Y.nzval
    @test size_of(data) == (60, 40)
    @test lambda(quick(Y)) == reference
end
# Others are converted once.
@test lambda(quick(SparseMatrixCSC{UInt8,Int16}(X))) == reference
@test lambda(quick(SparseMatrixCSC{BigInt,Int64}(X))) == reference
@test lambda(quick(Matrix(X))) == reference

# Documents in rows, and transposed matrices of either kind.
rows = sparse(X')
@test lambda(quick(rows; observations = :rows)) == reference
@test lambda(quick(rows')) == reference
@test lambda(quick(transpose(rows))) == reference
@test lambda(quick(X'; observations = :rows)) == reference
@test_throws ArgumentError Data(X; observations = :diagonal)

# Names, weights, selections and splits.
data = Data(X; names = words(), weights = ones(60))
@test names(data) == words() && isempty(names(Data(X)))
@test_throws ArgumentError Data(X; names = ["a", "b"])
@test_throws VTemperError Data(X; names = fill("a", 40))
@test_throws VTemperError Data(X; weights = fill(-1.0, 60))
@test length(data) == 60 && length(data[1:10]) == 10 && names(data[[3, 3]]) == words()
@test_throws ArgumentError data[[0]]
@test_throws ArgumentError data[[61]]
slice = view(data, 11:30)
@test length(slice) == 20 && names(slice) == words() && length(view(data, 60:60)) == 1
let model = quick(X)
    @test predict(model, slice) == predict(model, data[11:30])
end
@test_throws ArgumentError view(data, 0:3)
@test_throws ArgumentError view(data, 60:61)
train, test = split(data, 0.25; seed = 3)
@test length(train) == 45 && length(test) == 15
@test sum(length(split(view(data, rows), 0.25; seed = 3)[2]) for rows in (1:23, 24:60)) == 15
observed, hidden = split_counts(data, 0.5; seed = 3)
@test length(observed) == length(hidden) == 60
@test names(align(data, reverse(words()))) == reverse(words())
@test occursin("60 observations", sprint(show, data))
@test size(data) == (60, 40) && size(data, 1) == 60 && size(data, 2) == 40 && size(data, 3) == 1 && ndims(data) == 2
@test occursin("the dimension is 0", message(() -> size(data, 0)))
@test copy(data) === data && size(data[7]) == (1, 40) && size(data[end]) == (1, 40)
@test [sum(predict(quick(X), row)) ≈ 1 for row in view(data, 1:2)] == [true, true]
@test length(collect(data)) == 60 && eltype(data) == Data && collect(data) isa Vector{Data} && !isempty(data)
@test [size(row) for row in data] == fill((1, 40), 60) && all(names(row) == words() for row in view(data, 59:60))
@test isempty(data[Int[]]) && isempty(collect(data[Int[]])) && size(data[begin]) == (1, 40)
@test collect(eachindex(data)) == 1:60 && [index for (index, row) in enumerate(view(data, 3:5))] == 1:3
@test occursin("no observation 61;", message(() -> data[61]))
@test occursin("columns cannot be selected; got [1:3, :]", message(() -> data[1:3, :]))
@test occursin("columns cannot be selected; got [\"sun\"]", message(() -> data["sun"]))
@test occursin("by numbers or by a mask", message(() -> data[true]))
@test Data(data) === data
@test_throws ArgumentError Data(data; names = words())


# Masks, and indices that do not exist.
named = Data(X; row_texts = (name = string.(1:60),))
@test row_texts(named[isodd.(1:60)], "name") == string.(1:2:60) && length(named[trues(60)]) == 60 && named[:] === named
@test occursin("the mask has 3 elements, the data 60", message(() -> named[trues(3)]))
@test occursin("no observation 0;", message(() -> named[[0]])) && occursin("no observation 61;", message(() -> view(named, 60:61)))

# Vectors of a sparse matrix that are shorter than its offsets say; elements that it does not use do not matter.
for shorten in (Y -> resize!(Y.nzval, 1), Y -> resize!(Y.rowval, 1), Y -> resize!(Y.colptr, 2), Y -> empty!(Y.colptr)), observations in (:columns, :rows)
    Y = copy(X)
    shorten(Y)
    @test occursin("the sparse matrix is inconsistent", message(() -> Data(Y; observations = observations)))
end
let Y = SparseMatrixCSC{Float64,Int}(X)
    push!(Y.nzval, 0.5)
    push!(Y.rowval, 9)
    @test lambda(quick(Y)) == reference
end
@test occursin("row 1, column 1 is 1//2", message(() -> Data(sparse([1//2 0; 0 1//4]))))

# Bad values are refused with a message that names the place.
negative = copy(SparseMatrixCSC{Float64,Int}(X))
negative.nzval[5] = -1
@test_throws VTemperError Data(negative)
negative.nzval[5] = NaN
@test_throws VTemperError Data(negative)

# Words of documents.
texts = Data([["b", "a", "b"], String[], ["c"]])
@test names(texts) == ["a", "b", "c"] && size_of(texts) == (3, 3)
@test size_of(Data([["b", "a", "zebra"]]; names = ["a", "b"])) == (1, 2)

# Sequences of symbols.
sequences = Data([[1, 2, 2], Int[], [3]])
@test size_of(sequences) == (3, 3)
@test size_of(Data([[1, 2, 2], [3]]; alphabet = 5)) == (2, 5)
@test names(Data([[1, 2], [2]]; names = ["a", "b"])) == ["a", "b"]
@test_throws VTemperError Data([[1, 4]]; alphabet = 3)
@test_throws VTemperError Data([[0, 1]])
@test occursin("the symbol $(2^40) is too large", message(() -> Data([[1, 2^40]])))
@test occursin("alphabet is 2.5", message(() -> Data([[1, 2]]; alphabet = 2.5)))

# Dense arrays, views of them, and missing values.
dense = [1.0 2.0 3.0; 4.0 5.0 6.0]
for Y in (dense, Float32.(dense), view(vcat(dense, dense), 1:2, :), [1.0 missing 3.0; 4 5 6])
    @test size_of(Data(Y)) == (3, 2)
    @test size_of(Data(Y; observations = :rows)) == (2, 3)
end
@test Data(dense).roots === dense
@test size_of(Data(dense')) == (2, 3)
@test_throws VTemperError Data([1.0 Inf])

# Files.
mktempdir() do folder
    path = joinpath(folder, "corpus.vtemper")
    save(data, path)
    @test lambda(quick(Data(path))) == reference
    @test names(Data(path)) == words()
    write(joinpath(folder, "three.ldac"), "2 0:1 3:2\n1 1:5\n0\n")
    @test size_of(Data(joinpath(folder, "three.ldac"); format = "ldac")) == (3, 4)
    save(joinpath(folder, "three.ldac"), path; format = "ldac", names = ["a", "b", "c", "d"])
    @test size_of(Data(path)) == (3, 4)
    @test names(Data(path)) == ["a", "b", "c", "d"]
    @test_throws ArgumentError save(joinpath(folder, "three.ldac"), path; names = ["a"])
    @test_throws VTemperError Data(joinpath(folder, "nothing"))
end

# Nothing is left of closed data.
gone = Data(X)
close(gone)
close(gone)
@test !isopen(gone) && occursin("closed", sprint(show, gone))
@test_throws ArgumentError length(gone)
@test_throws ArgumentError quick(gone)
@test deepcopy(data) === data

# What cannot be taken is named: rows that are missing, and forms that the data does not have.
for (odd, shown) in ((nothing, "nothing"), (missing, "missing"), (3, "3"))
    @test occursin("element 2 of the data is $shown, not a vector", message(() -> Data([["a"], odd, ["b"]])))
    @test occursin("element 2 of the data is $shown, not a vector", message(() -> fit(LDA, [["a"], odd, ["b"]]; k = 2)))
end
for (odd, shown) in ((missing, "missing"), (1.5, "1.5"), (1:2, "1:2"))
    @test occursin("element 2 of the data holds $shown at position 2, which is neither a word nor a symbol", message(() -> Data([["a"], ["b", odd]])))
    @test occursin("element 2 of the data holds $shown at position 2", message(() -> fit(HiddenMarkov, [[1], Any[2, odd]]; k = 2)))
end
@test occursin("words and numbers", message(() -> Data([["a"], [1]])))
# Objects that are numbers are taken as these.
@test VTemper.held_form(Data(Any[1 2; 0 1])) == :counts && VTemper.held_form(Data(Any[1.0 missing; 0 1])) == VTemper.held_form(Data(Any[0.5 1]')) == :dense
@test lambda(quick(Matrix{Any}(X))) == reference
@test occursin("row 2, column 1 of the matrix holds \"a\", which is no number", message(() -> Data(Any[1 2; "a" 1])))
@test size_of(Data(Matrix{Any}(undef, 0, 0))) == (0, 0)
grown = []
foreach(row -> push!(grown, row), [["a", "b"], ["b"]])
@test names(Data(grown)) == ["a", "b"] && length(Data(grown; form = :sequences)) == 2
# Letters are words of one letter.
let letters = [['a', 'b', 'a'], collect("cab")], strings = [["a", "b", "a"], ["c", "a", "b"]]
    for form in (:sequences, :counts)
        @test names(Data(letters; form = form)) == names(Data(strings; form = form)) == ["a", "b", "c"]
    end
    model, other = (fit(HiddenMarkov, X; k = 2, max_passes = 5, seed = 1) for X in (letters, strings))
    @test VTemper.parameters(model)["emission.mean"] == VTemper.parameters(other)["emission.mean"] && predict(model, [['b', 'a']]) == predict(other, [["b", "a"]])
    @test occursin("\"x\" is not in the alphabet", message(() -> predict(model, [['x']])))
    @test occursin("a single sequence is a vector of one", message(() -> fit(HiddenMarkov, ['a', 'b']; k = 2)))
end
@test occursin("vector of strings is no data", message(() -> Data(Any["the sun", "the moon"])))
for sparse_points in (sparse([0.5 1.0; 2.0 0.0]), sparse([1 2; 3 4])', transpose(sparse([1 2; 3 4])))
    @test occursin("a sparse matrix cannot be taken as :dense", message(() -> fit(GaussianMixture, sparse_points; k = 1)))
end
mktempdir() do folder
    path = joinpath(folder, "rows.ldac")
    write(path, "2 0:1 3:2\n1 1:4\n")
    @test occursin("rows.ldac cannot be taken as :sequences, only as :counts", message(() -> Data(path; form = :sequences)))
    @test length(Data(path; form = :counts)) == 2
end
@test occursin("weights[2] is \"a\", which is no number", message(() -> Data(themes(3); weights = [1, "a", 2])))
@test occursin("weights[1] is missing, which is no number", message(() -> Data(themes(2); weights = [missing, 1.0])))
