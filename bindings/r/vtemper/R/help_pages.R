# Real text that comes with every R: its help pages.

vt_help_pages <- function(packages = c("base", "stats", "utils", "graphics", "grDevices", "methods", "tools"),
                          least = 3, most = 0.2) {
  pages <- unlist(lapply(packages, help_of_package), recursive = FALSE)
  words <- lapply(pages, words_of_page)
  found <- table(unlist(lapply(words, unique), use.names = FALSE))
  kept <- names(found)[found >= least & found <= most * length(words)]
  words <- lapply(words, function(one) one[one %in% kept])
  words[lengths(words) >= 5]
}

help_of_package <- function(package) {
  pages <- tools::Rd_db(package)
  names(pages) <- paste0(package, "::", sub("[.]Rd$", "", basename(names(pages))))
  pages
}

# The words of the running text: no code, no markup, no words that every text has.
words_of_page <- function(page) {
  tags <- vapply(page, function(part) attr(part, "Rd_tag"), "")
  prose <- page[tags %in% c("\\title", "\\description", "\\details", "\\value", "\\note", "\\section")]
  text <- tolower(paste(unlist(text_of_rd(prose)), collapse = " "))
  words <- regmatches(text, gregexpr("[a-z]{3,}", text))[[1]]
  words[!words %in% common_words]
}

text_of_rd <- function(part) {
  if (is.list(part)) lapply(part, text_of_rd) else if (identical(attr(part, "Rd_tag"), "TEXT")) as.character(part)
}

common_words <- strsplit(paste(
  "the and for are that this with from not but can has have been will its all any which when where other than then into",
  "only also may such see use used using these those there they their was were one two more most some each both either",
  "otherwise should would could must does did done being between within without about over under after before same",
  "case note however whether given default value values argument arguments function functions object objects returns",
  "return returned call called calls method methods via per non thus hence since while what how who why out you your our",
  "usually often first second set sets get gets give gives see details description first last new"), " ")[[1]]
