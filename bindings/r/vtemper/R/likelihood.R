# Likelihoods, and criteria derived from them: only if the library computes a likelihood, not a bound on one.

# Sums of what predict gives for each row, and the free parameters of the model that they belong to.
likelihoods <- list(
  gaussian_mixture = list(quantity = "log_density", free = function(fit) {
    size <- dim(coef(fit, "mean"))
    # weights that sum to 1, means, and symmetric covariances, each once
    size[1] - 1 + size[1] * (size[2] + size[2] * (size[2] + 1) / 2)
  }),
  hidden_markov = list(quantity = "log_likelihood", free = function(fit) {
    states <- dimensions(fit)$components
    # probabilities that sum to 1: of the first state, from each state, of the symbols of each state
    states - 1 + states * (states - 1) + states * (dimensions(fit)$columns - 1)
  }))

logLik.vt_model <- function(object, newdata = NULL, ..., documents = "rows", fractions = FALSE) {
  of_kind <- likelihoods[[object$kind]]
  if (is.null(of_kind)) {
    refuse("a fit of ", object$kind, " has no likelihood that can be computed, and so no logLik, AIC or BIC; ",
           "vt_evaluate(fit, measure = \"elbo\") is the evidence lower bound of these rows, and vt_evaluate(fit, newdata) scores rows ",
           "that were held out")
  }
  data <- data_for(object, newdata, data_arguments(list(...)), documents = documents, fractions = fractions)
  values <- inferred(object, data, of_kind$quantity, evaluate_options(list(...)))
  structure(sum(values), df = of_kind$free(object), nobs = observations(data), class = "logLik")
}

# Rows that were fitted, of sequences their symbols.
nobs.vt_model <- function(object, ...) {
  nothing_else(...)
  if (!isTRUE(object$nobs >= 0)) refuse("the fit does not know how many rows it was fitted to: it was read from a model file, or fed")
  object$nobs
}
