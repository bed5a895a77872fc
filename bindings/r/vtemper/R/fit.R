# Fits: the general verb, the verb of each kind, and continued fits.

# A fit is a list of class vt_<kind>, vt_model: handles of model and optimizer and what the user should see again.
new_fit <- function(model, optimizer, call, seed, data = NULL) {
  kind <- .Call(C_vt_model_kind, model)
  structure(list(model = model, optimizer = optimizer, kind = kind, call = call, seed = seed, row_names = data$row_names,
                 nobs = observations(data)),
            class = c(paste0("vt_", kind), "vt_model"))
}

# The number of rows or, for sequences, of symbols: the number of factors in a likelihood of the data.
observations <- function(data) {
  if (is.null(data)) return(NA_real_)
  info <- data_info(data)
  if (form_names[info$form] == "sequences") info$entries else info$rows
}

report_of <- function(fit) if (is.null(fit$optimizer)) NULL else live_report(fit)

# The report of the last step; that of a fit from a file was kept with it.
live_report <- function(fit) {
  if (.Call(C_vt_optimizer_lives, fit$optimizer)) .Call(C_vt_optimizer_report, fit$optimizer) else fit$report
}

# Among the further arguments of a verb, those of vt_data; the others are options.
data_argument_names <- c("alphabet", "names", "format", "columns")
data_arguments <- function(values) values[names(values) %in% data_argument_names]
without_data_arguments <- function(values) values[!names(values) %in% data_argument_names]

# Data for a model of a form, with arguments of vt_data that a verb was given.
made_data <- function(x, form, arguments, ...) {
  if (inherits(x, "vt_data") && length(arguments)) refuse("the data is already made; give ", names(arguments)[1], " to vt_data()")
  do.call(vt_data, c(list(quote(x), form = form, ...), arguments))
}

# The options in ... belong to the kind or to the optimizer. An option that neither knows is refused by the one that
# has an option with a similar name, otherwise by the optimizer.
split_options <- function(kind, values) {
  of_kind <- names(values) %in% option_table(kind)$name
  strange <- setdiff(names(values)[!of_kind], option_table("optimizer")$name)
  if (length(strange)) {
    size <- option_table(kind)$name[1]
    if (strange[1] %in% c("K", "n_components", "n_topics", "ntopics", "num_topics", "nstates")) {
      refuse("there is no option ", strange[1], "; the number of ", size, " is the argument k")
    }
    refusal <- tryCatch(.Call(C_vt_model_create, kind, values[strange[1]]), vtemper_error = identity)
    if (inherits(refusal, "error") && grepl("did you mean", conditionMessage(refusal))) stop(refusal)
  }
  list(kind = values[of_kind], optimizer = values[!of_kind])
}

vt_fit <- function(x, kind = "lda", k = NULL, ..., seed = NULL, monitor = NULL, progress = interactive(),
                   documents = "rows", weights = NULL, fractions = FALSE, start = NULL) {
  if (missing(x)) refuse("the data, argument x, is missing")
  fit_kind(x, kind, c(sized(kind, k), list(...)), seed, monitor, progress, documents, weights, fractions, start)
}

# The verb of a kind. Its first option is its size.
fit_verb <- function(kind) {
  verb <- function(x, k = NULL, method = NULL, ..., seed = NULL, monitor = NULL, progress = interactive(),
                   documents = "rows", weights = NULL, fractions = FALSE, start = NULL) {
    if (missing(x)) refuse("the data, argument x, is missing")
    fit_kind(x, kind, c(sized(kind, k), list(method = method, ...)), seed, monitor, progress, documents, weights, fractions,
             start)
  }
  environment(verb) <- list2env(list(kind = kind), parent = topenv())
  verb
}

form_of_kind <- function(kind) form_names[.Call(C_vt_kind_form, kind)]

# The size of a model as an option.
sized <- function(kind, k) {
  form_of_kind(kind) # refuses a kind that does not exist
  if (!is.null(k)) structure(list(k), names = option_table(kind)$name[1])
}

# All fits. Data is handed on by name: calls that hold it would be printed with it in every traceback.
fit_kind <- function(x, kind, values, seed = NULL, monitor = NULL, progress = FALSE, documents = "rows", weights = NULL,
                     fractions = FALSE, start = NULL) {
  form <- form_of_kind(kind)
  one_flag(progress, "progress")
  of_data <- data_arguments(values)
  options <- split_options(kind, checked_options(without_data_arguments(values)))
  seed <- drawn_seed(seed)
  options$optimizer$seed <- seed
  if (is.null(options$optimizer$threads)) options$optimizer$threads <- default_threads()
  if (is.null(start)) {
    model <- .Call(C_vt_model_create, kind, options$kind)
  } else {
    if (!inherits(start, "vt_model") || start$kind != kind) refuse("start must be a fitted ", kind)
    if (length(options$kind)) refuse("start has its own options, so ", names(options$kind)[1], " cannot be given")
    model <- .Call(C_vt_model_copy, start$model)
  }
  if (is.function(x) && !is.null(weights)) refuse("weights belong to each batch: let the function return vt_data(batch, weights = )")
  if (is.function(x)) return(fit_stream(x, model, options$optimizer, seed, monitor, users_call(), documents, fractions, of_data))
  data <- if (is.null(start)) made_data(x, form, of_data, documents = documents, weights = weights, fractions = fractions)
          else data_for(start, x, of_data, documents = documents, weights = weights, fractions = fractions)
  optimizer <- .Call(C_vt_optimizer_create, model, data$handle, options$optimizer)
  run_fit(new_fit(model, optimizer, users_call(), seed, data), monitor, progress)
}

