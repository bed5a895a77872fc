"""The kinds of models that the library has, each an estimator.

Written by tools/generate.py: change that, or the header, and run it again.
"""

from .roles import Classes, Components, Latent, Mixture, Sequences, Topics, Words

__all__ = ["BernoulliMixture", "DeepExponentialFamily", "FactorialMixture", "GaussianMixture", "HiddenMarkov", "LDA", "SigmoidBeliefNetwork", "VariationalAutoencoder"]


class BernoulliMixture(Classes, kind="bernoulli_mixture"):
    """Mixture of Bernoulli columns: classes of rows of zeros and ones (latent class analysis)."""


class DeepExponentialFamily(Words, kind="deep_exponential_family"):
    """Deep exponential family: counts as sums of factors, each of which takes part any number of times."""


class FactorialMixture(Components, kind="factorial_mixture"):
    """Factorial mixture: rows as sums of components, each of which takes part or not."""


class GaussianMixture(Mixture, kind="gaussian_mixture"):
    """Mixture of Gaussians: clusters of dense rows."""


class HiddenMarkov(Sequences, kind="hidden_markov"):
    """Hidden Markov model: hidden states of sequences of symbols."""


class LDA(Topics, kind="lda"):
    """Latent Dirichlet allocation: topics of documents."""


class SigmoidBeliefNetwork(Latent, kind="sigmoid_belief_network"):
    """Sigmoid belief network: binary rows from layers of binary units, with an inference network."""


class VariationalAutoencoder(Latent, kind="variational_autoencoder"):
    """Variational autoencoder: rows from Gaussian latent variables and a decoding network, with an encoding network."""
