#!/bin/sh
# The tests of the Python package; under AddressSanitizer if the library was built with it.
. "$(dirname "$0")/common.sh"
cd "$package/tests"
if [ -n "$sanitized" ]; then
  # Tests in which the sanitizer can find something: arrays, handles, runs. scikit-learn's checks are for the optimised
  # library.
  run_python -X faulthandler -m unittest -v test_data test_runs.Models test_runs.Runs.test_monitors_stop_and_raise \
    test_runs.Runs.test_checkpoints_go_on_bit_for_bit test_sequences test_arguments test_closing
else
  run_python -X faulthandler -W error::ResourceWarning -m unittest -v
fi
