// The estimate of a fit's memory against what was really allocated, byte by byte.

#include <malloc.h>

#include <cstdlib>
#include <functional>
#include <new>

#include "data/typed_array.h"
#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "models/deep_exponential_family/deep_exponential_family.h"
#include "models/factorial_mixture/factorial_mixture.h"
#include "models/gaussian_mixture/gaussian_mixture.h"
#include "models/hidden_markov/hidden_markov.h"
#include "models/sigmoid_belief_network/sigmoid_belief_network.h"
#include "models/variational_autoencoder/variational_autoencoder.h"
#include "support/dense.h"
#include "support/lda.h"
#include "support/refusal.h"

using namespace fixtures;
using namespace vtemper;

namespace {

size_t live_bytes = 0;

void* allocate(size_t size, size_t alignment) {
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), size) != 0) throw std::bad_alloc();
  live_bytes += malloc_usable_size(memory);
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(size_t size) {
  return allocate(size, sizeof(void*));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, sizeof(void*));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  release(memory);
}

namespace {

void check_memory(size_t words, int64_t topics, size_t documents, const Texts& model_options,
                  const Texts& optimizer_options) {
  const Documents corpus = random_corpus(documents, words, 10, 60, 3);
  const size_t before = live_bytes;
  const std::shared_ptr<Data> data = data_of(corpus);
  Texts texts = model_options;
  texts["topics"] = number_text(topics);
  Optimizer optimizer(make_model(texts), data, options_of(optimizer_options));
  optimizer.run(3, nullptr, nullptr);
  const double taken = static_cast<double>(live_bytes - before);
  double estimate = 0;
  optimizer.read_quantity("memory", {&estimate, 1, 1});
  if (!(estimate > taken / 3 && estimate < 3 * taken)) {
    fail_with("%zu words, %lld topics, %zu documents: %g bytes are taken, the estimate is %g", words,
              static_cast<long long>(topics), documents, taken, estimate);
  }
}

void the_estimate_is_near(void**) {
  check_memory(20000, 50, 300, {}, {{"method", "svi"}, {"batch_size", "50"}});
  check_memory(2000, 200, 400, {}, {{"method", "svi"}, {"batch_size", "100"}});
  check_memory(2000, 200, 400, {{"precision", "double"}}, {{"method", "annealing"}, {"batch_size", "100"}});
  check_memory(1000, 20, 2000, {}, {{"method", "vi"}});
  check_memory(1000, 20, 600, {}, {{"method", "local_tempering"}, {"batch_size", "100"}});
}

/// Models of rows other than counts, after some steps.
void check_kind(const ModelKind& kind, const Texts& model_options, const Texts& optimizer_options,
                const std::function<std::shared_ptr<Data>()>& make_data) {
  const size_t before = live_bytes;
  const std::shared_ptr<Data> data = make_data();
  const std::shared_ptr<Model> model =
      kind.create(OptionValues(kind.options(), options_of(model_options), kind.name));
  const double needed = Optimizer::memory_needed(*model, *data, options_of(optimizer_options));
  Optimizer optimizer(model, data, options_of(optimizer_options));
  optimizer.run(3, nullptr, nullptr);
  const double taken = static_cast<double>(live_bytes - before);
  double estimate = 0;
  optimizer.read_quantity("memory", {&estimate, 1, 1});
  if (!(estimate > taken / 3 && estimate < 3 * taken)) {
    fail_with("%s: %g bytes are taken, the estimate is %g", kind.name, taken, estimate);
  }
  if (needed != estimate)
    fail_with("%s: the estimate is %g before the start, %g after it", kind.name, needed, estimate);
}

std::shared_ptr<Data> dense_rows(int64_t rows, int64_t columns) {
  std::vector<double> values(static_cast<size_t>(rows * columns));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 2654435761u % 1000) / 100;
  return test::dense_data(values, columns);
}

