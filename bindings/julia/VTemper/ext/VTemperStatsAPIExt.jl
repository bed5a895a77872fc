# The verbs of StatsAPI for models of this package. Criteria such as `aic` are not among them: they need a maximum of a
# likelihood, and what a variational fit maximises is a bound of it.
module VTemperStatsAPIExt

if isdefined(Base, :get_extension)
    using StatsAPI: StatsAPI
    using VTemper: VTemper, Model
else
    using ..StatsAPI: StatsAPI
    using ..VTemper: VTemper, Model
end

StatsAPI.fit(type::Type{<:Model}, X; keywords...) = VTemper.fit(type, X; keywords...)
StatsAPI.fit!(model::Model; keywords...) = VTemper.fit!(model; keywords...)
StatsAPI.fit!(model::Model, X; keywords...) = VTemper.fit!(model, X; keywords...)
StatsAPI.predict(model::Model, X; keywords...) = VTemper.predict(model, X; keywords...)
StatsAPI.predict(model::Model, X, quantity; keywords...) = VTemper.predict(model, X, quantity; keywords...)
StatsAPI.loglikelihood(model::Model, X; keywords...) = VTemper.loglikelihood(model, X; keywords...)
StatsAPI.isfitted(model::Model) = VTemper.initialized(model)
StatsAPI.nobs(model::Model) = VTemper.nobs(model)

end
