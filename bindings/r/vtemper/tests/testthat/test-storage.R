test_that("saveRDS keeps a fit whole and it goes on bit for bit", {
  fit <- vt_lda(corpus(), 4, max_iterations = 40, batch_size = 20, report_every = 1, seed = 3,
                monitor = function(report) report$iteration < 10)
  file <- tempfile()
  saveRDS(fit, file)
  again <- readRDS(file)
  expect_identical(coef(again), coef(fit))
  expect_identical(predict(again, corpus(5)), predict(fit, corpus(5)))
  expect_output(print(again), "10 steps")
  expect_error(predict(again), "give it again", class = "vtemper_error")
  expect_error(vt_trace(again), "update", class = "vtemper_error")
  expect_identical(lambda(update(again, corpus())), lambda(small_fit()))
  # Saved again without having been used, and through bytes.
  expect_identical(coef(unserialize(serialize(readRDS(file), NULL))), coef(fit))
  expect_error(update(again, corpus(60)), class = "vtemper_error_data")
})

test_that("dead handles say so", {
  data <- vt_data(corpus())
  file <- tempfile()
  saveRDS(data, file)
  expect_error(dim(readRDS(file)), "dead", class = "vtemper_error_state")
  expect_error(small_fit(readRDS(file)), "dead", class = "vtemper_error_state")
  expect_output(print(list(readRDS(file))), "Data from a matrix, dead: .*make it again")
  fit <- small_fit()
  saveRDS(fit, file, version = 2) # a format without the state of handles
  expect_error(coef(readRDS(file)), "dead|no handle", class = "vtemper_error")
  broken <- fit
  broken$model <- raw(3)
  expect_error(coef(broken), class = "vtemper_error")
  broken$model <- data$handle
  expect_error(coef(broken), "no handle", class = "vtemper_error_argument")
  expect_error(coef(vt_unserialize(as.raw(1:50))), class = "vtemper_error_format")
})

test_that("model files and bytes are portable", {
  fit <- small_fit()
  file <- tempfile()
  vt_save(fit, file)
  loaded <- vt_load(file)
  expect_identical(coef(loaded), coef(fit))
  expect_identical(terms(loaded, 4), terms(fit, 4))
  expect_output(print(loaded), "model file")
  expect_output(print(vt_set(fit, "alpha", rep(1, 4))), "a parameter was set")
  expect_identical(vt_serialize(loaded), readBin(file, "raw", file.size(file)))
  expect_identical(coef(vt_unserialize(vt_serialize(fit))), coef(fit))
  expect_error(vt_load(tempfile()), class = "vtemper_error_io")
  expect_error(vt_load("DESCRIPTION"), class = "vtemper_error")
  warm <- update(loaded, corpus(), method = "vi", max_passes = 2)
  expect_identical(warm$report$iteration, 2)
})

test_that("handles may go in any order, whenever the collector comes", {
  x <- corpus(12)
  for (order in list(1:3, 3:1, c(2, 1, 3), c(2, 3, 1))) {
    data <- vt_data(x)
    fit <- vt_lda(data, 2, max_iterations = 2, seed = 1)
    parts <- list(data$handle, fit$model, fit$optimizer)
    rm(data, fit)
    for (i in order) {
      parts[i] <- list(NULL)
      gc()
    }
  }
  skip_if(Sys.getenv("VTEMPER_GCTORTURE") == "", "gctorture takes long; VTEMPER_GCTORTURE=1 asks for it")
  on.exit(gctorture2(0))
  gctorture2(as.integer(Sys.getenv("VTEMPER_GCTORTURE")))
  fit <- vt_lda(x, 2, max_iterations = 2, seed = 1, report_every = 1, monitor = function(report, fit) coef(fit, "alpha"))
  again <- unserialize(serialize(fit, NULL))
  predict(again, x[1:2, ])
  update(again, x, steps = 1)
  try(vt_lda(x, 2, nonsense = 1), silent = TRUE)
  try(vt_lda(x, 2, max_iterations = 2, report_every = 1, monitor = function(report) stop("x")), silent = TRUE)
  gctorture2(0)
  expect_identical(lambda(again), lambda(fit))
})

test_that("handles outlive the package", {
  expect_match(in_new_session(c(
    "data <- vt_data(x)",
    "fit <- vt_lda(data, 2, max_iterations = 2, seed = 1)",
    "before <- coef(fit)",
    "unloadNamespace('vtemper')",
    "rm(data)",
    "invisible(gc())",
    "library(vtemper)",
    "stopifnot(identical(coef(fit), before))",
    "detach('package:vtemper', unload = TRUE)",
    "rm(fit)",
    "invisible(gc())")), "the end", all = FALSE)
})

test_that("paths are the bytes that R's own functions open, or refused", {
  expect_match(in_new_session(locale = "C", c(
    "path <- rawToChar(as.raw(c(0x74, 0xc3, 0xa4, 0x74)))",
    "fit <- vt_lda(x, 2, max_iterations = 2, seed = 1)",
    "vt_save(fit, path)",
    "stopifnot(identical(list.files(), path), identical(coef(vt_load(path)), coef(fit)))",
    "vt_write_data(x, path)",
    "stopifnot(identical(dim(vt_data(path)), c(4, 4)))",
    "vt_write_data(path, path)",
    "unlink(path)",
    "stopifnot(dir.create(path))",
    "invisible(vt_lda(x, 2, max_iterations = 2, seed = 1, parameters_folder = path))",
    "stopifnot(identical(list.files(), path))",
    "marked <- paste0(path, 2)",
    "Encoding(marked) <- 'UTF-8'",
    "refusal <- tryCatch(vt_save(fit, marked), vtemper_error_argument = conditionMessage)",
    "stopifnot(grepl('encoding of this session', refusal), identical(list.files(), path))")), "the end", all = FALSE)
  expect_error(vt_load("\xe4 nowhere"), "<e4> nowhere cannot be opened", class = "vtemper_error_io")
})
