#!/bin/sh
# Ctrl-C in a run without end, in a step without end, and in an inference without end: an InterruptException soon after, and
# a model that is that of the last whole step.
. "$(dirname "$0")/common.sh"
not_sanitized
cat >"$folder/interrupt.jl" <<'END'
using VTemper, VTemper.Verbs, SparseArrays
include(joinpath(ARGS[1], "test", "corpus.jl"))
ccall(:jl_exit_on_sigint, Cvoid, (Cint,), 0)  # as in an interactive session

"Does `work` while another process interrupts this one. Gives the seconds from the signal to the exception."
function interrupted(work, what)
    run(`sh -c "sleep 1.5; date +%s.%N >$(ARGS[2]); kill -INT $(getpid())"`; wait = false)
    caught = try
        work()
        nothing
    catch failure
        failure
    end
    delay = time() - parse(Float64, read(ARGS[2], String))
    caught isa InterruptException || error("Ctrl-C in $what gave $caught")
    println("$what ended $(round(delay; digits = 3)) s after the signal")
    delay < 30 || error("the interrupt took $delay s")  # 0.3 s and what a busy machine adds; the work would take minutes
end

X = themes(400)
settings = (seed = 3, method = :svi, batch_size = 20, step_size_delay = 64, report_every = 1000)
first_steps(steps) = (model = LDA(k = 4, precision = :double); fit!(model, X; settings..., max_iterations = steps); model)
first_steps(3)

model = LDA(k = 4, precision = :double)
interrupted(() -> fit!(model, X; settings..., max_passes = 1_000_000_000), "a run")
steps = report(model).iteration
steps > 0 || error("no step was done")
lambda(model) == lambda(first_steps(steps)) || error("the interrupted model is not that of step $steps")
step!(model, 2)
report(model).iteration == steps + 2 || error("the run cannot go on")

# Minutes for all documents, but not for one: the library polls between documents.
X = themes(20_000)
endless = (local_tolerance = 0, local_iterations = 100_000)
slow = LDA(; k = 4, precision = :double, endless...)
interrupted(() -> fit!(slow, X; settings..., batch_size = 10_000, max_passes = 1), "a step")
report(slow).iteration == 0 || error("the step that was ended counts")
before = lambda(model)
interrupted(() -> predict(model, X; endless...), "an inference")
interrupted(() -> perplexity(model, X; endless...), "a score")
# A monitor is interrupted, too, and with it the run.
interrupted(() -> fit!(LDA(k = 4), X; settings..., report_every = 1, monitor = report -> predict(model, X; endless...)), "a monitor")
lambda(model) == before || error("reading changed the model")
END
julia "$folder/interrupt.jl" "$package" "$folder/time"
