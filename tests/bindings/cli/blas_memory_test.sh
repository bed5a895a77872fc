#!/bin/sh
# Under every memory limit, and where no thread may be started, a fit of 150 columns, whose products OpenBLAS would compute,
# completes or fails with an error message. OpenBLAS itself would end the process (by SIGINT if it cannot start a thread) or
# request its buffers forever.
. "$(dirname "$0")/common.sh"
if ! (ulimit -v 1500000 && "$VTEMPER" --version) >/dev/null 2>&1; then
  echo "no limit of memory can be set, or the command needs more than 1.5 GB (a sanitizer)"
  exit 77
fi
unset OMP_NUM_THREADS # OpenBLAS must have its threads
awk 'BEGIN {
  state = 1
  for (row = 0; row < 200; ++row) {
    line = ""
    for (column = 0; column < 150; ++column) {
      state = (state * 16807) % 2147483647
      line = line (column ? "," : "") (row % 2 ? 3 : 0) * (column % 3) + state / 2147483647
    }
    print line
  }
}' >points.csv

limits=0
whole=0
refused=0
spared=0
# Below 30 MB the loader cannot load the command.
for limit in 30000 40000 50000 60000 70000 80000 90000 100000 110000 120000 140000 160000 180000 200000 250000 300000 \
  400000 500000 700000 1000000 1500000; do
  limits=$((limits + 1))
  rm -f limited.model
  (ulimit -v $limit && exec timeout -k 1 60 "$VTEMPER" fit points.csv -o limited.model --model gaussian_mixture \
    --components 2 --covariance independent --start random --threads 2 --max-passes 2 --seed 3 --quiet) >out 2>err
  status=$?
  if [ $status -eq 0 ]; then
    whole=$((whole + 1))
    [ -s limited.model ]
    verdict $? "with $limit kB a fit ended without its model"
    (ulimit -v $limit && exec timeout -k 1 60 "$VTEMPER" --version) >out 2>err
    count "status of --version with $limit kB" 0 $?
    grep -q "too little memory for libopenblas" out && spared=$((spared + 1))
    grep -q "^vtemper [0-9.]*; .*$" out
    verdict $? "with $limit kB --version says $(cat out err)"
  else
    refused=$((refused + 1))
    [ $status -eq 1 ] || [ $status -eq 127 ] # 127: the loader had no room for the command
    verdict $? "with $limit kB a fit ended with $status: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ]
    verdict $? "with $limit kB a fit says $(cat err)"
    [ ! -e limited.model ]
    verdict $? "with $limit kB a refused fit left a model"
  fi
done
echo "$limits limits of memory: $whole fits whole, $refused refused; $spared times too little for OpenBLAS"
[ $whole -gt 0 ] && [ $spared -gt 0 ]
verdict $? "no fit was whole, or none went without OpenBLAS for want of memory"

# Limits of processes do not apply to root, so another user runs this part; it may have no access to the build folder.
alone="prlimit --nproc=1"
[ "$(id -u)" -ne 0 ] || alone="setpriv --reuid=65533 --regid=65533 --clear-groups --inh-caps=-all $alone"
mkdir alone
cp "$VTEMPER" alone/vtemper
cp "$VTEMPER_LIBRARY" alone/libvtemper.so.0
cp points.csv alone
chmod 777 . alone
chmod 755 alone/vtemper alone/libvtemper.so.0
cd alone
if $alone true 2>/dev/null; then
  LD_LIBRARY_PATH=. $alone ./vtemper --version >out 2>err
  count "status of --version without threads" 0 $?
  grep -q "too few threads for libopenblas" out || [ "$(nproc)" -eq 1 ]
  verdict $? "without threads --version says $(cat out err)"
  LD_LIBRARY_PATH=. $alone ./vtemper fit points.csv -o limited.model --model gaussian_mixture --components 2 \
    --covariance independent --start random --threads 2 --max-passes 2 --seed 3 --quiet >out 2>err
  verdict $? "without threads a fit ended with $(cat err)"
fi
cd ..
finish
