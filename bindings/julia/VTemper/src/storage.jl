# Files, checkpoints and Julia's own serialization.

"""
    save(model, path)

The model in a portable file, which C, R, Python and the command read as well. `load(path)` gives it back.
"""
save(model::Model, path::AbstractString) = check(vtemper_model_save(model, path))

"""
    load(path)

The model that was saved in the file.
"""
load(path::AbstractString) = created(adopted, out -> vtemper_model_load(path, out), vtemper_model)

"""
    save(data, path)

Counts, names and weights as a mapped file: `Data(path)` opens it without reading it into memory.
"""
save(data::Data, path::AbstractString) = check(vtemper_data_write(data, path))

"""
    save(from, path; format = "auto", names = String[])

Converts the file `from` to a mapped file, row by row: it may be larger than memory. `names` are names of the columns,
which replace those in the file.
"""
save(from::AbstractString, path::AbstractString; format::AbstractString = "auto", names = String[]) =
    check(vtemper_data_convert(from, format, String[string(name) for name in names], length(names), path))

"""
    checkpoint(model, path)

The model and its run, so that [`resume`](@ref) can continue it bit for bit. The data is not included.
"""
checkpoint(model::Model, path::AbstractString) = check(vtemper_optimizer_save(run_of(model), path))

"""
    resume(path, X = nothing; options of Data...)

The model of a [`checkpoint`](@ref) with its run, on the same data, or without data where rows are fed. `fit!(model)`,
`step!(model)` or `feed!(model, batches)` continue it.
"""
function resume(path::AbstractString, X = nothing; keywords...)
    data = X === nothing ? nothing : Data(X; keywords...)
    return resumed(out -> vtemper_optimizer_load(path, data === nothing ? C_NULL : data, out), data)
end

function resumed(call, data)
    return disable_sigint() do
        run = Ref{Ptr{vtemper_optimizer}}(C_NULL)
        check(call(run))
        handle = Ref{Ptr{vtemper_model}}(C_NULL)
        check(vtemper_optimizer_model(run[], handle))
        model = adopted(handle[])
        model.run = Optimizer(run[], model, data)
        model
    end
end

"The bytes of a file in memory: `call` returns the size, then writes them."
function buffer(call)
    size = Ref{Int64}(0)
    check(call(C_NULL, 0, size))
    bytes = Vector{UInt8}(undef, size[])
    check(call(bytes, length(bytes), size))
    return bytes
end

# A model is serialized as the bytes of its file; its run, which belongs to data, is not.
function Serialization.serialize(stream::AbstractSerializer, model::Model{kind}) where {kind}
    bytes = buffer((bytes, capacity, size) -> vtemper_model_save_buffer(model, bytes, capacity, size))
    Serialization.serialize_type(stream, Model{kind})
    Serialization.serialize(stream, bytes)
end

function Serialization.deserialize(stream::AbstractSerializer, ::Type{Model{kind}}) where {kind}
    bytes = Serialization.deserialize(stream)::Vector{UInt8}
    return created(adopted, out -> vtemper_model_load_buffer(bytes, length(bytes), out), vtemper_model)
end
