test_that("a kind the library does not have is refused by its name", {
  for (kind in c("gaussian_mixture", "hidden_markov", "factorial_mixture")) {
    verb <- get(paste0("vt_", kind))
    if (!has_kind(kind)) expect_error(verb(matrix(0, 3, 2), 2), kind, class = "vtemper_error_argument")
  }
  expect_true(all(paste0("vt_", vt_kinds()$kind) %in% getNamespaceExports("vtemper")))
})

test_that("every kind is fitted, read, scored and saved alike", {
  # Zeros and ones, which all kinds can take.
  patterns <- cbind(rep(c(0.9, 0.1), 3), rep(c(0.1, 0.9), 3))
  set.seed(4)
  points <- matrix(rbinom(60 * 6, 1, patterns[, rep(1:2, 30)]), ncol = 6, byrow = TRUE)
  sequences <- lapply(1:30, function(i) sample(if (i %% 2) 1:3 else 3:5, 12, TRUE))
  for (i in seq_len(nrow(vt_kinds()))) {
    kind <- vt_kinds()$kind[i]
    x <- if (vt_kinds()$form[i] == "sequences") sequences else points
    verb <- get(paste0("vt_", kind))
    fit <- verb(x, 2, seed = 5, max_passes = 5)
    expect_s3_class(fit, c(paste0("vt_", kind), "vt_model"), exact = TRUE)
    expect_output(print(summary(fit)), "Parameters")
    expect_identical(coef(verb(x, 2, seed = 5, max_passes = 5)), coef(fit), info = kind)
    expect_identical(coef(unserialize(serialize(fit, NULL))), coef(fit), info = kind)
    expect_equal(if (is.list(predict(fit))) length(predict(fit)) else NROW(predict(fit)), NROW(x), info = kind)
    expect_true(is.finite(vt_evaluate(fit, measure = "elbo")), info = kind)
    expect_identical(nobs(fit), as.numeric(if (is.list(x)) 30 * 12 else 60), info = kind)
    expect_setequal(names(vtemper:::column_dimensions(fit)), names(coef(fit)))
    part <- verb(x, 2, seed = 5, max_passes = 5, report_every = 1, monitor = function(report) report$iteration < 2)
    expect_identical(coef(update(part)), coef(fit), info = kind)
  }
})

test_that("Gaussian mixtures find clusters", {
  skip_if_not(has_kind("gaussian_mixture"))
  set.seed(1)
  x <- rbind(matrix(rnorm(100, -4), 50), matrix(rnorm(100, 4), 50))
  colnames(x) <- c("a", "b")
  fit <- vt_gaussian_mixture(x, 2, method = "vi", seed = 1)
  expect_identical(dim(coef(fit, "mean")), c(2L, 2L))
  expect_identical(colnames(coef(fit, "mean")), c("a", "b"))
  shares <- predict(fit)
  expect_equal(unname(rowSums(shares)), rep(1, 100), tolerance = 1e-6)
  expect_length(unique(topics(fit)[1:50]), 1)
  expect_false(topics(fit)[[1]] == topics(fit)[[100]])
  expect_identical(predict(fit, as.data.frame(x)), shares)
  expect_identical(coef(vt_gaussian_mixture(t(x), 2, method = "vi", seed = 1, documents = "columns"), "mean"), coef(fit, "mean"))
  expect_length(predict(fit, type = "log_density"), 100)
  holes <- x[c(1, 99, 50), ]
  holes[1, 2] <- holes[2, 1] <- NA
  completed <- predict(fit, holes, type = "completed")
  expect_identical(dimnames(completed), list(NULL, c("a", "b")))
  expect_identical(completed[!is.na(holes)], holes[!is.na(holes)])
  expect_equal(completed[is.na(holes)], c(4, -4), tolerance = 0.3)
  expect_error(terms(fit), class = "vtemper_error_unsupported")
  grDevices::pdf(NULL)
  plot(fit, "components", newdata = x)
  plot(fit)
  grDevices::dev.off()
  expect_identical(coef(unserialize(serialize(fit, NULL))), coef(fit))
  saved <- coef(fit)
  for (name in names(saved)) {
    shape <- vt_parameters(fit)$shape[vt_parameters(fit)$name == name]
    actual <- if (is.null(dim(saved[[name]]))) length(saved[[name]]) else dim(saved[[name]])
    if (nzchar(shape)) expect_identical(paste(actual, collapse = " x "), shape)
  }
})

