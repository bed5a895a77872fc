# Fits that the processes of mpirun share, by the library libvtemper-mpi.

const mpi_library_name = "libvtemper-mpi.so.0"

"The open libvtemper-mpi; C_NULL before its first use."
const mpi_library_handle = Ref{Ptr{Cvoid}}(C_NULL)

"The file that the environment variable VTEMPER_MPI_LIBRARY names, the one beside libvtemper, or what the loader finds."
function open_mpi_library()
    mpi_library_handle[] == C_NULL || return mpi_library_handle[]
    library()  # libvtemper comes first: libvtemper-mpi uses it
    beside = joinpath(dirname(dlpath(library_handle[])), mpi_library_name)
    named = get(ENV, "VTEMPER_MPI_LIBRARY", "")
    name = !isempty(named) ? named : isfile(beside) ? beside : mpi_library_name
    handle = dlopen(name; throw_error = false)
    handle === nothing && error("the library $name cannot be loaded: install it (Debian: libvtemper-mpi0), or let the environment ",
                                "variable VTEMPER_MPI_LIBRARY name its file")
    return mpi_library_handle[] = handle
end

mpi_entry(name) = dlsym(open_mpi_library(), name)

function check_mpi(status::Cint)
    status == VTEMPER_OK && return nothing
    throw(exception_of(status, text_at(ccall(mpi_entry(:vtemper_mpi_last_error), Ptr{UInt8}, ()))))
end

"""
    VTemper.Group(comm = nothing)

The processes (ranks) started by `mpirun`, which fit one model together. `comm` is the Fortran handle of a communicator,
`MPI.API.MPI_Comm_c2f(comm)` of MPI.jl; without it the group has all ranks, and MPI.jl is not needed: the library libvtemper-mpi
initialises MPI if nothing has, and finalises it at the end of the process. A process that ends with an error ends all ranks.
`group.rank`, from 0, and `group.ranks` are the number of this process and the number of processes. A script for `mpirun -n 4 julia script.jl`:

    using VTemper, VTemper.Verbs
    group = VTemper.Group()
    corpus = spread("corpus.vtemper", group)    # each rank reads its share
    model = fit(LDA, corpus; k = 100, seed = 1)
    group.rank == 0 && save(model, "model.vtemper")
"""
mutable struct Group
    handle::Ptr{vtemper_group}
    comm::Int32
    rank::Int
    ranks::Int

    function Group(comm::Union{Nothing,Integer} = nothing)
        number = Ref{Int32}(comm === nothing ? 0 : comm)
        comm === nothing && check_mpi(ccall(mpi_entry(:vtemper_mpi_world), Cint, (Ptr{Int32},), number))
        entry = mpi_entry(:vtemper_mpi_group_f)
        return disable_sigint() do
            out = Ref{Ptr{vtemper_group}}(C_NULL)
            check_mpi(ccall(entry, Cint, (Int32, Ptr{Ptr{vtemper_group}}), number[], out))
            group = finalizer(release, new(out[], number[], 0, 1))
            rank, ranks = Ref{Int32}(), Ref{Int32}()
            check(vtemper_group_rank(group, rank, ranks))
            group.rank, group.ranks = rank[], ranks[]
            group
        end
    end
end

function release(group::Group)
    handle = group.handle
    group.handle = C_NULL
    handle == C_NULL || vtemper_group_destroy(handle)
    return nothing
end

Base.cconvert(::Type{Ptr{vtemper_group}}, group::Group) = group
Base.unsafe_convert(::Type{Ptr{vtemper_group}}, group::Group) = group.handle
Base.show(io::IO, group::Group) = print(io, "Group(rank ", group.rank, " of ", group.ranks, ")")

"""
    spread(X, group = VTemper.Group(); keywords...)
    spread(path, group = VTemper.Group(); format = "auto")

Data whose rows are divided over the ranks of a group; all ranks call it, and then `fit`, `step!` and `evaluate` on it, with the
same arguments. `X`, with the keywords of [`Data`](@ref), holds the observations of this rank. `path` names a file that all ranks can
read, of which each keeps its share; of a file written by `save(data, path)` or the command only that is read. With `%r` in the
path, which stands for the rank, from 0, each rank has a file of its own. `predict` gives the rank's own observations; the
fitted model is the same on all ranks.
"""
function spread(X, group::Group = Group(); keywords...)
    own = Data(X; keywords...)
    return created(handle -> Data(handle, own), out -> vtemper_data_spread(own, group, out), vtemper_data)
end

function spread(path::AbstractString, group::Group = Group(); format::AbstractString = "auto")
    entry = mpi_entry(:vtemper_mpi_read_f)
    return disable_sigint() do
        out = Ref{Ptr{vtemper_data}}(C_NULL)
        check_mpi(ccall(entry, Cint, (Cstring, Cstring, Int32, Ptr{Ptr{vtemper_data}}), path, format, group.comm, out))
        Data(out[], nothing)
    end
end
