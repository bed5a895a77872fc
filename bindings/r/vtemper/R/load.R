.onLoad <- function(libname, pkgname) {
  version <- .Call(C_vt_version)
  series <- function(number) c(number %/% 1000000L, if (number < 1e6) number %/% 1000L else 0L)
  if (any(series(version$number) != series(version$header)) || version$number < version$header) {
    stop(sprintf("the package was built for libvtemper %s, but the loader found %s; install the package again",
                 number_text(version$header), version$text), call. = FALSE)
  }
  for (package in names(generics_of_others)) {
    if (isNamespaceLoaded(package)) add_methods(package)
    else setHook(packageEvent(package, "onLoad"), function(package, ...) add_methods(package))
  }
}

# S4 generics with the same names as ours. If the other package is attached later, it masks ours and has to know our
# fits.
generics_of_others <- list(modeltools = "posterior", topicmodels = c("topics", "perplexity"))

add_methods <- function(package) {
  # The namespace is sealed by now: classes and methods are noted in an environment above it.
  place <- new.env(parent = topenv())
  assign(".packageName", "vtemper", place)
  others <- asNamespace(package)
  for (kind in .Call(C_vt_kinds)$kind) methods::setOldClass(c(paste0("vt_", kind), "vt_model"), where = place)
  for (name in generics_of_others[[package]]) {
    if (!methods::isGeneric(name, others)) next
    generic <- methods::getGeneric(name, where = others)
    ours <- get(paste0(name, ".vt_model"), topenv(), inherits = FALSE)
    first <- names(formals(generic))[1]
    body <- quote(if (missing(newdata)) ours(first, ...) else ours(first, newdata = newdata, ...))
    if (!"newdata" %in% names(formals(generic))) body <- body[[4]][-3]
    body <- do.call(substitute, list(body, list(ours = ours, first = as.name(first))))
    method <- eval(call("function", formals(generic), body))
    methods::setMethod(generic, structure("vt_model", names = first), method, where = place)
  }
}

number_text <- function(number) paste(number %/% 1000000L, number %/% 1000L %% 1000L, number %% 1000L, sep = ".")

# There is no .onUnload: handles that outlive the namespace need the package's C, for their finalizers and as vectors.
