# How data and models show themselves.

function Base.show(io::IO, data::Data)
    isopen(data) || return print(io, "Data (closed)")
    print(io, "Data: ", rows(data), " observations of ", columns(data), " columns, ", number(out -> vtemper_data_entries(data, out), Int64), " entries")
end

"The name of a kind's type: LDA, or Model{:kind} where it has none."
function type_name(kind)
    for name in names(VTemper)
        getfield(VTemper, name) === Model{kind} && return string(name)
    end
    return string(Model{kind})
end

function Base.show(io::IO, model::Model{kind}) where {kind}
    isopen(model) || return print(io, type_name(kind), " (closed)")
    print(io, type_name(kind), "(", first(options(kind)).name, " = ", components(model), ")")
    initialized(model) || print(io, ", not fitted")
end

function Base.show(io::IO, ::MIME"text/plain", model::Model)
    show(io, model)
    isopen(model) && initialized(model) || return
    print(io, "\n  parameters:")
    for info in parameters(model).infos
        print(io, "\n    ", info.name, isempty(shape_of(info)) ? "" : " [" * join(shape_of(info), " x ") * "]", "  ", info.sentence)
    end
    model.run === nothing && return
    last = report(model)
    print(io, "\n  run: ", last.iteration, " steps, ", round(last.passes; digits = 2), " passes, ", round(last.seconds; sigdigits = 3), " s, temperature ",
          round(last.temperature; sigdigits = 4), last.converged == 1 ? ", converged" : last.finished == 1 ? ", finished" : ", not finished")
end

function Base.show(io::IO, ::MIME"text/plain", parameters::Parameters)
    print(io, length(parameters), " parameters")
    for info in parameters.infos
        print(io, "\n  \"", info.name, "\"", isempty(shape_of(info)) ? "" : " [" * join(shape_of(info), " x ") * "]", "  ", info.sentence)
    end
end

Base.show(io::IO, optimizer::Optimizer) = print(io, "the run of ", optimizer.model)
