test_that("what has no likelihood has no logLik, AIC or BIC, and says what there is", {
  fit <- vt_lda(corpus(), 4, method = "vi", max_passes = 3, seed = 2)
  for (criterion in list(logLik, AIC, BIC)) {
    expect_error(criterion(fit), "lda has no likelihood .* lower bound", class = "vtemper_error_argument")
  }
  expect_true(is.finite(vt_evaluate(fit, measure = "elbo")))
})

test_that("a mixture's likelihood is its density of the rows, and free parameters are counted once", {
  fit <- vt_gaussian_mixture(iris[1:4], 3, seed = 1)
  likelihood <- logLik(fit)
  expect_equal(as.numeric(likelihood), sum(predict(fit, type = "log_density")))
  expect_equal(as.numeric(likelihood), 150 * vt_evaluate(fit))
  expect_identical(attr(likelihood, "df"), 2 + 12 + 30) # weights, means, symmetric covariances
  expect_identical(attr(likelihood, "nobs"), 150)
  expect_equal(BIC(fit), -2 * as.numeric(likelihood) + 44 * log(150))
  expect_lt(logLik(fit, iris[1:50, 1:4]), likelihood + 1e9)
  expect_identical(attr(logLik(fit, iris[1:50, 1:4]), "nobs"), 50)
})

test_that("a hidden Markov model's likelihood is that of its sequences", {
  sequences <- rep(list(c("a", "b", "a", "c"), c("b", "c", "b")), 10)
  fit <- vt_hidden_markov(sequences, 2, seed = 1)
  likelihood <- logLik(fit)
  expect_equal(as.numeric(likelihood), sum(predict(fit, type = "log_likelihood")))
  expect_equal(as.numeric(likelihood), 70 * vt_evaluate(fit))
  expect_identical(attr(likelihood, "df"), 1 + 2 + 2 * 2)
  expect_identical(attr(likelihood, "nobs"), 70) # symbols
  expect_true(is.finite(AIC(fit)))
})

test_that("the number of observations is kept, and not made up", {
  fit <- small_fit()
  expect_identical(nobs(fit), 80)
  expect_identical(nobs(unserialize(serialize(fit, NULL))), 80)
  expect_error(nobs(vt_unserialize(vt_serialize(fit))), "does not know")
})
