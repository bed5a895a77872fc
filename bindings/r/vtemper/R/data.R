# What can be fitted: matrices, sparse or dense, lists of tokens or symbols, data frames, files.

# Forms of data by their number in the C interface.
form_names <- c("counts", "dense", "sequences")

# Rows without names of their own have those that the data brought from a file.
new_data <- function(handle, row_names = NULL, source = "data") {
  if (is.null(row_names)) row_names <- .Call(C_vt_data_row_texts, handle, "name")
  structure(list(handle = handle, row_names = row_names, source = source), class = "vt_data")
}

vt_data <- function(x, form = "counts", documents = c("rows", "columns"), weights = NULL, fractions = FALSE, ...) {
  one_text(form, "form")
  one_flag(fractions, "fractions")
  UseMethod("vt_data")
}

# The dimension of a matrix that holds the documents; the default of verbs is both.
rows_or_columns <- function(documents) {
  choices <- c("rows", "columns")
  if (identical(documents, choices)) return("rows")
  chosen <- if (is.character(documents) && length(documents) == 1) pmatch(documents, choices) else NA
  if (is.na(chosen)) refuse("documents must be \"rows\" or \"columns\"")
  choices[chosen]
}

finished_data <- function(handle, names, row_names, weights, source) {
  if (!is.null(names)) .Call(C_vt_data_set_names, handle, enc2utf8(as.character(names)))
  # The library keeps the names of rows, so that they go with the rows into selections, splits and files.
  if (!is.null(row_names)) .Call(C_vt_data_set_row_texts, handle, "name", enc2utf8(as.character(row_names)))
  if (!is.null(weights)) .Call(C_vt_data_set_weights, handle, numbers_of(weights, "weights"))
  new_data(handle, row_names, source)
}

# Counts of words are whole; most fractions are tf-idf by mistake. Places in the message are R's, from 1.
require_counts <- function(values, fractions, place) {
  first <- .Call(C_vt_first_no_count, values, fractions)
  if (first == 0) return(invisible())
  at <- place(first)
  value <- values[first]
  refuse_data("row ", at[1], ", column ", at[2], " is ", format(value), ", which is not a count",
              if (isTRUE(value > 0) && is.finite(value)) ": the model is of word counts, not of tf-idf or other weights (fractions = TRUE uses them as they are)",
              "; kinds of dense rows, such as vt_gaussian_mixture(), take numbers, of which vt_data(x, form = \"dense\") makes data")
}

require_form <- function(form, allowed, what) {
  if (!form %in% allowed) {
    refuse(what, " cannot be taken as ", form, "; it can be taken as ", paste(allowed, collapse = " or "))
  }
}

# Compressed sparse arrays. `compressed` names the dimension of x that offsets run over.
sparse_data <- function(x, compressed, offsets, indices, values, dim, dimnames, form, documents, weights, fractions,
                        source = class(x)[1]) {
  require_form(form, "counts", paste("a", source))
  rows_first <- documents == "rows"
  sizes <- if (rows_first) dim else rev(dim)
  names <- if (rows_first) dimnames else rev(dimnames)
  by_columns <- (compressed == "columns") == rows_first
  require_counts(values, fractions, function(i) {
    outer <- findInterval(i - 1, offsets)
    inner <- indices[i] + 1
    if (by_columns) c(inner, outer) else c(outer, inner)
  })
  handle <- .Call(C_vt_data_from_counts, by_columns, as.numeric(sizes[1]), as.numeric(sizes[2]), offsets, indices,
                  values, 0)
  finished_data(handle, names[[2]], names[[1]], weights, source)
}

vt_data.dgCMatrix <- function(x, form = "counts", documents = c("rows", "columns"), weights = NULL, fractions = FALSE,
                              ...) {
  nothing_else(...)
  documents <- rows_or_columns(documents)
  sparse_data(x, "columns", attr(x, "p"), attr(x, "i"), attr(x, "x"), attr(x, "Dim"), attr(x, "Dimnames"), form,
              documents, weights, fractions)
}

vt_data.dgRMatrix <- function(x, form = "counts", documents = c("rows", "columns"), weights = NULL, fractions = FALSE,
                              ...) {
  nothing_else(...)
  documents <- rows_or_columns(documents)
  sparse_data(x, "rows", attr(x, "p"), attr(x, "j"), attr(x, "x"), attr(x, "Dim"), attr(x, "Dimnames"), form,
              documents, weights, fractions)
}

vt_data.dgTMatrix <- function(x, ...) vt_data.Matrix(x, ...)

# Any other class of Matrix, by way of the package.
vt_data.Matrix <- function(x, ...) {
  if (!requireNamespace("Matrix", quietly = TRUE)) refuse("a ", class(x)[1], " needs the package Matrix")
  general <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  vt_data.dgCMatrix(general, ...)
}

