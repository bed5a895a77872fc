# Arguments of one value. What cannot be taken is refused with the argument's name.

# Whether R's own values are the numbers: those of factors, dates, times and integer64 stand for others. With `flags`,
# TRUE and FALSE are numbers, too.
holds_numbers <- function(values, flags = FALSE) {
  (is.numeric(values) && !inherits(values, "integer64")) || (flags && is.logical(values))
}

# The end of a refusal, where the class says what is wrong.
no_such_class <- function(value) if (is.object(value)) paste0(", not an object of class ", class(value)[1])

# Numbers of an argument, such as weights.
numbers_of <- function(values, name) {
  if (holds_numbers(values, flags = TRUE)) return(as.numeric(values))
  refuse(name, " must be numbers, not an object of class ", class(values)[1])
}

is_whole <- function(value, least, most) {
  holds_numbers(value) && length(value) == 1 && isTRUE(value >= least && value <= most && value == floor(value))
}

# One whole number. Inf is one if there is no largest.
one_whole <- function(value, name, least = 1, most = Inf) {
  if (is_whole(value, least, most)) return(as.numeric(value))
  shown <- function(n) if (n == 2^53) "2^53" else format(n, scientific = FALSE)
  refuse(name, " must be a whole number from ", shown(least), if (is.finite(most)) paste(" to", shown(most)), no_such_class(value))
}

one_number <- function(value, name, least = -Inf) {
  if (holds_numbers(value) && length(value) == 1 && is.finite(value) && value >= least) return(as.numeric(value))
  refuse(name, " must be one number", if (is.finite(least)) paste(" of at least", least), no_such_class(value))
}

one_flag <- function(value, name) {
  if (isTRUE(value) || isFALSE(value)) return(value)
  refuse(name, " must be TRUE or FALSE")
}

one_text <- function(value, name) {
  if (is.character(value) && length(value) == 1 && !is.na(value)) return(value)
  refuse(name, " must be one string")
}

# A path for C, which refuses one that the locale cannot express; path.expand only warns of it.
file_path <- function(path) suppressWarnings(path.expand(one_text(path, "path")))

one_fit <- function(fit) {
  if (!inherits(fit, "vt_model")) refuse("fit must be a fit, such as vt_lda() returns; an object of class ", class(fit)[1], " is none")
  fit
}

# R's generator is used if no seed is given.
drawn_seed <- function(seed) {
  if (is.null(seed)) return(as.numeric(sample.int(.Machine$integer.max, 1)))
  one_whole(seed, "seed", 0, 2^53)
}

# Arguments about data that are not at their defaults.
given_of_data <- function(documents, weights, fractions) {
  c(if (!is.null(weights)) "weights", if (!identical(documents[1], "rows")) "documents", if (!isFALSE(fractions)) "fractions")
}

# Some inputs have their documents in one place only.
require_rows <- function(documents, what) {
  if (!identical(documents[1], "rows")) refuse("documents = \"", documents[1], "\" is for matrices, not for ", what)
}
