# Written by gen/generate.jl: change that, or the header, and run it again.

# Names of the library's kinds of models. `Model{:kind}` is the same for any kind.
const BernoulliMixture = Model{:bernoulli_mixture}
const DeepExponentialFamily = Model{:deep_exponential_family}
const FactorialMixture = Model{:factorial_mixture}
const GaussianMixture = Model{:gaussian_mixture}
const HiddenMarkov = Model{:hidden_markov}
const LDA = Model{:lda}
const SigmoidBeliefNetwork = Model{:sigmoid_belief_network}
const VariationalAutoencoder = Model{:variational_autoencoder}

export BernoulliMixture, DeepExponentialFamily, FactorialMixture, GaussianMixture, HiddenMarkov, LDA, SigmoidBeliefNetwork, VariationalAutoencoder

# The form of data that a kind is fitted to, known when code is compiled.
form_of(::Val{:bernoulli_mixture}) = VTEMPER_DENSE
form_of(::Val{:deep_exponential_family}) = VTEMPER_COUNTS
form_of(::Val{:factorial_mixture}) = VTEMPER_DENSE
form_of(::Val{:gaussian_mixture}) = VTEMPER_DENSE
form_of(::Val{:hidden_markov}) = VTEMPER_SEQUENCES
form_of(::Val{:lda}) = VTEMPER_COUNTS
form_of(::Val{:sigmoid_belief_network}) = VTEMPER_DENSE
form_of(::Val{:variational_autoencoder}) = VTEMPER_DENSE
