#pragma once
// Work space of the normaliser of the tempered model (normalizer.cpp).

#include <atomic>

#include "support/array.h"

namespace vtemper {

/// theta^s in some sense, and what the recursion over lengths needs.
struct NormalizerWork {
  Array<double> values;                  ///< [layout], padding 0
  Array<double> emissions;               ///< [row] e
  Array<double> message, product, next;  ///< [states] of the recursion
  Array<double> constants;               ///< [distributions] what their elements' logarithms take
  Array<double> of_lengths;              ///< [lengths] log c
};

/// The work space that a model keeps, so that the steps of its fit allocate nothing.
struct KeptNormalizerWork {
  std::atomic_flag is_lent = ATOMIC_FLAG_INIT;
  NormalizerWork work;
};

/// Lends the kept work space to one caller at a time; whoever asks meanwhile, on another thread, gets a fresh one.
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
