# What the tests of vtemper-mpi share; sourced by each of them, with the functions of ../cli/common.sh. Sets the function
# `ranks N COMMAND...`, by the mpirun of the MPI that the build has found.

MPI_COMMAND=$VTEMPER_BUILD/vtemper-mpi
if [ ! -x "$MPI_COMMAND" ]; then
  echo "This build has no vtemper-mpi: MPI was not found (Debian: libopenmpi-dev), or it has sanitizers."
  exit 77
fi
. "$VTEMPER_SOURCE/tests/bindings/cli/common.sh"

# More ranks than processors, as root in a container, without what containers forbid.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe \
  OMPI_MCA_hwloc_base_binding_policy OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_mpi_yield_when_idle

flavour=mpich
ldd "$VTEMPER_BUILD/libvtemper-mpi.so" | grep -q 'libmpi\.so' && flavour=openmpi
for launcher in mpirun.$flavour mpirun; do
  command -v $launcher >/dev/null && break
  launcher=
done
[ -n "$launcher" ] || { echo "There is no mpirun (Debian: openmpi-bin)."; exit 77; }

# ranks N COMMAND...: runs N ranks; output in the files out and err. Sets `got`.
ranks() {
  count=$1
  shift
  timeout 120 $launcher -n "$count" "$@" >out 2>err
  got=$?
}

# works N COMMAND...: the same, and it has to end well.
works() {
  ranks "$@"
  [ "$got" -eq 0 ] || sed 's/^/  /' err
  [ "$got" -eq 0 ]
  verdict $? "$launcher -n $* ended with $got"
}

# once WORDS: one line of err holds them.
once() {
  [ "$(grep -c -e "$1" err)" -eq 1 ]
  verdict $? "\"$1\" is told $(grep -c -e "$1" err) times, not once: $(cat err)"
}

# score MODEL DATA: what vtemper evaluate says.
score() { "$VTEMPER" evaluate "$1" "$2"; }

# close WHAT A B TOLERANCE: two numbers.
close() {
  awk -v a="$2" -v b="$3" -v tolerance="$4" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d < tolerance && -d < tolerance) }'
  verdict $? "$1: $2 and $3 are further apart than $4"
}
