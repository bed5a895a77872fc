# Lines and points of a picture: type and coordinates of each, as the graphics engine was told.
drawn <- function(picture) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  grDevices::dev.control("enable")
  force(picture)
  calls <- lapply(grDevices::recordPlot()[[1]], function(call) as.list(call[[2]]))
  calls <- Filter(function(call) identical(call[[1]]$name, "C_plotXY"), calls)
  lapply(calls, function(call) list(x = call[[2]]$x, y = call[[2]]$y, type = call[[3]]))
}

test_that("pictures are drawn", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  fit <- small_fit()
  plot(fit)
  plot(vt_lda(corpus(), 4, method = "vi", max_passes = 5))
  plot(fit, "words", n = 5)
  plot(fit, "words", rank = "relevance") # logarithms, as dots
  plot(fit, "lambda")
  plot(fit, "alpha")
  plot(vt_search_k(corpus(), c(2, 3), max_passes = 1, seed = 1))
  grDevices::dev.off()
  expect_gt(file.size(file), 5000)
})

test_that("the user's graphical parameters go over ours", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  fit <- small_fit()
  mixture <- vt_gaussian_mixture(iris[1:4], 3, seed = 1)
  expect_error(plot(fit, col = "red", xlab = "x", main = "mine", lwd = 1), NA)
  expect_error(plot(fit, "words", col = "red"), NA)
  expect_error(plot(fit, "topics", col = c("white", "red")), NA)
  expect_error(plot(fit, "alpha", col = "red"), NA)
  expect_error(plot(mixture, "components", newdata = iris[1:4], col = "red", columns = 3:4), NA)
  expect_error(plot(vt_search_k(corpus(), c(2, 3), max_passes = 1, seed = 1), ylab = "y", pch = 3), NA)
  expect_error(plot(mixture, "components", newdata = iris[1:4], columns = c(1, 9)), "two of the 4 columns")
})

test_that("a minibatch's objective is drawn as points with a running mean, that of all rows as a line", {
  fit <- small_fit(topic_posterior = "dirichlet", elbo_every = 2, report_every = 1)
  parts <- drawn(plot(fit))
  expect_identical(parts[[1]]$type, "p")
  expect_identical(parts[[2]]$type, "l")
  expect_lt(stats::sd(diff(parts[[2]]$y)), stats::sd(diff(parts[[1]]$y)))
  exact <- drawn(plot(vt_lda(corpus(), 4, method = "vi", max_passes = 30, report_every = 5, seed = 1)))
  expect_identical(exact[[1]]$type, "o")
})

test_that("no line breaks at a missing value", {
  fit <- vt_gaussian_mixture(iris[1:4], 3, seed = 1, temperature_start = 3, report_every = 1, elbo_every = 3)
  expect_true(anyNA(vt_trace(fit)$elbo))
  parts <- drawn(plot(fit))
  expect_gt(length(parts), 2) # objective, bound, temperature
  for (part in parts) expect_true(all(is.finite(part$y)))
})

test_that("of a wide parameter the columns that say most are shown", {
  values <- matrix(0.001, 3, 5000)
  values[cbind(1:3, c(4000, 17, 900))] <- 0.5
  expect_identical(head(vtemper:::leading_columns(values, 40), 1), 4000L)
  expect_true(all(c(17, 900) %in% vtemper:::leading_columns(values, 40)))
  expect_lte(length(vtemper:::leading_columns(values[rep(1:3, 30), ], 40)), 40)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(ncol(plot(small_fit(), "topics", n = 8)), 8L)
})

test_that("labels beside near points keep away from each other", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  graphics::plot(0:1, 0:1)
  places <- vtemper:::free_places(cbind(c(0.5, 0.505, 0.51), 0.5))
  expect_gt(min(stats::dist(places)), 0.02)
})
