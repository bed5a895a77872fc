# The data of an LDAvis page (Sievert and Shirley 2014), as its JSON.

vt_ldavis_json <- function(fit, newdata = NULL, words = 30, steps = 0.01) {
  vocabulary <- .Call(C_vt_model_names, one_fit(fit)$model)
  if (is.null(vocabulary)) refuse("LDAvis shows words, and the model's columns have no names")
  one_whole(words, "words")
  data <- data_for(fit, newdata)
  lengths <- row_totals(data)
  shares <- predict(fit, data)
  phi <- coef(fit, "topics")
  of_topics <- colSums(shares * lengths)
  order <- order(of_topics, decreasing = TRUE)
  phi <- phi[order, , drop = FALSE]
  frequency <- of_topics[order]
  expected <- phi * frequency # tokens of each word in each topic
  of_words <- colSums(expected)
  n <- min(words, length(vocabulary))
  places <- vt_topic_map(fit, "divergence")[order, , drop = FALSE]
  json_object(
    mdsDat = json_object(x = places[, 1], y = places[, 2], topics = seq_along(order), cluster = rep(1, length(order)),
                         Freq = 100 * frequency / sum(frequency)),
    tinfo = words_of_topics(phi, expected, of_words, vocabulary, n, steps),
    `token.table` = words_over_topics(phi, expected, of_words, vocabulary, n, steps),
    R = n, `lambda.step` = steps, `plot.opts` = json_object(xlab = "PC1", ylab = "PC2"), `topic.order` = order)
}

row_totals <- function(data) {
  vapply(seq_len(dim(data)[1]), function(i) {
    .Call(C_vt_data_total, .Call(C_vt_data_select, data$handle, as.numeric(i)))
  }, 0)
}

# The words that lead at any weight of the relevance, by topic.
leading_words <- function(phi, of_words, n, steps) {
  log_phi <- log(phi)
  log_lift <- t(t(log_phi) - log(of_words / sum(of_words)))
  lapply(seq_len(nrow(phi)), function(topic) {
    unique(unlist(lapply(seq(0, 1, by = max(steps, 0.05)), function(weight) {
      head(order(weight * log_phi[topic, ] + (1 - weight) * log_lift[topic, ], decreasing = TRUE), n)
    })))
  })
}

words_of_topics <- function(phi, expected, of_words, vocabulary, n, steps) {
  salience <- of_words / sum(of_words) * colSums(t(t(expected) / of_words) * log(t(t(expected) / of_words) / (rowSums(expected) / sum(expected))))
  overall <- head(order(salience, decreasing = TRUE), n)
  leading <- leading_words(phi, of_words, n, steps)
  topic <- rep(seq_along(leading), lengths(leading))
  word <- unlist(leading)
  log_phi <- log(phi[cbind(topic, word)])
  json_object(Term = vocabulary[c(overall, word)], Freq = c(of_words[overall], expected[cbind(topic, word)]),
              Total = c(of_words[overall], of_words[word]), Category = c(rep("Default", n), paste0("Topic", topic)),
              logprob = c(rev(seq_len(n)), log_phi), loglift = c(rev(seq_len(n)), log_phi - log(of_words[word] / sum(of_words))))
}

words_over_topics <- function(phi, expected, of_words, vocabulary, n, steps) {
  shown <- sort(unique(unlist(leading_words(phi, of_words, n, steps))))
  share <- t(expected[, shown, drop = FALSE]) / of_words[shown]
  places <- which(share >= 0.005, arr.ind = TRUE)
  places <- places[order(places[, 1], places[, 2]), , drop = FALSE]
  json_object(Term = vocabulary[shown[places[, 1]]], Topic = places[, 2], Freq = share[places])
}

json_object <- function(...) {
  parts <- list(...)
  structure(paste0("{", paste0(json_text(names(parts)), ": ", vapply(parts, json_value, ""), collapse = ","), "}"), class = "json")
}

json_value <- function(value) {
  if (inherits(value, "json")) return(as.character(value))
  texts <- if (is.character(value)) json_text(value) else number_texts(value)
  if (length(value) == 1) texts else paste0("[", paste(texts, collapse = ","), "]")
}

number_texts <- function(value) {
  ifelse(is.finite(value), sprintf("%.7g", as.numeric(value)), "null")
}

json_text <- function(text) {
  text <- gsub("([\\\\\"])", "\\\\\\1", enc2utf8(text))
  control <- grepl("[[:cntrl:]]", text)
  text[control] <- gsub("[[:cntrl:]]", " ", text[control])
  paste0("\"", text, "\"")
}
