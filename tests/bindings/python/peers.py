"""A plugin of pytest: scikit-learn's own tests of LatentDirichletAllocation and BayesianGaussianMixture run against
vtemper.drop_in. What differs is listed here with the reason; a test of the list that passes is a failure, but where chance decides."""
import pytest
import sklearn.decomposition
import sklearn.mixture

from vtemper import drop_in

sklearn.decomposition.LatentDirichletAllocation = drop_in.LatentDirichletAllocation
sklearn.mixture.BayesianGaussianMixture = drop_in.BayesianGaussianMixture

PRIVATE = "calls a function of scikit-learn's own that is not part of its interface"
FULL = "covariances are full: other types are refused"
WARM = "warm_start is refused: every fit starts anew, and partial_fit or resume goes on"
PRIORS = "the priors that follow from the data are not attributes of the estimator"

DEVIATIONS = {
    "test_lda_preplexity_mismatch": PRIVATE,
    "test_lda_partial_fit_multi_jobs": "two steps from another random start do not separate the topics",
    "test_lda_empty_docs": "a corpus without any token is refused: there is nothing to fit",
    "test_verbosity[True-0-3-0]": "verbose shows progress on stderr, by tqdm where it is installed",
    "test_verbosity[True-1-3-3]": "verbose shows progress on stderr, by tqdm where it is installed",
    "test_verbosity[True-2-3-1]": "verbose shows progress on stderr, by tqdm where it is installed",
    "test_bayesian_mixture_weights_prior_initialisation": PRIORS,
    "test_bayesian_mixture_mean_prior_initialisation": PRIORS,
    "test_bayesian_mixture_precisions_prior_initialisation": "the refusal is the library's message; " + PRIORS,
    "test_bayesian_mixture_weights": "weights have a Dirichlet distribution, not a Dirichlet process",
    "test_monotonic_likelihood": WARM,
    "test_compare_covar_type": PRIVATE,
    "test_check_covariance_precision": FULL,
    "test_bayesian_mixture_fit_predict[0-2-1e-07]": FULL,
    "test_bayesian_mixture_fit_predict[1-2-0.1]": FULL,
    "test_bayesian_mixture_fit_predict[3-300-1e-07]": FULL,
    "test_bayesian_mixture_fit_predict[4-300-0.1]": FULL,
    "test_bayesian_mixture_predict_predict_proba": FULL,
    "test_mixture_n_components_greater_than_n_samples_error[estimator1]": "more components than rows are allowed: the prior holds them",
}

BY_CHANCE = {"test_lda_partial_fit_multi_jobs"}


def pytest_collection_modifyitems(items):
    for item in items:
        if item.name in DEVIATIONS:
            item.add_marker(pytest.mark.xfail(reason=DEVIATIONS[item.name], strict=item.name not in BY_CHANCE))
    missing = set(DEVIATIONS) - {item.name for item in items}
    if missing:
        raise pytest.UsageError("these tests of the list do not exist: %s" % ", ".join(sorted(missing)))
