// Scores of evaluate: the same bits for any number of ranks and threads and any division of the rows, for every kind.

#include "evaluation/evaluate.h"
#include "models/contract/models.h"
#include "support/divided.h"
#include "support/sanitizer.h"

using namespace contract;

namespace {

constexpr int64_t rows = 230;

struct Result {
  std::vector<double> scores;
  std::string failure;
};

/// More rows than the fixture's, so that they come in several blocks, with weights whose sum depends on the order.
DataPointer many_rows(const Fixture& fixture) {
  const DataPointer few = fixture.data();
  std::vector<int64_t> chosen;
  std::vector<double> weights;
  for (int64_t row = 0; row < rows; ++row) {
    chosen.push_back(7 * row % few->rows());
    weights.push_back(0.1 * static_cast<double>(1 + row % 7));
  }
  DataPointer data = data_select(*few, chosen.data(), rows);
  data_set_weights(*data, weights);
  return data;
}

std::shared_ptr<Model> fitted(const Fixture& fixture, const DataPointer& data, bool in_double) {
  const ModelKind& kind = model_kind(fixture.kind);
  const std::shared_ptr<Model> model =
      in_double ? model_in_double(fixture)
                : kind.create(OptionValues(kind.options(), options_of(fixture.options), kind.name));
  const Texts texts = {{"method", "vi"}, {"max_iterations", "5"}, {"threads", "1"}, {"batch_size", "0"}};
  Optimizer(model, data, options_of(texts)).run(5, nullptr, nullptr);
  return model;
}

/// Scores by all measures that are sums over rows and are defined for the model.
std::vector<double> scores_of(const Model& model, const Data& data, const char* threads) {
  std::vector<const char*> measures = {"elbo"};
  if (model.predictive() != nullptr) measures.push_back("predictive");
  if (model.predictive() != nullptr && model.conjugate() != nullptr) measures.push_back("perplexity");
  if (model.by_gradient() != nullptr) {
    for (const std::string& measure : model.by_gradient()->measures()) {
      if (measure == "log_marginal") measures.push_back("log_marginal");
    }
  } else if (model.conjugate()->tempered_normalizer() != nullptr) {
    measures.push_back("log_normalizer");
  }
  std::vector<double> scores;
  for (const char* measure : measures) {
    Texts texts = {{"threads", threads}};
    if (measure == std::string("log_normalizer")) texts["temperature"] = "2";
    const OptionValues options(evaluate_options(), options_of(texts), "evaluate");
    try {
      scores.push_back(evaluate(model, &data, nullptr, measure, options));
    } catch (const Error& error) {
      // Some kinds have no log C(T).
      if (error.status() != VTEMPER_ERROR_UNSUPPORTED || measure != std::string("log_normalizer")) throw;
    }
  }
  return scores;
}

const auto divisions = test::unless_sanitized<std::vector<Cuts>>({{0, 230},
                                                                  {0, 1, 230},
                                                                  {0, 77, 230},
                                                                  {0, 31, 130, 230},
                                                                  {0, 0, 97, 97, 230},
                                                                  {0, 3, 50, 51, 101, 150, 203, 229, 230}},
                                                                 {{0, 0, 97, 97, 230}});

void bits_do_not_depend_on_the_ranks(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = many_rows(fixture);
    for (const bool in_double : {true, false}) {
      const std::shared_ptr<Model> model = fitted(fixture, data, in_double);
      const std::vector<double> alone = scores_of(*model, *data, "1");
      require(scores_of(*model, *data, "3") == alone, described(fixture, {}), "other bits with threads");
      for (const Cuts& cuts : divisions) {
        const std::vector<Result> ranks = fit_spread<Result>(data, cuts, [&](const DataPointer& spread) {
          return Result{scores_of(*model->copy(), *spread, "2"), {}};
        });
        for (const Result& rank : ranks) {
          const std::string more = std::to_string(cuts.size() - 1) + " ranks " + rank.failure;
          require(rank.failure.empty(), described(fixture, {}), "failed:", more);
          require(rank.scores.size() == alone.size(), described(fixture, {}), "other measures with", more);
          for (size_t i = 0; i < alone.size(); ++i) {
            if (rank.scores[i] == alone[i]) continue;
            print_error("score %zu is %.17g, alone %.17g\n", i, rank.scores[i], alone[i]);
            require(false, described(fixture, {}), "other bits of", more);
          }
        }
      }
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(bits_do_not_depend_on_the_ranks)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
