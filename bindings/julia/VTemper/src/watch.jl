# Long calls: the monitor, Ctrl-C and messages. Interrupts are deferred while the library works; they are delivered
# when it polls, about every 0.05 seconds, and when it calls the monitor between two steps. An exception that is thrown
# then is kept, the library is stopped, and the exception is thrown again after the library has returned: no exception
# passes through C.

mutable struct Watch
    monitor::Any                         # of the user, or nothing
    failure::Any                         # what the monitor threw, or an interrupt
    stopped::Bool                        # the monitor requested the end
    messages::Vector{Tuple{Int,String}}  # level and text, logged when the library has returned
    Watch(monitor) = new(monitor, nothing, false, Tuple{Int,String}[])
end

"Called by the library between steps. Not zero: stop."
function monitor_called(report::Ptr{Cvoid}, user::Ptr{Cvoid})::Cint
    state = ccall(:jl_gc_unsafe_enter, Int8, ())
    answer = watched(report, user)
    ccall(:jl_gc_unsafe_leave, Cvoid, (Int8,), state)
    return answer
end

@noinline function watched(report, user)::Cint
    watch = unsafe_pointer_to_objref(user)::Watch
    ask(nothing)  # interrupts are not deferred now: what the monitor calls, and finalizers that run within it, are not watched
    try
        Base.reenable_sigint() do
            watch.monitor === nothing || (watch.stopped = watch.monitor(read_struct(report, vtemper_report_fields)) === true)
        end
    catch failure
        watch.failure = failure
    end
    ask(watch)
    return watch.stopped || watch.failure !== nothing
end

"Asked by the library within long calls. Not zero: end."
function interrupt_called(user::Ptr{Cvoid})::Cint
    state = ccall(:jl_gc_unsafe_enter, Int8, ())
    answer = interrupted(user)
    ccall(:jl_gc_unsafe_leave, Cvoid, (Int8,), state)
    return answer
end

@noinline function interrupted(user)::Cint
    watch = unsafe_pointer_to_objref(user)::Watch
    try
        Base.reenable_sigint(() -> nothing)  # a pending interrupt is thrown here
    catch failure
        watch.failure = failure
    end
    return watch.failure !== nothing
end

"From now on interrupts that come during long calls of this task are kept in `watch`; with `nothing` none is asked for."
function ask(watch)
    task_local_storage(:vtemper_watch, watch)
    watch === nothing && return vtemper_set_interrupt(C_NULL, C_NULL)
    return vtemper_set_interrupt(@cfunction(interrupt_called, Cint, (Ptr{Cvoid},)), pointer_from_objref(watch))
end

"Does `work`, whose calls of the library take long: Ctrl-C ends them. A monitor may do such work, too."
function interruptible(work, watch = Watch(nothing))
    outer = get(task_local_storage(), :vtemper_watch, nothing)
    return GC.@preserve watch disable_sigint() do
        ask(watch)
        try
            return work()
        catch failure
            throw(watch.failure === nothing ? failure : watch.failure)
        finally
            ask(outer)
        end
    end
end

function message_called(level::Int32, text::Ptr{UInt8}, user::Ptr{Cvoid})::Cvoid
    state = ccall(:jl_gc_unsafe_enter, Int8, ())
    noted(level, text, user)
    ccall(:jl_gc_unsafe_leave, Cvoid, (Int8,), state)
    return nothing
end

@noinline function noted(level, text, user)
    push!((unsafe_pointer_to_objref(user)::Watch).messages, (Int(level), text_at(text)))
    return nothing
end

"Makes `call`, which writes a report, under watch. Returns the report and whether the monitor requested the end."
function watched_call(call, optimizer::Optimizer, monitor)
    watch = Watch(monitor)
    bytes = struct_buffer(vtemper_report_size)
    failure = GC.@preserve optimizer watch interruptible(watch) do
        user = pointer_from_objref(watch)
        check(vtemper_optimizer_set_monitor(optimizer, @cfunction(monitor_called, Cint, (Ptr{Cvoid}, Ptr{Cvoid})), user))
        check(vtemper_optimizer_set_messages(optimizer, @cfunction(message_called, Cvoid, (Int32, Ptr{UInt8}, Ptr{Cvoid})), user))
        status = call(bytes)
        found = status in (VTEMPER_OK, VTEMPER_CANCELLED) ? nothing : exception_of(status)
        if optimizer.handle != C_NULL  # otherwise the monitor has closed it
            check(vtemper_optimizer_set_monitor(optimizer, C_NULL, C_NULL))
            check(vtemper_optimizer_set_messages(optimizer, C_NULL, C_NULL))
        end
        found
    end
    for (level, text) in watch.messages
        level == 1 ? @info(text) : @warn(text)
    end
    watch.failure === nothing || throw(watch.failure)
    failure === nothing || throw(failure)
    return GC.@preserve(bytes, read_struct(pointer(bytes), vtemper_report_fields)), watch.stopped
end
