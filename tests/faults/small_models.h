/* Small models of every kind, for tests in which every allocation fails in turn. */
#ifndef VTEMPER_TESTS_SMALL_MODELS_H
#define VTEMPER_TESTS_SMALL_MODELS_H

/** A kind, an option of it and its value; a kind without a line has its default options. */
static const char* const small_models[][3] = {
    {"lda", "topics", "3"},
    {"gaussian_mixture", "components", "3"},
    {"bernoulli_mixture", "components", "3"},
    {"hidden_markov", "states", "3"},
    {"factorial_mixture", "components", "3"},
    {"sigmoid_belief_network", "layers", "3,2"},
    {"variational_autoencoder", "hidden", "4"},
    {"deep_exponential_family", "latent", "2"},
};
enum { SMALL_MODELS = sizeof small_models / sizeof *small_models };

#endif
