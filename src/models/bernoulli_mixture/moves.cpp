// Moves of a Bernoulli mixture (README.md section 7), in terms of counts of ones and zeros, the Beta parameters less
// the prior. Components are merged by adding their counts. The halves of a component have half of its rows each, in
// which the rarer value of every column is more or less frequent: by random signs, or towards and away from another
// component, which is drawn at random.

#include <algorithm>
#include <cmath>

#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "models/mergers.h"

namespace vtemper {

namespace {

/// The largest change of the rarer value's frequency in a half.
constexpr double contrast = 0.5;

double entropy(double p) {
  return p <= 0 || p >= 1 ? 0 : -p * std::log(p) - (1 - p) * std::log1p(-p);
}

}  // namespace

/// n_ab H(p_ab) - n_a H(p_a) - n_b H(p_b), summed over the columns, for components of n_a and n_b rows with
/// probabilities p of ones.
DenseMixture::MergingCost BernoulliMixture::merging_cost() const {
  return [this](int64_t a, int64_t b) {
    const double of_a = weights_.concentration[static_cast<size_t>(a)];
    const double of_b = weights_.concentration[static_cast<size_t>(b)];
    const double share = of_a / (of_a + of_b);
    double cost = 0;
    for (int64_t d = 0; d < columns_; ++d) {
      const double in_a = mean(a, d), in_b = mean(b, d);
      const double mixed = entropy(share * in_a + (1 - share) * in_b);
      cost += share * (mixed - entropy(in_a)) + (1 - share) * (mixed - entropy(in_b));
    }
    return (of_a + of_b) * cost;
  };
}

void BernoulliMixture::apply_move(const Move& move) {
  RandomStream random = random_of(move);
  auto toward = static_cast<int64_t>(random.below(static_cast<uint64_t>(count())));
  std::vector<double> signs(static_cast<size_t>(columns_));
  const bool by_signs = move.variant == 0 || toward == move.from || toward == move.slot;
  for (int64_t d = 0; d < columns_; ++d) {
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    signs[static_cast<size_t>(d)] = by_signs ? contrast * sign : mean(toward, d) - mean(move.from, d);
  }
  for (size_t d = 0; d < signs.size(); ++d) {
    const auto place = [&](int64_t k) { return static_cast<size_t>(k) * signs.size() + d; };
    const double one = prior_.strength * prior_.ones[d], zero = prior_.strength * prior_.zeros[d];
    const auto ones_of = [&](int64_t k) { return std::max(posterior_.ones[place(k)] - one, 0.0); };
    const auto zeros_of = [&](int64_t k) { return std::max(posterior_.zeros[place(k)] - zero, 0.0); };
    const auto set = [&](int64_t k, double ones, double zeros) {
      posterior_.ones[place(k)] = one + ones;
      posterior_.zeros[place(k)] = zero + zeros;
    };
    set(move.into, ones_of(move.into) + ones_of(move.slot), zeros_of(move.into) + zeros_of(move.slot));
    const double ones = ones_of(move.from) / 2, zeros = zeros_of(move.from) / 2;
    const double more = std::clamp(signs[d], -contrast, contrast) * std::min(ones, zeros);
    set(move.from, ones + more, zeros - more);
    set(move.slot, ones - more, zeros + more);
  }
  move_weights(move, moved_rows(move));
  posterior_.take_logs(weights_, false);
}

void BernoulliMixture::copy_globals(const Model& copy) {
  const auto& other = static_cast<const BernoulliMixture&>(copy);
  weights_ = other.weights_;
  prior_ = other.prior_;
  posterior_ = other.posterior_;
}

void BernoulliMixture::swap_globals(Model& copy) noexcept {
  auto& other = static_cast<BernoulliMixture&>(copy);
  std::swap(weights_, other.weights_);
  std::swap(prior_, other.prior_);
  std::swap(posterior_, other.posterior_);
}

}  // namespace vtemper
