# Shared by the tests of vtemper-mpi, which source it, together with the functions of ../cli/common.sh. Defines
# `ranks N COMMAND...`, by the mpirun of the MPI that the build found, or of VTEMPER_MPI (openmpi or mpich), for which the
# command is compiled first.

MPI_COMMAND=$VTEMPER_BUILD/vtemper-mpi
if [ ! -x "$MPI_COMMAND" ]; then
  echo "This build has no vtemper-mpi: MPI was not found (Debian: libopenmpi-dev), or it has sanitizers."
  exit 77
fi
. "$VTEMPER_SOURCE/tests/bindings/cli/common.sh"

# Allows more ranks than processors, and root in a container, and does without what containers forbid.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe \
  OMPI_MCA_hwloc_base_binding_policy OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_mpi_yield_when_idle

flavour=mpich
ldd "$VTEMPER_BUILD/libvtemper-mpi.so" | grep -q 'libmpi\.so' && flavour=openmpi

# use_mpi openmpi|mpich: uses the mpirun of that MPI and its command, which is compiled if the build used the other one.
# Fails if that MPI is not installed.
use_mpi() {
  launcher=mpirun.$1
  if [ "$1" = $flavour ]; then
    command -v $launcher >/dev/null || launcher=mpirun
    MPI_COMMAND=$VTEMPER_BUILD/vtemper-mpi
    command -v $launcher >/dev/null
    return
  fi
  command -v "$launcher" >/dev/null && command -v "mpicc.$1" >/dev/null && command -v "mpicxx.$1" >/dev/null || return 1
  MPI_COMMAND=$folder/$1/vtemper-mpi
  [ -x "$MPI_COMMAND" ] || compile_command "$1"
}

# compile_command MPI: library and command as in the build, from its objects.
compile_command() {
  mkdir -p "$1"
  sources=$VTEMPER_SOURCE/bindings/mpi
  include="-I$VTEMPER_SOURCE/include -I$VTEMPER_BUILD/include -I$sources/include"
  library="-L$VTEMPER_BUILD -lvtemper -Wl,-rpath,$VTEMPER_BUILD"
  define="-O1 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -D_XOPEN_SOURCE=700"
  # shellcheck disable=SC2086,SC2046
  "mpicxx.$1" -std=c++17 $define $include -I"$sources" -shared -fPIC "$sources"/*.cpp -o "$1/libvtemper-mpi.so" $library &&
    "mpicc.$1" -std=c11 $define $include -I"$VTEMPER_SOURCE/bindings/cli" -c "$sources/command/ranks.c" -o "$1/ranks.o" &&
    "mpicxx.$1" "$1/ranks.o" $(find "$VTEMPER_BUILD/bindings/cli" -path '*vtemper_command_objects.dir*' -name '*.o') \
      -o "$1/vtemper-mpi" -L"$1" -lvtemper-mpi -Wl,-rpath,"$folder/$1" $library -licuuc -lz -lstemmer -lm
  verdict $? "the command cannot be compiled by $1"
}

use_mpi "${VTEMPER_MPI:-$flavour}" || { echo "${VTEMPER_MPI:-$flavour} is not there (Debian: openmpi-bin, mpich)."; exit 77; }

# ranks N COMMAND...: runs N ranks; output in the files out and err. Sets `got`.
ranks() {
  count=$1
  shift
  timeout 120 $launcher -n "$count" "$@" >out 2>err
  got=$?
}

# works N COMMAND...: the same, and it must succeed.
works() {
  ranks "$@"
  [ "$got" -eq 0 ] || sed 's/^/  /' err
  [ "$got" -eq 0 ]
  verdict $? "$launcher -n $* ended with $got"
}

# once WORDS: exactly one line of err contains them.
once() {
  [ "$(grep -c -e "$1" err)" -eq 1 ]
  verdict $? "\"$1\" is told $(grep -c -e "$1" err) times, not once: $(cat err)"
}

# score MODEL DATA: the score that vtemper evaluate prints.
score() { "$VTEMPER" evaluate "$1" "$2"; }

# close WHAT A B TOLERANCE: two finite numbers (awk takes other words, such as nan, for 0) that differ by less.
close() {
  awk -v a="$2" -v b="$3" -v tolerance="$4" 'BEGIN { d = a - b
    exit !(a ~ /[0-9]/ && b ~ /[0-9]/ && a == a + 0 && b == b + 0 && d < tolerance && -d < tolerance) }'
  verdict $? "$1: $2 and $3 are further apart than $4"
}
