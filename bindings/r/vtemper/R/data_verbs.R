# Properties of data, and parts of them.

number <- function(n) format(n, big.mark = ",", trim = TRUE, scientific = FALSE)

data_info <- function(data) .Call(C_vt_data_info, data$handle)
data_names <- function(data) .Call(C_vt_data_names, data$handle)
data_form <- function(data) form_names[data_info(data)$form]

dim.vt_data <- function(x) {
  info <- data_info(x)
  c(info$rows, info$columns)
}

# As many elements as `[` selects from.
length.vt_data <- function(x) dim(x)[1]
names.vt_data <- function(x) x$row_names

as.matrix.vt_data <- function(x, ...) {
  nothing_else(...)
  if (data_form(x) == "sequences") refuse("sequences differ in length, so they have no matrix")
  matrix <- .Call(C_vt_data_matrix, x$handle)
  names <- list(x$row_names, data_names(x))
  if (!all(lengths(names) == 0)) dimnames(matrix) <- names
  matrix
}

print.vt_data <- function(x, ...) {
  info <- tryCatch(data_info(x), vtemper_error_state = function(failure) NULL)
  if (is.null(info)) {
    cat("Data from a ", x$source, ", dead: it does not survive saving or another session; make it again\n", sep = "")
    return(invisible(x))
  }
  entries <- if (info$entries == 1) "1 entry" else paste(number(info$entries), "entries")
  cat("Data of form ", form_names[info$form], " from a ", x$source, ": ", counted(info$rows, "row"), ", ",
      counted(info$columns, "column"), ", ", entries, "\n", sep = "")
  names <- data_names(x)
  fields <- .Call(C_vt_data_row_fields, x$handle)
  if (length(fields)) cat("Fields of the rows: ", paste(fields, collapse = ", "), "\n", sep = "")
  if (!is.null(names)) cat("Columns: ", paste(head(names, 6), collapse = ", "), if (length(names) > 6) ", ...", "\n", sep = "")
  invisible(x)
}

# There is no more to say than what print shows.
summary.vt_data <- function(object, ...) {
  nothing_else(...)
  object
}

`[.vt_data` <- function(x, i, j, ..., drop = FALSE) {
  if (!missing(j)) refuse("rows of data can be selected, columns cannot")
  # R would take the codes of a factor.
  if (!missing(i) && is.object(i) && !is.character(i) && !holds_numbers(i, flags = TRUE)) {
    refuse("rows of data are selected by numbers, names or TRUE and FALSE", no_such_class(i))
  }
  rows <- seq_len(dim(x)[1])
  names(rows) <- x$row_names
  selected <- rows[i]
  if (anyNA(selected)) refuse("there is no row ", format(i[is.na(selected)][1]))
  new_data(.Call(C_vt_data_select, x$handle, as.numeric(selected)), x$row_names[selected], x$source)
}

# One row, by its number or its name.
`[[.vt_data` <- function(x, i, ...) {
  nothing_else(...)
  if (length(i) != 1 || is.logical(i)) refuse("[[ ]] selects one row, by its number or its name")
  if (is.numeric(i) && !isTRUE(i >= 1)) refuse("there is no row ", format(i))
  x[i]
}

# The rows, each as data, for lapply() and its like.
as.list.vt_data <- function(x, ...) {
  nothing_else(...)
  rows <- lapply(seq_len(length(x)), function(row) vt_slice(x, row, row))
  names(rows) <- x$row_names
  rows
}

# Its parts are rows, so there is no list to look into.
str.vt_data <- function(object, ...) print(object)

vt_slice <- function(x, first, last, ...) {
  data <- vt_data(x, ...)
  rows <- dim(data)[1]
  if (!is_whole(first, -Inf, Inf) || !is_whole(last, -Inf, Inf)) refuse("first and last must be one whole number each")
  if (first < 1 || last > rows || last < first - 1) refuse("there are no rows ", number(first), " to ", number(last), " in data of ", number(rows), " rows")
  new_data(.Call(C_vt_data_slice, data$handle, as.numeric(first), as.numeric(last)), data$row_names[seq_len(last - first + 1) + first - 1], data$source)
}

vt_split <- function(x, share = 0.1, seed = NULL, ...) {
  data <- vt_data(x, ...)
  parts <- .Call(C_vt_data_split, data$handle, one_number(share, "share"), drawn_seed(seed))
  list(train = new_data(parts[[1]], source = data$source), test = new_data(parts[[2]], source = data$source))
}

vt_split_tokens <- function(x, share = 0.5, seed = NULL, ...) {
  data <- vt_data(x, ...)
  parts <- .Call(C_vt_data_split_counts, data$handle, one_number(share, "share"), drawn_seed(seed))
  list(observed = new_data(parts[[1]], data$row_names, data$source),
       heldout = new_data(parts[[2]], data$row_names, data$source))
}

vt_write_data <- function(x, path, ...) {
  more <- names(list(...))
  if (is.character(x) && length(x) == 1 && length(more) == ...length() && all(more == "format")) {
    return(invisible(convert_file(x, path, ...)))
  }
  data <- vt_data(x, ...)
  .Call(C_vt_data_write, data$handle, file_path(path))
  invisible(path)
}

# Row by row: the file may be larger than the memory.
convert_file <- function(x, path, format = "auto") {
  .Call(C_vt_data_convert, file_path(x), format, file_path(path))
  path
}

# What is known about each row: names, dates and other texts that came with it.
vt_row_texts <- function(x) {
  data <- if (inherits(x, "vt_model")) data_for(x, NULL) else vt_data(x)
  fields <- .Call(C_vt_data_row_fields, data$handle)
  texts <- lapply(fields, function(field) .Call(C_vt_data_row_texts, data$handle, field))
  structure(texts, names = fields, class = "data.frame", row.names = seq_len(dim(data)[1]))
}

vt_set_row_texts <- function(x, field, texts) {
  if (!inherits(x, "vt_data")) refuse("texts of rows can be set for data made by vt_data() only")
  copy <- x[seq_len(dim(x)[1])] # the given data do not change
  .Call(C_vt_data_set_row_texts, copy$handle, field, if (!is.null(texts)) enc2utf8(as.character(texts)))
  if (identical(field, "name")) copy$row_names <- if (!is.null(texts)) as.character(texts)
  copy
}

# Texts that data or a model carry, such as how it was made.
vt_notes <- function(x) {
  if (inherits(x, "vt_model")) .Call(C_vt_model_notes, x$model)
  else if (inherits(x, "vt_data")) .Call(C_vt_data_notes, x$handle)
  else refuse("only fits and data made by vt_data() have notes")
}

# How the words were made from text, as the command keeps it.
vt_recipe <- function(x) {
  note <- vt_notes(x)["text.recipe"]
  if (is.na(note)) return(NULL)
  if (!requireNamespace("jsonlite", quietly = TRUE)) refuse("the recipe is JSON, which the package jsonlite reads; vt_notes() gives its text")
  jsonlite::fromJSON(note)
}
