# overhead.R CORPUS                         makes the corpus
# overhead.R CORPUS PASSES TOPICS ROUNDS    fits it in every round from C (the program OVERHEAD) and from R, in turn first
#                                           and second
# The R half of overhead_r.sh.
arguments <- commandArgs(TRUE)
corpus <- arguments[1]

if (length(arguments) == 1) {
  words <- 20000L
  documents <- 50000L
  distinct <- 120L
  # Words x documents, compressed by documents: 20 themes, no word twice in a document.
  set.seed(1)
  theme <- sample.int(20L, documents, TRUE)
  i <- as.vector(vapply(theme, function(one) {
    own <- sample.int(1000L, 80L) + (one - 1L) * 1000L - 1L
    sort(c(own, setdiff(sample.int(words, 60L) - 1L, own)[seq_len(distinct - 80L)]))
  }, integer(distinct)))
  x <- as.numeric(rpois(length(i), 0.5) + 1)
  p <- as.integer(seq(0, length(i), by = distinct))
  out <- file(corpus, "wb")
  # int64 sizes; elements (1 is int32, 4 is double); base.
  for (number in c(documents, words, length(i), 1L, 1L, 4L, 0L)) writeBin(c(as.integer(number), 0L), out)
  for (array in list(p, i, x)) writeBin(array, out)
  close(out)
  quit()
}

library(vtemper)
passes <- as.numeric(arguments[2])
topics <- as.integer(arguments[3])
rounds <- as.integer(arguments[4])
input <- file(corpus, "rb")
sizes <- readBin(input, "integer", 14)[c(1, 3, 5)]
p <- readBin(input, "integer", sizes[1] + 1)
i <- readBin(input, "integer", sizes[3])
x <- readBin(input, "double", sizes[3])
close(input)
counts <- structure(list(), class = "dgCMatrix") # the slots alone: no package is needed
attr(counts, "i") <- i
attr(counts, "p") <- p
attr(counts, "x") <- x
attr(counts, "Dim") <- c(sizes[2], sizes[1])
attr(counts, "Dimnames") <- list(NULL, NULL)
cat(sprintf("corpus: %d documents, %d non-zeros, %.1f MB of arrays\n", sizes[1], sizes[3],
            (4 * length(i) + 8 * length(x) + 4 * length(p)) / 2^20))

megabytes <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# CPU seconds, seconds, megabytes at the peak, digest of the topics.
in_c <- function() {
  as.numeric(strsplit(system2(Sys.getenv("OVERHEAD"), c(corpus, passes, topics), stdout = TRUE), " ")[[1]])
}
in_r <- function() {
  invisible(gc())
  writeLines("5", "/proc/self/clear_refs") # the peak is counted from here
  before <- megabytes("VmHWM")
  time <- proc.time()
  fit <- vt_lda(counts, topics, method = "svi", max_passes = passes, batch_size = 1000, seed = 1, threads = 1,
                documents = "columns")
  lambda <- coef(fit, "lambda")
  time <- proc.time() - time
  peak <- megabytes("VmHWM") - before
  digest <- Reduce(`+`, as.vector(t(lambda)) * (1 + (seq_along(lambda) - 1) %% 97)) # one after the other, as C adds
  c(sum(time[c("user.self", "sys.self")]), time[["elapsed"]], peak, digest)
}

invisible(gc())
before <- megabytes("VmRSS")
data <- vt_data(counts, documents = "columns")
cat(sprintf("memory that taking the matrix costs: %.1f MB\n", megabytes("VmRSS") - before))
rm(data)

found <- lapply(seq_len(rounds), function(round) {
  if (round %% 2) list(c = in_c(), r = in_r()) else rev(list(r = in_r(), c = in_c()))
})
of <- function(who, what) vapply(found, function(one) one[[who]][what], 0)
if (length(unique(c(of("c", 4), of("r", 4)))) != 1) stop("C and R gave other bits")

# Rounds differ by what else the machine does: ratios are of pairs.
show <- function(name, what) {
  c <- of("c", what)
  r <- of("r", what)
  ratios <- 100 * (r / c - 1)
  cat(sprintf("%s: C %.3f, R %.3f in the median of %d; R over C %+.2f %% (median of pairs; quarter to three quarters %+.2f to %+.2f), of the quickest %+.2f %%\n",
              name, median(c), median(r), rounds, median(ratios), quantile(ratios, 0.25), quantile(ratios, 0.75), 100 * (min(r) / min(c) - 1)))
}
show("CPU seconds", 1)
show("seconds", 2)
# Later fits find the memory of the first.
cat(sprintf("memory that a fit adds at its peak: C %.1f MB, R %.1f MB; the same bits\n", max(of("c", 3)), max(of("r", 3))))
