test_that("the verbs of topic models agree with each other", {
  x <- corpus()
  fit <- vt_lda(x, 4, method = "vi", max_passes = 30, seed = 2)
  shares <- predict(fit)
  expect_identical(dim(shares), c(80L, 4L))
  expect_identical(rownames(shares), rownames(x))
  expect_equal(unname(rowSums(shares)), rep(1, 80), tolerance = 1e-6)
  expect_identical(topics(fit), structure(max.col(shares), names = rownames(x)))
  expect_identical(dim(topics(fit, 2)), c(2L, 80L))
  expect_identical(unname(topics(fit, 2)[1, ]), unname(topics(fit)))
  means <- coef(fit, "topics")
  expect_identical(unname(terms(fit, 3)[, 2]), names(sort(means[2, ], decreasing = TRUE))[1:3])
  expect_identical(posterior(fit)$terms, means)
  expect_equal(perplexity(fit, seed = 4), exp(-vt_evaluate(fit, seed = 4)))
  expect_error(predict(fit, type = "nothing"), "proportions", class = "vtemper_error_argument")
  expect_error(terms(fit, 3, rank = "fame"), "relevance", class = "vtemper_error")
  expect_output(print(fit), "4 topics, 40 columns")
  expect_output(print(summary(fit)), "Top words")
  expect_true(all(diff(vt_trace(fit)$iteration) > 0))
  expect_true("steps_total" %in% names(vt_quantities(fit)))
})

test_that("new data is aligned by names", {
  x <- corpus()
  fit <- small_fit(x)
  turned <- cbind(x[, 40:1], unheard = 1)
  expect_message(shares <- predict(fit, turned), "80 tokens")
  expect_equal(shares, predict(fit, x))
  expect_error(predict(fit, matrix(1, 2, 7)), "7 columns, the model 40", class = "vtemper_error_data")
  mixture <- vt_gaussian_mixture(iris[1:4], 3, seed = 1)
  expect_identical(predict(mixture, iris[5:1]), predict(mixture)) # other columns are left out
  expect_identical(predict(mixture, t(iris[4:1]), documents = "columns"), predict(mixture))
  expect_error(predict(mixture, iris[2:5]), "Sepal.Length", class = "vtemper_error_data")
  expect_error(predict(mixture, vt_data(iris[4:1], form = "dense")), "matched by name", class = "vtemper_error_data")
  states <- vt_hidden_markov(rep(list(c("a", "b", "a"), c("b", "c", "b")), 10), 2, seed = 1)
  expect_equal(predict(states, list(c("b", "c", "b")))[[1]], unname(predict(states)[[2]]))
  expect_error(predict(states, list(c("b", "x"))), "'x'", class = "vtemper_error_data")
})

test_that("columns carry the model's names, components do not", {
  sequences <- rep(list(c("a", "b", "a"), c("b", "c", "b")), 10)
  fit <- vt_hidden_markov(sequences, 3, seed = 1) # as many states as symbols
  expect_null(dimnames(coef(fit, "transition")))
  expect_identical(colnames(coef(fit, "emission")), c("a", "b", "c"))
  expect_identical(posterior(fit)$terms, coef(fit, "emission.mean"))
  mixture <- vt_gaussian_mixture(iris[1:4], 2, seed = 1)
  expect_identical(dimnames(coef(mixture, "covariance")), list(NULL, names(iris)[1:4], names(iris)[1:4]))
  expect_true(all(coef(small_fit(), "duplicate_of") %in% c(NA, 1:4)))
  expect_output(print(coef(mixture)), "covariance [2 x 4 x 4]", fixed = TRUE)
  expect_output(print(mixture), "2 components, 4 columns")
  for (described in list(vt_parameters(mixture), vt_parameters(small_fit()))) {
    expect_match(described$description[described$name == "duplicate_of"], "NA")
    expect_no_match(described$description, "-1( |$|\\.)")
  }
  bits <- 1 * (corpus() > 0)
  expect_output(print(vt_variational_autoencoder(bits, hidden = 5, max_passes = 1, seed = 1)), ": [0-9]+ latents?, 40 columns")
  expect_output(print(vt_sigmoid_belief_network(bits, max_passes = 1, seed = 1)), ": layers [0-9]+, 40 columns")
})

test_that("parameters can be set", {
  fit <- small_fit()
  value <- lambda(fit) + 1
  other <- vt_set(fit, "lambda", value)
  expect_equal(lambda(other), value, tolerance = 1e-6)
  expect_false(isTRUE(all.equal(lambda(fit), value)))
  expect_error(vt_set(fit, "topics", value), class = "vtemper_error_argument")
  expect_error(vt_set(fit, "lambda", t(value)), "lambda has the shape 4 x 40, the value 40 x 4", class = "vtemper_error_argument")
  expect_error(vt_set(fit, "lambda", as.vector(value)), "the value 160")
  expect_error(vt_set(fit, "alpha", factor(1:4)), "from numbers, not from an object of class factor")
  expect_error(vt_set(fit, "lamda", value), "lambda")
  expect_identical(coef(vt_set(fit, "alpha", 1:4), "alpha"), c(1, 2, 3, 4))
})

