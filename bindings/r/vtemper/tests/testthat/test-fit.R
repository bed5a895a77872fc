test_that("set.seed governs, a given seed overrides", {
  set.seed(5)
  first <- small_fit(seed = NULL)
  set.seed(5)
  expect_identical(lambda(small_fit(seed = NULL)), lambda(first))
  expect_false(identical(lambda(small_fit(seed = NULL)), lambda(first)))
  expect_identical(lambda(small_fit(seed = first$seed)), lambda(first))
  expect_error(small_fit(seed = -1), class = "vtemper_error_argument")
})

test_that("options come from the library and wrong ones are refused by name", {
  expect_error(vt_lda(corpus(), 4, metod = "vi"), "metod", class = "vtemper_error_option")
  expect_error(vt_lda(corpus(), 4, topicz = 3), "did you mean topics", class = "vtemper_error_option")
  expect_error(vt_lda(corpus(), 4, monitor = 3), "function", class = "vtemper_error_argument")
  expect_error(vt_lda(), "missing", class = "vtemper_error_argument")
  expect_identical(lambda(vt_fit(corpus(), k = 4, max_iterations = 40, batch_size = 20, seed = 3)), lambda(small_fit()))
  expect_error(vt_lda(corpus(), 4, max_passes = -1), class = "vtemper_error_option")
  expect_error(vt_lda(corpus(), 4, alpha = NA_real_), class = "vtemper_error")
  expect_error(vt_fit(corpus(), "lad"), "lda", class = "vtemper_error_argument")
  expect_error(vt_lda(corpus(), 4, topics = 4), "twice", class = "vtemper_error_argument")
  table <- vt_options("lda")
  expect_true(all(c("topics", "alpha", "eta") %in% table$name))
  expect_output(print(table), "topics = ")
  eta <- matrix(seq(0.01, 1, length.out = 160), 4, dimnames = list(NULL, paste0("word", 1:40)))
  expect_equal(coef(vt_lda(corpus(), 4, eta = eta, max_iterations = 1), "eta"), eta, tolerance = 1e-6)
})

test_that("threads do not change bits, and two are the most unless asked", {
  expect_identical(lambda(small_fit(threads = 1)), lambda(small_fit(threads = 2)))
  expect_lte(vtemper:::default_threads(), 2)
})

test_that("update goes on bit for bit and leaves the old fit alone", {
  whole <- small_fit()
  part <- vt_lda(corpus(), 4, max_iterations = 40, batch_size = 20, report_every = 1, seed = 3,
                 monitor = function(report) report$iteration < 10)
  expect_identical(part$report$iteration, 10)
  before <- lambda(part)
  expect_identical(lambda(update(part)), lambda(whole))
  expect_identical(lambda(part), before)
  expect_identical(steps_of(update(whole, passes = 1)), 44)
  again <- update(whole, method = "vi", max_passes = 3)
  expect_identical(steps_of(again), 3)
})

test_that("a monitor sees reports and the fit, and its failure is an error", {
  seen <- numeric()
  fit <- small_fit(report_every = 10, monitor = function(report, fit) {
    seen <<- c(seen, report$iteration)
    expect_s3_class(fit, "vt_lda")
    expect_error(vtemper:::run_fit(fit), "running", class = "vtemper_error_state") # nothing but reading while it runs
    expect_identical(steps_of(update(fit, steps = 1)), report$iteration + 1) # a fit of its own
    expect_type(perplexity(fit, corpus(5)), "double")
  })
  expect_true(all(c(10, 20, 30, 40) %in% seen))
  expect_error(small_fit(report_every = 1, monitor = function(report) stop("mine")), "mine")
  caught <- tryCatch(small_fit(report_every = 1, monitor = function(report) stop(structure(
    class = c("own", "error", "condition"), list(message = "m", call = NULL)))), own = function(condition) "own")
  expect_identical(caught, "own")
  expect_message(small_fit(report_every = 40, monitor = function(report) message("here")), "here")
  expect_identical(lambda(small_fit(report_every = 10, monitor = identity)), lambda(small_fit(report_every = 10)))
  # The fit so far is kept.
  expect_error(small_fit(report_every = 1, monitor = function(report) if (report$iteration == 3) stop("no disk")), "no disk")
  expect_identical(vt_trace(vt_last())$iteration, c(1, 2, 3))
  expect_identical(lambda(update(vt_last())), lambda(small_fit(report_every = 1)))
  # A jump that is no error.
  jumped <- withRestarts(small_fit(report_every = 1, monitor = function(report) invokeRestart("away", 7)), away = identity)
  expect_identical(jumped, 7)
})

