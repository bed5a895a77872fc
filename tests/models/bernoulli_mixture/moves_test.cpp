// Moves of Bernoulli mixtures: the cost of a merger against its definition, counts that no move loses, and classes
// that are found from every seed.

#include <algorithm>
#include <cmath>

#include "inference/optimizer.h"
#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "support/check.h"
#include "support/dense.h"
#include "support/option_texts.h"
#include "support/parameter.h"
#include "support/random.h"
#include "support/refusal.h"
#include "support/sanitizer.h"

using namespace vtemper;
using fixtures::check_close;
using vtemper::test::parameter;
using vtemper::test::Random;
using vtemper::test::unless_sanitized;

namespace {

using Vector = std::vector<double>;

constexpr int64_t classes = 6, columns = 30;

/// Rows of six classes with probabilities 0.15 or 0.8 of a one.
DataPointer rows() {
  Random random(4);
  std::vector<double> probabilities(classes * columns), values;
  for (double& probability : probabilities) probability = random.uniform() < 0.5 ? 0.15 : 0.8;
  for (int64_t row = 0; row < 400; ++row) {
    for (int64_t d = 0; d < columns; ++d) {
      values.push_back(random.uniform() < probabilities[static_cast<size_t>(row % classes * columns + d)] ? 1 : 0);
    }
  }
  return test::dense_data(values, columns);
}

std::shared_ptr<ConjugateModel> mixture(Texts texts = {}) {
  texts.emplace("components", number_text(classes));
  const OptionValues values(bernoulli_mixture_kind.options(), options_of(texts), "bernoulli_mixture");
  return as_conjugate(bernoulli_mixture_kind.create(values));
}

double bound_of(const std::shared_ptr<ConjugateModel>& model, const char* method, const char* moves, int64_t seed) {
  Optimizer optimizer(
      model, rows(),
      options_of(
          {{"method", method}, {"moves", moves}, {"seed", number_text(seed)}, {"restarts", "1"}, {"threads", "1"}}));
  optimizer.run(-1, nullptr, nullptr);
  return optimizer.report().elbo;
}

double sum(const Vector& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

/// The counts of every column and the rows stay, whatever is merged and split; numbers stay at or above the prior.
void no_count_is_lost(void**) {
  const auto model = mixture();
  bound_of(model, "vi", "off", 1);
  int64_t splits[2] = {0, 0};
  for (int64_t round = 0; round < 4; ++round) {
    for (const Move& move : model->move_proposals()->propose_moves(5, round)) {
      const auto moved = as_conjugate(model->copy());
      moved->move_proposals()->apply_move(move);
      ++splits[move.variant];
      for (const char* name : {"ones", "zeros"}) {
        const Vector before = parameter(*model, name), after = parameter(*moved, name);
        const Vector prior = parameter(*model, "probability_prior");
        const size_t first = name == std::string("ones") ? 0 : columns;
        for (size_t d = 0; d < columns; ++d) {
          double lost = 0;
          for (size_t k = 0; k < classes; ++k) {
            lost += before[k * columns + d] - after[k * columns + d];
            assert_true(after[k * columns + d] >= prior[first + d] * (1 - 1e-12));
          }
          // The splits move counts between ones and zeros of a half, and back in the other half.
          check_close("counts", lost, 0, 1e-9, 400);
        }
      }
      check_close("rows", sum(parameter(*moved, "weights.concentration")),
                  sum(parameter(*model, "weights.concentration")), 1e-12);
    }
  }
  assert_true(splits[0] > 5 && splits[1] > 5);
}

/// Two classes with nearly the same probabilities are merged first.
void the_most_alike_are_merged(void**) {
  const auto model = mixture();
  model->initialize(*rows(), 1);
  Vector ones(classes * columns), zeros(classes * columns), concentration = {70, 60, 80, 50, 90, 40};
  Random random(8);
  for (size_t i = 0; i < ones.size(); ++i) {
    const bool is_copy = i / columns == 4;  // of class 1, but for a few rows
    ones[i] = is_copy ? ones[i - 3 * columns] + 1 : random.uniform() < 0.5 ? 5 : 50;
    zeros[i] = is_copy ? zeros[i - 3 * columns] + 1 : 55 - ones[i];
  }
  model->write_parameter("ones", ones.data());
  model->write_parameter("zeros", zeros.data());
  model->write_parameter("weights.concentration", concentration.data());
  const Move first = model->move_proposals()->propose_moves(1, 0)[0];
  assert_true(first.slot == 1 && first.into == 4);
}

void classes_are_found_from_every_seed(void**) {
  Vector with, without;
  for (int64_t seed = 1; seed <= unless_sanitized<int64_t>(12, 4); ++seed) {
    with.push_back(bound_of(mixture({{"start", "random"}}), "vi", "auto", seed));
    without.push_back(bound_of(mixture({{"start", "random"}}), "vi", "off", seed));
  }
  const double best = *std::max_element(with.begin(), with.end());
  const auto good = [&](const Vector& all) {
    return std::count_if(all.begin(), all.end(), [&](double bound) { return bound > best - 1; });
  };
  const auto starts = static_cast<int64_t>(with.size());
  if (good(with) != starts || good(without) == starts) {
    fail_with("%d of %d with moves, %d without", static_cast<int>(good(with)), static_cast<int>(starts),
              static_cast<int>(good(without)));
  }
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_count_is_lost),
      cmocka_unit_test(the_most_alike_are_merged),
      cmocka_unit_test(classes_are_found_from_every_seed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
