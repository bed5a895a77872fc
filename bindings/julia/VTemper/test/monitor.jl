X = themes(200)
run(; keywords...) = quick(X; batch_size = 20, report_every = 1, keywords...)

# Reports come one a step, with the numbers of the trace.
reports = []
model = run(monitor = report -> (push!(reports, report); nothing))
@test [report.iteration for report in reports][1:40] == 1:40
@test trace(model).temperature == [report.temperature for report in reports][1:length(trace(model).temperature)]

# `true` ends the run; it can go on, and its bits are those of a run that was not stopped.
unbroken = run()
stopped = run(monitor = report -> report.iteration == 13)
@test report(stopped).iteration == 13 && report(stopped).finished == 0
fit!(stopped)
@test lambda(stopped) == lambda(unbroken)

# An exception comes out as it was thrown, and leaves the state whole.
struct OwnFailure <: Exception
    step::Int
end
mine = LDA(k = 4, precision = :double)
failure = try
    fit!(mine, X; seed = 7, method = :svi, batch_size = 20, max_passes = 4, report_every = 1,
         monitor = report -> report.iteration == 7 ? throw(OwnFailure(7)) : nothing)
catch caught
    caught
end
@test failure == OwnFailure(7)
@test report(mine).iteration == 7
fit!(mine)
@test lambda(mine) == lambda(unbroken)

# The monitor may read the model, and may not change it; the failure of a forbidden call is an exception like others.
watched = LDA(k = 4, precision = :double)
sums = Float64[]
fit!(watched, X; seed = 7, method = :svi, batch_size = 20, max_passes = 1, report_every = 1,
     monitor = report -> (push!(sums, sum(lambda(watched))); GC.gc(); nothing))
@test length(sums) == 10 && all(isfinite, sums)
@test_throws VTemperError step!(watched, 1; monitor = report -> step!(watched, 1))
@test report(watched).iteration == 11
# Closing what runs is put off until the run is over.
step!(watched, 2; monitor = report -> (report.iteration == 12 && close(watched); nothing))
@test !isopen(watched)

# An interrupt that waits at the monitor is let in there and stops the run between two steps.
interrupted = LDA(k = 4, precision = :double)
@test_throws InterruptException fit!(interrupted, X; seed = 7, method = :svi, batch_size = 20, max_passes = 4, report_every = 1,
                                     monitor = report -> report.iteration == 5 ? throw(InterruptException()) : nothing)
@test report(interrupted).iteration == 5

# A line of progress now and then, on standard error.
lines = mktemp() do path, file
    redirect_stderr(() -> run(progress = true, max_passes = 1), file)
    close(file)
    readlines(path)
end
@test length(lines) == 10 && occursin("temperature", first(lines))

@test occursin("monitor is of type String; it must be a function", message(() -> fit(LDA, X; k = 4, seed = 3, monitor = "x")))
