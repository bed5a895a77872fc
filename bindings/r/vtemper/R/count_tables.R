# Tables with a row for each document and term, as tidytext makes them, and what is refused of texts.

# The names by which the columns of such tables are found.
count_names <- list(document = c("document", "doc_id", "doc", "docname", "id"),
                    term = c("term", "word", "token", "feature", "lemma"),
                    count = c("count", "n", "freq", "frequency"))

# Columns of a data frame whose values are numbers.
number_columns <- function(x) vapply(x, holds_numbers, NA, flags = TRUE)

# Columns that have a value for each row: a column may also be a matrix or a data frame.
require_single_columns <- function(x) {
  wide <- vapply(x, function(column) prod(dim(column)[-1]) != 1, NA)
  if (any(wide)) {
    refuse("column ", names(x)[wide][1], " of the data frame has columns of its own; do.call(data.frame, x) makes them columns ",
           "of the data frame")
  }
}

# A data frame of numbers as a matrix.
number_matrix <- function(x) {
  require_single_columns(x)
  data.matrix(x)
}

# Two or three columns, not all numbers, that are recognised by their names; or three with the words in the middle.
is_count_table <- function(x, numbers) {
  if (!length(x) %in% 2:3 || all(numbers)) return(FALSE)
  !is.null(columns_found(x)) || (length(x) == 3 && !numbers[2] && numbers[3])
}

# Columns by name, or NULL.
columns_found <- function(x) {
  at <- lapply(count_names, function(known) which(tolower(names(x)) %in% known))
  if (all(lengths(at[1:2]) == 1) && sum(lengths(at)) == length(x)) unlist(at)
}

# Document, term and count as vectors; without counts each row is one token.
count_columns <- function(x, columns) {
  if (is.null(columns)) {
    at <- columns_found(x)
    if (is.null(at)) at <- seq_along(x)
  } else {
    if (!length(columns) %in% 2:3 || !(is.character(columns) || holds_numbers(columns))) {
      refuse("columns must be the names of document and term, and of the count if there is one")
    }
    at <- if (is.character(columns)) match(columns, names(x)) else columns
    strange <- !at %in% seq_along(x)
    if (any(strange)) refuse("the data frame has no column ", columns[strange][1])
    if (anyDuplicated(at)) refuse("columns names ", columns[duplicated(at)][1], " twice")
  }
  require_single_columns(unclass(x)[at])
  count <- if (length(at) == 3) x[[at[3]]] else rep(1, nrow(x))
  if (!holds_numbers(count)) refuse("column ", names(x)[at[3]], " of the data frame holds the counts but is not numeric")
  for (i in at[1:2]) {
    missing <- which(is.na(x[[i]]))
    if (length(missing)) refuse_data("row ", missing[1], " of the data frame has NA as ", names(x)[i])
  }
  list(document = x[[at[1]]], term = x[[at[2]]], count = as.numeric(count))
}

# Documents in the order in which they come; levels of factors as they are, so that empty documents stay.
documents_of_table <- function(table) {
  if (is.factor(table$document)) levels(table$document) else as.character(unique(table$document))
}

# Terms are sorted, but for levels of factors.
long_data <- function(table, weights, fractions) {
  documents <- documents_of_table(table)
  terms <- if (is.factor(table$term)) levels(table$term) else sort(unique(as.character(table$term)), method = "radix")
  row <- match(as.character(table$document), documents)
  column <- match(as.character(table$term), terms)
  require_counts(table$count, fractions, function(i) c(row[i], column[i]))
  # Counts of a term in several rows of a document are added.
  order <- order(row, column)
  first <- c(TRUE, diff(row[order]) != 0 | diff(column[order]) != 0)[seq_along(order)]
  count <- as.vector(rowsum(table$count[order], cumsum(first), reorder = FALSE))
  offsets <- as.integer(c(0, cumsum(tabulate(row[order][first], length(documents)))))
  handle <- .Call(C_vt_data_from_counts, FALSE, as.numeric(length(documents)), as.numeric(length(terms)), offsets,
                  column[order][first] - 1L, count, 0)
  finished_data(handle, terms, documents, weights, "data frame")
}

# Documents that are still texts: each would silently become one token.
refuse_texts <- function(x, form) {
  if (form != "counts" || !length(x) || !all(vapply(x, is.character, NA)) || any(lengths(x) > 1)) return(invisible())
  at <- which(vapply(x, function(one) any(grepl("[[:space:]]", one)), NA))
  if (length(at)) {
    refuse_data("element ", at[1], " of the list is a text, not a vector of its words; split the texts into words first, for example by ",
                "strsplit(tolower(unlist(x)), \"[^[:alpha:]]+\")")
  }
}

# Documents by terms in any form, as a table of row (the number of the document in vt_data(x)), document, term and count.
count_table <- function(x, documents = "rows") {
  if (is.data.frame(x)) {
    if (is_count_table(x, number_columns(x))) {
      table <- count_columns(x, NULL)
      row <- match(as.character(table$document), documents_of_table(table))
      return(structure(c(list(row = row), table), class = "data.frame", row.names = seq_len(nrow(x))))
    }
    x <- number_matrix(x)
  }
  if (inherits(x, "TermDocumentMatrix")) documents <- "columns"
  if (is.list(x) && !inherits(x, "simple_triplet_matrix")) {
    counts <- lapply(x, function(one) table(as.character(one)))
    row <- rep(seq_along(x), lengths(counts))
    term <- unlist(lapply(counts, names), use.names = FALSE)
    return(data.frame(row = row, document = if (is.null(names(x))) row else names(x)[row], term = term,
                      count = as.numeric(unlist(counts))))
  }
  if (inherits(x, "simple_triplet_matrix")) {
    at <- list(x$i, x$j, x$v)
    names <- x$dimnames
  } else if (isS4(x) && methods::is(x, "Matrix") && requireNamespace("Matrix", quietly = TRUE)) {
    names <- dimnames(x)
    triplets <- Matrix::summary(methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"))
    at <- list(triplets$i, triplets$j, triplets$x)
  } else if (is.matrix(x) || is.table(x)) {
    names <- dimnames(x)
    filled <- which(x != 0)
    at <- list((filled - 1L) %% nrow(x) + 1L, (filled - 1L) %/% nrow(x) + 1L, as.vector(x)[filled])
  } else {
    refuse("augment needs the counts of the documents: a matrix, a table of document, term and count, or a list of words")
  }
  if (documents == "columns") {
    at[1:2] <- at[2:1]
    names <- rev(names)
  }
  order <- order(at[[1]], at[[2]])
  named <- function(i, known, otherwise) if (is.null(known)) otherwise(i) else known[i]
  data.frame(row = at[[1]][order], document = named(at[[1]][order], names[[1]], identity),
             term = named(at[[2]][order], names[[2]], function(i) paste0("V", i)), count = at[[3]][order])
}
