# Files: the portable model file, and bytes. saveRDS needs no method.

vt_save <- function(fit, path) {
  .Call(C_vt_model_save, fit$model, path.expand(path))
  invisible(path)
}

vt_load <- function(path) {
  model <- .Call(C_vt_model_load, path.expand(path))
  new_fit(model, NULL, sys.call(), NA_real_, NULL)
}

vt_serialize <- function(fit) .Call(C_vt_model_to_bytes, fit$model)

vt_unserialize <- function(bytes) {
  new_fit(.Call(C_vt_model_from_bytes, bytes), NULL, sys.call(), NA_real_, NULL)
}
