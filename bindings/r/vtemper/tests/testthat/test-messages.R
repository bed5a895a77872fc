test_that("messages say what R calls things, in R's numbers", {
  x <- corpus()
  fit <- vt_lda(x, 4, method = "vi", max_iterations = 1, seed = 2)
  expect_error(topics(fit, 0), "k must be a whole number from 1 to 4", class = "vtemper_error_argument")
  expect_error(topics(fit, 5), "from 1 to 4")
  expect_error(terms(fit, 0), "k must be a whole number")
  expect_error(vt_lda(x, K = 4), "no option K; the number of topics is the argument k")
  expect_error(vt_lda(x, 4, weights = c(-1, rep(1, 79))), "weights[1] is -1", fixed = TRUE)
  expect_error(vt_lda(x, 4, weights = 1), "there is 1 weight for 80 rows")
  expect_error(vt_gaussian_mixture(cbind(c(1, Inf)), 1), "row 2, column 1 is inf")
  expect_error(vt_set(fit, "lambda", -coef(fit, "lambda")), "element 1 of lambda")
  expect_output(print(fit), "^[^\n]*\n1 step, 1 pass, ")
  expect_error(vt_lda(list("the cat sat", "dogs ran"), 2), "element 1 .* is a text, .*strsplit", class = "vtemper_error_data")
  expect_s3_class(vt_lda(list("cat", "dog"), 2, max_iterations = 1, seed = 1), "vt_lda") # words they are
  expect_error(vt_lda(c(1, 2, 3), 2), "vector of numbers.*matrix")
  expect_error(vt_lda(factor(c("a", "b")), 2), "one sequence only")
  # Numbers in the user's own text stay.
  expect_error(vt_load("/nowhere/topic 3"), "/nowhere/topic 3 cannot be opened")
  expect_error(vt_lda(x, 4, method = "topic 3"), "is \"topic 3\"")
  expect_identical(vtemper:::counted_from_one("row 3 of /row 7/topic 3.txt is 'row 1', component 10"),
                   "row 4 of /row 7/topic 3.txt is 'row 1', component 11")
  # Lines of files are counted as editors do.
  file <- tempfile()
  on.exit(unlink(file))
  writeLines(c("2 0:1 1:2", "2 0:1 x:2"), file)
  expect_error(vt_lda(file, 2, format = "ldac"), "line 2")
})

test_that("tables and single sequences are taken", {
  x <- corpus()
  expect_identical(lambda(small_fit(as.table(x))), lambda(small_fit(x)))
  expect_error(vt_data(table(c(1, 1, 2))), "1 dimension")
  expected <- coef(vt_hidden_markov(list(c("a", "b", "a", "a")), 2, seed = 1), "emission")
  expect_identical(coef(vt_hidden_markov(c("a", "b", "a", "a"), 2, seed = 1), "emission"), expected)
  expect_identical(coef(vt_hidden_markov(factor(c("a", "b", "a", "a")), 2, seed = 1), "emission"), expected)
  expect_identical(coef(vt_hidden_markov(c(1, 2, 1, 1), 2, seed = 1), "emission"), unname(expected))
})

test_that("sequences need not hold the largest symbol", {
  sequences <- rep(list(c(1, 2, 3, 1), c(3, 2, 1)), 5)
  fit <- vt_hidden_markov(sequences, 2, seed = 1)
  expect_equal(predict(fit, list(c(1, 2)))[[1]], predict(fit, list(c(1, 2), 3))[[1]])
  expect_identical(dim(predict(fit, c(2, 1, 1))[[1]]), c(3L, 2L))
  expect_error(predict(fit, list(c(1, 7))), "symbol 7 is beyond the alphabet, which has 3", class = "vtemper_error_data")
  wide <- vt_hidden_markov(sequences, 2, seed = 1, alphabet = 5)
  expect_identical(ncol(coef(wide, "emission")), 5L)
  named <- vt_hidden_markov(list(c("a", "b"), "a"), 2, seed = 1, alphabet = c("a", "b", "c"))
  expect_identical(colnames(coef(named, "emission")), c("a", "b", "c"))
  expect_identical(lengths(predict(fit, list(1, 2), type = "path")), c(1L, 1L)) # a list also where each has one symbol
  topics <- vt_lda(list(c(1, 2, 3), c(3, 3)), 2, seed = 1, max_iterations = 1)
  expect_identical(dim(predict(topics, list(c(1, 2)))), c(1L, 2L))
})

test_that("files take a vocabulary and a format through every verb", {
  file <- tempfile()
  words <- tempfile()
  on.exit(unlink(c(file, words)))
  writeLines(c("2 0:1 1:2", "2 1:1 2:2"), file)
  writeLines(c("sun", "moon", "st\u00e4r"), words, useBytes = TRUE)
  fit <- vt_lda(file, 2, format = "ldac", names = words, seed = 1, max_iterations = 2)
  expect_identical(colnames(coef(fit, "topics")), c("sun", "moon", "st\u00e4r"))
  expect_identical(predict(fit, file, format = "ldac", names = words), predict(fit))
  expect_identical(vt_evaluate(fit, file, format = "ldac", seed = 1), vt_evaluate(fit, seed = 1))
  expect_identical(dim(vt_split(file, 0.5, seed = 1, format = "ldac", names = c("a", "b", "c"))$train), c(1, 3))
  expect_identical(nrow(vt_search_k(file, 2, format = "ldac", share = 0.5, max_passes = 1, seed = 1)), 1L)
  expect_error(vt_lda(file, 2, format = "ldac", names = c("a", "b")), "2 names for 3 columns", class = "vtemper_error_data")
  expect_error(vt_lda(file, 2, format = "ldac", names = "nowhere"), "no file nowhere")
  expect_error(vt_lda(vt_data(file, format = "ldac"), 2, format = "ldac"), "the data is already made")
})

test_that("splits keep the names of rows", {
  parts <- vt_split(corpus(), 0.25, seed = 1)
  expect_length(parts$train$row_names, 60)
  expect_setequal(c(parts$train$row_names, parts$test$row_names), rownames(corpus()))
  test <- corpus()[parts$test$row_names, ]
  fit <- small_fit(parts$train)
  expect_identical(predict(fit, parts$test), predict(fit, test))
})

test_that("hard classes come with every kind that has them", {
  fit <- small_fit()
  expect_identical(predict(fit, type = "class"), topics(fit))
  mixture <- vt_gaussian_mixture(iris[1:4], 3, seed = 1)
  expect_identical(predict(mixture, type = "class"), max.col(predict(mixture), "first"))
  states <- vt_hidden_markov(list(c(1, 2, 1), c(2, 2)), 2, seed = 1)
  expect_identical(predict(states, type = "class"), predict(states, type = "path"))
  expect_error(predict(mixture, type = "clas"), "there are responsibilities, .*class")
})
