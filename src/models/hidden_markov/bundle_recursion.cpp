#include "models/hidden_markov/bundle_recursion.h"

#include <algorithm>

#include "models/hidden_markov/recursion.h"

namespace vtemper {

void BundleRecursion::reserve(const Layout& layout, int64_t symbols) {
  if (layout.states > max_states) return;
  const auto numbers = static_cast<size_t>(symbols * layout.row);
  const auto steps = numbers / static_cast<size_t>(layout.states);
  for (Array<double>* array : {&likelihoods_, &forward_, &messages_}) array->reserve(numbers);
  inverse_scales_.reserve(steps);
  for (Array<double>* array : {&lane_lengths_, &factors_, &log_normalizers_, &failures_}) array->reserve(lanes);
  ones_.reserve(static_cast<size_t>(layout.row));
  nowhere_.reserve(static_cast<size_t>(layout.row));
  rows_.reserve(steps);
  occupancies_.reserve(steps);
  pairs_.reserve(static_cast<size_t>(layout.states * layout.states * lanes));
}

void BundleRecursion::start(int64_t count) {
  count_ = count;
  longest_ = 0;
  for (Array<double>* array : {&lane_lengths_, &factors_, &log_normalizers_, &failures_}) {
    array->resize(lanes);
    array->fill(0);
  }
  std::fill_n(lengths_, lanes, 0);
}

void BundleRecursion::set(int64_t sequence, const int32_t* symbols, int64_t length, double factor) {
  symbols_[sequence] = symbols;
  lengths_[sequence] = length;
  lane_lengths_[static_cast<size_t>(sequence)] = static_cast<double>(length);
  factors_[static_cast<size_t>(sequence)] = factor;
  longest_ = std::max(longest_, length);
}

kernels::Bundle BundleRecursion::bundle(const Weights& weights) {
  return {longest_,
          weights.states,
          weights.row,
          weights.initial.data(),
          weights.transition.data(),
          weights.transposed.data(),
          lane_lengths_.data(),
          factors_.data(),
          rows_.data(),
          occupancies_.data(),
          likelihoods_.data(),
          forward_.data(),
          inverse_scales_.data(),
          largest_inverse_scale,
          log_normalizers_.data(),
          failures_.data(),
          messages_.data(),
          pairs_.data()};
}

void BundleRecursion::forward(const Weights& weights) {
  states_ = weights.states;
  const auto plane = static_cast<size_t>(states_ * lanes), steps = static_cast<size_t>(longest_);
  for (Array<double>* array : {&likelihoods_, &forward_, &messages_}) array->resize(steps * plane);
  inverse_scales_.resize(steps * lanes);
  ones_.resize(static_cast<size_t>(weights.row));
  ones_.fill(1);
  rows_.resize(steps * lanes);
  for (int64_t t = 0; t < longest_; ++t) {
    for (int64_t n = 0; n < lanes; ++n) {
      rows_[static_cast<size_t>(t * lanes + n)] =
          t < lengths_[n] ? weights.likelihoods.data() + symbols_[n][t] * weights.row : ones_.data();
    }
  }
  recursion_kernels().bundle_forward(bundle(weights));
  for (int64_t n = 0; n < count_; ++n) {
    if (!usable(n)) silence(n);
  }
}

/// Excludes an unusable sequence from the backward pass.
void BundleRecursion::silence(int64_t sequence) {
  factors_[static_cast<size_t>(sequence)] = 0;
  for (int64_t t = 0; t < longest_; ++t) {
    inverse_scales_[static_cast<size_t>(t * lanes + sequence)] = 0;
    for (int64_t k = 0; k < states_; ++k) forward_[static_cast<size_t>((t * states_ + k) * lanes + sequence)] = 0;
  }
}

void BundleRecursion::backward(const Weights& weights, double* emissions, double* first) {
  occupancies_.resize(rows_.size());
  nowhere_.resize(static_cast<size_t>(weights.row));
  for (int64_t t = 0; t < longest_; ++t) {
    for (int64_t n = 0; n < lanes; ++n) {
      occupancies_[static_cast<size_t>(t * lanes + n)] =
          t < lengths_[n] ? emissions + symbols_[n][t] * weights.row : nowhere_.data();
    }
  }
  const kernels::Bundle whole = bundle(weights);
  recursion_kernels().bundle_backward(whole);
  recursion_kernels().bundle_pairs(whole);
  for (int64_t k = 0; k < states_; ++k) {
    const double* of_lanes = likelihoods_.data() + k * lanes;
    for (int64_t n = 0; n < count_; ++n) first[k] += of_lanes[n];
  }
}

void BundleRecursion::clear_pairs(int64_t states) {
  pairs_.resize(static_cast<size_t>(states * states * lanes));
  pairs_.fill(0);
}

void BundleRecursion::add_pairs(int64_t row, double* pairs) const {
  for (int64_t i = 0; i < states_; ++i) {
    for (int64_t j = 0; j < states_; ++j) {
      const double* of_lanes = pairs_.data() + (i * states_ + j) * lanes;
      double sum = 0;
      for (int64_t n = 0; n < lanes; ++n) sum += of_lanes[n];
      pairs[i * row + j] += sum;
    }
  }
}

}  // namespace vtemper
