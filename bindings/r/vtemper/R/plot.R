# Pictures of fits, in base graphics.

plot.vt_model <- function(x, what = NULL, ...) {
  if (is.null(what)) what <- "trace"
  one_text(what, "what")
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

# A call of base graphics with our settings, which those of the user override.
draw <- function(picture, settings, given) {
  if (length(given) && (is.null(names(given)) || any(names(given) == ""))) refuse("graphical parameters must be given by name")
  forms <- list(graphics::plot.default, graphics::barplot.default, graphics::image.default)
  unknown <- setdiff(names(given), c(unlist(lapply(forms, function(form) names(formals(form)))), names(graphics::par())))
  if (length(unknown)) refuse(unknown[1], " is neither an argument of plot nor a graphical parameter")
  settings[names(given)] <- given
  do.call(picture, settings)
}

# Objective above, temperature below, by step.
plot_trace <- function(fit, ...) {
  trace <- vt_trace(fit)
  value <- if (sum(is.finite(trace$objective)) > 1) "objective" else "expected_log_likelihood"
  seen <- trace[is.finite(trace[[value]]), ]
  if (nrow(seen) == 0) refuse("the trace is empty")
  exact <- all(abs(trace$passes - trace$iteration) < 1e-6 * trace$iteration) # each step saw all rows
  bound <- trace[is.finite(trace$elbo), ]
  bound <- bound[!bound$iteration %in% seen$iteration[seen[[value]] == seen$elbo], ] # nothing else than the objective
  old <- graphics::par(mfrow = c(2, 1), mar = c(0.6, 5, 3, 1), oma = c(3.2, 0, 0, 0), las = 1, mgp = c(3.6, 0.6, 0), tcl = -0.3)
  on.exit(graphics::par(old))
  range <- range(trace$iteration)
  label <- unit_of(seen[[value]])
  values <- seen[[value]] / label$unit
  title <- paste0(fit$kind, ", ", .Call(C_vt_optimizer_used_options, fit$optimizer)[["method"]], ": ", gsub("_", " ", value),
                  if (!exact) " of minibatches")
  given <- list(...)
  if (!is.null(given$main)) title <- given$main
  given$main <- NULL
  style <- c(list(col = one_color, lwd = 2), given[names(given) %in% c("col", "lwd", "lty")])
  style <- style[!duplicated(names(style), fromLast = TRUE)]
  draw(graphics::plot, list(x = seen$iteration, y = values, type = if (exact) "o" else "p", lwd = 2, pch = 19,
                            cex = if (exact) 0.5 else 0.6, col = if (exact) one_color else adjustcolor(style$col, 0.35),
                            xlim = range, ylim = range(values, bound$elbo / label$unit), xaxt = "n", xlab = "",
                            ylab = label$text, bty = "l"), if (exact) given else given[names(given) != "col"])
  # Values of minibatches scatter; the line shows where they go.
  if (!exact) do.call(graphics::lines, c(list(running_mean(seen$iteration, values)), style))
  if (nrow(bound) > 0) {
    paler <- adjustcolor(one_color, 0.5)
    shown <- if (exact) list(x = bound$iteration, y = bound$elbo / label$unit) else running_mean(bound$iteration, bound$elbo / label$unit)
    graphics::lines(shown, col = paler, lty = 2, lwd = 1.5)
  }
  lines <- c(if (exact) gsub("_", " ", value) else "running mean", if (nrow(bound) > 0) "elbo at T = 1")
  if (!exact || nrow(bound) > 0) {
    graphics::legend(range[1], graphics::par("usr")[4], lines, col = c(style$col, adjustcolor(one_color, 0.5))[seq_along(lines)],
                     lty = seq_along(lines), lwd = 2, bty = "n", horiz = TRUE, xpd = NA, yjust = 0, cex = 0.85)
  }
  graphics::mtext(title, adj = 0, line = 1.7, font = 2)
  graphics::par(mar = c(0.6, 5, 0.8, 1))
  graphics::plot(trace$iteration, trace$temperature, type = "l", lwd = 2, col = other_color, xlim = range,
                 ylim = range(1, 1.05, trace$temperature, finite = TRUE), xlab = "", ylab = "temperature T", bty = "l")
  graphics::mtext("step", side = 1, line = 2)
  invisible(trace)
}

# Means of neighbouring values, of a sixth of them.
running_mean <- function(x, y) {
  reach <- max(1, length(y) %/% 12)
  list(x = x, y = vapply(seq_along(y), function(i) {
    mean(y[max(1, i - reach):min(length(y), i + reach)])
  }, 0))
}

# Numbers of nats in thousands or millions, so that the axis can be read.
unit_of <- function(values) {
  size <- max(abs(values), na.rm = TRUE)
  if (size >= 1e6) list(unit = 1e6, text = "million nats")
  else if (size >= 1e4) list(unit = 1e3, text = "thousand nats")
  else list(unit = 1, text = "nats")
}

# Bars (dots, if scores are logarithms) of the top words of some topics.
plot_words <- function(fit, topics = NULL, n = 8, rank = "probability", ...) {
  all <- dimensions(fit)$components
  if (is.null(topics)) topics <- head(seq_len(all), 9)
  for (topic in topics) one_whole(topic, "topic", 1, all)
  ranked <- terms.vt_model(fit, n, rank, scores = TRUE)
  columns <- ceiling(sqrt(length(topics)))
  left <- min(1.5 + 0.55 * max(nchar(ranked$terms[, topics])), 14)
  old <- graphics::par(mfrow = c(ceiling(length(topics) / columns), columns), mar = c(2, left, 2, 1), las = 1, tcl = -0.2,
                       mgp = c(1.5, 0.4, 0))
  on.exit(graphics::par(old))
  for (topic in topics) {
    scores <- rev(ranked$scores[, topic])
    words <- rev(ranked$terms[, topic])
    if (any(scores < 0)) { # logarithms have no zero to begin at: the best words would have the shortest bars
      draw(graphics::plot, list(x = scores, y = seq_along(scores), pch = 19, col = one_color, main = paste("Topic", topic), cex.axis = 0.8,
                                cex.main = 1, xlab = "", ylab = "", yaxt = "n", bty = "l"), list(...))
      graphics::abline(h = seq_along(scores), col = "grey90")
      graphics::axis(2, at = seq_along(scores), labels = words, tick = FALSE, cex.axis = 0.9)
    } else {
      draw(graphics::barplot, list(height = scores, names.arg = words, horiz = TRUE, col = one_color, border = NA,
                                   main = paste("Topic", topic), cex.names = 0.9, cex.axis = 0.8, cex.main = 1,
                                   xlim = range(0, pretty(c(0, scores), 3)), xaxt = "n"), list(...))
      graphics::axis(1, at = pretty(c(0, scores), 3), cex.axis = 0.8)
    }
  }
  invisible(ranked)
}

# Rows in two of their columns, coloured by component, with the components' means.
plot_components <- function(fit, newdata = NULL, ..., columns = 1:2) {
  if (is.null(newdata)) refuse("give the rows to plot as newdata")
  shares <- predict(fit, newdata)
  if (!is.matrix(shares)) refuse("a fit of ", fit$kind, " has no components to draw among rows")
  rows <- data.matrix(newdata)
  known <- .Call(C_vt_model_names, fit$model)
  if (!is.null(known) && !is.null(colnames(rows))) rows <- rows[, known, drop = FALSE]
  components <- ncol(shares)
  palette <- hcl.colors(components, "Dark 3")
  means <- coef(fit, "mean")
  used <- max.col(shares, "first")
  if (ncol(rows) == 1) {
    draw(graphics::plot, list(x = rows[, 1], y = used, col = adjustcolor(palette[used], 0.6), pch = 19,
                              xlab = if (is.null(colnames(rows))) "value" else colnames(rows), ylab = "component",
                              bty = "l", las = 1), list(...))
    graphics::points(means[, 1], seq_len(components), pch = 4, cex = 2, lwd = 3)
    return(invisible(shares))
  }
  if (is.character(columns)) columns <- match(columns, colnames(rows))
  if (length(columns) != 2 || !holds_numbers(columns) || anyNA(columns) || any(!columns %in% seq_len(ncol(rows)))) {
    refuse("columns must be two of the ", ncol(rows), " columns")
  }
  names <- if (is.null(colnames(rows))) paste("column", columns) else colnames(rows)[columns]
  shown <- sort(unique(used))
  spreads <- lapply(shown, function(component) spread(fit, component, means[component, columns], columns))
  limits <- apply(rbind(rows[, columns, drop = FALSE], do.call(rbind, spreads)), 2, range, na.rm = TRUE)
  draw(graphics::plot, list(x = rows[, columns], xlim = limits[, 1], ylim = limits[, 2], col = adjustcolor(palette[used], 0.6),
                            pch = 19, cex = 0.7, xlab = names[1], ylab = names[2], bty = "l", las = 1), list(...))
  for (i in seq_along(shown)) if (!is.null(spreads[[i]])) graphics::lines(spreads[[i]], col = palette[shown[i]], lwd = 2)
  centers <- means[shown, columns, drop = FALSE]
  graphics::points(centers, pch = 21, bg = palette[shown], col = "black", cex = 1.3, lwd = 1.5)
  labels <- free_places(centers)
  graphics::text(labels[, 1], labels[, 2], labels = shown, font = 2, cex = 0.9)
  invisible(shares)
}

# Positions of labels beside points: of eight around each point, the one farthest from all points and placed labels.
free_places <- function(points) {
  height <- graphics::strheight("0")
  width <- height * diff(graphics::par("usr")[1:2]) / diff(graphics::par("usr")[3:4]) * graphics::par("pin")[2] / graphics::par("pin")[1]
  angles <- seq(0, 2 * pi, length.out = 9)[-9]
  taken <- t(t(points) / c(width, height))
  places <- taken
  for (i in seq_len(nrow(points))) {
    around <- cbind(taken[i, 1] + 1.8 * cos(angles), taken[i, 2] + 1.8 * sin(angles))
    others <- rbind(taken[seq_len(nrow(points)), , drop = FALSE], places[seq_len(i - 1), , drop = FALSE])
    room <- apply(around, 1, function(place) min(sqrt(colSums((t(others) - place)^2))))
    places[i, ] <- around[which.max(room), ]
  }
  t(t(places) * c(width, height))
}

# The ellipse of two standard deviations, if the model has covariances.
spread <- function(fit, component, mean, columns) {
  if (!"covariance" %in% vt_parameters(fit)$name) return(NULL)
  angles <- seq(0, 2 * pi, length.out = 100)
  root <- chol(coef(fit, "covariance")[component, columns, columns])
  t(mean + 2 * t(cbind(cos(angles), sin(angles)) %*% root))
}

# Any vector or matrix parameter: rows are components, each scaled to its sum if `shares`; of wide ones the `n` columns
# that are most informative.
plot_parameter <- function(fit, name, ..., shares = NULL, n = 40) {
  one_whole(n, "n")
  values <- coef(fit, name)
  if (all(is.na(values))) refuse("there is nothing to draw: all values of ", name, " are NA")
  if (length(dim(values)) > 2) refuse("parameter ", name, " has more than two dimensions")
  if (is.null(dim(values))) return(plot_vector(fit, name, values, list(...)))
  if (is.null(shares)) shares <- all(values >= 0) && form_of_kind(fit$kind) != "dense"
  if (shares) values <- values / rowSums(values)
  all_columns <- ncol(values)
  names <- if (is.null(colnames(values))) seq_len(all_columns) else colnames(values)
  leading <- if (all_columns > n) leading_columns(values, n) else seq_len(all_columns)
  values <- values[, leading, drop = FALSE]
  names <- names[leading]
  upright <- ncol(values) * max(nchar(names)) > 60 # they would not fit beside each other
  below <- if (upright) min(1.5 + 0.5 * max(nchar(names)), 12) else 2.5
  old <- graphics::par(mar = c(below, 4, 2.5, 6), las = 1, tcl = -0.3, mgp = c(2.4, 0.6, 0))
  on.exit(graphics::par(old))
  colors <- if (min(values) < 0) hcl.colors(64, "Blue-Red 3") else hcl.colors(64, "Blues 3", rev = TRUE)
  given <- list(...)
  if (!is.null(given$col)) colors <- given$col
  limits <- if (min(values) < 0) c(-1, 1) * max(abs(values)) else c(0, max(values))
  rows <- nrow(values)
  columns <- ncol(values)
  draw(graphics::image, list(x = seq_len(columns), y = seq_len(rows), z = t(values)[, rows:1, drop = FALSE], col = colors, zlim = limits,
                             xlab = "", ylab = sub(" 1$", "", component_names(fit)[1]), axes = FALSE), given)
  graphics::axis(2, at = rows:1, labels = seq_len(rows), lwd = 0, line = -0.5)
  graphics::axis(1, at = seq_len(columns), labels = names, lwd = 0, line = -0.5, las = if (upright) 2 else 1, cex.axis = 0.8, gap.axis = 0)
  graphics::mtext(paste0(fit$kind, ": ", name, if (shares) ", each row as shares",
                         if (columns < all_columns) paste0(" (largest ", columns, " of ", counted(all_columns, "column"), ")")),
                  adj = 0, line = 0.7, font = 2)
  show_scale(colors, limits)
  invisible(values)
}

# The columns with the largest values of each row, row by row, at most n.
leading_columns <- function(values, n) {
  size <- abs(values)
  each <- max(1, n %/% nrow(values))
  of_rows <- unique(unlist(lapply(seq_len(nrow(size)), function(row) head(order(size[row, ], decreasing = TRUE), each))))
  if (length(of_rows) <= n) return(of_rows)
  largest <- apply(size[, of_rows, drop = FALSE], 2, max)
  of_rows[sort(head(order(largest, decreasing = TRUE), n))]
}

plot_vector <- function(fit, name, values, given) {
  old <- graphics::par(mar = c(4, 5.5, 2.5, 1), las = 1, tcl = -0.3, mgp = c(4, 0.6, 0))
  on.exit(graphics::par(old))
  labels <- if (is.null(names(values))) seq_along(values) else names(values)
  middles <- draw(graphics::barplot, list(height = unname(values), names.arg = rep("", length(values)), col = one_color, border = NA,
                                          ylab = name), given)
  shown <- seq_along(labels)
  if (length(shown) > 15) shown <- unique(round(pretty(shown, 10)))
  shown <- shown[shown >= 1 & shown <= length(labels)]
  graphics::axis(1, at = middles[shown], labels = labels[shown], lwd = 0, line = -0.5)
  if (is.null(names(values)) && length(values) == dimensions(fit)$components) {
    graphics::mtext(sub(" 1$", "", component_names(fit)[1]), side = 1, line = 2.2)
  }
  graphics::mtext(paste0(fit$kind, ": ", name), adj = 0, line = 0.7, font = 2)
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
  wide <- max(x$k) > 8 * min(x$k) # small sizes would overlap
  draw(graphics::plot, list(x = x$k, y = x$score, pch = 19, col = adjustcolor(one_color, 0.5), xlab = "k", log = if (wide) "x" else "",
                            ylab = "", bty = "l", las = 1, xaxt = "n", main = paste("held-out", measure)), list(...))
  graphics::axis(1, at = sort(unique(x$k)))
  means <- tapply(x$score, x$k, mean)
  graphics::lines(as.numeric(names(means)), means, col = one_color, lwd = 2)
  invisible(means)
}
