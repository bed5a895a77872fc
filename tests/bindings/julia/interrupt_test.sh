#!/bin/sh
# Ctrl-C in a run without end: an InterruptException soon after, and a model that is that of the last whole step.
. "$(dirname "$0")/common.sh"
not_sanitized
cat >"$folder/interrupt.jl" <<'END'
using VTemper, SparseArrays
include(joinpath(ARGS[1], "test", "corpus.jl"))
ccall(:jl_exit_on_sigint, Cvoid, (Cint,), 0)  # as in an interactive session
X = themes(400)
settings = (seed = 3, method = :svi, batch_size = 20, step_size_delay = 64, report_every = 1000)
first_steps(steps) = (model = LDA(k = 4, precision = :double); fit!(model, X; settings..., max_iterations = steps); model)
first_steps(3)

model = LDA(k = 4, precision = :double)
signalled = Ref(0.0)
# Another process interrupts this one.
killer = run(`sh -c "sleep 1.5; date +%s.%N >$(ARGS[2]); kill -INT $(getpid())"`; wait = false)
caught = try
    fit!(model, X; settings..., max_passes = 1_000_000_000)
    nothing
catch failure
    failure
end
delay = time() - parse(Float64, read(ARGS[2], String))
caught isa InterruptException || error("Ctrl-C gave $caught")
steps = report(model).iteration
println("interrupted after $steps steps, $(round(delay; digits = 3)) s after the signal")
delay < 2 || error("the interrupt took $delay s")  # 0.2 s and what a busy machine adds
steps > 0 || error("no step was done")
told = first_steps(steps)
lambda(model) == lambda(told) || error("the interrupted model is not that of step $steps")
step!(model, 2)
report(model).iteration == steps + 2 || error("the run cannot go on")
END
julia "$folder/interrupt.jl" "$package" "$folder/time"

