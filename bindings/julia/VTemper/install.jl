# julia bindings/julia/VTemper/install.jl: installs the package into the default environment of this Julia. The package
# stays in this folder. No network is used: nothing but Julia's standard library is needed.

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

try
    @eval using VTemper
    println("VTemper is installed; the library is ", VTemper.library())
catch failure
    println("VTemper is installed, but its library was not found: ", failure isa InitError ? sprint(showerror, failure.error) : failure)
end
