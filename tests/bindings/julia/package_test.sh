#!/bin/sh
# The Julia package's own tests. With a sanitizer without those of its texts and of other packages beside it, which have
# nothing to find in memory: their calls of the library are made by the others, too.
. "$(dirname "$0")/common.sh"
texts="describe extensions"
[ -z "$sanitized" ] || texts=
julia "$package/test/runtests.jl" $texts data fit feed monitor storage kinds conventions
