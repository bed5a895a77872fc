# overhead.jl PACKAGE CORPUS PASSES TOPICS ROUNDS: the Julia half of overhead_julia.sh. Makes the corpus, then in every
# round fits it from C (the program OVERHEAD) and from Julia, one after the other.
push!(LOAD_PATH, ARGS[1])
using VTemper, SparseArrays, Random

"The megabytes of memory this process uses."
resident() = parse(Int, match(r"VmRSS:\s+(\d+)", read("/proc/self/status", String))[1]) / 1024

corpus, passes, topics_wanted, rounds = ARGS[2], parse(Int, ARGS[3]), parse(Int, ARGS[4]), parse(Int, ARGS[5])
documents, vocabulary, each = 60_000, 20_000, 90

"Documents of distinct words, the frequent ones more often: words x documents."
function synthetic()
    random = MersenneTwister(1)
    offsets, indices, values = Int[1], Int[], Int32[]
    for document in 1:documents
        words = Set{Int}()
        theme = rand(random, 0:19)
        while length(words) < each
            push!(words, min(vocabulary, 1 + 1000 * (rand(random) < 0.7 ? theme : rand(random, 0:19)) + floor(Int, 999 * rand(random)^2)))
        end
        append!(indices, sort!(collect(words)))
        append!(values, rand(random, Int32(1):Int32(3), each))
        push!(offsets, length(indices) + 1)
    end
    return SparseMatrixCSC(vocabulary, documents, offsets, indices, values)
end

X = synthetic()
open(corpus, "w") do file
    write(file, Int64[documents, vocabulary, nnz(X)], X.colptr, X.rowval, X.nzval)
end
arrays = (sizeof(X.colptr) + sizeof(X.rowval) + sizeof(X.nzval)) / 2^20
println("corpus: ", documents, " documents, ", nnz(X), " non-zeros, ", round(arrays; digits = 1), " MB of arrays")

run_julia(X, passes) = fit(LDA, X; k = topics_wanted, method = :svi, seed = 1, threads = 1, batch_size = 1000, max_passes = passes)
clock() = ccall(:clock, Clong, ()) / 1e6
run_julia(X[:, 1:2000], 1)  # compiled

GC.gc(true)
before = resident()
data = Data(X)
println("memory that taking the matrix costs: ", round(resident() - before; digits = 1), " MB")
close(data)

times_c, times_julia = Float64[], Float64[]
for round_number in 1:rounds
    seconds, digest = split(read(`$(ENV["OVERHEAD"]) $corpus $passes $topics_wanted`, String))
    GC.gc(true)
    start = clock()
    model = run_julia(X, passes)
    push!(times_julia, clock() - start)
    push!(times_c, parse(Float64, seconds))
    lambda = vec(permutedims(parameters(model)["lambda"]))
    ours = 0.0
    for i in eachindex(lambda)
        ours += lambda[i] * (1 + (i - 1) % 97)
    end
    ours == parse(Float64, digest) || error("Julia gives other bits than C: $ours, $digest")
end
middle(values) = sort(values)[cld(length(values), 2)]
percent(ratio) = round(100 * (ratio - 1); digits = 2)
ratios = sort(times_julia ./ times_c)
println("CPU seconds of a fit, medians of ", rounds, ": C ", middle(times_c), ", Julia ", round(middle(times_julia); digits = 4), "; the same bits")
println("Julia over C: ", percent(middle(ratios)), " % (median of pairs; quarter to three quarters ", percent(ratios[cld(rounds, 4)]), " to ",
        percent(ratios[cld(3 * rounds, 4)]), "), of the quickest fits ", percent(minimum(times_julia) / minimum(times_c)), " %")
