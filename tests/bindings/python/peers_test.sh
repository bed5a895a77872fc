#!/bin/sh
# scikit-learn's own test files for LatentDirichletAllocation and BayesianGaussianMixture, against vtemper.drop_in; what
# differs is listed in peers.py.
. "$(dirname "$0")/common.sh"
not_sanitized
needs sklearn pytest
tests=$(run_python -c 'import os, sklearn; print(os.path.dirname(sklearn.__file__))')
for file in decomposition/tests/test_online_lda.py mixture/tests/test_bayesian_mixture.py mixture/tests/test_mixture.py; do
  [ -e "$tests/$file" ] || { echo "$tests/$file is not installed."; exit 77; }
done
case $(run_python -c 'import sklearn; print(sklearn.__version__)') in
  1.2.*) ;;
  *) echo "the list of deviations is for scikit-learn 1.2"; exit 77 ;;
esac
cd "$folder"
PYTHONPATH=$PYTHONPATH:$here run_python -m pytest -q -p peers -p no:cacheprovider -rx "$tests/decomposition/tests/test_online_lda.py" \
  "$tests/mixture/tests/test_bayesian_mixture.py" "$tests/mixture/tests/test_mixture.py"
