.onLoad <- function(libname, pkgname) {
  version <- .Call(C_vt_version)
  same <- function(number) number %/% (if (number < 1e6) 1000L else 1000000L)
  if (same(version$number) != same(version$header) || version$number < version$header) {
    stop(sprintf("the package was built for libvtemper %s, but the loader found %s; install the package again",
                 number_text(version$header), version$text), call. = FALSE)
  }
  # Kinds that the library has learned since get their verb here, before the exports are looked up.
  home <- topenv()
  for (kind in .Call(C_vt_kinds)$kind) {
    verb <- paste0("vt_", kind)
    if (!exists(verb, home, inherits = FALSE)) assign(verb, fit_verb(kind), home)
  }
}

number_text <- function(number) paste(number %/% 1000000L, number %/% 1000L %% 1000L, number %% 1000L, sep = ".")

.onUnload <- function(libpath) library.dynam.unload("vtemper", libpath)
