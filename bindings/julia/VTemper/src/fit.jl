# Fitting: whole runs, single steps, fed rows, and the results of a run.

"""
    fit(LDA, X; k, method, seed, rng, monitor, progress, options...)

A model of the kind, fitted to `X`: a matrix, a table, or whatever [`Data`](@ref) accepts, with the same keywords. What
`X` means follows from the kind: whole numbers are points for a mixture, strings are symbols for a hidden Markov model.

`time = 60` plans the run by the machine's speed: the fit is at temperature 1 and has settled after 60 seconds, or earlier if more
steps would overfit. A fit that ends hot (because of `deadline`, a limit or a monitor) or has not converged says so, also when it is shown.

`k` is the number of topics (components, states). All options of the model, `options(LDA)`, and of the run,
`options(:optimizer)`, can be given by name; the others have the library's defaults. Without `seed` the
seed is drawn from the generator `rng`, by default Julia's own, which `Random.seed!` sets; `options(model, :optimizer)`
shows it.

`monitor` is called with a report between steps: a named tuple with `iteration`, `passes`, `temperature`, `objective`
and more, among them `ending` (of `vtemper_ending`, 0: none) and `settled`. It ends the run by returning `true`. An exception in it ends the run, too, and is thrown by `fit`. Ctrl-C ends the
run with an `InterruptException`; with [`fit!`](@ref) on an existing model, the model is then that of the last complete step,
and `fit!(model)` continues. `progress = true` prints a line from time to time.
"""
function fit(::Type{Model{kind}}, X; k = nothing, seed = nothing, rng = nothing, monitor = nothing, progress::Bool = false, keywords...) where {kind}
    mine, others = data_keywords(keywords)
    of_model = option_names(kind)
    suggest(kind, others, of_model)
    model = Model{kind}(; k = k, filter(pair -> first(pair) in of_model, others)...)
    return fit!(model, fitting(model, X; mine...); seed = seed, rng = rng, monitor = monitor, progress = progress,
                filter(pair -> !(first(pair) in of_model), others)...)
end

"An option that neither the model nor the run has is refused by the model where it has one of a name like it, else by the run."
function suggest(kind, given, of_model)
    refuse_capital(kind, given)
    of_run = option_names(:optimizer)
    for (name, value) in pairs(given)
        (name in of_model || name in of_run) && continue
        refusal = try
            Model{kind}(; (name => value,)...)
        catch failure
            failure
        end
        refusal isa VTemperError && occursin("did you mean", refusal.message) && throw(refusal)
    end
end

"""
    fit!(model, X; method, seed, rng, monitor, progress, options...)
    fit!(model; monitor, progress)

Fits the model to `X`, starting from its parameters if it has been fitted before. Without `X`: continues the run of the
model until it is finished. See [`fit`](@ref).
"""
function fit!(model::Model, X; seed = nothing, rng = nothing, monitor = nothing, progress::Bool = false, keywords...)
    mine, others = data_keywords(keywords)
    start!(model, fitting(model, X; mine...), chosen_seed(seed, rng), others)
    return fit!(model; monitor = monitor, progress = progress)
end

function fit!(model::Model; monitor = nothing, progress::Bool = false)
    optimizer = run_of(model)
    watched_call(bytes -> vtemper_optimizer_run(optimizer, bytes), optimizer, watching(monitor, progress))
    return model
end

"""
    step!(model, steps = 1; monitor, progress)

Takes `steps` more steps of the model's run, also beyond its end. Returns the report.
"""
function step!(model::Model, steps::Integer = 1; monitor = nothing, progress::Bool = false)
    optimizer = run_of(model)
    report, _ = watched_call(bytes -> vtemper_optimizer_step(optimizer, int64(steps, "steps"), bytes), optimizer, watching(monitor, progress))
    return report
end

"""
    feed!(model, batches; rows_total, seed, rng, monitor, progress, options...)

One step per batch, for observations that do not fit into memory or never end. `batches` is any iterator
over what [`Data`](@ref) accepts, such as sparse matrices words x documents; all have the same words.
`rows_total` is the number of observations that all batches together represent. The first call begins a run, with the
given options; later calls continue it. Other batches make another run: the result depends on which rows are fed together.
`monitor` is called after every batch. Where the batches end at a temperature above 1, a warning says so, once in a run.
"""
function feed!(model::Model, batches; seed = nothing, rng = nothing, monitor = nothing, progress::Bool = false, keywords...)
    batches isa Union{Data,AbstractString,AbstractMatrix} && throw(ArgumentError(
        "feed! takes an iterator of batches, not one of type $(typeof(batches)): give a single batch as [batch]"))
    mine, others = data_keywords(keywords)
    watch = watching(monitor, progress)
    fed = nothing
    begun = model.run !== nothing && isempty(others) && seed === nothing && rng === nothing
    for X in batches
        data = fitting(model, X; mine...)
        if !begun
            chosen = chosen_seed(seed, rng)
            initialized(model) || disable_sigint(() -> check(vtemper_model_initialize(model, data, chosen)))
            start!(model, nothing, chosen, others)
            begun = true
        end
        optimizer = run_of(model)
        report, _ = watched_call(bytes -> vtemper_optimizer_feed(optimizer, data, bytes), optimizer, nothing)
        fed = report
        watch === nothing || watch(report) !== true || break
    end
    fed === nothing || tell_hot(model, fed)
    return model