# A document-feature matrix of quanteda: a dgCMatrix that may carry a weighting.
vt_data.dfm <- function(x, form = "counts", documents = c("rows", "columns"), weights = NULL, fractions = FALSE, ...) {
  nothing_else(...)
  documents <- rows_or_columns(documents)
  weighting <- attr(x, "meta")$object$weight_df$scheme
  if (!fractions && !is.null(weighting) && !weighting %in% c("unary", "count")) {
    refuse_data("the dfm is weighted (", weighting, "); the model is of word counts: give the dfm before dfm_tfidf()")
  }
  names <- attr(x, "Dimnames")
  sparse_data(x, "columns", attr(x, "p"), attr(x, "i"), attr(x, "x"), attr(x, "Dim"), unname(names), form, documents,
              weights, fractions, "dfm")
}

# Rows and columns of triplets are inside the matrix: otherwise they would be left out, and the entries after them would move.
require_triplets <- function(x) {
  for (part in c("i", "j", "v")) numbers_of(x[[part]], paste(part, "of the triplets"))
  if (length(x$i) != length(x$v) || length(x$j) != length(x$v)) refuse_data("rows, columns and values of the triplets differ in length")
  require_places(x$i, x$nrow, "row")
  require_places(x$j, x$ncol, "column")
}

require_places <- function(indices, size, what) {
  one_whole(size, paste0("the number of ", what, "s"), 0, .Machine$integer.max)
  wrong <- which(is.na(indices) | indices < 1 | indices > size | indices != floor(indices))
  if (length(wrong)) refuse_data("triplet ", wrong[1], " is in ", what, " ", format(indices[wrong[1]]), " of ", format(size))
}

# Triplets (slam, tm), brought into rows.
triplet_data <- function(x, rows, columns, count, size, dimnames, form, weights, fractions, source) {
  require_form(form, "counts", paste("a", source))
  order <- order(rows, columns)
  values <- as.numeric(x$v)[order]
  require_counts(values, fractions, function(i) c(rows[order][i], columns[order][i]))
  offsets <- as.integer(c(0, cumsum(tabulate(rows, count))))
  handle <- .Call(C_vt_data_from_counts, FALSE, as.numeric(count), as.numeric(size), offsets,
                  as.integer(columns)[order] - 1L, values, 0)
  finished_data(handle, dimnames[[2]], dimnames[[1]], weights, source)
}

vt_data.simple_triplet_matrix <- function(x, form = "counts", documents = c("rows", "columns"), weights = NULL,
                                          fractions = FALSE, ...) {
  nothing_else(...)
  require_triplets(x)
  if (rows_or_columns(documents) == "rows") {
    triplet_data(x, x$i, x$j, x$nrow, x$ncol, x$dimnames, form, weights, fractions, class(x)[1])
  } else {
    triplet_data(x, x$j, x$i, x$ncol, x$nrow, rev(x$dimnames), form, weights, fractions, class(x)[1])
  }
}

require_term_frequency <- function(x, fractions) {
  weighting <- attr(x, "weighting")
  if (!fractions && !is.null(weighting) && !"tf" %in% weighting) {
    refuse_data("the matrix is weighted (", paste(weighting, collapse = ", "), "); the model is of word counts: make it ",
                "with the weighting weightTf")
  }
}

vt_data.DocumentTermMatrix <- function(x, form = "counts", documents = "rows", weights = NULL, fractions = FALSE, ...) {
  require_term_frequency(x, fractions)
  require_rows(documents, "a DocumentTermMatrix")
  vt_data.simple_triplet_matrix(x, form, "rows", weights, fractions, ...)
}

# Says by its class that documents are its columns.
vt_data.TermDocumentMatrix <- function(x, form = "counts", documents = "columns", weights = NULL, fractions = FALSE,
                                       ...) {
  require_term_frequency(x, fractions)
  vt_data.simple_triplet_matrix(x, form, "columns", weights, fractions, ...)
}

vt_data.matrix <- function(x, form = "counts", documents = c("rows", "columns"), weights = NULL, fractions = FALSE,
                           ...) {
  nothing_else(...)
  documents <- rows_or_columns(documents)
  if (form == "sequences") {
    if (documents == "columns") x <- t(x)
    return(vt_data.list(lapply(seq_len(nrow(x)), function(i) x[i, ]), form, weights = weights))
  }
  if (!is.numeric(x) && !is.logical(x)) refuse("a matrix of ", typeof(x), " cannot be taken as ", form)
  if (form == "dense") {
    if (!is.double(x)) storage.mode(x) <- "double"
    names <- if (documents == "rows") dimnames(x) else rev(dimnames(x))
    handle <- .Call(C_vt_data_from_dense, x, documents == "columns")
    return(finished_data(handle, names[[2]], names[[1]], weights, "matrix"))
  }
  filled <- is.na(x) | x != 0
  places <- which(filled)
  sparse_data(x, "columns", as.integer(c(0, cumsum(colSums(filled)))), (places - 1L) %% nrow(x), as.numeric(x[places]),
              dim(x), dimnames(x), form, documents, weights, fractions)
}

