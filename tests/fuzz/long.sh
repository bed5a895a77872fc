#!/bin/sh
# sh tests/fuzz/long.sh [SECONDS [TARGETS]]: builds the fuzz targets with clang's libFuzzer and AddressSanitizer, and lets
# each of them search for so long (3600 seconds). Ends with the executions of each; what is found is left in
# build/fuzz/found. Single blocks are limited to 2 GB; the whole to 8 GB, because models fitted by gradients may honestly use much, and
# AddressSanitizer returns freed memory late. Needs clang 14 (or CC and CXX in the environment) with its run-time library: libclang-rt-14-dev.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-3600}
[ $# -eq 0 ] || shift
targets=${*:-$(ls tests/fuzz | sed -n 's/_fuzz\.cpp$//p')}
cmake -S . -B build/fuzz -G Ninja -DCMAKE_C_COMPILER="${CC:-clang-14}" -DCMAKE_CXX_COMPILER="${CXX:-clang++-14}" \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" \
  -DVTEMPER_SANITIZE=address,fuzzer-no-link -DVTEMPER_FUZZ=ON -DVTEMPER_SIMD_KERNELS=OFF
for target in $targets; do
  cmake --build build/fuzz --target "${target}_fuzzer" "test_fuzz_$target"
done
root=$PWD
mkdir -p build/fuzz/found
: >build/fuzz/executions
status=0
for target in $targets; do
  mkdir -p "build/fuzz/corpus/$target"
  "build/fuzz/tests/test_fuzz_$target" -w "build/fuzz/corpus/$target"
  seeds=tests/fuzz/corpus/$target
  [ -d "$seeds" ] || seeds=
  VTEMPER_THREAD_OPERATIONS=1 "build/fuzz/tests/${target}_fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=8192 -malloc_limit_mb=2048 \
    -len_control=0 -max_len=2048 -print_final_stats=1 -artifact_prefix="$root/build/fuzz/found/$target-" "build/fuzz/corpus/$target" \
    ${seeds:+"$seeds"} 2>"build/fuzz/$target.log" || { status=1; tail -n 40 "build/fuzz/$target.log"; }
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$target.log")
  echo "$target: ${executions:-unknown} executions" >>build/fuzz/executions
done
cat build/fuzz/executions
exit $status
