#!/bin/sh
# The Julia package's own tests. With a sanitizer, those of its texts and of other packages are left out, because there
# is nothing to find in memory: the other tests make the same calls of the library.
. "$(dirname "$0")/common.sh"
texts="describe extensions"
[ -z "$sanitized" ] || texts=
julia "$package/test/runtests.jl" $texts data fit feed monitor storage kinds conventions
