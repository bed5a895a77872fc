# Fits that the processes of mpirun share.

vt_group <- function(comm = NULL) {
  if (!is.null(comm) && !is_whole(comm, -.Machine$integer.max, .Machine$integer.max)) {
    refuse("comm must be the Fortran handle of a communicator, such as Rmpi::mpi.comm.c2f(1)")
  }
  structure(.Call(C_vt_group_open, comm), class = "vt_group")
}

print.vt_group <- function(x, ...) {
  cat("Rank ", x$rank, " of ", x$ranks, " (from 0)\n", sep = "")
  invisible(x)
}

# A path is a file that the ranks divide; anything else is first made into data, the rows of this rank.
vt_spread <- function(x, group = vt_group(), ...) {
  if (!inherits(group, "vt_group")) refuse("group must be made by vt_group()")
  if (is.character(x) && length(x) == 1) return(read_spread(x, group, ...))
  data <- vt_data(x, ...)
  new_data(.Call(C_vt_data_spread, data$handle, group$handle), data$row_names, data$source)
}

read_spread <- function(path, group, format = "auto", ...) {
  nothing_else(...)
  new_data(.Call(C_vt_data_read_spread, file_path(path), format, group$comm), source = path)
}
