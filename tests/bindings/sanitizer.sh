# R and Julia with a library that was built with AddressSanitizer; sourced by their common.sh. Neither is compiled with
# it, so its runtime is loaded before everything else: it then provides all memory, including that of R's and Julia's
# arrays, and detects that the library reads them after they were freed. Sets `sanitized` to the runtime's file if the
# library was built with it; ends with status 77 and a reason if it was built with another sanitizer.

sanitized=
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*tsan'; then
  echo "Programs that are not compiled with ThreadSanitizer do not run with it."
  exit 77
fi
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*asan'; then
  sanitized=$(ldd "$VTEMPER_LIBRARY" | awk '/libasan/ { print $3 }')
  # The runtime looks for the functions that throw exceptions when it is loaded, and not every program loads them.
  standard_library=$(ldd "$VTEMPER_LIBRARY" | awk '/libstdc\+\+/ { print $3 }')
fi

# For tests in which the sanitizer has nothing to find.
not_sanitized() {
  [ -z "$sanitized" ] && return 0
  echo "The optimised library is tested with it."
  exit 77
}

# under_sanitizer COMMAND...: with the runtime's memory. Programs that manage stacks and signals themselves continue to
# do so, and memory that they never free is not reported.
under_sanitizer() {
  ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0:verify_asan_link_order=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0 \
    LD_PRELOAD=${preloaded:+$preloaded:}$sanitized:$standard_library "$@"
}
