#!/bin/sh
# libvtemper-mpi by Open MPI and by MPICH, whichever are installed, compiled from bindings/mpi against the library that was built:
# sums, exchanges, groups and shares (ranks_check.cpp), and a fit of a program with an MPI of its own (fit.c), which gives
# the same bits by either.
. "$(dirname "$0")/common.sh"
here=$VTEMPER_SOURCE/tests/bindings/mpi
sources=$VTEMPER_SOURCE/bindings/mpi
ldac 500 1 >corpus.ldac
run 0 convert corpus.ldac corpus --quiet
include="-I$VTEMPER_SOURCE/include -I$VTEMPER_BUILD/include -I$sources/include -I$sources"
strict="-O1 -Wall -Wextra -Werror -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"
library="-L$VTEMPER_BUILD -lvtemper -Wl,-rpath,$VTEMPER_BUILD"

# The library exports the functions of its header, and nothing else.
nm -D --defined-only "$VTEMPER_BUILD/libvtemper-mpi.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >exported
grep -oE '\bvtemper_mpi_[a-z_]+\(' "$sources/include/vtemper/mpi.h" | tr -d '(' | sort -u >declared
same "what libvtemper-mpi exports" declared exported
readelf -d "$VTEMPER_LIBRARY" "$VTEMPER" | grep -q 'NEEDED.*mpi' && verdict 1 "libvtemper or vtemper links MPI"
printf '#include <vtemper/mpi.h>\nint main(void) { int32_t world; return vtemper_mpi_world(&world); }\n' >header.c

tried=0
for mpi in openmpi mpich; do
  command -v mpicxx.$mpi >/dev/null && command -v mpicc.$mpi >/dev/null && command -v mpirun.$mpi >/dev/null || continue
  tried=$((tried + 1))
  launcher=mpirun.$mpi
  # The interface is C as well as C++.
  # shellcheck disable=SC2086
  mpicxx.$mpi -std=c++17 $strict $include "$here/ranks_check.cpp" "$sources"/*.cpp -o check.$mpi $library &&
    mpicxx.$mpi -std=c++17 $strict $include -shared -fPIC "$sources"/*.cpp -o libvtemper-mpi.so $library \
      -Wl,--version-script="$sources/exports.map" &&
    mpicc.$mpi -std=c11 $strict $include "$here/fit.c" -o fit.$mpi -L. -lvtemper-mpi -Wl,-rpath,"$PWD/$mpi" $library
  verdict $? "it cannot be compiled for $mpi"
  for standard in c99 c11; do
    # shellcheck disable=SC2086
    mpicc.$mpi -std=$standard $strict -Wstrict-prototypes $include -fsyntax-only header.c
    verdict $? "the header is no $standard for $mpi"
  done
  mkdir -p $mpi && mv libvtemper-mpi.so $mpi/
  for count in 1 2 3 4 8; do
    works $count ./check.$mpi
    [ ! -s out ]
    verdict $? "$mpi with $count ranks: $(cat out)"
    works $count ./fit.$mpi corpus
    count "lines of the fit of $count ranks by $mpi: $(cat out)" 1 "$(wc -l <out)"
    cp out $mpi.$count
  done
  # A file that one rank does not have ends all with the message of that rank.
  cp corpus some.0 && cp corpus some.2
  ranks 3 ./fit.$mpi some.%r
  [ "$got" -ne 0 ]
  verdict $? "$mpi: a fit without the rows of rank 1 ended with $got"
  cat out err | grep -q 'rank 1: .*some\.1'
  verdict $? "$mpi does not tell which rank failed: $(cat out err)"
done
[ $tried -gt 0 ] || { echo "There is neither mpicc.openmpi nor mpicc.mpich (Debian: libopenmpi-dev, libmpich-dev)."; exit 77; }
if [ $tried -eq 2 ]; then
  for count in 1 2 3 4 8; do same "the fit of $count ranks by both" openmpi.$count mpich.$count; done
else
  echo "only one of Open MPI and MPICH is there"
fi

# Started by another MPI's mpirun, the command would be several independent processes: it says so.
for other in openmpi mpich; do
  [ $other != "$flavour" ] && command -v mpirun.$other >/dev/null || continue
  launcher=mpirun.$other
  ranks 2 "$MPI_COMMAND" info corpus
  [ "$got" -ne 0 ] && grep -q "2 processes were started by the mpirun of another MPI" err
  verdict $? "$launcher starts a command of another MPI, which ends with $got: $(cat err)"
done
finish