test_that("hidden Markov models take sequences", {
  skip_if_not(has_kind("hidden_markov"))
  sequences <- rep(list(c("a", "b", "a", "b", "a"), c("b", "a", "b"), c("c", "c", "c", "c")), 10)
  fit <- vt_hidden_markov(sequences, 3, seed = 1, max_passes = 20)
  expect_identical(dim(coef(fit, "transition")), c(3L, 3L))
  expect_identical(colnames(coef(fit, "emission")), c("a", "b", "c"))
  path <- predict(fit, type = "path")
  expect_identical(lengths(path), lengths(sequences))
  expect_true(all(unlist(path) %in% 1:3))
  expect_identical(vapply(predict(fit), nrow, 0L), lengths(sequences))
  expect_length(predict(fit, type = "log_likelihood"), 30)
  numbers <- lapply(sequences, function(one) match(one, c("a", "b", "c")))
  expect_identical(unname(coef(vt_hidden_markov(numbers, 3, seed = 1, max_passes = 20), "emission")), unname(coef(fit, "emission")))
  grDevices::pdf(NULL)
  plot(fit, "transition")
  plot(fit, "emission")
  grDevices::dev.off()
})

test_that("factorial mixtures take rows of numbers", {
  skip_if_not(has_kind("factorial_mixture"))
  set.seed(1)
  z <- matrix(rbinom(200, 1, 0.4), 100)
  x <- z %*% rbind(c(3, 0, 0, 3), c(0, 2, 2, 0)) + rnorm(400, sd = 0.1)
  fit <- vt_factorial_mixture(x, 2, seed = 1)
  expect_identical(dim(coef(fit, "mean")), c(2L, 4L))
  expect_identical(dim(predict(fit)), c(100L, 2L))
  grDevices::pdf(NULL)
  plot(fit, "mean")
  grDevices::dev.off()
})

test_that("sigmoid belief networks take rows of 0 and 1", {
  skip_if_not(has_kind("sigmoid_belief_network"))
  set.seed(3)
  x <- matrix(as.numeric(runif(300) < 0.4), 50)
  fit <- vt_sigmoid_belief_network(x, 3, method = "proximity", seed = 1, max_passes = 4)
  expect_identical(dim(predict(fit)), c(50L, 3L))
  expect_identical(dim(coef(fit, "model.weights.0")), c(3L, 6L))
  likelihood <- vt_evaluate(fit, x, "log_marginal", samples = 50)
  expect_gte(likelihood, vt_evaluate(fit, x, "elbo", samples = 50))
  expect_error(vt_sigmoid_belief_network(x + 1, 3, seed = 1), "accepts 0, 1", class = "vtemper_error_data")
})

test_that("variational autoencoders take rows of 0 and 1 or of numbers", {
  skip_if_not(has_kind("variational_autoencoder"))
  set.seed(3)
  x <- matrix(as.numeric(runif(300) < 0.4), 50)
  fit <- vt_variational_autoencoder(x, 3, hidden = 5, seed = 1, max_passes = 4)
  expect_identical(dim(predict(fit)), c(50L, 3L))
  expect_identical(dim(coef(fit, "decoder.weights.0")), c(3L, 5L))
  expect_lte(vt_evaluate(fit, x, "dead_units"), 1)
  expect_error(vt_variational_autoencoder(x + 1, 3, seed = 1), "accepts 0, 1", class = "vtemper_error_data")
  points <- vt_variational_autoencoder(x * 7 - 3, 2, hidden = 5, likelihood = "gaussian", seed = 1, max_passes = 4)
  expect_true(is.finite(vt_evaluate(points, x * 7 - 3, "log_marginal", samples = 50)))
})

test_that("deep exponential families take counts", {
  skip_if_not(has_kind("deep_exponential_family"))
  set.seed(4)
  x <- matrix(rpois(400, 1), 40)
  fit <- vt_deep_exponential_family(x, 3, method = "proximity", seed = 1, max_passes = 4)
  expect_identical(dim(predict(fit)), c(40L, 3L))
  expect_identical(dim(coef(fit, "factors")), c(3L, 10L))
  expect_gt(vt_evaluate(fit, x, "perplexity", heldout_share = 0.9), 1)
})
