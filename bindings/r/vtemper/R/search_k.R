# A sweep over the number of components, scored on rows that were not fitted.

vt_search_k <- function(x, k, kind = "lda", ..., runs = 1, share = 0.1, measure = "predictive", seed = NULL, cores = 1,
                        documents = "rows", fractions = FALSE) {
  if (missing(x)) refuse("the data, argument x, is missing")
  if (missing(k)) refuse("the sizes to try, argument k, are missing")
  if (!is.numeric(k) || length(k) == 0 || anyNA(k)) refuse("k must be the sizes to try")
  k <- option_value(k, "k")
  one_whole(runs, "runs")
  one_whole(cores, "cores")
  seed <- drawn_seed(seed)
  settings <- list(...)
  data <- made_data(x, form_of_kind(kind), data_arguments(settings), documents = documents, fractions = fractions)
  settings <- without_data_arguments(settings)
  parts <- vt_split(data, share, seed)
  if (cores > 1 && is.null(settings$threads)) settings$threads <- 1
  grid <- expand.grid(run = seq_len(runs), k = sort(unique(k)))
  one <- function(i) {
    fit <- fit_kind(parts$train, kind, c(sized(kind, grid$k[i]), settings), seed + grid$run[i] - 1)
    report <- report_of(fit)
    data.frame(k = grid$k[i], run = grid$run[i], seed = fit$seed, score = score_of(fit, parts$test, measure, seed),
               iteration = report$iteration, seconds = report$seconds)
  }
  rows <- search_rows(one, grid, cores)
  structure(do.call(rbind, rows), class = c("vt_search_k", "data.frame"), measure = measure, kind = kind)
}

# Scores that draw nothing at random refuse a seed.
score_of <- function(fit, test, measure, seed) {
  tryCatch(vt_evaluate(fit, test, measure, seed = seed),
           vtemper_error_option = function(failure) vt_evaluate(fit, test, measure))
}

# The result of one(i) for each row of the grid. A process that was killed, as by a lack of memory, leaves none.
search_rows <- function(one, grid, cores) {
  places <- seq_len(nrow(grid))
  if (cores == 1 || .Platform$OS.type == "windows") return(lapply(places, one))
  rows <- suppressWarnings(parallel::mclapply(places, one, mc.cores = cores, mc.preschedule = FALSE))
  for (row in rows) if (inherits(row, "try-error")) stop(attr(row, "condition"))
  lost <- which(vapply(rows, is.null, NA))
  if (length(lost)) stop(failure("VTEMPER_ERROR_STATE", paste0("the process that fitted k = ", grid$k[lost[1]], " was ended")))
  rows
}

higher_is_better <- function(measure) measure != "perplexity"

print.vt_search_k <- function(x, ...) {
  cat("Search over k of ", attr(x, "kind"), ", ", attr(x, "measure"), " on held-out rows\n", sep = "")
  print.data.frame(x, row.names = FALSE, ...)
  best <- if (higher_is_better(attr(x, "measure"))) which.max(x$score) else which.min(x$score)
  cat("Best: k = ", x$k[best], "\n", sep = "")
  invisible(x)
}
