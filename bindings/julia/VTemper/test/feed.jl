X = themes(60)
batches() = (X[:, from:from+19] for from in 1:20:60)
fed() = feed!(LDA(k = 4, precision = :double), batches(); rows_total = 60, seed = 3, max_passes = 2)
model = fed()
@test report(model).iteration == 3 && report(model).rows_seen == 60
@test lambda(fed()) == lambda(model)

# Feeding is a pass over an iterator of any kind, and can go on later.
feed!(model, [X[:, 1:20]])
@test report(model).iteration == 4
channel = Channel{SparseMatrixCSC{Int32,Int}}(2) do out
    foreach(batch -> put!(out, batch), batches())
end
feed!(model, channel)
@test report(model).iteration == 7
@test feed!(model, []) === model
for batch in (X, Matrix(X), Data(X), "corpus.ldac")
    @test occursin("feed! takes an iterator of batches", message(() -> feed!(LDA(k = 4), batch; rows_total = 60)))
end

# The monitor sees every batch, and may end it.
seen = Int[]
feed!(model, batches(); monitor = report -> (push!(seen, report.iteration); length(seen) == 2))
@test seen == [8, 9]
@test_throws ErrorException feed!(model, batches(); monitor = report -> error("of the monitor"))
@test report(model).iteration == 10

# What is wrong with a batch leaves the state as it was.
@test_throws VTemperError feed!(model, [X[1:39, :]])
@test report(model).iteration == 10
@test_throws VTemperError feed!(LDA(k = 4), batches())  # rows_total is missing

# A stream that ends hot is told, once in a run.
hot = LDA(k = 4)
@test_logs (:warn, r"^the fit is hot: T = .* after 3 steps") feed!(hot, batches(); rows_total = 1000, seed = 3)
@test_logs feed!(hot, batches())
@test_logs feed!(LDA(k = 4), batches(); rows_total = 60, seed = 3)
@test_logs (:warn, r"^the fit is hot") feed!(LDA(k = 4), batches(); rows_total = 1000, seed = 3, monitor = report -> true)
