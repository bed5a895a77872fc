#!/bin/sh
# A model is one folder: a copy of the tree to which only new_model/beta_columns is added builds; the new kind passes
# the contract suite, is listed by describe, and can be fitted from the command, and from R and Julia if they are
# installed. Objects of unchanged sources are taken from the build under test, so little is compiled.
set -eu

# What every model must implement: the pure virtual functions of Model and of its family.
models=$VTEMPER_SOURCE/src/models
pure() { sed -n "/^class $1 /,/^};/p" "$models/$2.h" | grep -cE '(const|noexcept|\)) = 0;'; }
all=$(pure Model model)
for family in conjugate:ConjugateModel gradient:GradientModel; do
  number=$((all + $(pure "${family#*:}" "${family%:*}_model")))
  echo "functions that a ${family%:*} model must have: $number"
  [ "$number" -gt 3 ] && [ "$number" -le 14 ] || { echo "more than 14, or not counted"; exit 1; }
done

. "$VTEMPER_SOURCE/tests/bindings/sanitizer.sh"
[ -z "$sanitized" ] || { echo "with the optimised library only"; exit 77; }
command -v ninja >/dev/null || { echo "there is no ninja"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
copy=$folder/tree
mkdir "$copy"
(cd "$VTEMPER_SOURCE" && tar -cf - --exclude='./build*' --exclude=./.git --exclude='*.pyc' .) | (cd "$copy" && tar -xf -)
cp -r "$VTEMPER_SOURCE/tests/gates/new_model/beta_columns" "$copy/src/models/"

cat >"$folder/launcher" <<'LAUNCHER'
#!/bin/sh
# launcher COMPILER ... -o OBJECT -c SOURCE, from the build folder: takes the object from the build under test where the
# source is the same file there and older.
previous= object= source= dependencies=
for word; do
  case $previous in
    -o) object=$word ;;
    -c) source=$word ;;
    -MF) dependencies=$word ;;
  esac
  previous=$word
done
original=$SOURCE_UNDER_TEST/${source#"$COPY"/}
if [ "$source" != "$original" ] && [ -n "$dependencies" ] && cmp -s "$source" "$original" &&
  [ -n "$(find "$BUILD_UNDER_TEST/$object" -newer "$original" 2>/dev/null)" ]; then
  cp "$BUILD_UNDER_TEST/$object" "$object" && echo "$object: $source" >"$dependencies"
else
  echo "$source" >>"$COPY/../compiled"
  exec "$@"
fi
LAUNCHER
chmod +x "$folder/launcher"
COPY=$copy BUILD_UNDER_TEST=$VTEMPER_BUILD SOURCE_UNDER_TEST=$VTEMPER_SOURCE
export COPY BUILD_UNDER_TEST SOURCE_UNDER_TEST
setting() { sed -n "s/^$1:[A-Z]*=//p" "$VTEMPER_BUILD/CMakeCache.txt"; }
: >"$folder/compiled"
{
  cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE="$(setting CMAKE_BUILD_TYPE)" \
    -DCMAKE_CXX_COMPILER="$(setting CMAKE_CXX_COMPILER)" -DCMAKE_C_COMPILER="$(setting CMAKE_C_COMPILER)" \
    -DCMAKE_CXX_FLAGS="$(setting CMAKE_CXX_FLAGS)" -DVTEMPER_WARNINGS_AS_ERRORS="$(setting VTEMPER_WARNINGS_AS_ERRORS)" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$folder/launcher" -DCMAKE_C_COMPILER_LAUNCHER="$folder/launcher"
  cmake --build "$copy/build" --parallel 2 --target vtemper vtemper_command test_models_contract_contract
} >"$folder/log" 2>&1 || { tail -n 40 "$folder/log"; exit 1; }
echo "compiled: $(wc -l <"$folder/compiled") sources"
grep -q beta_columns "$folder/compiled" || { echo "the new model was not compiled"; exit 1; }

VTEMPER_CONTRACT_KIND=beta_columns VTEMPER_THREAD_OPERATIONS=1 \
  "$copy/build/tests/test_models_contract_contract" >"$folder/log" 2>&1 || { tail -n 40 "$folder/log"; exit 1; }
command=$copy/build/vtemper
"$command" describe | grep -q beta_columns || { echo "describe does not list the new kind"; exit 1; }
cd "$folder"
awk 'BEGIN { for (i = 0; i < 40; ++i) print i % 2 "," (i % 5 == 0) "," 1 }' >rows.csv
"$command" fit rows.csv -o fitted.vtemper --model beta_columns >log 2>&1 || { cat log; exit 1; }
"$command" info fitted.vtemper >log 2>&1 && grep -q beta_columns log || { cat log; exit 1; }

# R and Julia, found as their own tests find them; 77 where there is none.
cat >r.sh <<'SCRIPT'
. "$VTEMPER_SOURCE/tests/bindings/r/common.sh"
install_package
rscript -e 'library(vtemper); rows <- matrix(rep(c(0, 1, 1, 1), 20), ncol = 2, byrow = TRUE)' \
  -e 'counts <- vt_parameters(vt_fit(rows, kind = "beta_columns", progress = FALSE))' \
  -e 'print(counts); stopifnot("counts" %in% names(counts) || "counts" %in% rownames(counts) || "counts" %in% unlist(counts))'
SCRIPT
cat >julia.sh <<'SCRIPT'
. "$VTEMPER_SOURCE/tests/bindings/julia/common.sh"
julia -e 'using VTemper, VTemper.Verbs
fitted = fit(Model{:beta_columns}, repeat([0.0 1.0; 1.0 1.0], 1, 20))
println(typeof(fitted))'
SCRIPT
julia=${JULIA:-$VTEMPER_SOURCE/build/julia/bin/julia}
[ -x "$julia" ] && export JULIA="$julia"
for program in r julia; do
  status=0
  VTEMPER_BUILD=$copy/build VTEMPER_LIBRARY=$copy/build/libvtemper.so VTEMPER_SOURCE=$copy VTEMPER=$command \
    sh $program.sh >log 2>&1 || status=$?
  case $status in
    0) echo "$program: fitted" ;;
    77) echo "$program: $(head -n 1 log)" ;;
    *) cat log; exit 1 ;;
  esac
done