# Runs to the end (or `steps`), with the user's monitor and a line of progress.
run_fit <- function(fit, monitor = NULL, progress = FALSE, steps = NULL) {
  session$running <- fit
  ended <- FALSE
  on.exit({
    session$running <- NULL
    if (!ended) session$last <- fit
    if (progress) message("") # the line ends
  })
  result <- .Call(C_vt_optimizer_run, fit$optimizer, if (!is.null(steps)) as.numeric(steps),
                  watch(fit, monitor, progress))
  ended <- TRUE
  fit$report <- .Call(C_vt_optimizer_report, fit$optimizer)
  if (progress) show_progress(fit$report, fit$report$iteration)
  relay_messages(result$messages)
  fit
}

# One function of a report for C, from the user's monitor (of a report, or a report and the fit) and the progress line.
watch <- function(fit, monitor, progress) {
  if (!is.null(monitor) && !is.function(monitor)) refuse("monitor must be a function of the report, or of the report and the fit")
  if (is.null(monitor) && !progress) return(NULL)
  with_fit <- !is.null(monitor) && (is.primitive(monitor) || length(formals(monitor)) > 1)
  function(report) {
    # A run by time is replanned at every step.
    if (progress) show_progress(report, optimizer_quantity(fit, "steps_total"), optimizer_quantity(fit, "seconds_left"))
    if (is.null(monitor)) return(TRUE)
    if (with_fit) monitor(report, fit) else monitor(report)
  }
}

show_progress <- function(report, total, seconds_left = NA) {
  share <- if (isTRUE(total > 0)) sprintf("%3.0f%%  ", 100 * min(1, report$iteration / total)) else ""
  if (isTRUE(seconds_left >= 0)) share <- sprintf("%s%.0f s left  ", share, seconds_left)
  value <- if (is.finite(report$objective)) sprintf("objective %.6g", report$objective) else ""
  message(sprintf("\r%sstep %.0f  pass %.2f  T %.3g  %s   ", share, report$iteration, report$passes, report$temperature,
                  value), appendLF = FALSE)
}

# Batches returned by a function, until it returns NULL.
fit_stream <- function(next_batch, model, options, seed, monitor, call, documents, fractions, of_data) {
  form <- form_of_kind(.Call(C_vt_model_kind, model))
  arguments <- formals(args(next_batch))
  needed <- setdiff(names(arguments)[vapply(arguments, identical, NA, quote(expr = ))], "...")
  if (length(needed)) {
    refuse("a function given as data is called without arguments and returns the next batch, or NULL at the end; this one needs ", needed[1])
  }
  fit <- NULL
  on.exit(session$running <- NULL)
  repeat {
    batch <- next_batch()
    if (is.null(batch)) break
    data <- made_data(batch, form, of_data, documents = documents, fractions = fractions)
    if (is.null(fit)) {
      # The first batch determines the columns and the start of the model, and is then fed like the others.
      if (.Call(C_vt_model_columns, model) == 0) .Call(C_vt_model_initialize, model, data$handle, seed)
      fit <- new_fit(model, .Call(C_vt_optimizer_create, model, NULL, options), call, seed, NULL)
      session$running <- fit
    }
    .Call(C_vt_optimizer_feed, fit$optimizer, aligned(data, fit)$handle)
    fit$report <- .Call(C_vt_optimizer_report, fit$optimizer)
    if (!is.null(monitor) && isFALSE(watch(fit, monitor, FALSE)(fit$report))) break
  }
  if (is.null(fit)) refuse_data("the function gave no batch")
  # The library does not know which batch is the last.
  if (fit$report$temperature > 1) warning(.Call(C_vt_model_note, fit$model, "ending"), call. = FALSE)
  fit
}

