# How data and models are displayed.

function Base.show(io::IO, data::Data)
    isopen(data) || return print(io, "Data (closed)")
    print(io, "Data: ", counted_text(rows(data), "observation"), " of ", counted_text(columns(data), "column"), ", ", entries(data) == 1 ? "1 entry" : "$(entries(data)) entries")
end

"The name of a kind's type: LDA, or Model{:kind} where it has none."
function type_name(kind)
    for name in names(VTemper)
        getfield(VTemper, name) === Model{kind} && return string(name)
    end
    return string(Model{kind})
end

"A line for each array: its name, shape and description, the descriptions under each other."
function describe(io::IO, table::QuantityTable, margin = "  ")
    heads = [info.name * (info.rank == 0 ? "" : " [" * join(shape_of(info), " x ") * "]") for info in table]
    width = maximum([0; length.(heads)])
    foreach((head, info) -> print(io, "\n", margin, rpad(head, width), "  ", info.description), heads, table)
end

function Base.show(io::IO, model::Model{kind}) where {kind}
    isopen(model) || return print(io, type_name(kind), " (closed)")
    print(io, type_name(kind), "(", size_text(model), ")")
    initialized(model) || print(io, ", not fitted")
end

function Base.show(io::IO, ::MIME"text/plain", model::Model)
    show(io, model)
    isopen(model) && initialized(model) || return
    print(io, "\n  parameters:")
    describe(io, parameters(model).infos, "    ")
    model.run === nothing && (show_ending(io, model); return)
    last = report(model)
    print(io, "\n  run: ", counted_text(last.iteration, "step"), ", ", counted_text(round(last.passes; digits = 2), "pass", "es"), ", ", round(last.seconds; sigdigits = 3), " s, temperature ",
          round(last.temperature; sigdigits = 4), last.converged == 1 ? ", converged" : last.finished == 1 ? ", finished" : ", not finished")
    show_ending(io, model)
end

"What the library notes about a fit that is hot or has not converged."
function show_ending(io::IO, model::Model)
    note = owned_text(out -> vtemper_model_note(model, "ending", out))
    isempty(note) || print(io, "\n  warning: ", note)
end

function Base.show(io::IO, ::MIME"text/plain", parameters::Parameters)
    print(io, counted_text(length(parameters), "parameter"))
    describe(io, parameters.infos)
end

function Base.show(io::IO, ::MIME"text/plain", table::QuantityTable)
    print(io, length(table) == 1 ? "1 quantity" : "$(length(table)) quantities")
    describe(io, table)
end

Base.show(io::IO, optimizer::Optimizer) = print(io, "the run of ", optimizer.model)