std::shared_ptr<Data> sequences(int64_t rows, int64_t length, int64_t alphabet) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> symbols;
  for (int64_t n = 0; n < rows; ++n) {
    for (int64_t t = 0; t < length; ++t) symbols.push_back(static_cast<int32_t>((n * 7 + t * t) % alphabet));
    offsets.push_back(static_cast<int64_t>(symbols.size()));
  }
  SequenceArrays arrays;
  arrays.rows = rows;
  arrays.columns = alphabet;
  arrays.offsets = typed_array(offsets.data());
  arrays.symbols = typed_array(symbols.data());
  return data_from_sequences(arrays, nullptr);
}

std::shared_ptr<Data> shares(int64_t rows, int64_t columns) {
  std::vector<double> values(static_cast<size_t>(rows * columns));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 2654435761u % 2);
  return test::dense_data(values, columns);
}

void the_estimate_is_near_for_all_kinds(void**) {
  const std::vector<Texts> networks = {{{"hidden", "200,100"}, {"latent", "30"}},
                                       {{"precision", "double"}},
                                       {{"likelihood", "gaussian"}, {"hidden", "50"}}};
  const std::vector<Texts> belief_networks = {{{"layers", "100,50"}}, {{"precision", "double"}, {"samples", "3"}}};
  const std::vector<Texts> methods = {{{"method", "vi"}}, {{"method", "svi"}, {"batch_size", "100"}}};
  for (const Texts& method : methods) {
    check_kind(gaussian_mixture_kind, {{"components", "20"}}, method, [] { return dense_rows(2000, 20); });
    check_kind(gaussian_mixture_kind, {{"components", "5"}, {"covariance", "independent"}}, method,
               [] { return dense_rows(500, 60); });
    check_kind(bernoulli_mixture_kind, {{"components", "20"}}, method, [] { return shares(2000, 30); });
    check_kind(bernoulli_mixture_kind, {{"components", "50"}}, method, [] { return shares(100, 200); });
    check_kind(factorial_mixture_kind, {{"components", "16"}}, method, [] { return dense_rows(400, 900); });
    check_kind(factorial_mixture_kind, {{"components", "30"}}, method, [] { return dense_rows(5000, 20); });
    check_kind(hidden_markov_kind, {{"states", "10"}}, method, [] { return sequences(1000, 30, 200); });
    check_kind(hidden_markov_kind, {{"states", "70"}}, method, [] { return sequences(300, 80, 1000); });
  }
  for (const char* batch_size : {"64", "0"}) {
    check_kind(deep_exponential_family_kind, {{"latent", "20"}}, {{"batch_size", batch_size}},
               [] { return data_of(random_corpus(500, 2000, 10, 60, 3)); });
    check_kind(factorial_mixture_kind, {{"components", "30"}, {"updates", "gradient"}},
               {{"method", "proximity"}, {"batch_size", batch_size}}, [] { return dense_rows(500, 90); });
    for (const Texts& network : networks) {
      check_kind(variational_autoencoder_kind, network, {{"batch_size", batch_size}}, [] { return shares(300, 80); });
    }
    for (const Texts& network : belief_networks) {
      check_kind(sigmoid_belief_network_kind, network, {{"batch_size", batch_size}}, [] { return shares(300, 80); });
    }
  }
}

void data_in_memory_counts_by_its_arrays(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(50, 30, 3, 20, 1));
  const double entries = static_cast<double>(data->counts().entries);
  const double offset = data->counts().offsets.element == VTEMPER_INT64 ? 8 : 4;
  const double index = data->counts().indices.element == VTEMPER_INT64 ? 8 : 4;
  assert_true(data_memory(*data) == 51 * offset + entries * (index + 8));
}

void fed_rows_are_not_known(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(20, 30, 3, 20, 1));
  const std::shared_ptr<ConjugateModel> model = make_model({{"topics", "3"}});
  model->initialize(*data, 1);
  const Optimizer optimizer(model, nullptr, options_of({{"rows_total", "100"}}));
  double estimate = -1;
  optimizer.read_quantity("memory", {&estimate, 1, 1});
  assert_true(estimate == 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_estimate_is_near), cmocka_unit_test(the_estimate_is_near_for_all_kinds),
      cmocka_unit_test(data_in_memory_counts_by_its_arrays), cmocka_unit_test(fed_rows_are_not_known)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
