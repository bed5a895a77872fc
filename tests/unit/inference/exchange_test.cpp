// The value that option exchange takes if it is auto: topics that would take more than a quarter of the machine's
// memory are divided over the ranks, and no others. The test sets the memory that rank 0 would report. Ranks are
// threads.

#include "inference/state.h"
#include "models/contract/fixtures.h"
#include "support/divided.h"

using namespace contract;

namespace {

constexpr int64_t batch_size = 16;

struct Choice {
  std::string exchange, failure;
  bool is_divided = false;
};

std::shared_ptr<Model> model_of(const std::string& kind_name, const Texts& texts) {
  const ModelKind& kind = model_kind(kind_name);
  return kind.create(OptionValues(kind.options(), options_of(texts), kind.name));
}

/// For two ranks whose machine has the given multiple of the parameters' memory.
Choice choice(const std::string& kind, const Texts& of_model, const Texts& of_optimizer, double times) {
  const DataPointer data = fixture_of(kind == "lda" ? VTEMPER_COUNTS : VTEMPER_DENSE).data();
  Texts texts = of_optimizer;
  texts.insert({"batch_size", std::to_string(batch_size)});
  texts.insert({"threads", "1"});
  const std::vector<Choice> choices = fit_spread<Choice>(data, {0, 20, 45}, [&](const DataPointer& spread) {
    CommonStart common;
    common.rows = data_sample(*spread, max_start_rows);
    const std::shared_ptr<Model> model = model_of(kind, of_model);
    const std::optional<MemoryNeed> need = model->conjugate()->memory(*spread, batch_size, false);
    common.memory = need ? times * need->parameters : 1;
    const auto state = Optimizer::State::create(model, spread, options_of(texts), common);
    const Options used = state->used_options().in_use();
    return Choice{used.all().at("exchange"), "", state->model->conjugate()->divided_table() != nullptr};
  });
  for (const Choice& other : choices) {
    require(other.failure.empty(), kind, "failed:", other.failure);
    require(other.exchange == choices[0].exchange && other.is_divided == choices[0].is_divided, kind, "ranks differ");
  }
  return choices[0];
}

void assert_choice(const Choice& made, const char* exchange) {
  assert_string_equal(made.exchange.c_str(), exchange);
  assert_int_equal(made.is_divided, std::string(exchange) == "sharded");
}

const Texts lda = {{"topics", "6"}}, svi = {{"method", "svi"}};

void a_quarter_of_the_memory_is_the_limit(void**) {
  assert_choice(choice("lda", lda, svi, 4), "sparse");  // exactly a quarter
  assert_choice(choice("lda", lda, svi, 4.01), "sparse");
  assert_choice(choice("lda", lda, svi, 3.99), "sharded");
  assert_choice(choice("lda", lda, svi, 1e6), "sparse");
  assert_choice(choice("lda", lda, svi, 1e-3), "sharded");
}

void what_is_given_is_taken(void**) {
  for (const char* exchange : {"dense", "sparse"}) {
    Texts texts = svi;
    texts["exchange"] = exchange;
    assert_choice(choice("lda", lda, texts, 1e-3), exchange);
  }
  Texts texts = svi;
  texts["exchange"] = "sharded";
  assert_choice(choice("lda", lda, texts, 1e6), "sharded");
}

/// However little memory there is.
void what_cannot_be_divided_stays_whole(void**) {
  assert_choice(choice("lda", {{"topics", "6"}, {"learn_eta", "true"}, {"topic_posterior", "dirichlet"}}, svi, 1e-3),
                "sparse");
  assert_choice(choice("gaussian_mixture", {{"components", "3"}}, svi, 1e-3), "dense");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(a_quarter_of_the_memory_is_the_limit),
                              cmocka_unit_test(what_is_given_is_taken),
                              cmocka_unit_test(what_cannot_be_divided_stays_whole)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