vt_data.table <- function(x, ...) {
  if (length(dim(x)) != 2) refuse("a table of ", counted(length(dim(x)), "dimension"), " cannot be taken as data; one of two can: documents by words")
  names <- dimnames(x)
  vt_data.matrix(matrix(as.vector(x), nrow(x), dimnames = list(names[[1]], names[[2]])), ...)
}

vt_data.data.frame <- function(x, form = "counts", documents = "rows", weights = NULL, fractions = FALSE, columns = NULL, ...) {
  numbers <- number_columns(x)
  if (form == "counts" && (!is.null(columns) || is_count_table(x, numbers))) {
    nothing_else(...)
    require_rows(documents, "a table of document, term and count")
    return(long_data(count_columns(x, columns), weights, fractions))
  }
  if (!is.null(columns)) refuse("the argument columns is for tables of document, term and count")
  if (!all(numbers)) {
    refuse("column ", names(x)[!numbers][1], " of the data frame is not numeric",
           if (form == "counts") "; for a table of document, term and count give columns = c(their names)")
  }
  vt_data.matrix(number_matrix(x), form, documents, weights, fractions, ...)
}

# Documents as vectors of tokens, or sequences of symbols: words, factors, or numbers from 1.
vt_data.list <- function(x, form = "counts", documents = "rows", weights = NULL, fractions = FALSE, alphabet = NULL,
                         ...) {
  nothing_else(...)
  require_form(form, c("counts", "sequences"), "a list")
  require_rows(documents, "a list")
  refuse_texts(x, form)
  require_tokens(x)
  factors <- vapply(x, is.factor, NA)
  if (any(factors)) {
    # Levels without a token are words too, if no other document brings words of its own.
    if (is.null(alphabet) && all(factors | lengths(x) == 0)) alphabet <- unique(unlist(lapply(x[factors], levels)))
    x <- lapply(x, function(one) if (is.factor(one)) as.character(one) else one)
  }
  found <- symbols_of(unlist(x, use.names = FALSE), alphabet)
  lengths <- lengths(x)
  if (form == "sequences") {
    handle <- .Call(C_vt_data_from_sequences, as.numeric(found$size), as.integer(1 + c(0, cumsum(lengths))), found$symbols, 1)
    return(finished_data(handle, found$vocabulary, names(x), weights, "list"))
  }
  documents_of <- rep.int(seq_along(x), lengths)
  order <- order(documents_of, found$symbols)
  sorted_documents <- documents_of[order]
  sorted <- found$symbols[order]
  first <- c(TRUE, diff(sorted_documents) != 0 | diff(sorted) != 0)[seq_along(sorted)]
  counts <- diff(c(which(first), length(sorted) + 1))
  offsets <- as.integer(c(0, cumsum(tabulate(sorted_documents[first], length(x)))))
  handle <- .Call(C_vt_data_from_counts, FALSE, as.numeric(length(x)), as.numeric(found$size), offsets, sorted[first] - 1L,
                  as.numeric(counts), 0)
  finished_data(handle, found$vocabulary, names(x), weights, "list")
}

# Elements of a list that are no documents: what is no vector, what has a class whose numbers are no words (such as
# dates), and missing values.
require_tokens <- function(x) {
  vectors <- vapply(x, function(one) is.null(one) || (is.atomic(one) && (!is.object(one) || is.factor(one) || is.character(one))), NA)
  if (!all(vectors)) {
    at <- which(!vectors)[1]
    refuse("element ", at, " of the list is not a vector of tokens or symbols",
           if (is.object(x[[at]])) paste(" but of class", class(x[[at]])[1]))
  }
  row <- which(vapply(x, anyNA, NA))[1]
  if (!is.na(row)) refuse_data("element ", row, " of the list holds NA at position ", which(is.na(x[[row]]))[1])
  unreadable <- function(one) is.character(one) && any(!validEnc(one) | Encoding(one) == "bytes")
  row <- which(vapply(x, unreadable, NA))[1]
  if (is.na(row)) return(invisible())
  refuse_data("element ", row, " of the list holds at position ", which(!validEnc(x[[row]]) | Encoding(x[[row]]) == "bytes")[1],
              " bytes that are no text in its encoding; iconv(x, from) makes UTF-8 of text in another one")
}

