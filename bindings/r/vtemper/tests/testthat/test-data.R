test_that("every class of input gives the same fit", {
  x <- corpus()
  expected <- lambda(small_fit(x))
  expect_identical(lambda(small_fit(t(x), documents = "columns")), expected)
  expect_identical(lambda(small_fit(as.data.frame(x))), expected)
  tokens <- lapply(seq_len(nrow(x)), function(i) rep(colnames(x), x[i, ]))
  expect_identical(lambda(small_fit(vt_data(lapply(tokens, factor, levels = colnames(x))))), expected)
  expect_identical(lambda(small_fit(vt_data(tokens, alphabet = colnames(x)))), expected)

  skip_if_not_installed("Matrix")
  columns <- as(x, "CsparseMatrix")
  rows <- as(columns, "RsparseMatrix")
  triplets <- as(columns, "TsparseMatrix")
  for (one in list(columns, rows, triplets)) {
    expect_identical(lambda(small_fit(one)), expected)
    expect_identical(lambda(small_fit(Matrix::t(one), documents = "columns")), expected)
  }
  # As quanteda's class, whose counts are those of a dgCMatrix.
  where <- environment()
  setClass("dfm", contains = "dgCMatrix", representation(meta = "list"), where = where)
  on.exit(removeClass("dfm", where = where))
  dfm <- new("dfm", columns, meta = list(object = list(weight_df = list(scheme = "unary"))))
  expect_identical(lambda(small_fit(dfm)), expected)
  weighted <- new("dfm", columns, meta = list(object = list(weight_df = list(scheme = "inverse"))))
  expect_error(small_fit(weighted), "inverse", class = "vtemper_error_data")

  skip_if_not_installed("slam")
  expect_identical(lambda(small_fit(slam::as.simple_triplet_matrix(x))), expected)
  expect_identical(lambda(small_fit(slam::as.simple_triplet_matrix(t(x)), documents = "columns")), expected)
})

test_that("matrices of tm are taken by their class", {
  skip_if_not_installed("tm")
  texts <- tm::VCorpus(tm::VectorSource(c("sun moon sun", "moon star star", "star sun moon moon")))
  counts <- tm::DocumentTermMatrix(texts, list(wordLengths = c(2, Inf)))
  expected <- lambda(vt_lda(counts, 2, max_iterations = 5, seed = 1))
  expect_identical(lambda(vt_lda(tm::TermDocumentMatrix(texts, list(wordLengths = c(2, Inf))), 2, max_iterations = 5, seed = 1)), expected)
  weighted <- suppressWarnings(tm::weightTfIdf(counts))
  expect_error(vt_lda(weighted, 2), "weighted", class = "vtemper_error_data")
})

test_that("what is no count is refused with its place in R's numbers", {
  x <- corpus()
  x[3, 5] <- 1.5
  expect_error(vt_lda(x, 4), "row 3, column 5 is 1.5.*tf-idf", class = "vtemper_error_data")
  expect_s3_class(vt_lda(x, 4, fractions = TRUE, max_iterations = 2), "vt_lda")
  x[3, 5] <- -1
  expect_error(vt_lda(x, 4), "row 3, column 5 is -1", class = "vtemper_error_data")
  expect_error(vt_lda(x, 4, fractions = TRUE), "row 3, column 5", class = "vtemper_error_data")
  x[3, 5] <- NA
  expect_error(vt_lda(x, 4), "row 3, column 5 is NA", class = "vtemper_error_data")
  skip_if_not_installed("Matrix")
  y <- as(corpus(), "CsparseMatrix")
  y@x[1] <- 0.5
  place <- which(as.matrix(y) == 0.5, arr.ind = TRUE)
  said <- sprintf("row %d, column %d is 0.5", place[1, 1], place[1, 2])
  expect_error(vt_lda(y, 4), said)
  expect_error(vt_lda(as(y, "RsparseMatrix"), 4), said)
})