# Data under the model's columns, found by name where both have names; tokens of unknown words are dropped and counted,
# unknown symbols refused.
aligned <- function(data, fit) {
  known <- .Call(C_vt_model_names, fit$model)
  names <- data_names(data)
  if (is.null(known) || is.null(names)) {
    columns <- c(dim(data)[2], .Call(C_vt_model_columns, fit$model))
    if (columns[1] != columns[2]) {
      refuse_data("the data have ", counted(columns[1], "column"), ", the model ", format(columns[2], big.mark = ","),
                  "; columns are matched by name where both have names")
    }
    return(data)
  }
  if (identical(known, names)) return(data)
  if (data_form(data) == "dense") {
    refuse_data("the columns of the data are not those of the model in the same order; give the matrix or the data frame itself, ",
                "and they are matched by name")
  }
  result <- .Call(C_vt_data_align, data$handle, known)
  if (result$unknown > 0) message(counted(result$unknown, "token"), " of words that the model does not know left out")
  new_data(result$handle, data$row_names, data$source)
}

# The model's columns of a table of numbers, by their names.
columns_by_name <- function(x, known, documents) {
  turned <- is.matrix(x) && documents == "columns"
  names <- if (turned) rownames(x) else colnames(x)
  if (is.null(known) || is.null(names) || identical(known, names)) return(x)
  missing <- setdiff(known, names)
  if (length(missing)) refuse_data("the data have no column \"", missing[1], "\", which the model has")
  if (turned) x[known, , drop = FALSE] else x[, known, drop = FALSE]
}

# Data for a fitted model: new data, or that of the fit in this session.
data_for <- function(fit, x, arguments = list(), documents = "rows", weights = NULL, fractions = FALSE) {
  if (!is.null(x)) {
    form <- form_of_kind(fit$kind)
    known <- .Call(C_vt_model_names, fit$model)
    of_numbers <- is.matrix(x) && holds_numbers(x, flags = TRUE) # others are refused below, while they have their class
    if (form == "dense" && (of_numbers || is.data.frame(x))) x <- columns_by_name(x, known, documents)
    if (form != "dense" && !"alphabet" %in% names(arguments) && is_numbered(x)) arguments$alphabet <- .Call(C_vt_model_columns, fit$model)
    if (form != "dense" && is_wordless(x)) {
      x <- lapply(x, function(one) if (is.null(known)) integer() else character())
      if (!"alphabet" %in% names(arguments)) arguments$alphabet <- if (is.null(known)) .Call(C_vt_model_columns, fit$model) else known
    }
    return(aligned(made_data(x, form, arguments, documents = documents, weights = weights, fractions = fractions), fit))
  }
  given <- c(names(arguments), given_of_data(documents, weights, fractions))
  if (length(given)) refuse("the data of the fit is already made, so ", given[1], " cannot be given")
  handle <- if (!is.null(fit$optimizer)) .Call(C_vt_optimizer_data, fit$optimizer)
  if (is.null(handle)) refuse("the fit does not have its data any more; give it again")
  new_data(handle, fit$row_names, "fit")
}

# Tokens or symbols as numbers: new rows need not contain the largest one of the model.
is_numbered <- function(x) {
  if (inherits(x, c("vt_data", "data.frame", "simple_triplet_matrix"))) return(FALSE)
  if (is.list(x)) length(x) > 0 && all(vapply(x, is.numeric, NA)) else is.numeric(x) && is.null(dim(x))
}

# A list of rows without words, which say nothing of the columns.
is_wordless <- function(x) is.list(x) && !is.object(x) && all(lengths(x) == 0)

# A new fit that continues from this one. The given fit does not change.
update.vt_model <- function(object, x = NULL, ..., steps = NULL, passes = NULL, seed = NULL, monitor = NULL,
                            progress = interactive(), documents = "rows", weights = NULL, fractions = FALSE) {
  of_data <- data_arguments(list(...))
  if (length(without_data_arguments(list(...))) || is.null(object$optimizer)) {
    if (!is.null(steps) || !is.null(passes)) refuse("steps and passes continue the run; leave them out for a new one")
    data <- if (is.null(x)) data_for(object, NULL) else x
    if (is.null(seed) && !is.na(object$seed)) seed <- object$seed
    return(fit_kind(data, object$kind, list(...), seed, monitor, progress, documents, weights, fractions, object))
  }
  one_flag(progress, "progress")
  if (!is.null(seed)) refuse("the run continues with its own seed; give options to start a new run")
  data <- data_for(object, x, of_data, documents = documents, weights = weights, fractions = fractions)
  report <- live_report(object)
  optimizer <- .Call(C_vt_optimizer_from_bytes, .Call(C_vt_optimizer_to_bytes, object$optimizer), data$handle)
  if (!is.null(passes)) {
    if (!is.null(steps)) refuse("give steps or passes")
    if (!isTRUE(report$passes > 0)) refuse("no step was done yet, so give steps instead of passes")
    steps <- ceiling(one_number(passes, "passes", 0) * report$iteration / report$passes)
  }
  if (!is.null(steps)) one_whole(steps, "steps", 0, 2^53)
  fit <- new_fit(.Call(C_vt_optimizer_model, optimizer), optimizer, object$call, object$seed, data)
  if (is.null(steps) && isTRUE(report$finished)) {
    message("the run has reached its end; give steps or passes to extend it")
  }
  run_fit(fit, monitor, progress, steps)
}
