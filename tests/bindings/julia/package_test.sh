#!/bin/sh
# The Julia package's own tests.
. "$(dirname "$0")/common.sh"
julia "$package/test/runtests.jl" describe data fit feed monitor storage kinds conventions extensions