# Tokens as numbers from 1, how many different ones there can be, and the words if they are words.
symbols_of <- function(tokens, alphabet) {
  if (is.numeric(tokens) || is.null(tokens) && is.numeric(alphabet)) return(numbered_symbols(as.numeric(tokens), alphabet))
  words <- as.character(tokens)
  vocabulary <- if (is.null(alphabet)) sort(unique(words), method = "radix") else as.character(alphabet)
  symbols <- match(words, vocabulary)
  if (anyNA(symbols)) refuse_data("\"", words[is.na(symbols)][1], "\" is not in the alphabet")
  list(symbols = symbols, size = length(vocabulary), vocabulary = vocabulary)
}

numbered_symbols <- function(tokens, alphabet) {
  if (!is.null(alphabet) && !is.numeric(alphabet)) refuse("the symbols are numbers, the alphabet is not")
  if (any(tokens != floor(tokens)) || any(tokens < 1)) refuse_data("symbols and tokens as numbers must be whole and from 1")
  most <- .Machine$integer.max
  if (any(tokens > most)) refuse_data("symbol ", format(tokens[tokens > most][1]), " is too large: the largest is ", most)
  size <- if (is.null(alphabet)) max(0, tokens) else if (length(alphabet) > 1) length(alphabet) else one_whole(alphabet, "alphabet", 1, most)
  if (any(tokens > size)) refuse_data("symbol ", format(tokens[tokens > size][1]), " is beyond the alphabet, which has ", format(size))
  list(symbols = as.integer(tokens), size = size)
}

# Tokens of quanteda: numbers into their types, 0 for what was removed.
vt_data.tokens <- function(x, form = "counts", ...) {
  types <- attr(x, "types")
  plain <- lapply(unclass(x), function(one) types[one[one > 0]])
  attributes(plain) <- list(names = names(x))
  vt_data.list(plain, form, ...)
}

# A file: the formats that the library reads.
vt_data.character <- function(x, form = "counts", documents = "rows", weights = NULL, fractions = FALSE,
                              format = "auto", names = NULL, alphabet = NULL, ...) {
  nothing_else(...)
  if (form == "sequences" && length(x) != 1) return(vt_data.list(list(x), form, documents, weights, alphabet = alphabet))
  require_rows(documents, "a file")
  if (!is.null(alphabet)) refuse("a file has its own alphabet; names = names its symbols")
  if (length(x) != 1) {
    refuse("a character vector is taken as the path of one file; give documents as a list of their words, ",
           "for example by strsplit(tolower(x), \"[^[:alpha:]]+\")")
  }
  handle <- .Call(C_vt_data_read, file_path(x), format)
  finished_data(handle, vocabulary_of(names, .Call(C_vt_data_info, handle)$columns), NULL, weights, x)
}

# Names of the columns of a file: the words, or the path of a file with one word per line.
vocabulary_of <- function(names, columns) {
  if (is.character(names) && length(names) == 1 && columns != 1) {
    if (!file.exists(names)) refuse("there is no file ", names, "; names must be the words, or the path of a file with one word per line")
    names <- readLines(names, encoding = "UTF-8", warn = FALSE)
  }
  if (!is.null(names) && length(names) != columns) {
    refuse_data("there are ", counted(length(names), "name"), " for ", counted(columns, "column"))
  }
  names
}

# One sequence, as numbers or as a factor.
vt_data.factor <- function(x, form = "counts", ...) {
  if (form != "sequences") refuse("a factor can be taken as one sequence only; give documents as a list of their words")
  vt_data.list(list(x), form, ...)
}

vt_data.vt_data <- function(x, form = "counts", documents = "rows", weights = NULL, fractions = FALSE, ...) {
  nothing_else(...)
  given <- given_of_data(documents, weights, fractions)
  if (length(given)) refuse("the data is already made; give ", given[1], " to the call of vt_data() that makes it")
  x
}

vt_data.NULL <- function(x, ...) refuse("there is no data")

vt_data.default <- function(x, form = "counts", ...) {
  if (length(dim(x)) > 2) refuse("an array of ", length(dim(x)), " dimensions cannot be taken as data; a matrix can")
  if (isS4(x) && methods::is(x, "Matrix")) return(vt_data.Matrix(x, form, ...))
  # The numbers of other classes are not always their values, as those of integer64.
  if (is.object(x) && !stats::is.ts(x)) refuse("an object of class ", class(x)[1], " cannot be taken as data")
  if (is.numeric(x) && form == "dense") return(vt_data.matrix(matrix(x), form, ...))
  if (is.numeric(x) && form == "sequences") return(vt_data.list(list(x), form, ...))
  if (is.numeric(x)) {
    refuse("a vector of numbers cannot be taken as counts; give a matrix of documents by words, for one document matrix(x, 1)")
  }
  refuse("an object of class ", class(x)[1], " cannot be taken as data")
}
