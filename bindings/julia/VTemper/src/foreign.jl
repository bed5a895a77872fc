# How the library is called: arguments are converted and kept alive, the call itself is a region in which other threads
# may collect garbage, and structs are read by the offsets of their fields.

"A field of a C struct: its Julia type and its offset in bytes."
struct Field{T}
    offset::Int
end

"""
    @foreign(address, result, types, arguments...)

A `ccall` of an address during which other threads may collect garbage. Whatever the arguments are converted from is
kept alive; nothing is allocated between entering and leaving the region.
"""
macro foreign(address, result, types, arguments...)
    converted = [gensym(:converted) for _ in arguments]
    raw = [gensym(:raw) for _ in arguments]
    types_of = types.args
    entry, state, value = gensym(:entry), gensym(:state), gensym(:value)
    steps = Any[:($(raw[i]) = Base.unsafe_convert($(types_of[i]), $(converted[i]))) for i in eachindex(raw)]
    push!(steps, :($state = ccall(:jl_gc_safe_enter, Int8, ())))
    push!(steps, :($value = ccall($entry, $result, $types, $(raw...))))
    push!(steps, :(ccall(:jl_gc_safe_leave, Cvoid, (Int8,), $state)))
    push!(steps, value)
    conversions = [:($(converted[i]) = Base.cconvert($(types_of[i]), $(arguments[i]))) for i in eachindex(raw)]
    kept = isempty(converted) ? Expr(:block, steps...) : :(GC.@preserve $(converted...) $(Expr(:block, steps...)))
    return esc(Expr(:block, conversions..., :($entry = $address), kept))
end

"The same without the region: for finalizers."
macro foreign_now(address, result, types, arguments...)
    entry = gensym(:entry)
    return esc(:($entry = $address; ccall($entry, $result, $types, $(arguments...))))
end

"The text at a pointer, as a copy."
text_at(pointer) = pointer == C_NULL ? "" : unsafe_string(pointer)

presented(value) = value
presented(pointer::Ptr{UInt8}) = text_at(pointer)

read_field(address, field::Field{T}) where {T} = presented(unsafe_load(Ptr{T}(address + field.offset)))

"All fields but struct_size of the struct at an address, as a named tuple; text is copied."
read_struct(address::Ptr, fields::NamedTuple) =
    Base.structdiff(map(field -> read_field(address, field), fields), NamedTuple{(:struct_size,)})

"A buffer for a struct of so many bytes, its size written at its beginning."
function struct_buffer(size)
    bytes = zeros(UInt8, size)
    GC.@preserve bytes unsafe_store!(Ptr{Csize_t}(pointer(bytes)), size)
    return bytes
end

"What `call` writes into a struct, which is handed to it as a buffer."
function filled_struct(call, size, fields)
    bytes = struct_buffer(size)
    check(call(bytes))
    return GC.@preserve bytes read_struct(pointer(bytes), fields)
end
