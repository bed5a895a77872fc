# What a fit through R costs over the same fit in C: CPU time of the whole call, and memory, on a sparse matrix that is
# taken without a copy. C and R take turns on the same arrays.
#
#   R_LIBS=<folder of the package> PKG_CONFIG_PATH=build/release/pkgconfig Rscript tests/bench/r_overhead.R [entries]

library(vtemper)

entries <- as.numeric(c(commandArgs(TRUE), 6e6)[1])
turns <- 3
words <- 20000L
distinct <- 120L
documents <- as.integer(ceiling(entries / distinct))

kilobytes <- function(field, status = readLines("/proc/self/status")) {
  as.numeric(gsub("[^0-9]", "", grep(paste0("^", field, ":"), status, value = TRUE)))
}

# Words x documents, compressed by documents: 20 themes, words of one step apart so that none repeats.
set.seed(1)
theme <- sample.int(20L, documents, TRUE)
i <- as.vector(vapply(theme, function(one) {
  own <- sample.int(1000L, 80L) + (one - 1L) * 1000L - 1L
  c(sort(own), setdiff(sort(sample.int(words, 60L) - 1L), own)[seq_len(distinct - 80L)])
}, integer(distinct)))
x <- as.numeric(rpois(length(i), 0.5) + 1)
p <- as.integer(seq(0, length(i), by = distinct))
counts <- structure(list(), class = "dgCMatrix") # the slots alone: no package is needed
attr(counts, "i") <- i
attr(counts, "p") <- p
attr(counts, "x") <- x
attr(counts, "Dim") <- c(words, documents)
attr(counts, "Dimnames") <- list(NULL, NULL)
bytes <- (4 * length(i) + 8 * length(x) + 4 * length(p))

work <- tempfile()
dir.create(work)
for (name in c("p", "i", "x")) writeBin(get(name), file.path(work, name))
writeLines(con = file.path(work, "fit.c"), '
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vtemper/vtemper.h>
#define OK(call) do { if ((call) != VTEMPER_OK) { puts(vtemper_last_error()); exit(1); } } while (0)
static void* slurp(const char* path, size_t size) {
  void* bytes = malloc(size);
  FILE* file = fopen(path, "rb");
  if (!bytes || !file || fread(bytes, 1, size, file) != size) exit(1);
  fclose(file);
  return bytes;
}
static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
int main(int count, char** arguments) {
  if (count != 5) return 1;
  const size_t rows = strtoull(arguments[1], 0, 10), columns = strtoull(arguments[2], 0, 10), entries = strtoull(arguments[3], 0, 10);
  void *p = slurp("p", 4 * (rows + 1)), *i = slurp("i", 4 * entries), *x = slurp("x", 8 * entries);
  const double start = cpu();
  vtemper_data* data;
  vtemper_options *kind, *run;
  vtemper_model* model;
  vtemper_optimizer* optimizer;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, (int64_t)rows, (int64_t)columns, p, VTEMPER_INT32, i, VTEMPER_INT32, x, VTEMPER_DOUBLE, 0,
                              VTEMPER_BORROW, NULL, NULL, &data));
  OK(vtemper_options_create(&kind));
  OK(vtemper_options_create(&run));
  OK(vtemper_options_set(kind, "topics", "20"));
  OK(vtemper_options_set(run, "method", "svi"));
  OK(vtemper_options_set(run, "max_passes", arguments[4]));
  OK(vtemper_options_set(run, "seed", "1"));
  OK(vtemper_options_set(run, "threads", "1"));
  OK(vtemper_model_create("lda", kind, &model));
  OK(vtemper_optimizer_create(model, data, run, &optimizer));
  OK(vtemper_optimizer_run(optimizer, NULL));
  double first;
  double* lambda = malloc(sizeof *lambda * 20 * columns);
  OK(vtemper_model_get(model, "lambda", lambda, (int64_t)(20 * columns)));
  first = lambda[0];
  printf("%.6f %a\\n", cpu() - start, first);
  return 0;
}')
flags <- system("pkg-config --cflags --libs vtemper-uninstalled", intern = TRUE)
home <- setwd(work)
if (system(paste("cc -O2 -std=c11 -D_XOPEN_SOURCE=700 fit.c -o fit", flags)) != 0) stop("the C program does not compile")

passes <- 2
in_c <- function() {
  as.numeric(strsplit(system(paste("./fit", documents, words, sprintf("%.0f", length(i)), passes), intern = TRUE), " ")[[1]])
}
in_r <- function() {
  time <- proc.time()
  fit <- vt_lda(counts, 20, method = "svi", max_passes = passes, seed = 1, threads = 1, documents = "columns")
  lambda <- coef(fit, "lambda")
  c(sum((proc.time() - time)[c("user.self", "sys.self")]), lambda[1, 1])
}

invisible(gc())
before <- kilobytes("VmRSS")
data <- vt_data(counts, documents = "columns")
taken <- kilobytes("VmRSS") - before
rm(data)
times <- replicate(turns, c(in_c(), in_r()))
if (length(unique(c(times[c(2, 4), ]))) != 1) stop("C and R gave other bits")
overhead <- min(times[3, ]) / min(times[1, ]) - 1 # what others on the machine add is never negative
cat(sprintf("%.1f million entries, %.0f MB of arrays\n", length(i) / 1e6, bytes / 1e6))
cat("seconds of CPU in C:", format(times[1, ], digits = 4), " in R:", format(times[3, ], digits = 4), "\n")
cat(sprintf("overhead %.2f %% (least of %d turns), the same bits\n", 100 * overhead, turns))
cat(sprintf("memory that vt_data() took: %.1f MB of %.0f\n", taken / 1024, bytes / 1e6))
setwd(home)
quit(status = overhead > 0.03 || taken * 1024 > bytes / 4)