test_that("odd input is refused with a message", {
  expect_error(vt_lda("no such file", 4), class = "vtemper_error_io")
  expect_error(vt_lda(c("two", "texts"), 4), "list of their words", class = "vtemper_error_argument")
  expect_error(vt_data(iris[, 1:4]), "row 1, column 1 is 5.1, .*vt_data\\(x, form = \"dense\"\\)", class = "vtemper_error_data")
  for (wrong in list(mean, function(batch, size = 3) NULL)) {
    expect_error(vt_lda(wrong, 4), "called without arguments .*; this one needs (x|batch)$", class = "vtemper_error_argument")
  }
  expect_error(vt_lda(NULL, 4), class = "vtemper_error_argument")
  expect_error(vt_lda(list(c("a", NA)), 2), "element 1", class = "vtemper_error_data")
  expect_error(vt_lda(list(1:3, list()), 2), class = "vtemper_error_argument")
  expect_error(vt_lda(quote(x), 2), "cannot be taken as data", class = "vtemper_error_argument")
  expect_error(vt_data(data.frame(a = 1, b = "x")), "column b", class = "vtemper_error_argument")
  expect_error(vt_lda(matrix(1, 3, 2, dimnames = list(NULL, c("a", "a"))), 2), class = "vtemper_error_data")
})

test_that("borrowed arrays outlive their objects and keep their values", {
  skip_if_not_installed("Matrix")
  x <- Matrix::t(as(corpus(), "CsparseMatrix"))
  expected <- lambda(small_fit(x, documents = "columns"))
  data <- vt_data(x, documents = "columns")
  x@x[] <- 0 # a copy for x; the library's array stays
  rm(x)
  gc()
  fit <- small_fit(data)
  expect_identical(lambda(fit), expected)
  rm(data)
  gc()
  expect_identical(lambda(update(fit, steps = 3)), lambda(update(small_fit(), steps = 3)))
})

test_that("rows are selected and split, files written and read", {
  data <- vt_data(corpus())
  expect_identical(dim(data[1:10]), c(10, 40))
  expect_identical(dim(data["d3"]), c(1, 40))
  expect_error(data[1000], class = "vtemper_error_argument")
  expect_identical(as.matrix(data[[7]]), as.matrix(data["d7"]))
  expect_identical(as.matrix(data[["d3"]]), as.matrix(data[3]))
  for (none in list(0, -1, 81, NA_real_, "handle")) expect_error(data[[none]], "there is no row", class = "vtemper_error_argument")
  for (several in list(1:2, TRUE, NULL)) expect_error(data[[several]], "selects one row", class = "vtemper_error_argument")
  expect_identical(vapply(data[5:1], function(row) as.matrix(row)[1, 4], 0), corpus()[5:1, 4])
  expect_identical(lapply(vt_data(diag(3))[integer()], dim), list())
  expect_identical(Map(function(row, number) dim(row) + number, vt_data(diag(3)), 1:3), list(c(2, 4), c(3, 5), c(4, 6)))
  expect_identical(names(data), rownames(corpus()))
  expect_null(names(vt_data(diag(3))))
  expect_output(str(data), "80 rows, 40 columns")
  parts <- vt_split(data, 0.25, seed = 1)
  expect_identical(dim(parts$test)[1], 20)
  slice <- vt_slice(data, 11, 30)
  expect_identical(dim(slice), c(20, 40))
  expect_identical(slice$row_names, data[11:30]$row_names)
  fit <- vt_lda(data, 4, seed = 1)
  expect_identical(predict(fit, slice), predict(fit, data[11:30]))
  inside <- vt_split(slice, 0.25, seed = 1)
  expect_true(all(inside$test$row_names %in% parts$test$row_names))
  expect_error(vt_slice(data, 0, 3), "no rows 0 to 3")
  expect_error(vt_slice(data, 80, 81), "no rows 80 to 81")
  halves <- vt_split_tokens(data, 0.5, seed = 1)
  expect_identical(dim(halves$observed), dim(halves$heldout))
  file <- tempfile()
  vt_write_data(data, file)
  expect_identical(lambda(small_fit(file)), lambda(small_fit()))
  expect_identical(c(nrow(data), ncol(data), length(data)), c(80, 40, 80))
  expect_identical(as.matrix(data), corpus())
  expect_identical(as.matrix(vt_data(unname(corpus()))[3:2]), unname(corpus())[3:2, ])
  airs <- unname(as.matrix(airquality) + 0)
  expect_identical(as.matrix(vt_data(airs, "dense")[1:6]), airs[1:6, ])
  expect_error(as.matrix(vt_data(list(1:2, 1L), "sequences")), "sequences differ in length", class = "vtemper_error_argument")
  expect_output(print(data), "80 rows, 40 columns")
  expect_output(print(summary(data)), "80 rows, 40 columns")
  expect_output(print(vt_data(list("a"))), ": 1 row, 1 column, 1 entry\n", fixed = TRUE)
})

