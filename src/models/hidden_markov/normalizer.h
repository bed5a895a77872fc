#pragma once
// Workspace of the normaliser of the tempered model (normalizer.cpp).

#include <atomic>

#include "support/array.h"

namespace vtemper {

/// theta^s or its substitute, and the workspace of the recursion over lengths.
struct NormalizerWork {
  Array<double> values;                  ///< [layout], padding 0
  Array<double> emissions;               ///< [row] e
  Array<double> message, product, next;  ///< [states] of the recursion
  Array<double> constants;               ///< [distributions] terms subtracted from the logarithms of their elements
  Array<double> of_lengths;              ///< [lengths] log c
};

/// A workspace kept by the model, so that the steps of a fit allocate nothing.
struct KeptNormalizerWork {
  std::atomic_flag is_lent = ATOMIC_FLAG_INIT;
  NormalizerWork work;
};

/// Lends the kept workspace to one caller at a time; concurrent callers get a new one.
class NormalizerLoan {
 public:
  explicit NormalizerLoan(KeptNormalizerWork& kept) : kept_(kept.is_lent.test_and_set() ? nullptr : &kept) {}
  NormalizerLoan(const NormalizerLoan&) = delete;
  NormalizerLoan& operator=(const NormalizerLoan&) = delete;
  ~NormalizerLoan() {
    if (kept_ != nullptr) kept_->is_lent.clear();
  }
  NormalizerWork& work() { return kept_ != nullptr ? kept_->work : fresh_; }

 private:
  KeptNormalizerWork* kept_;
  NormalizerWork fresh_;
};

}  // namespace vtemper
