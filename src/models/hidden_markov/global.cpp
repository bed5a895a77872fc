// The global step, the bound of the Dirichlets, and the detection of unused and duplicate states.

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/dirichlet.h"
#include "models/hidden_markov/draws.h"
#include "models/hidden_markov/work.h"

namespace vtemper {

namespace {

/// States are duplicates if their mean symbols and mean next states are within this distance (half the sum of
/// absolute differences; README.md section 3: merged states are within 7e-3, different ones beyond 0.4).
constexpr double merged_distance = 1e-2;
/// A state with fewer expected symbols is unused.
constexpr double min_symbols = 0.5;

}  // namespace

/// The step interpolates between the parameters and positive targets, so it suffices to check that no target is too
/// large.
void HiddenMarkov::prepare_step(HiddenMarkovWork& work, const GlobalStep& step) const {
  // The elements are non-negative.
  const double counts =
      step.scale * kernels::instruction_set().double_precision.sum(work.statistics.data(), layout_.size());
  const double drawn = step.perturbation.share * (step.perturbation.rows + step.perturbation.tokens);
  if (!(counts <= largest_total && drawn <= largest_total)) refuse_step(step.iteration, "the expected counts");
}

GlobalChange HiddenMarkov::global_step(HiddenMarkovWork& work, const GlobalStep& step) noexcept {
  const Perturbation& perturbation = step.perturbation;
  DirichletStep of_parameters(step);
  for (int64_t number = 0; number < layout_.distributions(); ++number) {
    const Layout::Distribution of = layout_.distribution(number);
    const double* priors = prior(number);
    const int64_t stride = prior_stride(number);
    const auto update = [&](int64_t i, double drawn) {
      const auto place = static_cast<size_t>(of.first + i * of.stride);
      parameters_[place] = of_parameters.next(parameters_[place], priors[i * stride], work.statistics[place], drawn);
    };
    if (perturbation.share > 0) {
      DirichletDraw draw(perturbation.seed, Purpose::perturb, perturbation.iteration, layout_, number,
                         perturbation.rows, perturbation.tokens);
      for (int64_t i = 0; i < of.size; ++i) update(i, draw.next());
    } else {
      for (int64_t i = 0; i < of.size; ++i) update(i, 0);
    }
  }
  recount();
  GlobalChange change;
  change.relative = of_parameters.change();
  for (int64_t k = 0; k < layout_.states; ++k) {
    double symbols = 0;
    for (int64_t v = 0; v < layout_.symbols; ++v) {
      symbols += work.statistics[static_cast<size_t>(layout_.emission(v) + k)];
    }
    change.unused_components += step.scale * symbols < min_symbols ? 1 : 0;
  }
  return change;
}

/// Over all Dirichlets with parameters l and prior a (A, l_0 their sums), E_i = psi(l_i) - psi(l_0),
/// a' = power.concentration(a):
///   s [log Gamma(A) - sum log Gamma(a_i)] - log Gamma(l_0) + sum log Gamma(l_i) + sum (a'_i - l_i) E_i.
/// At s = 1 this is -KL; below 1 it is s E log p + H in either form of the power (PriorPower).
double HiddenMarkov::global_bound(const PriorPower& power) const {
  require_initialized();
  const auto& table = kernels::instruction_set().double_precision;
  constexpr int64_t block = 256;  // block size, so that a step needs no memory for this
  double l[block], a[block], value[block];
  double bound = 0;
  for (int64_t number = 0; number < layout_.distributions(); ++number) {
    const Layout::Distribution of = layout_.distribution(number);
    const double* priors = prior(number);
    const int64_t stride = prior_stride(number);
    double digamma_of_sum = total(number);
    table.digamma(&digamma_of_sum, &digamma_of_sum, 1);
    double prior_sum = 0;
    for (int64_t first = 0; first < of.size; first += block) {
      const int64_t count = std::min(block, of.size - first);
      for (int64_t i = 0; i < count; ++i) {
        l[i] = parameters_[static_cast<size_t>(of.first + (first + i) * of.stride)];
        a[i] = priors[(first + i) * stride];
        prior_sum += a[i];
      }
      table.digamma(l, value, count);
      for (int64_t i = 0; i < count; ++i) {
        bound += (power.concentration(a[i]) - l[i]) * (value[i] - digamma_of_sum);
      }
      table.log_gamma(l, value, count);
      bound += table.sum(value, count);
      if (stride == 0) {
        bound -= power.inverse * static_cast<double>(count) * log_gamma(a[0]);
      } else {
        table.log_gamma(a, value, count);
        bound -= power.inverse * table.sum(value, count);
      }
    }
    bound += power.inverse * log_gamma(prior_sum) - log_gamma(total(number));
  }
  return bound;
}

int64_t HiddenMarkov::duplicate_components(HiddenMarkovWork&) const {
  require_initialized();
  // Whether two distributions are within the distance; most pairs are rejected after a few elements.
  const auto near = [this](int64_t one, int64_t other) {
    const Layout::Distribution a = layout_.distribution(one), b = layout_.distribution(other);
    const double scale_a = 1 / total(one), scale_b = 1 / total(other);
    double distance = 0;
    for (int64_t i = 0; i < a.size && distance <= 2 * merged_distance; ++i) {
      distance += std::abs(scale_a * parameters_[static_cast<size_t>(a.first + i * a.stride)] -
                           scale_b * parameters_[static_cast<size_t>(b.first + i * b.stride)]);
    }
    return distance <= 2 * merged_distance;
  };
  const int64_t states = layout_.states;
  int64_t duplicates = 0;
  for (int64_t k = 1; k < states; ++k) {
    int64_t earlier = 0;
    while (earlier < k && !(near(1 + k, 1 + earlier) && near(1 + states + k, 1 + states + earlier))) ++earlier;
    duplicates += earlier < k ? 1 : 0;
  }
  return duplicates;
}

}  // namespace vtemper
