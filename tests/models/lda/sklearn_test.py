"""LDA by svi in double against scikit-learn's online variational Bayes: from the same lambda on the same minibatches,
both with tight tolerances, lambda agrees to 1e-4 (relative) after 20 steps."""

import ctypes
import os
import sys

try:
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

TOPICS, WORDS, ROWS, BATCH, STEPS = 7, 120, 400, 20, 20
ALPHA, ETA, DELAY, POWER = 0.2, 0.1, 11.0, 0.7
TOLERANCE = 1e-4

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from c_interface import BY_ROWS, COPY, DOUBLE, I64, INT32, INT64, VOID, call, options, pointer  # noqa: E402


def data_of(matrix):
    handle = VOID()
    offsets, indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
    values = matrix.data.astype(np.float64)
    call("vtemper_data_from_counts", BY_ROWS, I64(matrix.shape[0]), I64(matrix.shape[1]), pointer(offsets), INT64,
         pointer(indices), INT32, pointer(values), DOUBLE, I64(0), COPY, None, None, ctypes.byref(handle))
    return handle


class FromOnes(LatentDirichletAllocation):
    """scikit-learn's E-step with gamma started from ones, as ours: partial_fit starts it at random."""

    def _e_step(self, X, cal_sstats, random_init, parallel=None):
        return super()._e_step(X, cal_sstats, random_init=False, parallel=parallel)


def corpus():
    random = np.random.RandomState(1)
    topics = random.dirichlet(np.full(WORDS, 0.1), TOPICS)
    proportions = random.dirichlet(np.full(TOPICS, 0.3), ROWS)
    rows = [random.multinomial(20 + random.randint(60), p @ topics) for p in proportions]
    rows[3][:] = 0  # an empty document
    return csr_matrix(np.array(rows, dtype=np.float64))


def main():
    counts = corpus()
    start = np.random.RandomState(2).gamma(100.0, 0.01, (TOPICS, WORDS))
    batches = [counts[(step * BATCH) % ROWS:(step * BATCH) % ROWS + BATCH] for step in range(STEPS)]

    theirs = FromOnes(n_components=TOPICS, doc_topic_prior=ALPHA, topic_word_prior=ETA, learning_method="online",
                      learning_offset=DELAY - 1, learning_decay=POWER, total_samples=ROWS, batch_size=BATCH,
                      mean_change_tol=1e-12, max_doc_update_iter=20000, n_jobs=1, random_state=0)
    theirs._init_latent_vars(WORDS)
    theirs.n_features_in_ = WORDS
    theirs.components_ = start.copy()
    # What partial_fit keeps beside components_; it counts its updates from 1, so its offset is our delay - 1.
    from scipy.special import psi
    theirs.exp_dirichlet_component_ = np.exp(psi(start) - psi(start.sum(axis=1))[:, np.newaxis])
    for batch in batches:
        theirs.partial_fit(batch)
    expected = theirs.components_

    model, optimizer, data = VOID(), VOID(), data_of(counts)
    call("vtemper_model_create", b"lda",
         options(topics=TOPICS, alpha=ALPHA, eta=ETA, topic_posterior="dirichlet", precision="double",
                 local_tolerance=1e-12, local_iterations=20000), ctypes.byref(model))
    call("vtemper_model_initialize", model, data, ctypes.c_uint64(1))
    call("vtemper_model_set", model, b"lambda", pointer(start), I64(start.size))
    call("vtemper_optimizer_create", model, None,
         options(method="svi", rows_total=ROWS, step_size_delay=DELAY, step_size_power=POWER),
         ctypes.byref(optimizer))
    for batch in batches:
        call("vtemper_optimizer_feed", optimizer, data_of(batch), None)
    ours = np.empty((TOPICS, WORDS))
    call("vtemper_model_get", model, b"lambda", pointer(ours), I64(ours.size))

    difference = np.max(np.abs(ours - expected) / expected)
    moved = np.max(np.abs(expected - start) / start)
    print("largest relative difference of lambda after %d steps: %.3g (lambda moved by up to %.3g)" %
          (STEPS, difference, moved))
    if not moved > 1:
        sys.exit("the fit did not move: the comparison says nothing")
    if not difference < TOLERANCE:
        sys.exit("more than %g" % TOLERANCE)


main()
