# julia --project test/runtests.jl [parts]: all tests, or the parts that are named.
using VTemper, VTemper.Verbs, SparseArrays, LinearAlgebra, Random, Serialization, Test

include("corpus.jl")

"The message of the exception that a call ends with; empty if it ends with none."
message(call) = try call(); "" catch failure; sprint(showerror, failure) end

const parts = ("describe", "data", "fit", "feed", "monitor", "storage", "garbage", "kinds", "conventions", "extensions")

@testset "VTemper" begin
    for part in (isempty(ARGS) ? parts : ARGS)
        @testset "$part" begin
            include("$part.jl")
        end
    end
end
