# Pictures of fits, in base graphics.

plot.vt_model <- function(x, what = NULL, ...) {
  if (is.null(what)) what <- "trace"
  if (what == "trace") return(plot_trace(x, ...))
  if (what == "words") return(plot_words(x, ...))
  if (what == "components") return(plot_components(x, ...))
  parameters <- names(parameters_of(x$model))
  if (!what %in% parameters) {
    refuse("there is no picture \"", what, "\"; there are trace, words, components, and the parameters ",
           paste(parameters, collapse = ", "))
  }
  plot_parameter(x, what, ...)
}

one_color <- "#1f5a8a"
other_color <- "#c0392b"

# Above the objective, below the temperature, by step.
plot_trace <- function(fit, ...) {
  trace <- vt_trace(fit)
  value <- if (sum(is.finite(trace$objective)) > 1) "objective" else "expected_log_likelihood"
  seen <- trace[is.finite(trace[[value]]), ]
  if (nrow(seen) == 0) refuse("the trace is empty")
  old <- graphics::par(mfrow = c(2, 1), mar = c(0.6, 5, 2, 1), oma = c(3.2, 0, 0, 0), las = 1, mgp = c(3.6, 0.6, 0), tcl = -0.3)
  on.exit(graphics::par(old))
  range <- range(trace$iteration)
  label <- unit_of(seen[[value]])
  exact <- value == "objective"
  graphics::plot(seen$iteration, seen[[value]] / label$unit, type = if (exact) "l" else "p", lwd = 2, pch = 19, cex = 0.6,
                 col = if (exact) one_color else adjustcolor(one_color, 0.35), xlim = range, xaxt = "n", xlab = "",
                 ylab = label$text, bty = "l", ...)
  # Values of minibatches scatter; the line shows where they go.
  if (!exact && nrow(seen) > 4) graphics::lines(smoothed(seen$iteration, seen[[value]] / label$unit), col = one_color, lwd = 2.5)
  if (any(is.finite(trace$elbo))) {
    graphics::lines(trace$iteration, trace$elbo / label$unit, col = adjustcolor(one_color, 0.5), lty = 2, lwd = 1.5)
    graphics::legend("bottomright", c(value, "elbo at T = 1"), col = c(one_color, adjustcolor(one_color, 0.5)),
                     lty = 1:2, lwd = 2, bty = "n")
  }
  graphics::mtext(paste0(fit$kind, ", ", .Call(C_vt_optimizer_option, fit$optimizer, "method"), ": ",
                         gsub("_", " ", value), if (!exact) " of the minibatches"), adj = 0, line = 0.5, font = 2)
  graphics::par(mar = c(0.6, 5, 0.8, 1))
  graphics::plot(trace$iteration, trace$temperature, type = "l", lwd = 2, col = other_color, xlim = range,
                 ylim = range(1, 1.05, trace$temperature, finite = TRUE), xlab = "", ylab = "temperature T", bty = "l")
  graphics::mtext("step", side = 1, line = 2)
  invisible(trace)
}

smoothed <- function(x, y) stats::lowess(x, y, f = 1 / 3)

# Numbers of nats in thousands or millions, so that the axis can be read.
unit_of <- function(values) {
  size <- max(abs(values), na.rm = TRUE)
  if (size >= 1e6) list(unit = 1e6, text = "million nats")
  else if (size >= 1e4) list(unit = 1e3, text = "thousand nats")
  else list(unit = 1, text = "nats")
}

# Bars of the top words of some topics.
plot_words <- function(fit, topics = NULL, n = 8, rank = "probability", ...) {
  if (is.null(topics)) topics <- head(seq_len(dimensions(fit)$components), 9)
  ranked <- terms.vt_model(fit, n, rank, scores = TRUE)
  columns <- ceiling(sqrt(length(topics)))
  old <- graphics::par(mfrow = c(ceiling(length(topics) / columns), columns), mar = c(2, 6.5, 2, 1), las = 1, tcl = -0.2,
                       mgp = c(1.5, 0.4, 0))
  on.exit(graphics::par(old))
  for (topic in topics) {
    scores <- rev(ranked$scores[, topic])
    graphics::barplot(scores, names.arg = rev(ranked$terms[, topic]), horiz = TRUE, col = one_color, border = NA,
                      main = paste("Topic", topic), cex.names = 0.9, cex.axis = 0.8, cex.main = 1,
                      xlim = range(0, pretty(scores, 3)), xaxt = "n", ...)
    graphics::axis(1, at = pretty(c(0, scores), 3), cex.axis = 0.8)
  }
  invisible(ranked)
}

