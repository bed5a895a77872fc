# Methods for functions of other packages, if those are loaded. Julia 1.9 and newer load ext/ by themselves
# (Project.toml); in older versions this package watches for them.

"Columns of a table by name, or nothing where it is no table; set by the extension for the package Tables."
const read_table = Ref{Any}(X -> nothing)

const extensions = Dict("82ae8749-77ed-4fe6-ae5f-f523153014b0" => :StatsAPI, "bd369af6-aec1-5ad0-b16a-f7cc5008161c" => :Tables)

function watch_for_packages()
    isdefined(Base, :get_extension) && return nothing
    ccall(:jl_generating_output, Cint, ()) == 1 && return nothing  # another package is being compiled
    foreach(extend, collect(keys(Base.loaded_modules)))
    push!(Base.package_callbacks, extend)
    return nothing
end

"Loads the extension that goes with a package that was loaded."
function extend(package::Base.PkgId)
    name = get(extensions, string(package.uuid), nothing)
    (name === nothing || isdefined(VTemper, name)) && return nothing
    Core.eval(VTemper, :(const $name = $(Base.loaded_modules[package])))
    Base.include(VTemper, joinpath(@__DIR__, "..", "ext", "VTemper$(name)Ext.jl"))
    return nothing
end
