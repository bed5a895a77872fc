library(testthat)
library(vtemper)

test_check("vtemper")
