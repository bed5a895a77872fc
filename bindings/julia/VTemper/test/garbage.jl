# Garbage is collected between all calls and within monitors; whatever is dropped or closed first, what uses it lives.
full() = GC.gc(true)

"A fit whose data nobody holds any more."
function dropped()
    model = LDA(k = 4, precision = :double)
    VTemper.start!(model, Data(themes(60)), 7, (method = :svi, batch_size = 16, max_passes = 4))
    return model
end
reference = lambda(quick(themes(60)))
model = dropped()
for _ in 1:report(quick(themes(60))).iteration
    full()
    step!(model)
end
full()
@test lambda(model) == reference
full()
@test size(predict(model, themes(60))) == (60, 4)

# Closed in every order.
function closed_in_order(order)
    data = Data(themes(20))
    model = fit(LDA, data; k = 2, max_passes = 1)
    things = (data, model, model.run)
    for index in order
        things[index] isa VTemper.Optimizer ? finalize(things[index]) : close(things[index])
        full()
    end
    return true
end
for order in ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))
    @test closed_in_order(order)
end

# An optimizer whose data was closed still has it.
data = Data(themes(60))
model = LDA(k = 4, precision = :double)
VTemper.start!(model, data, 7, (method = :svi, batch_size = 16, max_passes = 4))
close(data)
data = nothing
full()
fit!(model)
@test lambda(model) == reference

# Selections outlive what they were taken from.
part = Data(themes(60); names = words())[1:30]
train, test = split(Data(themes(60)), 0.5; seed = 1)
observed, hidden = split_counts(Data(themes(60)), 0.5; seed = 1)
full()
@test names(part) == words() && length(train) + length(test) == 60
@test isfinite(evaluate(quick(part), observed; heldout = hidden))

# Many at once, dropped in the middle of things; within monitors, too.
for round in 1:20
    local models = [fit(LDA, themes(20; seed = round); k = 2, max_passes = 1, monitor = report -> (full(); nothing)) for _ in 1:3]
    models[2] = models[1]
    round % 3 == 0 && full()
end
full()

# A monitor may make long calls of its own; what is dropped before and after them is collected within it, too.
other = quick(themes(20))
function predicts(report)
    quick(themes(20; seed = 2))
    full()
    predict(other, themes(5))
    quick(themes(20; seed = 3))
    full()
    return nothing
end
@test fit(LDA, themes(20); k = 2, max_passes = 2, monitor = predicts) isa LDA
full()
stream = IOBuffer()
serialize(stream, [quick(themes(20)) for _ in 1:3])
full()
@test length(deserialize(seekstart(stream))) == 3
full()

# Other threads collect garbage while the library is at work (where Julia has other threads): the collections that are
# asked for during a fit of a second do not wait for its end.
function collections_during(seconds)
    done = Threads.Atomic{Int}(0)
    collector = Threads.@spawn for _ in 1:5
        Libc.systemsleep(0.05)
        GC.gc(false)
        Threads.atomic_add!(done, 1)
    end
    fit(LDA, themes(300); k = 4, max_passes = 1_000_000, report_every = 1_000_000, deadline = seconds)
    during = done[]
    wait(collector)
    return during
end
if Threads.nthreads() > 1
    collections_during(0.01)
    @test collections_during(3.0) > 0
end
