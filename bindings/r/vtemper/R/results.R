# Results that users read from a fit.

parameters_of <- function(model) {
  infos <- .Call(C_vt_model_parameters, model)
  structure(infos, names = vapply(infos, function(p) p$name, ""))
}

dimensions <- function(fit) {
  parts <- parameters_of(fit$model)
  list(columns = .Call(C_vt_model_columns, fit$model), components = if (length(parts)) parts[[1]]$shape[1] else NA)
}

# The size of a model in the words of its kind: "10 topics", "3 states", "layers 200,200".
size_text <- function(fit) {
  size <- option_table(fit$kind)[1, ]
  name <- size$name
  value <- .Call(C_vt_model_option, fit$model, name)
  if (value == "auto") value <- dimensions(fit)$components
  if (size$type != "integer") return(paste(name, value))
  counted(value, sub("s$", "", name))
}

# "1 token", "2 tokens"
counted <- function(n, what) paste0(if (is.numeric(n)) format(n, big.mark = ",", scientific = FALSE) else n, " ", what, if (n != 1) "s")

# "Topic 1", "Topic 2": what the kind calls its components.
component_names <- function(fit) {
  name <- sub("s$", "", option_table(fit$kind)$name[1])
  paste(paste0(toupper(substring(name, 1, 1)), substring(name, 2)), seq_len(dimensions(fit)$components))
}

# For each parameter, which of its dimensions are the model's columns: those of length zero in a model without data or,
# if that has no such parameters yet, those that are longer in a model with one more column.
column_dimensions <- function(fit) {
  options <- option_table(fit$kind)$name
  values <- structure(lapply(options, function(name) .Call(C_vt_model_option, fit$model, name)), names = options)
  blank <- .Call(C_vt_model_create, fit$kind, values)
  ours <- parameters_of(fit$model)
  if (all(names(ours) %in% names(parameters_of(blank)))) return(lapply(parameters_of(blank), function(p) p$shape == 0))
  columns <- .Call(C_vt_model_columns, fit$model) + 1
  form <- form_of_kind(fit$kind)
  data <- if (form == "sequences") vt_data(list(1), form, alphabet = columns) else vt_data(rbind(rep(0, columns), 1), form)
  .Call(C_vt_model_initialize, blank, data$handle, 0)
  Map(function(mine, other) mine$shape != other$shape, ours, parameters_of(blank)[names(ours)])
}

# An array of the library, whose last dimension runs fastest, as an array of R.
shaped <- function(values, shape) if (length(shape) > 2) aperm(array(values, rev(shape))) else values

# The library counts components from 0 and uses -1 for none.
places <- c("path", "duplicate_of")
from_one <- function(values, name) {
  if (!name %in% places) return(values)
  values[values < 0] <- NA
  values + 1
}

parameter <- function(fit, name) {
  values <- .Call(C_vt_model_get, fit$model, name)
  info <- parameters_of(fit$model)[[name]]
  values <- from_one(shaped(values, info$shape), name)
  names <- .Call(C_vt_model_names, fit$model)
  if (is.null(names)) return(values)
  along <- column_dimensions(fit)[[name]]
  if (!any(along)) return(values)
  if (length(info$shape) == 1) names(values) <- names
  else dimnames(values) <- lapply(along, function(is_columns) if (is_columns) names)
  values
}

coef.vt_model <- function(object, name = NULL, ...) {
  nothing_else(...)
  if (!is.null(name)) return(parameter(object, name))
  names <- names(parameters_of(object$model))
  structure(lapply(names, function(one) parameter(object, one)), names = names, class = "vt_arrays")
}

# Named arrays show the beginning of each.
print.vt_arrays <- function(x, ...) {
  for (name in names(x)) {
    value <- x[[name]]
    shape <- if (is.null(dim(value))) length(value) else dim(value)
    line <- paste0(name, " [", paste(shape, collapse = " x "), "]: ", paste(format(head(as.vector(value), 8), digits = 4, trim = TRUE), collapse = " "))
    width <- getOption("width") - 4
    cat(if (nchar(line) > width) paste0(substr(line, 1, width), "...") else if (length(value) > 8) paste(line, "...") else line, "\n", sep = "")
  }
  invisible(x)
}

# The parameter that says what the components are: one row each over the model's columns, means before what they are made of.
main_parameter <- function(fit) {
  infos <- parameters_of(fit$model)
  along <- column_dimensions(fit)
  over_columns <- Filter(function(p) length(p$shape) == 2 && identical(along[[p$name]], c(FALSE, TRUE)), infos)
  means <- Filter(function(p) !p$settable, over_columns)
  c(names(means), names(over_columns), names(infos))[1]
}

