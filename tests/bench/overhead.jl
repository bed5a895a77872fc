# overhead.jl PACKAGE CORPUS                         makes the corpus
# overhead.jl PACKAGE CORPUS PASSES TOPICS ROUNDS    fits it in every round from C (the program OVERHEAD) and from Julia, in
#                                                    turn first and second
# The Julia half of overhead_julia.sh.
push!(LOAD_PATH, ARGS[1])
using VTemper, SparseArrays, Random

const corpus = ARGS[2]

"Documents of distinct words, the frequent ones more often: words x documents."
function synthetic(; documents = 60_000, vocabulary = 20_000, each = 90)
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

if length(ARGS) == 2
    made = synthetic()
    elements = (VTemper.VTEMPER_INT64, VTemper.VTEMPER_INT64, VTemper.VTEMPER_INT32)
    open(file -> write(file, Int64[reverse(size(made))..., nnz(made), elements..., 1], made.colptr, made.rowval, made.nzval), corpus, "w")
    exit()
end

const passes, topics_wanted, rounds = parse.(Int, ARGS[3:5])

"The matrix as Julia would have it from anywhere."
function read_corpus()
    return open(corpus) do file
        documents, words, entries = read!(file, zeros(Int64, 7))
        offsets, indices, values = zeros(Int64, documents + 1), zeros(Int64, entries), zeros(Int32, entries)
        foreach(array -> read!(file, array), (offsets, indices, values))
        SparseMatrixCSC(words, documents, offsets, indices, values)
    end
end

"What this process uses (VmRSS), or used at most (VmHWM)."
megabytes(field) = parse(Int, match(Regex("$field:\\s+(\\d+)"), read("/proc/self/status", String))[1]) / 1024
cpu_seconds() = ccall(:clock, Clong, ()) / 1e6
run_julia(X) = fit(LDA, X; k = topics_wanted, method = :svi, seed = 1, threads = 1, batch_size = 1000, max_passes = passes)

# CPU seconds, seconds, megabytes at the peak, digest of the topics.
in_c() = parse.(Float64, split(read(`$(ENV["OVERHEAD"]) $corpus $passes $topics_wanted`, String)))
function in_julia(X)
    GC.gc(true)
    write("/proc/self/clear_refs", "5")  # the peak is counted from here
    before = megabytes("VmHWM")
    cpu, start = cpu_seconds(), time()
    lambda = parameters(run_julia(X))["lambda"]
    cpu, taken = cpu_seconds() - cpu, time() - start
    peak = megabytes("VmHWM") - before
    digest = 0.0  # added one after the other, as in C
    for (i, value) in enumerate(permutedims(lambda))
        digest += value * (1 + (i - 1) % 97)
    end
    return [cpu, taken, peak, digest]
end

middle(values) = sort(values)[cld(length(values), 2)]
rounded(value) = round(value; digits = 3)

"The same in all rounds but for what else the machine does: ratios are of pairs."
function show_ratios(name, c, julia)
    ratios = sort(100 .* (julia ./ c .- 1))
    println(name, ": C ", rounded(middle(c)), ", Julia ", rounded(middle(julia)), " in the median of ", rounds, "; Julia over C ",
            rounded(middle(ratios)), " % (median of pairs; quarter to three quarters ", rounded(ratios[cld(rounds, 4)]), " to ",
            rounded(ratios[cld(3 * rounds, 4)]), "), of the quickest ", rounded(100 * (minimum(julia) / minimum(c) - 1)), " %")
end

function compare(X)
    arrays = (sizeof(X.colptr) + sizeof(X.rowval) + sizeof(X.nzval)) / 2^20
    println("corpus: ", size(X, 2), " documents, ", nnz(X), " non-zeros, ", round(arrays; digits = 1), " MB of arrays")
    in_julia(X[:, 1:2000])  # compiled
    GC.gc(true)
    before = megabytes("VmRSS")
    data = Data(X)
    println("memory that taking the matrix costs: ", round(megabytes("VmRSS") - before; digits = 1), " MB")
    close(data)

    c, julia = zeros(rounds, 4), zeros(rounds, 4)
    for round in 1:rounds, turn in 1:2
        if isodd(round + turn)
            julia[round, :] = in_julia(X)
        else
            c[round, :] = in_c()
        end
    end
    length(unique([c[:, 4]; julia[:, 4]])) == 1 || error("Julia and C give other bits")
    show_ratios("CPU seconds", c[:, 1], julia[:, 1])
    show_ratios("seconds", c[:, 2], julia[:, 2])
    # Later fits find the memory of the first.
    println("memory that a fit adds at its peak: C ", maximum(c[:, 3]), " MB, Julia ", round(maximum(julia[:, 3]); digits = 1), " MB; the same bits")
end

compare(read_corpus())
