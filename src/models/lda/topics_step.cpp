// Updates of the topics by a step: it moves the rows of its words, and all others through three scalars (README.md
// section 5).

#include <algorithm>
#include <cmath>

#include "models/lda/topics.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// How far ahead a word is prefetched: as far as the next words' rows (topics, own and received statistics) take up
/// only half of a small first-level cache; beyond two words, because the processor itself follows a long row.
template <class Real>
int64_t words_ahead_of_update(int64_t row_length) {
  constexpr int64_t bytes = 16 << 10, rows = 3;
  return std::clamp<int64_t>(bytes / (rows * row_length * static_cast<int64_t>(sizeof(Real))), 2, words_ahead);
}

}  // namespace

/// Rows in a file are changed in their copies (update.copies), from which they are written block by block.
template <class Real>
void Topics<Real>::update_rows(const Update& update, const Blend& step, double factor, int threads) {
  const bool full = step.rho >= 1;
  const auto& table = kernels::table<Real>(kernels::model_kernels<kernels::LdaKernels>());
  kernels::WordUpdate<Real> of_words;
  of_words.scale = static_cast<Real>(scale_);
  of_words.prior_weight = static_cast<Real>(prior_weight_ - step.prior_weight);
  of_words.constant = static_cast<Real>(constant_ - step.constant);
  of_words.target = static_cast<Real>(step.scale);
  of_words.kept = full ? Real{0} : Real{1};
  of_words.factor = static_cast<Real>(factor);
  of_words.topics = parted_;
  const Real prior = static_cast<Real>(of_words.prior_weight * eta_[0] + of_words.constant);  // of listed words
  rows_.set_changed();
  const bool in_file = !in_memory();
  const auto row_at = [&](int64_t place) {
    return in_file ? update.copies + place * stride_ : row_in_memory(update.words[place]);
  };
  const int64_t distance = update.lists == nullptr ? words_ahead_of_update<Real>(padded_) : words_ahead;
  const int64_t blocks = (update.count + block_words - 1) / block_words;
  parallel_for(threads, blocks, [&](int64_t block, int thread) {
    kernels::WordChange change = {0, 0};
    kernels::WordUpdate<Real> word = of_words;
    Real* const scratch = update.scratch == nullptr ? nullptr : update.scratch + thread * padded_;
    const int64_t end = std::min(update.count, (block + 1) * block_words);
    if (in_file) rows_.require_writable();
    for (int64_t i = block * block_words; i < end; ++i) {
      if (i + distance < update.count) {
        const int64_t ahead = update.place(i + distance);
        prefetch_update(update, ahead, row_at(ahead));
      }
      const int64_t place = update.place(i);
      word.l = row_at(place);
      kernels::WordChange of_word;
      if (update.lists != nullptr) {
        of_word = update_listed_word(*update.lists, place, word, prior);
      } else {
        const typename WordStatistics<Real>::Parts parts = update.statistics.parts(place, scratch);
        word.statistics = parts.first;
        word.added = parts.second;
        word.prior = eta_row(update.words[place]);
        of_word = table.update_word(word);
      }
      change.before += of_word.before;
      change.moved += of_word.moved;
      if (in_file) rows_.write(place_of(update.words[place]) * stride_, stride_, word.l);
    }
    changes_[static_cast<size_t>(block)] = change;
  });
  for (int64_t block = 0; block < blocks; ++block) {
    moved_.words += changes_[static_cast<size_t>(block)].moved;
    moved_.old_mass += changes_[static_cast<size_t>(block)].before;
  }
}