vt_parameters <- function(fit) {
  infos <- unname(parameters_of(one_fit(fit)$model))
  data.frame(name = vapply(infos, function(p) p$name, ""),
             shape = vapply(infos, function(p) paste(p$shape, collapse = " x "), ""),
             settable = vapply(infos, function(p) p$settable, NA),
             description = vapply(infos, function(p) described(p$name, p$description), ""))
}

# The library's description of what is counted from 1 here.
described <- function(name, description) if (name %in% places) gsub("-1", "NA", description, fixed = TRUE) else description

vt_set <- function(fit, name, value) {
  require_shape(value, parameters_of(one_fit(fit)$model)[[one_text(name, "name")]]$shape, name)
  fit$model <- .Call(C_vt_model_copy, fit$model)
  fit["optimizer"] <- list(NULL)
  rows <- if (length(dim(value)) > 1) aperm(value) else value
  .Call(C_vt_model_set, fit$model, name, as.numeric(rows))
  fit
}

# The library takes any array of the right length; an unknown parameter, without a shape, it refuses.
require_shape <- function(value, shape, name) {
  if (!holds_numbers(value)) refuse(name, " is set from numbers, not from an object of class ", class(value)[1])
  found <- if (is.null(dim(value))) length(value) else dim(value)
  wanted <- if (length(shape)) shape else if (!is.null(shape)) 1
  if (!is.null(wanted) && !identical(as.numeric(found), as.numeric(wanted))) {
    refuse(name, " has the shape ", paste(wanted, collapse = " x "), ", the value ", paste(found, collapse = " x "))
  }
}

quantity_at <- function(infos, name, others = NULL) {
  names <- vapply(infos, function(q) q$name, "")
  if (is.null(name)) return(1L)
  at <- match(one_text(name, "type"), names)
  if (is.na(at)) refuse("there is no quantity \"", name, "\"; there are ", paste(c(names, others), collapse = ", "))
  at
}

optimizer_quantity <- function(fit, name) {
  infos <- .Call(C_vt_optimizer_quantities, fit$optimizer)
  at <- quantity_at(infos, name)
  shaped(.Call(C_vt_optimizer_get, fit$optimizer, at), infos[[at]]$shape)
}

vt_trace <- function(fit) {
  one_fit(fit)
  if (is.null(fit$optimizer)) refuse("the fit has no trace: it was read from a model file")
  if (!.Call(C_vt_optimizer_lives, fit$optimizer)) {
    refuse("the trace comes back with the data: give it to update(fit, x, steps = 0)")
  }
  infos <- .Call(C_vt_optimizer_quantities, fit$optimizer)
  names <- vapply(infos, function(q) q$name, "")
  of_trace <- grep("^trace\\.", names)
  as.data.frame(structure(lapply(of_trace, function(i) .Call(C_vt_optimizer_get, fit$optimizer, i)),
                          names = sub("^trace\\.", "", names[of_trace])))
}

vt_quantities <- function(fit) {
  if (is.null(one_fit(fit)$optimizer)) refuse("the fit has no quantities: it was read from a model file")
  infos <- .Call(C_vt_optimizer_quantities, fit$optimizer)
  names <- vapply(infos, function(q) q$name, "")
  structure(lapply(names, function(name) optimizer_quantity(fit, name)), names = names, class = "vt_arrays")
}

# What the model infers about rows, at temperature 1. The first quantity of the model is the usual one; "class" is the
# component with the largest share, for sequences the most probable states.
predict.vt_model <- function(object, newdata = NULL, type = NULL, ..., documents = "rows", fractions = FALSE) {
  data <- data_for(object, newdata, data_arguments(list(...)), documents = documents, fractions = fractions)
  inferred(object, data, type, evaluate_options(list(...)))
}

inferred <- function(fit, data, type, options) {
  if (identical(type, "class")) return(hard_classes(fit, data, options))
  infos <- .Call(C_vt_model_infer_list, fit$model, data$handle)
  at <- quantity_at(infos, type, if (shares_rows(infos[[1]])) "class")
  info <- infos[[at]]
  values <- .Call(C_vt_model_infer, fit$model, data$handle, at, options)
  values <- from_one(values, info$name)
  if (info$name %in% of_symbols) return(by_sequence(values, data))
  rows <- if (info$shape[1] == length(data$row_names)) data$row_names
  if (length(info$shape) == 1) names(values) <- rows
  else if (length(info$shape) == 2) {
    dimnames(values) <- list(rows, if (info$name %in% of_columns) .Call(C_vt_model_names, fit$model))
  }
  values
}

