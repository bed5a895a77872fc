# Kinds, options and their descriptions, as the library gives them.

vt_build_info <- function() .Call(C_vt_build_info)

vt_kinds <- function() {
  kinds <- as.data.frame(.Call(C_vt_kinds))
  kinds$form <- form_names[kinds$form]
  kinds
}

# Types of options by their number in the C interface.
type_names <- c("integer", "real", "reals", "choice", "boolean", "text")

option_table <- function(subject) {
  table <- as.data.frame(.Call(C_vt_option_table, subject))
  table$type <- type_names[table$type]
  table
}

vt_options <- function(subject = NULL) {
  if (inherits(subject, "vt_model")) return(options_of_fit(subject))
  subjects <- if (is.null(subject)) c(.Call(C_vt_kinds)$kind, "optimizer", "evaluate") else subject
  tables <- lapply(subjects, function(name) cbind(subject = name, option_table(name)))
  structure(do.call(rbind, tables), class = c("vt_options", "data.frame"))
}

# The options of a model and of its run, as they were set and with the values in use.
options_of_fit <- function(fit) {
  rows <- function(subject, used, set) data.frame(subject = subject, name = names(used), set = vapply(names(used), set, ""),
                                                  used = unname(used), row.names = NULL)
  of_model <- rows(fit$kind, .Call(C_vt_model_used_options, fit$model),
                   function(name) .Call(C_vt_model_option, fit$model, name))
  if (is.null(fit$optimizer)) return(of_model)
  rbind(of_model, rows("optimizer", .Call(C_vt_optimizer_used_options, fit$optimizer),
                       function(name) .Call(C_vt_optimizer_option, fit$optimizer, name)))
}

option_values <- function(table) {
  number <- function(x) format(x, digits = 15, trim = TRUE)
  range <- ifelse(table$maximum > 1e15, paste(vapply(table$minimum, number, ""), "or more"),
                  paste(vapply(table$minimum, number, ""), "to", vapply(table$maximum, number, "")))
  ifelse(table$type == "choice", gsub(" ", ", ", table$choices),
         ifelse(table$type == "boolean", "TRUE or FALSE", ifelse(table$type == "text", "any text", range)))
}

print.vt_options <- function(x, ...) {
  if (!all(c("subject", "name", "default", "description") %in% names(x))) return(NextMethod())
  for (subject in unique(x$subject)) {
    part <- x[x$subject == subject, ]
    class(part) <- "data.frame"
    cat("Options of ", subject, "\n", sep = "")
    values <- option_values(part)
    for (i in seq_len(nrow(part))) {
      cat("  ", part$name[i], " = ", part$default[i], "\n", sep = "")
      cat(strwrap(paste0(part$description[i], " [", values[i], "]"), width = 0.95 * getOption("width"), prefix = "      "),
          sep = "\n")
    }
    cat("\n")
  }
  invisible(x)
}

# For the help pages: the table of a subject as Rd, made when the page is shown.
options_rd <- function(subject) {
  table <- tryCatch(option_table(subject), vtemper_error = function(e) NULL)
  if (is.null(table)) return(paste0("The library in use has no \\code{", subject, "}."))
  clean <- function(text) gsub("([%{}\\\\])", "\\\\\\1", text)
  paste0("\\describe{", paste0("\\item{\\code{", table$name, "} = ", clean(table$default), "}{", clean(table$description),
                               " [", clean(option_values(table)), "]}", collapse = "\n"), "}")
}

# At most two threads unless more are requested, fewer if the machine or the environment allows fewer.
default_threads <- function() {
  allowed <- suppressWarnings(as.integer(Sys.getenv(c("OMP_NUM_THREADS", "OMP_THREAD_LIMIT"))))
  threads <- getOption("vtemper.threads", min(2, allowed[!is.na(allowed) & allowed > 0], parallel::detectCores(), na.rm = TRUE))
  one_whole(threads, "R's option vtemper.threads", 0)
}

# Values as the C layer takes them; matrices row by row.
option_value <- function(value, name) {
  if (is.factor(value)) value <- as.character(value)
  if (is.object(value) && !is.character(value) && !holds_numbers(value, flags = TRUE)) {
    refuse(name, " must be a string, TRUE or FALSE, or finite numbers", no_such_class(value))
  }
  if (is.matrix(value)) value <- as.vector(t(value))
  if (is.numeric(value)) as.numeric(value) else value
}

checked_options <- function(values) {
  values <- values[!vapply(values, is.null, NA)]
  if (length(values) == 0) return(list())
  if (is.null(names(values)) || any(names(values) == "")) refuse("options must be given by name")
  twice <- names(values)[duplicated(names(values))]
  if (length(twice)) refuse("option ", twice[1], " is given twice")
  Map(option_value, values, paste("option", names(values)))
}

evaluate_options <- function(values) {
  values <- checked_options(without_data_arguments(values))
  if (is.null(values$threads)) values$threads <- default_threads()
  values
}