end

"The library does not know which batch is the last, so we warn of a run that is hot after ours."
function tell_hot(model, last)
    optimizer = run_of(model)
    (optimizer.told_hot || !(last.temperature > 1)) && return
    optimizer.told_hot = true
    @warn owned_text(out -> vtemper_model_note(model, "ending", out))
end

"Begins a run of the model: nothing has been stepped yet."
function start!(model::Model, data, seed, keywords)
    of_run = option_names(:optimizer)
    unknown = filter(name -> !(name in of_run), collect(keys(keywords)))
    wrong = filter(name -> name in option_names(kind_of(model)), unknown)
    isempty(wrong) || throw(ArgumentError("$(join(wrong, ", ")) belongs to the making of the model, which exists already"))
    set = option_set(keywords)
    set_option(set, "seed", seed)
    observed = data === nothing ? C_NULL : data
    model.run = created(handle -> Optimizer(handle, model, observed === C_NULL ? nothing : observed),
                        out -> vtemper_optimizer_create(model, observed, set, out), vtemper_optimizer)
    return model
end

function run_of(model::Model)
    living(model)
    model.run === nothing && throw(ArgumentError("the model has no run to continue: fit it to data, or resume a checkpoint"))
    return model.run::Optimizer
end

"The user's monitor and the progress line in one, or nothing."
function watching(monitor, progress)
    monitor === nothing || !isempty(methods(monitor)) || throw(ArgumentError("monitor is of type $(typeof(monitor)); it must be a function of a report"))
    progress || return monitor
    return function (report)
        println(stderr, "step ", report.iteration, "  passes ", round(report.passes; digits = 2), "  temperature ",
                round(report.temperature; sigdigits = 4), "  objective ", isnan(report.objective) ? "-" : round(report.objective; sigdigits = 8))
        return monitor === nothing ? false : monitor(report)
    end
end

"""
    report(model)

The report of the last complete step of the model's run, a named tuple.
"""
function report(model::Model)
    optimizer = run_of(model)
    return filled_struct(bytes -> vtemper_optimizer_report(optimizer, bytes), vtemper_report_size, vtemper_report_fields)
end

function options(model::Model, subject::Symbol; used = false)
    subject == :optimizer || throw(ArgumentError("the options of a model's run are under :optimizer, not :$subject"))
    optimizer = run_of(model)
    used && return texts_of(created(Options, out -> vtemper_optimizer_used_options(optimizer, out), vtemper_options), subject)
    return known_texts((name, out) -> vtemper_optimizer_option(optimizer, name, out), subject)
end

"""
    trace(model)

The course of the model's run, as a named tuple of vectors: `iteration`, `passes`, `temperature`, `objective` and
others. Steps are whole numbers; what was not computed is NaN. To plot it:

    using Plots
    curve = trace(model)
    plot(curve.iteration, curve.temperature; xlabel = "step", ylabel = "temperature")

    using DataFrames, CSV
    CSV.write("curve.csv", DataFrame(trace(model)))
"""
function trace(model::Model)
    optimizer = run_of(model)
    noted = filter(info -> startswith(info.name, "trace."), run_quantities(optimizer))
    names = Tuple(Symbol(info.name[length("trace.")+1:end]) for info in noted)
    columns = (read_quantity(optimizer, info) for info in noted)
    return NamedTuple{names}(Tuple(name == :iteration ? round.(Int, column) : column for (name, column) in zip(names, columns)))
end

"""
    state(model)
    state(model, name)

The arrays of the state of the model's run, such as the weights of temperatures: their descriptions, or one of them.
"""
state(model::Model) = run_quantities(run_of(model))
state(model::Model, name::AbstractString) = read_quantity(run_of(model), find(state(model), name, "quantity"))

run_quantities(optimizer) = quantities(out -> vtemper_optimizer_quantity_count(optimizer, out),
                                       (index, bytes) -> vtemper_optimizer_quantity_info(optimizer, index, bytes))

read_quantity(optimizer, info) =
    filled((out, length) -> vtemper_optimizer_get(optimizer, info.name, out, length),
           (out, length, row, column) -> vtemper_optimizer_get_strided(optimizer, info.name, out, length, row, column), shape_of(info))