# Quantities that say how likely the components are for each row or symbol.
shares_rows <- function(info) info$name %in% c("proportions", "responsibilities", "marginals")

# Quantities that have a value for each column of the data.
of_columns <- c("completed", "reconstruction")

# Quantities that have a value for each symbol of the sequences.
of_symbols <- c("marginals", "path")

hard_classes <- function(fit, data, options) {
  infos <- .Call(C_vt_model_infer_list, fit$model, data$handle)
  if (!shares_rows(infos[[1]])) refuse("a fit of ", fit$kind, " has no classes; see predict() for what it infers")
  if (fit$kind == "hidden_markov") return(inferred(fit, data, "path", options))
  shares <- inferred(fit, data, NULL, options)
  structure(max.col(shares, "first"), names = rownames(shares))
}

# Values of all symbols as a list with one element per sequence.
by_sequence <- function(values, data) {
  lengths <- vapply(seq_len(dim(data)[1]), function(i) {
    .Call(C_vt_data_info, .Call(C_vt_data_select, data$handle, as.numeric(i)))$entries
  }, 0)
  ends <- cumsum(lengths)
  parts <- lapply(seq_along(lengths), function(i) {
    places <- seq_len(lengths[i]) + ends[i] - lengths[i]
    if (is.matrix(values)) values[places, , drop = FALSE] else values[places]
  })
  names(parts) <- data$row_names
  parts
}

vt_evaluate <- function(fit, newdata = NULL, measure = "predictive", heldout = NULL, ..., documents = "rows",
                        fractions = FALSE) {
  one_fit(fit)
  of_data <- data_arguments(list(...))
  data <- data_for(fit, newdata, of_data, documents = documents, fractions = fractions)
  others <- if (!is.null(heldout)) data_for(fit, heldout, of_data, documents = documents, fractions = fractions)
  .Call(C_vt_model_evaluate, fit$model, data$handle, others$handle, measure, evaluate_options(list(...)))
}

perplexity <- function(object, newdata = NULL, ...) UseMethod("perplexity")
perplexity.vt_model <- function(object, newdata = NULL, ...) vt_evaluate(object, newdata, "perplexity", ...)

# Rows ranked by share: the k most likely components of each row, as topicmodels does.
topics <- function(x, k = 1, newdata = NULL, ...) UseMethod("topics")
topics.vt_model <- function(x, k = 1, newdata = NULL, ...) {
  shares <- predict(x, newdata, ...)
  if (!is.matrix(shares)) refuse("only models that share rows among components have topics")
  one_whole(k, "k", 1, ncol(shares))
  if (k == 1) return(structure(max.col(shares, "first"), names = rownames(shares)))
  top <- apply(shares, 1, function(row) head(order(row, decreasing = TRUE), k))
  dimnames(top) <- list(NULL, rownames(shares))
  top
}

# The documents that represent each topic: those with the largest shares of it.
vt_documents <- function(fit, newdata = NULL, n = 5, topic = NULL, ..., documents = "rows", fractions = FALSE) {
  one_fit(fit)
  data <- data_for(fit, newdata, data_arguments(list(...)), documents = documents, fractions = fractions)
  shares <- inferred(fit, data, NULL, evaluate_options(list(...)))
  if (!is.matrix(shares)) refuse("vt_documents is for models that share rows among components")
  one_whole(n, "n")
  if (is.null(topic)) topic <- seq_len(ncol(shares))
  for (one in topic) one_whole(one, "topic", 1, ncol(shares))
  texts <- vt_row_texts(data)
  parts <- lapply(topic, function(one) {
    rows <- head(order(shares[, one], decreasing = TRUE), n)
    part <- data.frame(topic = one, rank = seq_along(rows), share = shares[rows, one], row = rows, row.names = NULL)
    cbind(part, texts[rows, , drop = FALSE], row.names = NULL)
  })
  do.call(rbind, parts)
}

# The top words of each topic, one column per topic.
terms.vt_model <- function(x, k = 10, rank = "probability", scores = FALSE, ...) {
  nothing_else(...)
  one_whole(k, "k")
  one_flag(scores, "scores")
  names <- .Call(C_vt_model_names, x$model)
  columns <- .Call(C_vt_model_columns, x$model)
  if (is.null(names)) names <- paste0("V", seq_len(columns))
  n <- min(k, columns)
  ranked <- lapply(seq_len(dimensions(x)$components), function(topic) {
    .Call(C_vt_model_rank_words, x$model, as.integer(topic), rank, as.integer(n))
  })
  words <- vapply(ranked, function(one) names[one$index], character(n))
  words <- matrix(words, n, dimnames = list(NULL, component_names(x)))
  if (!scores) return(words)
  list(terms = words, scores = matrix(vapply(ranked, function(one) one$score, numeric(n)), n, dimnames = dimnames(words)))
}

