# verbs.R LIST: each line of the list names a function of the package and arguments that it takes.
library(vtemper)
known <- vt_options()$name
wrong <- character()
for (line in readLines(commandArgs(TRUE)[1])) {
  words <- strsplit(trimws(line), " +")[[1]]
  verb <- words[1]
  own <- if (verb %in% getNamespaceExports("vtemper")) get(verb, asNamespace("vtemper"))
  method <- getS3method(verb, "vt_model", optional = TRUE)
  if (is.null(own) && is.null(method)) {
    wrong <- c(wrong, paste("there is no", verb))
    next
  }
  taken <- unique(c(if (!is.null(own)) names(formals(own)), if (!is.null(method)) names(formals(method))))
  missing <- setdiff(words[-1], c(taken, if ("..." %in% taken) known))
  if (length(missing)) wrong <- c(wrong, paste0(verb, " has no argument ", missing))
}
writeLines(wrong)
quit(status = length(wrong) > 0)