test_that("an interrupt ends a step within 0.3 seconds and leaves the fit whole", {
  skip_on_os("windows")
  x <- corpus(2000)
  begun <- NULL
  system(sprintf("(sleep 0.7; kill -INT %d) >/dev/null 2>&1 &", Sys.getpid()))
  start <- proc.time()[["elapsed"]]
  caught <- tryCatch(vt_lda(x, 50, method = "svi", batch_size = 1000, local_tolerance = 0, local_iterations = 20000,
                            max_passes = 1000, seed = 1), interrupt = function(condition) condition)
  delay <- proc.time()[["elapsed"]] - start - 0.7
  expect_s3_class(caught, "vtemper_interrupt")
  # 0.3 seconds; test machines are busy, so ten times as much fails the test.
  expect_lt(delay, 3)
  message(sprintf("the interrupt took %.2f s", delay))
  done <- caught$fit
  expect_s3_class(done, "vt_lda")
  expect_true(all(is.finite(lambda(done))))
})

test_that("time limits end a fit as errors", {
  on.exit(setTimeLimit())
  expect_error({
    setTimeLimit(elapsed = 0.5, transient = TRUE)
    vt_lda(corpus(), 4, method = "svi", local_tolerance = 0, local_iterations = 20000, max_passes = 1e6)
  }, "time limit")
})

test_that("fits run in forked processes", {
  skip_on_os("windows")
  expected <- lambda(small_fit(threads = 2)) # threads have run in this process
  forked <- parallel::mclapply(1:2, function(i) small_fit(threads = 2), mc.cores = 2)
  for (fit in forked) expect_identical(lambda(fit), expected)
})

test_that("batches from a function are fed", {
  x <- corpus()
  batches <- list(x[1:40, ], x[41:80, ], NULL)
  i <- 0
  fit <- vt_lda(function() batches[[i <<- i + 1]], 4, rows_total = 80, seed = 1)
  expect_identical(steps_of(fit), 2)
  expect_identical(dim(lambda(fit)), c(4L, 40L))
  expect_error(vt_lda(function() NULL, 4, rows_total = 80), class = "vtemper_error_data")
})

test_that("a stream that ends hot is told", {
  x <- corpus()
  stream <- function(...) {
    i <- 0
    vt_lda(function() if (i < 2) x[40 * (i <<- i + 1) - 0:39, ], 4, seed = 1, ...)
  }
  expect_warning(stream(rows_total = 1000), "the fit is hot: T = .* after 2 steps")
  expect_warning(stream(rows_total = 1000, monitor = function(report) FALSE), "the fit is hot: T = .* after 1 step")
  expect_warning(stream(rows_total = 80), NA)
})

test_that("weights count rows several times", {
  x <- corpus(10)
  twice <- vt_lda(x[rep(1:10, each = 2), ], 3, method = "vi", max_passes = 3, seed = 1, precision = "double")
  weighted <- vt_lda(x, 3, method = "vi", max_passes = 3, seed = 1, precision = "double", weights = rep(2, 10))
  expect_equal(twice$report$iteration, weighted$report$iteration)
  expect_error(vt_lda(x, 3, weights = -1), class = "vtemper_error")
})

test_that("a fit by time ends cold, and one that ends hot or unconverged says so", {
  timed <- vt_lda(corpus(), 4, time = 0.5, temperature_start = 4, batch_size = 20, seed = 3)
  expect_identical(timed$report$ending, "time")
  expect_identical(timed$report$temperature, 1)
  expect_true(timed$report$settled)
  expect_false(any(grepl("Warning", capture.output(print(timed)))))
  expect_message(vt_lda(corpus(), 4, time = 0.5, batch_size = 20, report_every = 1, seed = 3, progress = TRUE), "s left")
  expect_error(vt_lda(corpus(), 4, time = 1, max_passes = 2), "max_passes", class = "vtemper_error_option")
  expect_warning(hot <- small_fit(temperature_start = 4, temperature_steps = 100), "the fit is hot: T = ")
  expect_identical(hot$report$ending, "length")
  expect_false(hot$report$settled)
  expect_output(print(hot), "Warning: the fit is hot: T = ")
  file <- tempfile(fileext = ".model")
  vt_save(hot, file)
  expect_output(print(vt_load(file)), "Warning: the fit is hot: T = ")
  unlink(file)
  expect_message(part <- vt_lda(corpus(), 4, method = "vi", max_iterations = 2, seed = 3), "has not converged")
  expect_output(print(part), "has not converged")
})

test_that("a fit tells the values in use of its options, which give the same fit again", {
  counts <- matrix(rpois(300, 1), 30)
  fit <- vt_fit(counts, "lda", topics = 2, batch_size = 10, max_iterations = 5, seed = 4)
  options <- vt_options(fit)
  expect_identical(names(options), c("subject", "name", "set", "used"))
  alpha <- options[options$name == "alpha", ]
  expect_identical(c(alpha$subject, alpha$set, alpha$used), c("lda", "auto", "0.5"))
  expect_identical(options$used[options$name == "method"], "annealing")
  expect_false(any(options$used == "auto"))
  values <- structure(as.list(options$used), names = options$name)
  values$seed <- 4
  again <- do.call(vt_fit, c(list(counts, "lda"), values))
  expect_identical(coef(again, "lambda"), coef(fit, "lambda"))
})
