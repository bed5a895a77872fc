# The three handles of the library. Each object owns one handle; its finalizer gives the handle back and does nothing
# else. What C borrows or uses is reachable from the object, so garbage collection may run finalizers in any order.

"""
    Data(X; observations = :columns, names, weights, row_texts, fractions, form)
    Data(sequences; alphabet, names, weights, row_texts)
    Data(documents; names, weights, row_texts)
    Data(table; weights, row_texts, form)
    Data(path; format)

What models are fitted to: the library's rows are the observations (documents, points, sequences).

  - `X::SparseMatrixCSC`: counts, words x documents. With integer or floating-point values of 32 or 64 bits nothing is
    copied; the matrix must not be changed while the data is in use. `observations = :rows` is for documents x words, which
    is transposed once. `X'` of either is recognised. Counts are whole: `fractions = true` accepts others.
  - `X::AbstractMatrix` of floating-point numbers: dense reals, variables x points; `NaN` or `missing` where nothing was
    observed. Strided arrays and views are not copied. Of integers: counts.
  - `sequences`: vectors of symbols from 1 to `alphabet` (the largest symbol where it is not given), with `form = :sequences` also
    of strings or characters.
  - `documents`: vectors of words (strings or characters), whose distinct words become the names of the columns, in sorted order. Words
    outside of `names`, if given, are left out, with a message.
  - `table`: a named tuple of columns, or any table of the package Tables where that is loaded; its rows are the observations.
  - `path`: a file that the library reads (UCI docword, LDA-C, SVMlight, Matrix Market, mapped; also compressed).

`form` is :counts, :dense or :sequences, and decides where `X` could be several of these: points as whole numbers, sequences of
strings. `fit` and `predict` know it from their model. `names` are the words (variables, symbols); `weights` are how often each
observation counts; `row_texts = (name = [...], date = [...])` are texts of the observations, which files keep.
"""
mutable struct Data
    handle::Ptr{vtemper_data}
    roots::Any  # the arrays that the library borrows

    function Data(handle::Ptr{vtemper_data}, roots)
        data = new(handle, roots)
        return finalizer(release, data)
    end
end

mutable struct Options
    handle::Ptr{vtemper_options}

    Options(handle::Ptr{vtemper_options}) = finalizer(release, new(handle))
end

"""
    Model{kind}(; k, options...)

A model of one of the library's kinds, such as `LDA = Model{:lda}`. `k` is the kind's first option: the number of topics,
components or states. `options(LDA)` lists the others; the help of each kind shows them too.
"""
mutable struct Model{kind}
    handle::Ptr{vtemper_model}
    run::Any  # the Optimizer that fits it, or nothing

    Model{kind}(handle::Ptr{vtemper_model}) where {kind} = finalizer(release, new{kind}(handle, nothing))
end

"The run of a method on a model. It keeps its model and its data."
mutable struct Optimizer
    handle::Ptr{vtemper_optimizer}
    model::Model
    data::Union{Nothing,Data}  # nothing where rows are fed
    told_hot::Bool             # whether a warning said that a fed run is hot

    Optimizer(handle::Ptr{vtemper_optimizer}, model, data) = finalizer(release, new(handle, model, data, false))
end

const Handle = Union{Data,Options,Model,Optimizer}

for (type, handle, destroy) in ((:Data, :vtemper_data, :vtemper_data_destroy), (:Options, :vtemper_options, :vtemper_options_destroy),
                                (:Model, :vtemper_model, :vtemper_model_destroy),
                                (:Optimizer, :vtemper_optimizer, :vtemper_optimizer_destroy))
    @eval begin
        function release(object::$type)
            handle = object.handle
            handle == C_NULL && return nothing
            object.handle = C_NULL
            $destroy(handle)
            return nothing
        end
        Base.cconvert(::Type{Ptr{$handle}}, object::$type) = object
        Base.unsafe_convert(::Type{Ptr{$handle}}, object::$type) = living(object)
    end
end

"The handle of an object that has one."
function living(object::Handle)
    object.handle == C_NULL || return object.handle
    throw(ArgumentError("this $(nameof(typeof(object))) holds nothing: it was closed, or it was saved by another process"))
end

Base.isopen(object::Union{Data,Model}) = object.handle != C_NULL

"""
    close(data_or_model)

Frees memory now instead of at a garbage collection. Objects that still use it keep it alive: nothing has to be closed,
and the order does not matter.
"""
function Base.close(data::Data)
    release(data)
    return nothing
end

function Base.close(model::Model)
    run = model.run
    model.run = nothing
    run === nothing || release(run)
    release(model)
    return nothing
end

"A handle that `call` writes through the pointer it is given; Ctrl-C waits until an object owns it."
function created(make, call, ::Type{T}) where {T}
    return disable_sigint() do
        out = Ref{Ptr{T}}(C_NULL)
        check(call(out))
        make(out[])
    end
end

"A number that `call` writes through the pointer it is given."
function number(call, ::Type{T}) where {T}
    out = Ref{T}()
    check(call(out))
    return out[]
end
