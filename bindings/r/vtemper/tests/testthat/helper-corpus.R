# A small corpus of four themes of ten words; deterministic whatever the session's generator does.
corpus <- function(documents = 80, seed = 7) {
  state <- seed
  uniform <- function() {
    state <<- (state * 16807) %% 2147483647
    state / 2147483647
  }
  x <- matrix(0, documents, 40, dimnames = list(paste0("d", seq_len(documents)), paste0("word", 1:40)))
  for (d in seq_len(documents)) {
    main <- floor(uniform() * 4)
    for (n in 1:30) {
      topic <- if (uniform() < 0.85) main else floor(uniform() * 4)
      word <- topic * 10 + floor(uniform() * uniform() * 10) + 1
      x[d, word] <- x[d, word] + 1
    }
  }
  x
}

small_fit <- function(x = corpus(), ..., seed = 3) vt_lda(x, 4, max_iterations = 40, batch_size = 20, ..., seed = seed)

lambda <- function(fit) coef(fit, "lambda")

has_kind <- function(kind) kind %in% vt_kinds()$kind

steps_of <- function(fit) fit$report$iteration

# What a script prints in a session of its own, in an empty folder; `x` is there, and the script has to reach its end.
in_new_session <- function(script, locale = Sys.getenv("LC_ALL")) {
  folder <- tempfile()
  dir.create(folder)
  old <- setwd(folder)
  on.exit({
    setwd(old)
    unlink(folder, recursive = TRUE)
  })
  library <- dirname(find.package("vtemper"))
  writeLines(c(sprintf("library(vtemper, lib.loc = %s)", deparse(library)), "x <- diag(4) + 1", "dir.create('work')",
               "setwd('work')", script, "cat('the end')"), "script.R")
  said <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "script.R"), stdout = TRUE, stderr = TRUE,
                                   env = c(paste0("LC_ALL=", locale), "R_TESTS=")))
  if (!any(grepl("the end", said, fixed = TRUE))) testthat::fail(paste(said, collapse = "\n"))
  said
}
