# Statuses of the library as Julia's exceptions.

"""
    VTemperError(status, message)

An error that the library reports. `status` is its name, such as "VTEMPER_ERROR_DATA"; `message` says
what is wrong. Invalid arguments are `ArgumentError`s and a lack of memory is an `OutOfMemoryError`, as everywhere in Julia.
"""
struct VTemperError <: Exception
    status::String
    message::String
end

Base.showerror(io::IO, failure::VTemperError) = print(io, "VTemperError (", failure.status, "): ", failure.message)

"The library's message in Julia's words: it names functions of C, and counts rows and columns from 0."
function in_julia(status, message)
    message = replace(message, r" \(see vtemper_data_from_counts\)" => ": counts are sparse matrices or matrices of integers")
    message = replace(message, r" \(see vtemper_data_\w+\)" => "")
    message = replace(message, "is not initialised: initialise it with data, or create an optimizer" => "is not fitted: fit it to data")
    message = replace(message, "vtemper_data_align" => "align(data, names(model))")
    counts = occursin(r"\b(row|column|position|element) \d|\b(names|weights)\[\d", message)
    return counts && status in (VTEMPER_ERROR_DATA, VTEMPER_ERROR_ARGUMENT) ? message * " (counted from 0)" : message
end

"What a status stands for. To be called at once: the message belongs to the thread's last failure."
function exception_of(status::Cint, said = text_at(vtemper_last_error()))
    message = in_julia(status, said)
    status == VTEMPER_ERROR_ARGUMENT && return ArgumentError(message)
    status == VTEMPER_ERROR_MEMORY && return OutOfMemoryError()
    return VTemperError(text_at(vtemper_status_name(status)), message)
end

check(status::Cint) = status == VTEMPER_OK ? nothing : throw(exception_of(status))
