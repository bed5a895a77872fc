# Tables for the tidy verbs, which are registered when the package generics is there.

tidy.vt_model <- function(x, parameter = NULL, ...) {
  if (is.null(parameter)) parameter <- main_parameter(x)
  values <- coef(x, parameter)
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
  shares <- predict(x, data, ...)
  if (!is.matrix(shares)) refuse("augment is for models that share rows among components")
  rows <- if (is.null(rownames(shares))) seq_len(nrow(shares)) else rownames(shares)
  table <- data.frame(.row = rows, .component = max.col(shares, "first"), .share = apply(shares, 1, max),
                      row.names = NULL)
  if (is.data.frame(data)) cbind(data, table[-1]) else table
}

glance.vt_model <- function(x, ...) {
  size <- dimensions(x)
  report <- report_of(x)
  table <- data.frame(kind = x$kind, components = size$components, columns = size$columns)
  if (is.null(report)) return(table)
  cbind(table, as.data.frame(report[c("iteration", "passes", "objective", "elbo", "expected_log_likelihood", "temperature", "converged", "seconds")]))
}
