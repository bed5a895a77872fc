# Tables of any package that follows Tables.jl: their rows are the observations, their columns the variables.
module VTemperTablesExt

if isdefined(Base, :get_extension)
    using Tables: Tables
    using VTemper: VTemper
else
    using ..Tables: Tables
    using ..VTemper: VTemper
end

function columns_of(X)
    Tables.istable(X) || return nothing
    columns = Tables.columns(X)
    names = Tables.columnnames(columns)
    return [string(name) for name in names], AbstractVector[Tables.getcolumn(columns, name) for name in names]
end

__init__() = VTemper.read_table[] = columns_of

end
