# julia bindings/julia/VTemper/install.jl: installs the package into the default environment of this Julia. The package
# stays in this folder. No network is used: nothing but Julia's standard library is needed.
#
# Julia of Debian 11 on a newer Debian ends with a segmentation fault at the first exception, since libunwind has changed
# under it. That is tried in another process before anything here can throw, and mended by ../working_julia.sh, which makes a
# Julia with the libraries of its time (it then needs apt's source of Debian 11).

const thrown = `$(Base.julia_cmd()) --startup-file=no -e 'f(x) = error("x"); try f(1) catch end'`
const script = joinpath(@__DIR__, "..", "working_julia.sh")
const this_file = @__FILE__
const launcher = joinpath(@__DIR__, "..", "..", "..", "build", "julia", "bin", "julia")

if !success(run(pipeline(ignorestatus(thrown); stdout = devnull, stderr = devnull)))
    println("This Julia ($(joinpath(Sys.BINDIR, "julia")), $VERSION) ends at the first exception: its libunwind is not the one that it was built with.")
    flush(stdout)
    if isfile(script) && success(run(ignorestatus(`sh $script`))) && isfile(launcher)
        println("Start Julia by $(normpath(launcher)) from now on, which gives it the right one. The installation goes on with it.")
        flush(stdout)
        exit(run(ignorestatus(`$launcher --startup-file=no $this_file`)).exitcode)
    end
    println("Nothing was installed. A Julia from julialang.org brings its own libunwind.")
    exit(1)
end

using Pkg

# Pkg wants a registry of packages, which it would fetch; an empty one will do.
mktempdir() do depot
    if !any(isdir(joinpath(folder, "registries")) && !isempty(readdir(joinpath(folder, "registries"))) for folder in DEPOT_PATH)
        folder = mkpath(joinpath(depot, "registries", "Empty"))
        write(joinpath(folder, "Registry.toml"),
              "name = \"Empty\"\nuuid = \"5c8b1f8e-6a0e-4a2e-9d0a-3f0f5b7c6d11\"\nrepo = \"\"\ndescription = \"\"\n[packages]\n")
        push!(DEPOT_PATH, depot)
    end
    Pkg.develop(PackageSpec(path = @__DIR__))
    filter!(!=(depot), DEPOT_PATH)
end

using VTemper

try
    println("VTemper is installed; the library is ", VTemper.library())
catch failure
    println("VTemper is installed, but its library was not found: ", sprint(showerror, failure))
end