template <class Real>
void Topics<Real>::blend(const Update& update, const double* sums, const Blend& step, int threads) noexcept {
  const Uninterrupted whole;
  const double rho = step.rho;
  moved_ = Moved();
  moved_.rho = rho;
  for (int64_t k = 0; k < parted_; ++k) moved_.mass_before += total_of_parted(k);
  const bool full = rho >= 1;
  const double scale_after = full ? 1 : (1 - rho) * scale_;
  const double factor = rho * step.share * step.scale / scale_after;
  change_rows([&] {
    update_rows(update, step, factor, threads);
    if (full) clear_other_rows(update);
  });
  moved_.over_prior = moved_.mass_before;
  for (int64_t k = 0; k < parted_; ++k) {
    moved_.over_prior -= step.prior_weight * eta_total(k) + step.constant * static_cast<double>(words_);
  }

  if (full) {
    std::fill(totals_.begin(), totals_.end(), 0.0);
    prior_weight_ = step.share * step.prior_weight;
    constant_ = step.share * step.constant;
  } else {
    prior_weight_ = (1 - rho) * prior_weight_ + rho * step.share * step.prior_weight;
    constant_ = (1 - rho) * constant_ + rho * step.share * step.constant;
  }
  scale_ = scale_after;
  for (size_t k = 0; k < static_cast<size_t>(parted_); ++k) totals_[k] += factor * sums[k];
  if (scale_ < smallest_scale) change_rows([&] { renormalize(); });
}

template <class Real>
double Topics<Real>::relative_change() {
  double over_words[2] = {moved_.words, moved_.old_mass};
  if (share_) share_->sum(over_words, 2);
  const double change = moved_.rho * (over_words[0] + std::abs(moved_.over_prior - over_words[1]));
  return change / moved_.mass_before;
}

template <class Real>
void Topics<Real>::apply(const TopicMove& move) noexcept {
  const Uninterrupted whole;
  const Merger& merger = move.merger;
  const TopicSplit& split = move.split;
  for (int64_t v = 0; v < words_; ++v) {
    Real* const numbers = row_in_memory(v);
    if (merger.slot != merger.into) {
      numbers[merger.into] += numbers[merger.slot];
      numbers[merger.slot] = 0;
    }
    const double learned = static_cast<double>(numbers[split.from]);
    const auto left = static_cast<Real>(learned * split.stays[static_cast<size_t>(v)]);
    numbers[merger.slot] += numbers[split.from] - left;
    numbers[split.from] = left;
  }
  rows_.set_changed();
  recount();
}

template <class Real>
void Topics<Real>::add_draw(double mass, uint64_t seed, uint64_t iteration) {
  // Dir(1) is exponential draws over their sum; they are drawn twice, first for the sums, so that a step needs no
  // memory for them.
  const auto draw = [&](const auto& take) {
    for (int64_t v = 0; v < words_; ++v) {
      RandomStream random(seed, Purpose::perturb, iteration, static_cast<uint64_t>(v));
      for (int64_t k = 0; k < topics_; ++k) take(v, k, -std::log(random.uniform()));
    }
  };
  std::fill(draws_.begin(), draws_.end(), 0.0);
  draw([&](int64_t, int64_t k, double x) { draws_[static_cast<size_t>(k)] += x; });
  for (double& total : draws_) total = mass / (scale_ * total);
  draw([&](int64_t v, int64_t k, double x) {
    row_in_memory(v)[k] += static_cast<Real>(draws_[static_cast<size_t>(k)] * x);
  });
  for (double& total : totals_) total += mass / scale_;
  rows_.set_changed();
}

template <class Real>
void Topics<Real>::clear_other_rows(const Update& update) {
  std::fill(touched_.begin(), touched_.end(), char{0});
  for (int64_t i = 0; i < update.count; ++i) touched_[static_cast<size_t>(update.words[update.place(i)])] = 1;
  change_all([&](int64_t i, Real* numbers) {
    if (!touched_[static_cast<size_t>(word_of(i))]) std::fill_n(numbers, stride_, Real{0});
  });
}

template <class Real>
void Topics<Real>::renormalize() {
  const Real factor = static_cast<Real>(scale_);
  change_all([&](int64_t, Real* numbers) {
    for (int64_t k = 0; k < stride_; ++k) numbers[k] *= factor;
  });
  scale_ = 1;
  recount();
}

}  // namespace vtemper

#include "models/lda/topics_instances.inc"
