#!/bin/sh
# Garbage is collected at every allocation of a container: what the library reads must not depend on Python's objects.
. "$(dirname "$0")/common.sh"
cd "$package/tests"
run_python -X faulthandler -c '
import gc, sys, unittest
import test_closing, test_data, test_runs, test_sequences
gc.set_threshold(1)
tests = unittest.defaultTestLoader.loadTestsFromNames(
    ["test_data", "test_runs.Models", "test_runs.Runs.test_monitors_stop_and_raise",
     "test_runs.Runs.test_checkpoints_go_on_bit_for_bit", "test_sequences", "test_closing"])
result = unittest.TextTestRunner().run(tests)
collected = gc.get_stats()[0]["collections"]
print(collected, "collections")
sys.exit(not result.wasSuccessful() or collected < 10000)'