test_that("a file is converted without being read as a whole", {
  text <- tempfile()
  file <- tempfile()
  writeLines(c("2 0:1 3:2", "0", "1 1:4"), text)
  expect_identical(vt_write_data(text, file), file)
  expect_equal(dim(vt_data(file)), c(3, 4))
  vt_write_data(text, file, format = "ldac")
  expect_equal(dim(vt_data(file)), c(3, 4))
  expect_error(vt_write_data(text, file, format = "docword"), "line 1")
  expect_error(vt_write_data(text, file, formats = "ldac"))
})

test_that("names of rows go to files and come back", {
  documents <- list("l\u00e9a" = c("sun", "moon"), b = c("moon", "star"), c = "sun")
  file <- tempfile()
  vt_write_data(documents, file)
  data <- vt_data(file)
  expect_identical(data$row_names, c("l\u00e9a", "b", "c"))
  expect_identical(data[c(3, 1)]$row_names, c("c", "l\u00e9a"))
  parts <- vt_split(data, share = 0.34, seed = 1)
  expect_setequal(c(parts$train$row_names, parts$test$row_names), c("l\u00e9a", "b", "c"))
  fit <- vt_lda(file, k = 2, method = "vi", seed = 1)
  expect_identical(rownames(predict(fit, file)), c("l\u00e9a", "b", "c"))
})

test_that("arguments about data that is already made are refused", {
  x <- corpus()
  fit <- small_fit(x)
  data <- vt_data(x)
  weights <- rep(1:2, 40)
  expect_error(small_fit(data, weights = weights), "the data is already made; give weights")
  expect_error(small_fit(data, fractions = TRUE), "give fractions")
  expect_error(predict(fit, data, documents = "columns"), "give documents")
  expect_error(predict(fit, documents = "columns"), "so documents cannot be given")
  expect_error(update(fit, steps = 5, weights = weights), "so weights cannot be given")
  expect_error(update(fit, method = "vi", weights = weights), "give weights")
  expect_error(vt_lda(function() x, 2, weights = weights), "weights belong to each batch")
  expect_error(vt_data(list("a", "b"), documents = "columns"), "is for matrices, not for a list")
  file <- tempfile()
  on.exit(unlink(file))
  vt_write_data(x, file)
  expect_error(vt_data(file, documents = "columns"), "not for a file")
  for (wrong in list(NA, "no", logical(0))) expect_error(vt_data(x, fractions = wrong), "fractions must be TRUE or FALSE")
  # They are used where the data is made.
  expect_identical(vt_documents(fit, t(x), documents = "columns"), vt_documents(fit, x))
  mixture <- vt_gaussian_mixture(iris[1:4], 2, seed = 1)
  expect_equal(logLik(mixture, t(iris[1:4]), documents = "columns"), logLik(mixture))
  expect_identical(predict(mixture, t(iris[1:4]), type = "class", documents = "columns"), predict(mixture, type = "class"))
})

test_that("factors are words beside other documents, and other classes are no tokens", {
  weather <- factor(c("sun", "rain"), levels = c("sun", "rain", "snow"))
  words <- function(x, ...) vtemper:::data_names(vt_data(x, ...))
  expect_identical(words(list(weather, c("sun", "fog"))), c("fog", "rain", "sun"))
  expect_identical(words(list(weather, weather)), levels(weather))
  expect_identical(words(list(weather, character(0))), levels(weather))
  expect_identical(words(list(weather, NULL)), levels(weather))
  expect_error(vt_data(list(weather, 1:2), "sequences", alphabet = levels(weather)), "\"1\" is not in the alphabet")
  expect_error(vt_data(list("a", as.Date("2020-01-01"))), "element 2 of the list .* of class Date", class = "vtemper_error_argument")
  expect_identical(words(list(I(c("a", "b")), "c")), c("a", "b", "c"))
  expect_error(vt_data(list(c(1, 3e9))), "symbol 3e\\+09 is too large", class = "vtemper_error_data")
  for (wrong in list(Inf, -1, 2.5, numeric(0))) expect_error(vt_data(list(1), "sequences", alphabet = wrong), "alphabet must be")
})

