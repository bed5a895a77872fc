"""gaussian_mixture with normal_wishart factors against scikit-learn's BayesianGaussianMixture: from the same start with
the same priors every step agrees, and so does the fixed point, to 1e-6 (relative)."""

import ctypes
import os
import sys
import warnings

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":  # on so little data threads cost more than they save
    os.environ[variable] = "1"

try:
    import numpy as np
    from sklearn.mixture import BayesianGaussianMixture
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

ROWS, COLUMNS, COMPONENTS, STEPS = 400, 5, 6, 250
CONCENTRATION, MEAN_PRECISION, DOF = 0.3, 0.7, 6.5
TOLERANCE = 1e-6

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from c_interface import COPY, DOUBLE, I64, VOID, call, options, pointer  # noqa: E402


def set_parameter(model, name, values):
    values = np.ascontiguousarray(values, dtype=np.float64)
    call("vtemper_model_set", model, name, pointer(values), I64(values.size))


def parameter(model, name, shape):
    values = np.empty(shape)
    call("vtemper_model_get", model, name, pointer(values), I64(values.size))
    return values


def difference(ours, theirs):
    return np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs))


def main():
    random = np.random.RandomState(3)
    centres = 3 * random.normal(size=(4, COLUMNS))
    rows = centres[random.randint(4, size=ROWS)] + random.normal(size=(ROWS, COLUMNS)) @ random.normal(
        size=(COLUMNS, COLUMNS))
    covariance = np.cov(rows.T, bias=True)
    mean = rows.mean(axis=0) + 0.5

    theirs = BayesianGaussianMixture(
        n_components=COMPONENTS, covariance_type="full", reg_covar=0, weight_concentration_prior=CONCENTRATION,
        weight_concentration_prior_type="dirichlet_distribution", mean_precision_prior=MEAN_PRECISION,
        mean_prior=mean, degrees_of_freedom_prior=DOF, covariance_prior=DOF * covariance, max_iter=1, tol=0)
    start = random.dirichlet(np.full(COMPONENTS, 0.5), ROWS)
    warnings.simplefilter("ignore")
    theirs.fit(rows)  # settles its priors
    theirs._initialize(rows, start)

    model, optimizer, data = VOID(), VOID(), VOID()
    call("vtemper_data_from_dense", I64(ROWS), I64(COLUMNS), pointer(rows), DOUBLE, I64(COLUMNS), I64(1), COPY, None,
         None, ctypes.byref(data))
    call("vtemper_model_create", b"gaussian_mixture",
         options(components=COMPONENTS, weights_prior=CONCENTRATION, mean_precision_prior=MEAN_PRECISION,
                 dof_prior=DOF, mean_prior=",".join(map(repr, mean.tolist())),
                 covariance_prior=",".join(map(repr, covariance.ravel().tolist()))), ctypes.byref(model))
    call("vtemper_model_initialize", model, data, ctypes.c_uint64(1))
    set_parameter(model, b"weights.concentration", theirs.weight_concentration_)
    set_parameter(model, b"mean", theirs.means_)
    set_parameter(model, b"mean.precision_scale", theirs.mean_precision_)
    set_parameter(model, b"precision.dof", theirs.degrees_of_freedom_)
    inverse = np.linalg.inv(theirs.covariances_ * theirs.degrees_of_freedom_[:, np.newaxis, np.newaxis])
    set_parameter(model, b"precision.scale", (inverse + inverse.transpose(0, 2, 1)) / 2)
    call("vtemper_optimizer_create", model, data, options(method="vi"), ctypes.byref(optimizer))

    first = theirs.means_.copy()
    worst = 0
    for step in range(STEPS):
        log_probability, log_responsibilities = theirs._e_step(rows)
        theirs._m_step(rows, log_responsibilities)
        call("vtemper_optimizer_step", optimizer, I64(1), None)
        if step in (0, 1, 10) or step == STEPS - 1:
            worst = max(
                difference(parameter(model, b"mean", first.shape), theirs.means_),
                difference(parameter(model, b"weights.concentration", COMPONENTS), theirs.weight_concentration_),
                difference(parameter(model, b"mean.precision_scale", COMPONENTS), theirs.mean_precision_),
                difference(parameter(model, b"precision.dof", COMPONENTS), theirs.degrees_of_freedom_),
                difference(parameter(model, b"covariance", theirs.covariances_.shape), theirs.covariances_))
            print("step %d: largest relative difference %.3g" % (step + 1, worst))
            if not worst < TOLERANCE:
                sys.exit("more than %g" % TOLERANCE)
    responsibilities = np.empty((ROWS, COMPONENTS))
    call("vtemper_model_infer", model, data, b"responsibilities", None, pointer(responsibilities),
         I64(responsibilities.size))
    if not np.max(np.abs(responsibilities - np.exp(theirs._e_step(rows)[1]))) < TOLERANCE:
        sys.exit("other responsibilities")
    moved = np.max(np.abs(theirs.means_ - first))
    print("the means moved by up to %.3g" % moved)
    if not moved > 1:
        sys.exit("the fit did not move: the comparison says nothing")


main()
