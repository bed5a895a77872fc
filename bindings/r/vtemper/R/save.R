# Files: the portable model file, and bytes. saveRDS needs no method.

vt_save <- function(fit, path) {
  .Call(C_vt_model_save, one_fit(fit)$model, file_path(path))
  invisible(path)
}

vt_load <- function(path) {
  model <- .Call(C_vt_model_load, file_path(path))
  new_fit(model, NULL, sys.call(), NA_real_, NULL)
}

vt_serialize <- function(fit) .Call(C_vt_model_to_bytes, one_fit(fit)$model)

vt_unserialize <- function(bytes) {
  new_fit(.Call(C_vt_model_from_bytes, bytes), NULL, sys.call(), NA_real_, NULL)
}
