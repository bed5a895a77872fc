# Written by gen/generate.jl: change that, or the header, and run it again.

# Names of the library's kinds of models. `Model{:kind}` is the same for any kind.
const DeepExponentialFamily = Model{:deep_exponential_family}
const FactorialMixture = Model{:factorial_mixture}
const GaussianMixture = Model{:gaussian_mixture}
const HiddenMarkov = Model{:hidden_markov}
const LDA = Model{:lda}
const SigmoidBeliefNetwork = Model{:sigmoid_belief_network}
const VariationalAutoencoder = Model{:variational_autoencoder}

export DeepExponentialFamily, FactorialMixture, GaussianMixture, HiddenMarkov, LDA, SigmoidBeliefNetwork, VariationalAutoencoder
