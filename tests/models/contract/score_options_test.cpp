// Options of evaluate and infer, for every kind: each one has an effect on the result, or is refused.

#include <algorithm>

#include "evaluation/evaluate.h"
#include "models/contract/models.h"
#include "models/gradient_model.h"

using namespace contract;

namespace {

/// Values that are not the defaults. Not in it: threads, which is meant to have no effect, and
/// temperature_normalizer, since estimates may agree.
const Texts changes = {
    {"heldout_share", "0.3"}, {"seed", "7"},      {"samples", "3"},     {"local_iterations", "1"},
    {"local_tolerance", "1"}, {"top_words", "2"}, {"temperature", "3"}, {"partition_samples", "7"}};

std::shared_ptr<Model> fitted(const Fixture& fixture, const DataPointer& data) {
  const std::shared_ptr<Model> model = model_in_double(fixture);
  const Texts texts = {{"method", "vi"}, {"max_iterations", "4"}, {"batch_size", "0"}};
  Optimizer(model, data, options_of(texts)).run(4, nullptr, nullptr);
  return model;
}

OptionValues values_of(const Texts& texts) {
  return OptionValues(evaluate_options(), options_of(texts), "evaluate");
}

struct Counts {
  int effective = 0, refused = 0, failures = 0;
  void fail(const std::string& what, const char* why) {
    print_error("%s: %s\n", what.c_str(), why);
    ++failures;
  }
};

/// `result` of options. Nothing is tested if the kind has no such result.
template <class ResultOf>
void each_has_an_effect(const std::string& what, const Texts& base, const ResultOf& result_of, Counts& counts) {
  Vector usual;
  try {
    usual = result_of(base);
  } catch (const Error& error) {
    const bool exists = error.status() != VTEMPER_ERROR_UNSUPPORTED && error.status() != VTEMPER_ERROR_ARGUMENT;
    if (exists) counts.fail(what, error.what());
    return;
  }
  for (const auto& [name, value] : changes) {
    Texts texts = base;
    texts[name] = value;
    try {
      const Vector changed = result_of(texts);
      const bool is_count = what.find("active_units") != std::string::npos;  // unchanged by small changes
      if (changed == usual && !is_count) counts.fail(what + " " + name, "has no effect");
      ++counts.effective;
    } catch (const Error& error) {
      const bool is_refusal = error.status() == VTEMPER_ERROR_OPTION || error.status() == VTEMPER_ERROR_UNSUPPORTED;
      if (!is_refusal) counts.fail(what + " " + name, error.what());
      ++counts.refused;
    }
  }
}

void each_option_has_an_effect_or_is_refused(void**) {
  Counts counts;
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const std::shared_ptr<Model> model = fitted(fixture, data);
    for (const char* measure : {"predictive", "perplexity", "elbo", "log_marginal", "active_units", "log_normalizer",
                                "coherence_umass", "coherence_npmi", "topic_diversity", "exclusivity"}) {
      const auto score = [&](const Texts& texts) {
        return Vector{evaluate(*model, data.get(), nullptr, measure, values_of(texts))};
      };
      const std::string what = described(fixture, {}) + ", " + measure;
      if (measure != std::string("log_normalizer")) {
        each_has_an_effect(what, {}, score, counts);
        continue;
      }
      each_has_an_effect(what, {{"temperature", "2"}}, score, counts);
      for (const char* estimate : {"monte_carlo", "prior", "moment", "exact"}) {
        each_has_an_effect(what, {{"temperature", "2"}, {"temperature_normalizer", estimate}}, score, counts);
      }
    }
    for (const Quantity& quantity : model->local_quantities(*data)) {
      const auto infer = [&](const Texts& texts) {
        const OptionValues values = values_of(texts);
        check_infer_options(*model, quantity.name, values);
        int64_t columns = 1;
        for (size_t i = 1; i < quantity.shape.size(); ++i) columns *= quantity.shape[i];
        Vector out(static_cast<size_t>(quantity.size()));
        model->infer(*data, quantity.name, values, {out.data(), columns, 1});
        return out;
      };
      each_has_an_effect(described(fixture, {}) + ", infer " + quantity.name, {}, infer, counts);
    }
  }
  assert_int_equal(counts.failures, 0);
  print_message("%d options had an effect, %d were refused\n", counts.effective, counts.refused);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(each_option_has_an_effect_or_is_refused)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
