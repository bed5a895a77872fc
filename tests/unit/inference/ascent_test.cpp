// Adam, RMSProp and plain gradient ascent against the formulas, in both forms, for any range of the parameters.

#include "inference/ascent.h"

#include <cmath>

#include "inference/parts.h"
#include "support/assert.h"
#include "support/cmocka.h"
#include "support/option_texts.h"

using namespace vtemper;

namespace {

using Vector = std::vector<double>;

std::unique_ptr<Ascent> make(const char* name, const Texts& texts, double learning_rate = 0) {
  Options options;
  for (const auto& [key, text] : texts) options.set(key, text);
  const AscentPart& part = part_named(ascent_parts(), name);
  return part.create(OptionValues(part.options(), options, "the optimizer"), learning_rate);
}

Vector gradient_of(int64_t move, size_t length) {
  Vector gradient;
  for (size_t i = 0; i < length; ++i)
    gradient.push_back(std::sin(static_cast<double>(i) + 1.7 * static_cast<double>(move)));
  return gradient;
}

/// Five moves of 37 parameters in two ranges, against rule(value, g, m, v, t).
template <class Rule>
void check(const char* name, const Texts& texts, double square_start, Rule rule) {
  constexpr int64_t length = 37, first_part = 21;
  for (const bool single : {false, true}) {
    const auto ascent = make(name, texts);
    RealStorage values;
    values.resize(single, length);
    const RealArray all = values.array();
    Vector expected(length), mean(length), square(length, square_start);
    for (int64_t i = 0; i < length; ++i) {
      expected[static_cast<size_t>(i)] = 0.01 * static_cast<double>(i);
      all.set(i, expected[static_cast<size_t>(i)]);
    }
    ascent->prepare(single, length);
    for (int64_t t = 1; t <= 5; ++t) {
      const Vector gradient = gradient_of(t, length);
      RealStorage stored;
      stored.resize(single, length);
      const RealArray g = stored.array();
      for (int64_t i = 0; i < length; ++i) g.set(i, gradient[static_cast<size_t>(i)]);
      const kernels::Moved left = ascent->move(all, g.part(0, first_part), 0.5, 0, t);
      const kernels::Moved right = ascent->move(all, g.part(first_part, length - first_part), 0.5, first_part, t);
      double moved = 0, size = 0;
      for (size_t i = 0; i < length; ++i) {
        const double before = expected[i];
        rule(expected[i], 0.5 * gradient[i], mean[i], square[i], static_cast<double>(t));
        moved += std::abs(expected[i] - before);
        size += std::abs(before);
      }
      const double tolerance = single ? 2e-6 : 1e-13;
      assert_close(left.moved + right.moved, moved, tolerance * 37);
      assert_close(left.size + right.size, size, tolerance * 37);
    }
    for (int64_t i = 0; i < length; ++i) {
      assert_close(all.at(i), expected[static_cast<size_t>(i)], (single ? 2e-6 : 1e-13));
    }
  }
}

void adam_in_both_forms(void**) {
  check("adam", {{"learning_rate", "0.02"}, {"adam_epsilon", "0.001"}}, 0,
        [](double& value, double g, double& m, double& v, double t) {
          m = 0.9 * m + 0.1 * g;
          v = 0.999 * v + 0.001 * g * g;
          const double rate = 0.02 * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
          value += rate * m / (std::sqrt(v) + 0.001);
        });
  check("adam",
        {{"learning_rate", "0.02"},
         {"adam_epsilon", "0.001"},
         {"adam_form", "kingma"},
         {"adam_mean_decay", "0.8"},
         {"adam_square_decay", "0.99"}},
        0, [](double& value, double g, double& m, double& v, double t) {
          m = 0.8 * m + 0.2 * g;
          v = 0.99 * v + 0.01 * g * g;
          value += 0.02 * (m / (1 - std::pow(0.8, t))) / (std::sqrt(v / (1 - std::pow(0.99, t))) + 0.001);
        });
}

void rmsprop_in_both_forms(void**) {
  check("rmsprop", {{"rmsprop_epsilon", "0.01"}}, 1, [](double& value, double g, double&, double& v, double) {
    v = 0.9 * v + 0.1 * g * g;
    value += 0.01 * g / std::sqrt(v + 0.01);
  });
  check("rmsprop", {{"rmsprop_form", "pytorch"}, {"rmsprop_decay", "0.99"}, {"rmsprop_epsilon", "0.01"}}, 0,
        [](double& value, double g, double&, double& v, double) {
          v = 0.99 * v + 0.01 * g * g;
          value += 0.01 * g / (std::sqrt(v) + 0.01);
        });
}

void gradient_ascent(void**) {
  check("gradient_ascent", {{"learning_rate", "0.3"}}, 0,
        [](double& value, double g, double&, double&, double) { value += 0.3 * g; });
}

void rates(void**) {
  assert_true(make("adam", {})->rate() == 0.001 && make("rmsprop", {})->rate() == 0.01);
  assert_true(make("adam", {}, 0.3)->rate() == 0.3);
  assert_true(make("adam", {{"learning_rate", "0.2"}}, 0.3)->rate() == 0.2);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(adam_in_both_forms),
      cmocka_unit_test(rmsprop_in_both_forms),
      cmocka_unit_test(gradient_ascent),
      cmocka_unit_test(rates),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
