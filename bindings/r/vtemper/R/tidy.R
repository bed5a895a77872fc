# Tables for the tidy verbs, which are registered if the package generics is installed; shapes and names are those of
# tidytext.

tidy.vt_model <- function(x, matrix = NULL, parameter = NULL, newdata = NULL, log = FALSE, ...) {
  nothing_else(...)
  one_flag(log, "log")
  if (!is.null(matrix) && !is.null(parameter)) refuse("give matrix or parameter")
  if (is.null(matrix) && is.null(parameter) && x$kind == "lda") matrix <- "beta"
  if (is.null(matrix)) {
    if (!is.null(newdata)) refuse("newdata is for matrix = \"gamma\"")
    if (log) refuse("log is for matrix = \"beta\" or \"gamma\"")
    return(tidy_parameter(x, if (is.null(parameter)) main_parameter(x) else parameter))
  }
  if (!is.character(matrix) || length(matrix) != 1 || !matrix %in% c("beta", "gamma")) {
    refuse("matrix must be \"beta\", the words of topics, or \"gamma\", the topics of documents")
  }
  if (x$kind != "lda") {
    refuse("matrix = \"", matrix, "\" is for topics; a fit of ", x$kind, " has the parameters ",
           paste(names(parameters_of(x$model)), collapse = ", "))
  }
  if (matrix == "beta") {
    if (!is.null(newdata)) refuse("newdata is for matrix = \"gamma\"")
    values <- coef(x, "topics")
    terms <- if (is.null(colnames(values))) paste0("V", seq_len(ncol(values))) else colnames(values)
    table <- data.frame(topic = rep(seq_len(nrow(values)), times = ncol(values)), term = rep(terms, each = nrow(values)),
                        beta = as.vector(values))
    if (log) table$beta <- base::log(table$beta)
  } else {
    values <- predict(x, newdata)
    documents <- if (is.null(rownames(values))) seq_len(nrow(values)) else rownames(values)
    table <- data.frame(document = rep(documents, times = ncol(values)), topic = rep(seq_len(ncol(values)), each = nrow(values)),
                        gamma = as.vector(values))
    if (log) table$gamma <- base::log(table$gamma)
  }
  table
}

# A parameter as a long table.
tidy_parameter <- function(fit, parameter) {
  values <- coef(fit, parameter)
  shape <- if (is.null(dim(values))) length(values) else dim(values)
  places <- arrayInd(seq_along(values), shape)
  table <- data.frame(component = places[, 1])
  if (length(shape) > 1) {
    names <- dimnames(values)[[length(shape)]]
    for (d in seq_along(shape)[-1]) {
      name <- if (length(shape) == 2) "column" else paste0("dimension", d)
      table[[name]] <- if (d == length(shape) && !is.null(names)) names[places[, d]] else places[, d]
    }
  }
  table$value <- as.vector(values)
  table
}

augment.vt_model <- function(x, data = NULL, ...) {
  if (x$kind == "lda") return(augment_words(x, data, ...))
  shares <- predict(x, data, ...)
  if (!is.matrix(shares)) refuse("augment is for models that share rows among components")
  rows <- if (is.null(rownames(shares))) seq_len(nrow(shares)) else rownames(shares)
  table <- data.frame(.row = rows, .component = max.col(shares, "first"), .share = apply(shares, 1, max),
                      row.names = NULL)
  if (is.data.frame(data)) cbind(data, table[-1]) else table
}

# The most probable topic of each term of each document: by the document's share of the topic times the topic's
# probability of the term.
augment_words <- function(fit, data, documents = "rows", ...) {
  if (is.null(data) || inherits(data, "vt_data")) {
    refuse("augment gives the topic of each term in each document and needs their counts: give as data what the fit was made ",
           "from; tidy(fit, matrix = \"gamma\") has the shares of each document")
  }
  table <- count_table(data, documents)
  shares <- predict(fit, data, documents = documents, ...)
  words <- coef(fit, "topics")
  term <- if (is.null(colnames(words))) as.numeric(sub("^V", "", table$term)) else match(table$term, colnames(words))
  best <- rep(NA_integer_, nrow(table)) # of terms that the model does not know
  largest <- rep(-Inf, nrow(table))
  for (topic in seq_len(nrow(words))) {
    value <- shares[cbind(table$row, topic)] * words[topic, term]
    better <- !is.na(value) & value > largest
    best[better] <- topic
    largest[better] <- value[better]
  }
  table$.topic <- best
  table[-1]
}

glance.vt_model <- function(x, ...) {
  nothing_else(...)
  size <- dimensions(x)
  report <- report_of(x)
  table <- data.frame(kind = x$kind, components = size$components, columns = size$columns, nobs = x$nobs)
  if (is.null(report)) return(table)
  numbers <- report[c("iteration", "passes", "objective", "elbo", "expected_log_likelihood", "temperature", "converged", "seconds")]
  numbers <- lapply(numbers, function(number) if (is.nan(number)) NA_real_ else number) # what was not computed is missing
  cbind(table, as.data.frame(numbers))
}
