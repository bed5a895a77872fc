#!/bin/sh
# The collector runs at every few allocations of the calls between R and the library: gctorture, with AddressSanitizer if the
# library was built with it, otherwise also under valgrind if it is installed.
. "$(dirname "$0")/common.sh"
install_package --no-docs
cat >torture.R <<'END'
library(vtemper)
x <- matrix(c(3, 0, 1, 0, 2, 1, 0, 4, 1), 3, dimnames = list(letters[1:3], LETTERS[1:3]))
round_trip <- function() {
  data <- vt_data(x)
  fit <- vt_lda(data, 2, max_iterations = 2, batch_size = 2, seed = 1, report_every = 1, monitor = function(report, fit) coef(fit, "alpha"))
  rm(data)
  bytes <- serialize(fit, NULL)
  again <- unserialize(bytes)
  stopifnot(identical(coef(again, "lambda"), coef(fit, "lambda")))
  shares <- predict(again, x[1:2, ])
  further <- update(again, x, steps = 1)
  halves <- vt_split_tokens(x, 0.5, seed = 1)
  score <- vt_evaluate(further, halves$observed, heldout = halves$heldout)
  words <- terms(further, 2)
  trace <- vt_trace(further)
  names <- c(class(tryCatch(vt_lda(x, 2, nonsense = 1), error = identity))[1],
             class(tryCatch(vt_lda(-x, 2), error = identity))[1],
             tryCatch(vt_lda(x, 2, max_iterations = 2, report_every = 1, seed = 1, monitor = function(report) stop("mine")),
                      error = conditionMessage))
  list(coef(further), shares, score, words, names)
}
expected <- round_trip()
every <- as.integer(commandArgs(TRUE)[1])
invisible(gctorture2(every))
found <- round_trip()
invisible(gctorture2(0))
stopifnot(identical(found, expected))

# Handles are released in any order; borrowed arrays stay as long as a handle needs them.
for (order in list(1:3, 3:1, c(2, 1, 3), c(2, 3, 1))) {
  data <- vt_data(x)
  fit <- vt_lda(data, 2, max_iterations = 1, seed = 1)
  parts <- list(data$handle, fit$model, fit$optimizer)
  rm(data, fit)
  for (i in order) {
    parts[i] <- list(NULL)
    invisible(gc())
  }
}
cat("all is well\n")
END
every=7 # allocations; 1 takes minutes on a busy machine
rscript torture.R $every
if [ -z "$sanitized" ] && command -v valgrind >/dev/null; then
  status=0
  VTEMPER_SIMD=avx2 timeout 1000 R --vanilla --no-echo -d "valgrind -q --num-callers=30" -f torture.R --args 0 >log 2>&1 || status=$?
  if [ $status -eq 124 ]; then
    echo "valgrind did not end on this machine, which is busy"
  elif [ $status -ne 0 ]; then
    tail -n 60 log
    exit 1
  fi
  # Findings in R itself are ignored: only those with this package or the library in the stack.
  if grep -qE '==.*(libvtemper|vtemper/libs|vtemper\.so)' log; then
    tail -n 80 log
    exit 1
  fi
fi