# Rows in two of their columns, coloured by component, with the components' means.
plot_components <- function(fit, newdata = NULL, columns = 1:2, ...) {
  data <- if (is.null(newdata)) NULL else newdata
  shares <- predict(fit, data)
  if (is.null(newdata)) refuse("give the rows to plot as newdata")
  rows <- data.matrix(newdata)
  components <- ncol(shares)
  palette <- hcl.colors(components, "Dark 3")
  means <- coef(fit, "mean")
  used <- max.col(shares, "first")
  if (ncol(rows) == 1) {
    graphics::plot(rows[, 1], used, col = adjustcolor(palette[used], 0.6), pch = 19, xlab = colnames(rows), ylab = "component",
                   bty = "l", las = 1, ...)
    graphics::points(means[, 1], seq_len(components), pch = 4, cex = 2, lwd = 3)
    return(invisible(shares))
  }
  names <- if (is.null(colnames(rows))) paste("column", columns) else colnames(rows)[columns]
  shown <- sort(unique(used))
  spreads <- lapply(shown, function(component) spread(fit, component, means[component, columns], columns))
  limits <- apply(rbind(rows[, columns, drop = FALSE], do.call(rbind, spreads)), 2, range, na.rm = TRUE)
  graphics::plot(rows[, columns], xlim = limits[, 1], ylim = limits[, 2], col = adjustcolor(palette[used], 0.6), pch = 19, cex = 0.7, xlab = names[1], ylab = names[2],
                 bty = "l", las = 1, ...)
  for (i in seq_along(shown)) if (!is.null(spreads[[i]])) graphics::lines(spreads[[i]], col = palette[shown[i]], lwd = 2)
  graphics::points(means[shown, columns, drop = FALSE], pch = 21, bg = palette[shown], col = "black", cex = 2.2, lwd = 1.5)
  graphics::text(means[shown, columns, drop = FALSE], labels = shown, cex = 0.7)
  invisible(shares)
}

# The ellipse of two standard deviations, where the model has covariances.
spread <- function(fit, component, mean, columns) {
  if (!"covariance" %in% vt_parameters(fit)$name) return(NULL)
  angles <- seq(0, 2 * pi, length.out = 100)
  root <- chol(coef(fit, "covariance")[component, columns, columns])
  t(mean + 2 * t(cbind(cos(angles), sin(angles)) %*% root))
}

# Any vector or matrix parameter: rows are components, each scaled to its sum where `shares`.
plot_parameter <- function(fit, name, shares = NULL, ...) {
  values <- coef(fit, name)
  if (length(dim(values)) > 2) refuse("parameter ", name, " has more than two dimensions")
  if (is.null(dim(values))) {
    graphics::barplot(values, names.arg = if (is.null(names(values))) seq_along(values), col = one_color, border = NA, las = 1,
                      ylab = name, xlab = if (is.null(names(values))) sub(" 1$", "", component_names(fit)[1]) else "", ...)
    return(invisible(values))
  }
  if (is.null(shares)) shares <- all(values >= 0) && form_of_kind(fit$kind) != "dense"
  if (shares) values <- values / rowSums(values)
  names <- if (is.null(colnames(values))) seq_len(ncol(values)) else colnames(values)
  upright <- ncol(values) * max(nchar(names)) > 60 # they would not fit beside each other
  below <- if (ncol(values) > 40) 2 else if (upright) min(1.5 + 0.5 * max(nchar(names)), 12) else 2.5
  old <- graphics::par(mar = c(below, 4, 2.5, 6), las = 1, tcl = -0.3, mgp = c(2.4, 0.6, 0))
  on.exit(graphics::par(old))
  colors <- if (min(values) < 0) hcl.colors(64, "Blue-Red 3") else hcl.colors(64, "Blues 3", rev = TRUE)
  limits <- if (min(values) < 0) c(-1, 1) * max(abs(values)) else c(0, max(values))
  rows <- nrow(values)
  columns <- ncol(values)
  graphics::image(seq_len(columns), seq_len(rows), t(values)[, rows:1, drop = FALSE], col = colors, zlim = limits, xlab = "", ylab = "",
                  axes = FALSE, ...)
  graphics::axis(2, at = rows:1, labels = seq_len(rows), lwd = 0, line = -0.5)
  if (columns <= 40) graphics::axis(1, at = seq_len(columns), labels = names, lwd = 0, line = -0.5, las = if (upright) 2 else 1, cex.axis = 0.8)
  graphics::mtext(paste0(fit$kind, ": ", name, if (shares) ", each row as shares"), adj = 0, line = 0.7, font = 2)
  show_scale(colors, limits)
  invisible(values)
}

# A strip of the colours at the right edge.
show_scale <- function(colors, limits) {
  area <- graphics::par("usr")
  left <- area[2] + 0.03 * (area[2] - area[1])
  right <- area[2] + 0.07 * (area[2] - area[1])
  bounds <- seq(area[3], area[4], length.out = length(colors) + 1)
  graphics::rect(left, head(bounds, -1), right, tail(bounds, -1), col = colors, border = NA, xpd = NA)
  labels <- pretty(limits, 4)
  labels <- labels[labels >= limits[1] & labels <= limits[2]]
  graphics::text(right, area[3] + (labels - limits[1]) / diff(limits) * (area[4] - area[3]), format(labels), pos = 4, cex = 0.8, xpd = NA)
}

plot.vt_search_k <- function(x, ...) {
  measure <- attr(x, "measure")
  graphics::plot(x$k, x$score, pch = 19, col = adjustcolor(one_color, 0.5), xlab = "k", ylab = paste("held-out", measure), bty = "l",
                 las = 1, xaxt = "n", ...)
  graphics::axis(1, at = sort(unique(x$k)))
  means <- tapply(x$score, x$k, mean)
  graphics::lines(as.numeric(names(means)), means, col = one_color, lwd = 2)
  invisible(means)
}
