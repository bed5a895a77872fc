# Written by tools/generate.R: run it again after the library has learned a kind.

vt_lda <- fit_verb("lda")
vt_bernoulli_mixture <- fit_verb("bernoulli_mixture")
vt_deep_exponential_family <- fit_verb("deep_exponential_family")
vt_factorial_mixture <- fit_verb("factorial_mixture")
vt_gaussian_mixture <- fit_verb("gaussian_mixture")
vt_hidden_markov <- fit_verb("hidden_markov")
vt_sigmoid_belief_network <- fit_verb("sigmoid_belief_network")
vt_variational_autoencoder <- fit_verb("variational_autoencoder")
