# verbs.jl LIST: each line of the list names a function of the package and arguments that it takes.
using VTemper, VTemper.Verbs

const known = Set(Symbol(row.name) for subject in [kinds(); :optimizer; :evaluate] for row in options(subject))
const of_data = Set(name for method in [collect(methods(Data)); collect(methods(VTemper.complete))] for name in Base.kwarg_decl(method))

"Names that a function takes, and whether it takes names of others as well."
function taken(verb)
    positions, keywords = Symbol[], Symbol[]
    for method in methods(verb)
        occursin("VTemper", string(method.module)) || verb isa Type || continue
        append!(positions, Base.method_argnames(method)[2:end])
        append!(keywords, Base.kwarg_decl(method))
    end
    return positions, keywords
end

wrong = String[]
for line in eachline(ARGS[1])
    name, arguments = Iterators.peel(split(line))
    if !isdefined(Main, Symbol(name))
        push!(wrong, "there is no $name")
        continue
    end
    positions, keywords = taken(getfield(Main, Symbol(name)))
    isempty(positions) && push!(wrong, "$name is not the package's own")
    others = any(keyword -> endswith(string(keyword), "..."), keywords)
    for argument in Symbol.(arguments)
        argument in positions || argument in keywords || isdefined(VTemper, argument) && getfield(VTemper, argument) isa Type ||
            others && (argument in known || argument in of_data || argument == :k) || push!(wrong, "$name has no argument $argument")
    end
end
foreach(println, wrong)
exit(isempty(wrong) ? 0 : 1)
