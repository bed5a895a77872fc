# R and Julia with a library that was built with AddressSanitizer; sourced by their common.sh. Neither is compiled with it,
# so its runtime is loaded before everything else: then all memory is its own, also that of R's and Julia's arrays, and
# what the library reads after they were freed is found. Sets `sanitized` to the runtime's file where the library was
# built with it, and says why with status 77 where there is another sanitizer.

sanitized=
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*tsan'; then
  echo "Programs that are not compiled with ThreadSanitizer do not run with it."
  exit 77
fi
if readelf -d "$VTEMPER_LIBRARY" | grep -qE 'NEEDED.*asan'; then
  sanitized=$(ldd "$VTEMPER_LIBRARY" | awk '/libasan/ { print $3 }')
  # The runtime looks for the functions that throw when it is loaded, and not every program brings them.
  standard_library=$(ldd "$VTEMPER_LIBRARY" | awk '/libstdc\+\+/ { print $3 }')
fi

# For tests that have nothing to find in memory.
not_sanitized() {
  [ -z "$sanitized" ] && return 0
  echo "The optimised library is tested with it."
  exit 77
}

# under_sanitizer COMMAND...: with the runtime's memory. Programs of their own kind of stack and of signals leave those to
# themselves, and what they never free is not ours.
under_sanitizer() {
  ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0:verify_asan_link_order=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0 \
    LD_PRELOAD=${preloaded:+$preloaded:}$sanitized:$standard_library "$@"
}
