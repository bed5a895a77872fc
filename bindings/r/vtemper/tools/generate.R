# Rscript tools/generate.R [FOLDER]: writes R/kinds.R, man/vt_fit.Rd and their part of NAMESPACE, the verbs of all kinds of models that
# the library has and their help, from tools/vt_fit.Rd.in. The library is asked by the installed package. FOLDER receives
# them instead of the package; tests/bindings/r/generated_test.sh compares what is committed.
home <- dirname(dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))))
target <- c(commandArgs(TRUE), home)[1]
kinds <- vtemper::vt_kinds()
kinds <- kinds[order(kinds$kind != "lda"), ] # topics come first
verbs <- paste0("vt_", kinds$kind)

writeLines(con = file.path(target, "R", "kinds.R"), c(
  "# Written by tools/generate.R: run it again after the library has learned a kind.",
  "",
  sprintf("%s <- fit_verb(\"%s\")", verbs, kinds$kind)))

usage <- function(verb) c(
  paste0(verb, "(x, k = NULL, method = NULL, ..., seed = NULL, monitor = NULL,"),
  "       progress = interactive(), documents = \"rows\", weights = NULL,",
  "       fractions = FALSE, start = NULL)")
section <- function(kind) c(
  sprintf("\\section{Options of %s}{", kind),
  sprintf("  \\Sexpr[stage=render,results=rd]{vtemper:::options_rd(\"%s\")}", kind),
  "}")
parts <- list(
  `@aliases@` = sprintf("\\alias{%s}", verbs),
  `@descriptions@` = sprintf("    \\item \\code{%s}, of %s: %s", verbs, kinds$form, kinds$description),
  `@usage@` = unlist(lapply(verbs, usage)),
  `@sections@` = unlist(lapply(kinds$kind, section)))
lines <- readLines(file.path(home, "tools", "vt_fit.Rd.in"))
page <- unlist(lapply(lines, function(line) if (line %in% names(parts)) parts[[line]] else line))
writeLines(c("% Written by tools/generate.R from tools/vt_fit.Rd.in.", page), file.path(target, "man", "vt_fit.Rd"))

# NAMESPACE is written by hand but for the verbs of the kinds.
names <- readLines(file.path(home, "NAMESPACE"))
place <- c(grep("^# Verbs of the kinds", names), grep("^# end of the verbs", names))
writeLines(c(names[1:place[1]], sprintf("export(%s)", verbs), names[place[2]:length(names)]), file.path(target, "NAMESPACE"))