test_that("triplets outside the matrix are refused", {
  triplets <- function(i = 1:3, j = 1:3, v = c(1, 2, 3), nrow = 3, ncol = 3) {
    structure(list(i = i, j = j, v = v, nrow = nrow, ncol = ncol, dimnames = NULL), class = "simple_triplet_matrix")
  }
  expect_identical(dim(vt_data(triplets())), c(3, 3))
  for (wrong in c(0, 9, NA, 1.5)) {
    expect_error(vt_data(triplets(i = c(1, wrong, 3))), paste("triplet 2 is in row", wrong, "of 3"), class = "vtemper_error_data")
    expect_error(vt_data(triplets(j = c(1, wrong, 3)), documents = "columns"), paste("triplet 2 is in column", wrong, "of 3"))
  }
  expect_error(vt_data(triplets(v = 1)), "differ in length")
  for (wrong in list(NA, -1, Inf, NULL)) expect_error(vt_data(triplets(ncol = wrong)), "the number of columns must be")
})

test_that("columns of a data frame that are matrices are named", {
  points <- data.frame(a = 1:3)
  points$m <- matrix(1:6, 3)
  said <- "column m of the data frame has columns of its own"
  for (form in c("counts", "dense", "sequences")) expect_error(vt_data(points, form), said, class = "vtemper_error_argument")
  expect_identical(dim(vt_data(do.call(data.frame, points), "dense")), c(3, 3))
  points$m <- points$m[, 1, drop = FALSE] # as scale() gives
  expect_identical(dim(vt_data(points, "dense")), c(3, 2))
  counts <- data.frame(document = c("a", "b"), term = c("x", "y"))
  counts$m <- matrix(1:4, 2)
  expect_error(vt_data(counts), said, class = "vtemper_error_argument")
  counts$count <- 1:2
  expect_identical(dim(vt_data(counts, columns = c("document", "term", "count"))), c(2, 2)) # m is not used
  skip_if_not_installed("generics")
  fit <- vt_lda(data.frame(a = 1:3, b = 1:3), 2, method = "vi", max_passes = 2, seed = 1)
  points$m <- matrix(1:6, 3)
  expect_error(generics::augment(fit, points), said, class = "vtemper_error_argument")
})

test_that("what is no vector or matrix of numbers is not flattened", {
  expect_error(vt_data(array(1, c(2, 3, 4)), "dense"), "array of 3 dimensions", class = "vtemper_error_argument")
  long <- structure(c(4.94e-324, 9.88e-324), class = "integer64")
  expect_error(vt_data(long, "dense"), "class integer64", class = "vtemper_error_argument")
  expect_error(vt_data(structure(list(a = long), class = "data.frame", row.names = 1:2), "dense"), "column a .* not numeric")
  expect_identical(dim(vt_data(ts(1:5), "dense")), c(5, 1))
})

test_that("texts that cannot be read, and an unknown dimension, are named", {
  unreadable <- "\xff\xfe"
  bytes <- "\xe9"
  Encoding(bytes) <- "bytes"
  for (wrong in c(unreadable, bytes)) {
    expect_error(vt_data(list("a", c("b", wrong))), "element 2 of the list holds at position 2 bytes", class = "vtemper_error_data")
  }
  for (wrong in list("foo", NA, 1, c("a", "b"))) {
    for (x in list(corpus(), as.matrix(corpus()))) {
      expect_error(vt_data(x, documents = wrong), "documents must be \"rows\" or \"columns\"", class = "vtemper_error_argument")
    }
  }
  expect_equal(dim(vt_data(corpus(), documents = "columns")), rev(dim(corpus())))
})
