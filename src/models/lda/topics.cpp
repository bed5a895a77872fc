#include "models/lda/topics.h"

#include <algorithm>
#include <cmath>

#include "models/lda/growth.h"
#include "support/interruption.h"
#include "support/large_pages.h"
#include "support/random_streams.h"

namespace vtemper {

template <class Real>
Topics<Real>::Topics(int64_t topics, int64_t words, std::vector<double> eta, const std::string& folder,
                     const std::shared_ptr<Group>& group)
    : topics_(topics),
      words_(words),
      parted_(topics),
      padded_(kernels::padded(topics)),
      share_(group ? std::make_unique<WordShare>(group, words, padded_ * static_cast<int64_t>(sizeof(Real)))
                   : nullptr),
      stored_(share_ ? share_->own() : words),
      eta_(std::move(eta)),
      eta_totals_(static_cast<size_t>(topics)),
      rows_(folder),
      totals_(static_cast<size_t>(topics)),
      draws_(static_cast<size_t>(topics)),
      touched_(static_cast<size_t>(words)),
      changes_(static_cast<size_t>(words / block_words + 1)) {
  stand_in_.resize(static_cast<size_t>(topics));
  copies_.resize(static_cast<size_t>(topics));
  set_parted(topics);
  const int64_t prior_rows = eta_.size() == 1 ? 1 : words_;
  reserve_large(eta_rows_, static_cast<size_t>(prior_rows * padded_));
  eta_rows_.resize(static_cast<size_t>(prior_rows * padded_));
  for (int64_t v = 0; v < prior_rows; ++v) {
    for (int64_t k = 0; k < topics_; ++k)
      eta_rows_[static_cast<size_t>(v * padded_ + k)] = static_cast<Real>(this->eta(k, v));
  }
  for (int64_t k = 0; k < topics_; ++k) {
    double total = 0;
    if (eta_.size() == 1) {
      total = eta_[0] * static_cast<double>(words_);
    } else {
      for (int64_t v = 0; v < words_; ++v) total += this->eta(k, v);
    }
    eta_totals_[static_cast<size_t>(k)] = total;
  }
}

template <class Real>
Topics<Real>::Topics(const Topics& other)
    : topics_(other.topics_),
      words_(other.words_),
      parted_(other.parted_),
      padded_(other.padded_),
      share_(other.share_ ? std::make_unique<WordShare>(*other.share_) : nullptr),
      stored_(other.stored_),
      stride_(other.stride_),
      eta_(other.eta_),
      eta_rows_(other.eta_rows_),
      eta_totals_(other.eta_totals_),
      rows_(other.rows_),
      stand_in_(other.stand_in_),
      copies_(other.copies_),
      scale_(other.scale_),
      prior_weight_(other.prior_weight_),
      constant_(other.constant_),
      totals_(other.totals_),
      draws_(other.draws_),
      touched_(other.touched_),
      changes_(other.changes_),
      has_open_sums_(other.has_open_sums_),
      moved_(other.moved_) {}

template <class Real>
void Topics<Real>::make_room() {
  rows_.make_room(most_rows(), rows_.stride(kernels::padded(topics_)));
  if (!in_memory()) received_.resize(static_cast<size_t>(kernels::padded(topics_)));
}

template <class Real>
void Topics<Real>::draw(uint64_t seed) {
  set_parted(topics_);
  make_room();  // memory is not touched before it is filled
  fill_with_draws(seed);
}

template <class Real>
void Topics<Real>::draw_again(uint64_t seed) noexcept {
  const Uninterrupted whole;
  set_parted(topics_);
  change_rows([&] { fill_with_draws(seed); });
}

template <class Real>
void Topics<Real>::fill_with_draws(uint64_t seed) {
  constexpr double shape = 100;
  fill_all([&](int64_t i, Real* numbers) {
    require_not_interrupted();
    rows_.extend(static_cast<size_t>((i + 1) * stride_));
    RandomStream random(seed, Purpose::initialize, 0, static_cast<uint64_t>(word_of(i)));
    for (int64_t k = 0; k < topics_; ++k) numbers[k] = static_cast<Real>(random.gamma(shape) / shape);
    std::fill(numbers + topics_, numbers + stride_, Real{0});
  });
  scale_ = 1;
  prior_weight_ = 0;
  constant_ = 0;
  recount();
}

template <class Real>
void Topics<Real>::set_eta(double eta) {
  eta_[0] = eta;
  for (int64_t k = 0; k < topics_; ++k) eta_rows_[static_cast<size_t>(k)] = static_cast<Real>(eta);
  std::fill(eta_totals_.begin(), eta_totals_.end(), eta * static_cast<double>(words_));
}

template <class Real>
double Topics<Real>::total(int64_t topic) const {
  if (parted_ == topics_) return total_of_parted(topic);
  const int64_t parted = stand_in(topic);
  const double prior = prior_weight_ * eta_total(topic) + constant_ * static_cast<double>(words_);
  return (total_of_parted(parted) - prior) / static_cast<double>(copies(parted)) + prior;
}

template <class Real>
double Topics<Real>::total_of_parted(int64_t parted) const {
  const size_t k = static_cast<size_t>(parted);
  return scale_ * totals_[k] + (prior_weight_ * eta_totals_[k] + constant_ * static_cast<double>(words_));
}

template <class Real>
void Topics<Real>::set_parted(int64_t count) {
  parted_ = count;
  padded_ = kernels::padded(count);
  stride_ = rows_.stride(padded_);
  std::fill(copies_.begin(), copies_.end(), 0);
  for (int64_t k = 0; k < topics_; ++k) {
    const int64_t parted = parted_topic(k, topics_, count);
    stand_in_[static_cast<size_t>(k)] = static_cast<int32_t>(parted);
    ++copies_[static_cast<size_t>(parted)];
  }
}

/// Rows are compacted in place, which needs no memory, so it can be done in a step.
template <class Real>
void Topics<Real>::merge_to(int64_t count) noexcept {
  const int64_t before = stride_;
  set_parted(count);
  change_rows([&] {
    rows_.move(stored_, before, stride_, true, [&](int64_t, const Real* from, Real* to) {
      for (int64_t k = 0; k < count; ++k) to[k] = from[k];
      std::fill(to + count, to + stride_, Real{0});
    });
    recount();
  });
}

template <class Real>
void Topics<Real>::split(uint64_t seed) noexcept {
  /// Difference between the two halves, as a share of a word's weight. It only has to exceed rounding errors: below
  /// the temperature at which the halves separate, co-occurring words make it grow. Larger differences gave worse
  /// results.
  constexpr double spread = 0.1;
  const Uninterrupted whole;
  const int64_t before = parted_;
  const int64_t stride_before = stride_;
  set_parted(next_topics(topics_, before));
  const int64_t halved = parted_ - before;  // the first ones; if their number is odd, the last one is not split
  change_rows([&] {
    rows_.move(stored_, stride_before, stride_, true, [&](int64_t i, const Real* from, Real* to) {
      std::copy_backward(from, from + before, to + before);
      const auto word = static_cast<uint64_t>(word_of(i));
      RandomStream random(seed, Purpose::split_topics, static_cast<uint64_t>(before), word);
      for (int64_t k = 0; k < halved; ++k) {
        const Real share = static_cast<Real>(0.5 + 0.5 * spread * (2 * random.uniform() - 1));
        to[before + k] = to[k] * (1 - share);
        to[k] *= share;
      }
      std::fill(to + parted_, to + stride_, Real{0});
    });
    recount();
  });
}

template <class Real>
double Topics<Real>::mix(int64_t word, const double* weights) const {
  Spare spare;
  const Real* const row = this->row(word, spare);
  double sum = 0;
  for (int64_t k = 0; k < topics_; ++k) sum += weights[k] * lambda(k, word, row);
  return sum;
}

template <class Real>
void Topics<Real>::assign(const double* lambda) {
  make_writable();
  set_parted(topics_);
  scale_ = 1;
  prior_weight_ = 0;
  constant_ = 0;
  change_rows([&] {
    fill_all([&](int64_t v, Real* numbers) {
      for (int64_t k = 0; k < topics_; ++k) numbers[k] = static_cast<Real>(lambda[k * words_ + v]);
      std::fill(numbers + topics_, numbers + stride_, Real{0});
    });
    recount();
  });
  require_kept();
}

template <class Real>
void Topics<Real>::normalizer(bool point, Normalizer& out) const {
  out.point = point;
  out.values.resize(static_cast<size_t>(padded_));
  out.inverse.resize(static_cast<size_t>(padded_));
  out.totals.resize(static_cast<size_t>(parted_));
  for (int64_t k = 0; k < parted_; ++k) out.totals[static_cast<size_t>(k)] = total_of_parted(k);
  const auto& kernels = kernels::instruction_set().double_precision;
  (point ? kernels.logarithm : kernels.digamma)(out.totals.data(), out.totals.data(), parted_);
  std::copy_n(out.totals.begin(), parted_, out.values.begin());
  const double least = static_cast<double>(*std::min_element(out.values.begin(), out.values.begin() + parted_));
  for (size_t k = 0; k < static_cast<size_t>(parted_); ++k) {
    out.inverse[k] = static_cast<Real>(std::exp(least - static_cast<double>(out.values[k])));
  }
}

template <class Real>
double Topics<Real>::word(int64_t word, const Normalizer& normalizer, double inverse_temperature, Real* likelihood,
                          Real* expectation) const {
  Spare spare;
  return this->word(word, row(word, spare), normalizer, inverse_temperature, likelihood, expectation);
}

template <class Real>
double Topics<Real>::word(int64_t word, const Real* stored, const Normalizer& normalizer, double inverse_temperature,
                          Real* likelihood, Real* expectation) const {
  const bool one_prior = eta_.size() == 1;
  const Real prior = static_cast<Real>(prior_weight_ * eta_[0] + constant_);
  if (!one_prior) {
    const Real weight = static_cast<Real>(prior_weight_);
    const Real constant = static_cast<Real>(constant_);
    for (int64_t k = 0; k < parted_; ++k) likelihood[k] = weight * eta_row(word)[k] + constant;
    std::fill(likelihood + parted_, likelihood + padded_, Real{1});
  }
  kernels::WordTopics<Real> row;
  row.l = stored;
  row.scale = static_cast<Real>(scale_);
  row.prior = one_prior ? &prior : likelihood;
  row.prior_stride = one_prior ? 0 : 1;
  row.normalizer = normalizer.values.data();
  row.inverse = normalizer.inverse.data();
  row.point = normalizer.point;
  row.inverse_temperature = static_cast<Real>(inverse_temperature);
  row.topics = parted_;
  row.expectation = expectation;
  row.likelihood = likelihood;
  return kernels::table<Real>(kernels::model_kernels<kernels::LdaKernels>()).word_topics(row);
}

template <class Real>
void Topics<Real>::recount() {
  std::fill(totals_.begin(), totals_.end(), 0.0);
  rows_.visit_own(stored_, stride_, [&](int64_t, const Real* numbers) {
    for (int64_t k = 0; k < parted_; ++k) totals_[static_cast<size_t>(k)] += static_cast<double>(numbers[k]);
  });
  has_open_sums_ = share_ != nullptr;
}

}  // namespace vtemper

#include "models/lda/topics_instances.inc"