# Topics in the plane, one row per topic.
vt_topic_map <- function(fit, by = c("distance", "divergence")) {
  by <- match.arg(by)
  places <- .Call(C_vt_model_topic_map, one_fit(fit)$model, as.integer(dimensions(fit)$components), by)
  dimnames(places) <- list(component_names(fit), c("x", "y"))
  places
}

posterior <- function(object, newdata = NULL, ...) UseMethod("posterior")
posterior.vt_model <- function(object, newdata = NULL, ...) {
  list(terms = parameter(object, main_parameter(object)), topics = predict(object, newdata, ...))
}

print.vt_model <- function(x, ...) {
  cat("vtemper fit of ", x$kind, ": ", size_text(x), ", ", counted(dimensions(x)$columns, "column"), "\n", sep = "")
  report <- report_of(x)
  if (is.null(report)) {
    cat("It has no run: it was read from a model file, or a parameter was set.\n")
    print_ending(x)
    return(invisible(x))
  }
  if (report$iteration == 0) {
    cat("No step was done yet.\n")
    return(invisible(x))
  }
  state <- if (isTRUE(report$converged)) "converged" else if (isTRUE(report$finished)) "finished" else "not finished"
  passes <- sprintf("%.2f passes", report$passes)
  cat(counted(report$iteration, "step"), ", ", if (passes == "1.00 passes") "1 pass" else passes,
      sprintf(", %.1f s, T = %.3g: ", report$seconds, report$temperature), state, "\n", sep = "")
  print_ending(x)
  invisible(x)
}

# What the library notes about a fit that is hot or has not converged.
print_ending <- function(fit) {
  note <- .Call(C_vt_model_note, fit$model, "ending")
  if (nzchar(note)) cat("Warning: ", note, "\n", sep = "")
}

summary.vt_model <- function(object, n = 8, ...) {
  nothing_else(...)
  names <- option_table(object$kind)$name
  report <- report_of(object)
  words <- tryCatch(terms.vt_model(object, n), vtemper_error_unsupported = function(e) NULL)
  structure(list(fit = object, report = report, parameters = vt_parameters(object), words = words,
                 options = structure(vapply(names, function(name) .Call(C_vt_model_option, object$model, name), ""),
                                     names = names)),
            class = "summary.vt_model")
}

print.summary.vt_model <- function(x, ...) {
  print(x$fit)
  cat("Call: ", paste(deparse(x$fit$call, nlines = 3), collapse = " "), "\nSeed: ", format(x$fit$seed, digits = 16), "\n", sep = "")
  report <- x$report
  if (!is.null(report)) {
    values <- unlist(report[c("objective", "elbo", "expected_log_likelihood")])
    values <- values[is.finite(values)]
    if (length(values)) cat(paste0(gsub("_", " ", names(values)), " ", format(values, digits = 8, trim = TRUE), collapse = ", "), "\n")
    odd <- unlist(report[c("objective_falls", "empty_rows", "unused_components", "duplicate_components")])
    odd <- odd[odd > 0]
    notes <- vapply(seq_along(odd), function(i) counted(odd[[i]], sub("s$", "", gsub("_", " ", names(odd)[i]))), "")
    if (length(notes)) cat("Note: ", paste(notes, collapse = ", "), "\n", sep = "")
  }
  cat("\nParameters (coef):\n")
  heads <- format(paste0(x$parameters$name, ifelse(nzchar(x$parameters$shape), paste0(" [", x$parameters$shape, "]"), "")))
  for (i in seq_along(heads)) {
    cat(strwrap(x$parameters$description[i], 0.95 * getOption("width"), exdent = nchar(heads[i]) + 4,
                initial = paste0("  ", heads[i], "  ")), sep = "\n")
  }
  if (!is.null(x$words)) {
    cat("\nTop words (terms):\n")
    shown <- head(seq_len(ncol(x$words)), 20)
    for (topic in shown) cat(sprintf("%4d  ", topic), paste(x$words[, topic], collapse = " "), "\n", sep = "")
    if (ncol(x$words) > length(shown)) cat("   ... and", ncol(x$words) - length(shown), "more\n")
  }
  invisible(x)
}