test_that("the map of topics is classical scaling of Jensen-Shannon distances", {
  fit <- small_fit()
  phi <- coef(fit, "topics")
  entropy <- function(p) -sum(ifelse(p > 0, p * log(p), 0))
  topics <- seq_len(nrow(phi))
  divergence <- outer(topics, topics, Vectorize(function(i, j) {
    entropy((phi[i, ] + phi[j, ]) / 2) - (entropy(phi[i, ]) + entropy(phi[j, ])) / 2
  }))
  for (by in c("distance", "divergence")) {
    between <- if (by == "distance") sqrt(pmax(divergence, 0)) else divergence
    places <- vt_topic_map(fit, by)
    expect_identical(dimnames(places), list(paste("Topic", topics), c("x", "y")))
    # The same up to the signs of the axes.
    expect_equal(abs(unname(places)), abs(unname(stats::cmdscale(between, k = 2))), tolerance = 1e-5)
    expect_true(all(apply(places, 2, function(axis) axis[which.max(abs(axis))]) > 0))
  }
  expect_error(vt_topic_map(fit, "beauty"))
})

test_that("tables and JSON are well formed", {
  fit <- small_fit()
  json <- vt_ldavis_json(fit)
  expect_match(json, "^\\{\"mdsDat\": .*\"topic.order\": \\[[0-9,]+\\]\\}$")
  skip_if_not_installed("generics")
  expect_identical(nrow(generics::tidy(fit)), 160L)
  expect_identical(nrow(generics::augment(fit, corpus())), sum(corpus() > 0))
  expect_identical(nrow(generics::glance(fit)), 1L)
  skip_if_not_installed("jsonlite")
  read <- jsonlite::fromJSON(as.character(json))
  expect_named(read, c("mdsDat", "tinfo", "token.table", "R", "lambda.step", "plot.opts", "topic.order"))
  expect_equal(sum(read$mdsDat$Freq), 100, tolerance = 1e-4)
  expect_identical(unique(lengths(read$tinfo)), length(read$tinfo$Term))
})

test_that("a search over k scores every fit", {
  found <- vt_search_k(corpus(), c(2, 4), runs = 2, max_passes = 5, batch_size = 20, seed = 1)
  expect_identical(nrow(found), 4L)
  expect_true(all(is.finite(found$score)))
  skip_on_os("windows")
  forked <- vt_search_k(corpus(), c(2, 4), runs = 2, max_passes = 5, batch_size = 20, seed = 1, cores = 2)
  expect_identical(forked$score, found$score)
})

test_that("a search scores models and measures that draw nothing at random", {
  set.seed(1)
  points <- matrix(rnorm(120), 60)
  found <- vt_search_k(points, 1:2, "gaussian_mixture", max_passes = 3, seed = 1)
  expect_true(all(is.finite(found$score)))
  walks <- lapply(1:20, function(i) sample(3, 10, TRUE))
  expect_true(is.finite(vt_search_k(walks, 2, "hidden_markov", max_passes = 3, seed = 1)$score))
  for (measure in c("elbo", "coherence_npmi", "topic_diversity")) {
    expect_true(is.finite(vt_search_k(corpus(), 2, measure = measure, max_passes = 2, seed = 1)$score))
  }
  expect_error(vt_search_k(corpus(), 2, measure = "foo", max_passes = 2, seed = 1), "there is no measure \"foo\"")
  expect_error(vt_evaluate(small_fit(), corpus(), "foo", seed = 1), "there is no measure \"foo\"")
})

test_that("documents without words are predicted", {
  for (x in list(corpus(), unname(corpus()))) {
    fit <- small_fit(x)
    empty <- predict(fit, x[1, , drop = FALSE] * 0)
    expect_identical(unname(predict(fit, list(character()))), unname(empty))
    expect_identical(unname(predict(fit, list(NULL, NULL))), unname(rbind(empty, empty)))
    expect_identical(dim(predict(fit, list())), c(0L, 4L))
  }
})

test_that("a search that is empty or loses a process is refused", {
  x <- corpus()
  for (wrong in list(NA, integer(0), NULL)) expect_error(vt_search_k(x, wrong, seed = 1), "k must be the sizes to try")
  expect_error(vt_search_k(x), "argument k, are missing", class = "vtemper_error_argument")
  expect_error(vt_search_k(k = 2), "argument x, is missing", class = "vtemper_error_argument")
  expect_error(vt_search_k(x, 2, runs = 0, seed = 1), "runs must be a whole number from 1")
  skip_on_os("windows")
  killed <- function(i) if (i == 2) tools::pskill(Sys.getpid(), tools::SIGKILL) else data.frame(k = i)
  expect_error(vtemper:::search_rows(killed, data.frame(k = c(4, 8)), 2), "the process that fitted k = 8 was ended",
               class = "vtemper_error_state")
})
