# Failures, interrupts and messages of the library as conditions of R.

# State that outlives a call: the error that ended a long call, and the fit that was in progress.
session <- new.env(parent = emptyenv())

# The outermost call of this package's functions, as the user wrote it.
users_call <- function() {
  for (i in seq_len(sys.nframe())) {
    if (identical(topenv(environment(sys.function(i))), topenv())) return(sys.call(i))
  }
  NULL
}

failure <- function(status, message, call = users_call()) {
  structure(class = c(tolower(status), "vtemper_error", "error", "condition"),
            list(message = message, call = call, status = status))
}

# Called from C once the library has returned.
signal_failure <- function(status, message) {
  message <- iconv(message, "UTF-8", "UTF-8", sub = "byte") # paths may be other bytes
  message <- gsub(" \\(see vtemper_[a-z_]+\\)|; vtemper_data_align [^;]*", "", message) # functions of C
  # Failures of files have no numbers but those in the user's paths.
  if (status != "VTEMPER_ERROR_IO") message <- counted_from_one(message)
  stop(failure(status, message))
}

# Places in data and arrays, outside quotes and paths, which are the user's own text.
numbered_places <- paste0("(\"[^\"]*\"|(?<!\\w)'[^']*')(*SKIP)(*FAIL)|",
                          "(?<![^ (])(row|column|component|topic|state|element|position|sequence) [0-9]+(?![\\w/]|\\.\\w)|",
                          "(weights|names)\\[[0-9]+")

# The library counts rows, columns and elements of arrays from 0, R from 1. Lines of text files are counted from 1 by both.
counted_from_one <- function(message) {
  if (grepl("line [0-9]", message)) return(message)
  numbered <- gregexpr(numbered_places, message, perl = TRUE)
  found <- regmatches(message, numbered)[[1]]
  if (length(found) == 0) return(message)
  places <- as.numeric(sub(".*[^0-9]", "", found)) + 1
  regmatches(message, numbered) <- list(paste0(sub("[0-9]+$", "", found), format(places, scientific = FALSE, trim = TRUE)))
  message
}

refuse <- function(...) stop(failure("VTEMPER_ERROR_ARGUMENT", paste0(...)))
refuse_data <- function(...) stop(failure("VTEMPER_ERROR_DATA", paste0(...)))

# For verbs that take no further arguments: `...` would silently swallow a misspelt one.
nothing_else <- function(...) {
  if (...length() == 0) return(invisible())
  names <- names(list(...))
  given <- if (is.null(names)) character(...length()) else names
  refuse("there is no argument ", paste(ifelse(nzchar(given), given, "without a name at this place"), collapse = ", "),
         " of ", sub("\\..*", "", deparse(sys.call(-1)[[1]])[1]), "()")
}

# Called from C inside a long call: 0 continue, 1 interrupted, 2 an error (such as a time limit). R checks for both at any
# time, so they are allowed only within the handlers.
ask_for_interrupts <- function() {
  suspendInterrupts(tryCatch({
    allowInterrupts(.Call(C_vt_check_interrupt))
    0L
  }, interrupt = function(condition) 1L, error = function(condition) {
    session$error <- condition
    2L
  }))
}

# Called from C after a long call has ended for one of these reasons, or for one that R did not report (3).
signal_end <- function(reason) {
  if (reason == 3L && grepl("time limit", geterrmessage())) stop(trimws(sub("^Error[^:]*:", "", geterrmessage())), call. = FALSE)
  if (reason == 2L) stop(session$error)
  fit <- session$running
  signalCondition(structure(class = c("vtemper_interrupt", "interrupt", "condition"),
                            list(message = "interrupted", call = NULL, fit = fit)))
  if (!is.null(fit)) {
    session$last <- fit
    message("Interrupted after step ", format(report_of(fit)$iteration),
            "; vt_last() is the fit so far, and update(vt_last()) continues it.")
  }
  invokeRestart("abort")
}

vt_last <- function() {
  if (is.null(session$last)) refuse("no fit was interrupted in this session, or ended by an error")
  session$last
}

# Warnings and notes of the library for its caller.
relay_messages <- function(messages) {
  for (i in seq_along(messages)) {
    if (names(messages)[i] == "warning") warning(messages[[i]], call. = FALSE) else message(messages[[i]])
  }
}
