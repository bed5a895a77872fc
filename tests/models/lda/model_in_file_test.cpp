// Topics that stay in the file of a model (option parameters_folder), whether it was read when it was opened, is read
// in blocks, or is too large for the memory: results, files and continued fits have the bits of topics in memory.

#include <filesystem>

#include "evaluation/evaluate.h"
#include "inference/optimizer.h"
#include "models/contract/models.h"
#include "storage/container.h"
#include "unit/data/fixtures.h"

using namespace contract;
using vtemper::test::assert_refused;
using vtemper::test::Folder;

namespace {

constexpr const char* model_format = "vtemper.model";
constexpr int64_t topics = 70, words = 900;

const std::vector<FileLimits> all_limits = {{}, {0, 0.5}, {0, 0}, {0, 0.5, true}};

DataPointer documents() {
  vtemper::test::Random random(3);
  return vtemper::test::data_of(vtemper::test::random_matrix(random, 120, words), words);
}

std::unique_ptr<Model> loaded(const std::string& path, const FileLimits& limits) {
  return load_model(ContainerReader::open_file(path, model_format, Verify::everything, limits));
}

/// Parameters, scores and posteriors.
Vector results(const Model& model, const Data& data) {
  Vector all = parameters(model);
  for (const char* const measure : {"elbo", "predictive"}) {
    all.push_back(evaluate(model, &data, nullptr, measure,
                           OptionValues(evaluate_options(), options_of({{"threads", "2"}}), "evaluate")));
  }
  Vector weights(topics);
  for (int64_t word = 0; word < words; ++word) {
    model.words()->word_weights(word, 0, topics, weights.data());
    all.insert(all.end(), weights.begin(), weights.end());
  }
  return all;
}

std::string bytes_of(const Model& model) {
  ContainerWriter writer(model_format);
  save_model(model, writer);
  return writer.bytes();
}

void write_model(const Model& model, const std::string& path) {
  ContainerWriter writer(model_format);
  save_model(model, writer);
  writer.write_file(path);
}

void model_in_file(void**) {
  Folder folder;
  const std::string path = folder.path("model");
  const DataPointer data = documents();
  const ModelKind& kind = model_kind("lda");
  for (const char* const posterior : {"point", "dirichlet"}) {
    const std::shared_ptr<Model> fitted = kind.create(OptionValues(
        kind.options(),
        options_of({{"topics", "70"}, {"parameters_folder", folder.path().c_str()}, {"topic_posterior", posterior}}),
        kind.name));
    Optimizer(fitted, data, options_of({{"method", "annealing"}, {"max_iterations", "12"}, {"threads", "1"}}))
        .run(-1, nullptr, nullptr);
    write_model(*fitted, path);
    const std::string bytes = vtemper::test::contents(path);
    const Vector expected = results(*fitted, *data);
    for (const FileLimits& limits : all_limits) {
      const std::shared_ptr<Model> model = loaded(path, limits);
      assert_true(results(*model, *data) == expected);
      assert_true(bytes_of(*model) == bytes);
      assert_true(results(*model->copy(), *data) == expected);
      assert_true(results(*model, *data) == expected);
      const auto go_on = [&](const std::shared_ptr<Model>& from) {
        Optimizer(from, data, options_of({{"method", "svi"}, {"max_iterations", "3"}, {"threads", "1"}}))
            .run(-1, nullptr, nullptr);
        return results(*from, *data);
      };
      const std::shared_ptr<Model> again = loaded(path, {});
      assert_true(go_on(model) == go_on(again));
    }
  }
}

void a_model_cut_short_is_refused(void**) {
  Folder folder;
  const std::string path = folder.path("model");
  const DataPointer data = documents();
  const ModelKind& kind = model_kind("lda");
  const std::shared_ptr<Model> fitted = kind.create(OptionValues(
      kind.options(), options_of({{"topics", "70"}, {"parameters_folder", folder.path().c_str()}}), kind.name));
  fitted->initialize(*data, 1);
  write_model(*fitted, path);
  const std::shared_ptr<Model> model = loaded(path, {0, 0});
  std::filesystem::resize_file(path, 4096);
  assert_refused(VTEMPER_ERROR_IO, {path, "truncated"}, [&] { results(*model, *data); });
  assert_refused(VTEMPER_ERROR_IO, {path, "truncated"}, [&] { bytes_of(*model); });
  const auto optimizer = std::make_unique<Optimizer>(model, data, options_of({{"threads", "2"}, {"method", "vi"}}));
  assert_refused(VTEMPER_ERROR_IO, {path, "truncated"}, [&] { optimizer->run(1, nullptr, nullptr); });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(model_in_file),
      cmocka_unit_test(a_model_cut_short_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
