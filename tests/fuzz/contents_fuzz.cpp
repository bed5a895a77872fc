// Models, checkpoints and mapped corpora of every kind with changed contents and correct hashes: refused, or used as
// a host would (inference, scores, steps, save, load) without status INTERNAL and with finite results only. Long
// calls are interrupted. The first byte chooses the file, and each change consumes some of the following bytes.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "fuzz/input.h"
#include "fuzz/interruption.h"
#include "fuzz/memory_file.h"
#include "models/contract/hostile_use.h"

using namespace contract;

namespace {

int64_t accepted = 0;

enum class Content { model, checkpoint, corpus };

struct Base {
  const Fixture* fixture;
  std::shared_ptr<vtemper_data> data;
  Content content;
  File file;
};

void add_fit(const Fixture& fixture, const char* method, bool with_model, std::vector<Base>& all) {
  const std::shared_ptr<vtemper_data> data(handle_of(fixture.data()), vtemper_data_destroy);
  vtemper_options* options = options_handle_of(fixture.options);
  vtemper_options* steps =
      options_handle_of({{"threads", "1"}, {"method", method}, {"batch_size", "11"}, {"max_iterations", "30"}});
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  require(vtemper_model_create(fixture.kind, options, &model) == VTEMPER_OK, "no model");
  if (succeeds(vtemper_optimizer_create(model, data.get(), steps, &optimizer)) &&  // some kinds lack some methods
      succeeds(vtemper_optimizer_step(optimizer, 3, nullptr))) {
    int64_t size = 0;
    succeeds(vtemper_optimizer_save_buffer(optimizer, nullptr, 0, &size));
    std::string bytes(static_cast<size_t>(size), '\0');
    succeeds(vtemper_optimizer_save_buffer(optimizer, bytes.data(), size, &size));
    all.push_back({&fixture, data, Content::checkpoint, parse(bytes, "vtemper.checkpoint")});
    if (with_model) all.push_back({&fixture, data, Content::model, parse(model_bytes(model), "vtemper.model")});
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_options_destroy(options);
  vtemper_options_destroy(steps);
}

std::string path_of_corpus() {
  static const std::string path = memory_folder() + "vtemper-contents-" + std::to_string(getpid());
  return path;
}

std::vector<Base> make_bases() {
  std::vector<Base> all;
  for (const Fixture& fixture : fixtures()) {
    bool first = true;
    for (const char* method : {"svi", "tempering", "local_tempering", "annealing", "proximity"}) {
      add_fit(fixture, method, first, all);
      first = false;
    }
  }
  for (const vtemper_data_form form : {VTEMPER_COUNTS, VTEMPER_DENSE, VTEMPER_SEQUENCES}) {
    const Fixture& fixture = fixture_of(form);
    const std::string bytes = corpus_bytes(fixture, path_of_corpus().c_str());
    const size_t key = bytes.find("\"format\":\"") + 10;
    const std::string format = bytes.substr(key, bytes.find('"', key) - key);
    all.push_back({&fixture, nullptr, Content::corpus, parse(bytes, format.c_str())});
  }
  std::remove(path_of_corpus().c_str());
  return all;
}

/// Changes an element, a shape, a name or a text of the file.
void change(File& file, Input& input) {
  std::vector<TensorPlace>& places = file.header.places;
  const size_t what = input.below(8);
  if (what < 5 && !places.empty()) {
    const TensorPlace& place = places[input.below(places.size())];
    const int64_t count = (place.end - place.begin) / element_size(place.element);
    if (count == 0) return;
    const auto at = static_cast<int64_t>(input.below(static_cast<size_t>(count)));
    const bool any = input.below(4) == 0;
    const double real = any ? input.real() : hostile_reals[input.below(12)];
    const int64_t number = any ? input.whole() : hostile_wholes[input.below(9)];
    const int64_t repeats = what == 4 ? count - at : 1;  // one element, or all from it on
    for (int64_t i = 0; i < repeats; ++i) replace_element(file, place, at + i, real, number);
  } else if (what == 5 && !places.empty()) {
    std::vector<int64_t>& shape = places[input.below(places.size())].shape;
    if (input.below(2) == 0 || shape.empty()) {
      shape.insert(shape.begin() + static_cast<int64_t>(input.below(shape.size() + 1)), 1);
    } else {
      std::swap(shape.front(), shape.back());
    }
  } else {
    auto& texts = file.header.texts;
    auto text = texts.begin();
    std::advance(text, input.below(texts.size()));
    if (what == 7 && input.below(4) == 0) {
      texts.erase(text);
    } else {
      text->second = what == 7 ? input.text(20) : hostile_texts[input.below(10)];
    }
  }
}

void use(const Base& base, const std::string& bytes) {
  const auto size = static_cast<int64_t>(bytes.size());
  if (base.content == Content::model) {
    vtemper_model* model = nullptr;
    if (!succeeds(vtemper_model_load_buffer(bytes.data(), size, &model))) return;
    ++accepted;
    use_model(model, base.data.get());
    vtemper_model_destroy(model);
  } else if (base.content == Content::checkpoint) {
    vtemper_optimizer* optimizer = nullptr;
    if (!succeeds(vtemper_optimizer_load_buffer(bytes.data(), size, base.data.get(), &optimizer))) return;
    ++accepted;
    use_optimizer(optimizer, base.data.get());
    vtemper_optimizer_destroy(optimizer);
  } else {
    const std::string path = path_of_corpus();
    write_file(path.c_str(), bytes);
    vtemper_data* data = nullptr;
    const bool opened = succeeds(vtemper_data_read(path.c_str(), "mapped", &data));
    std::remove(path.c_str());
    if (!opened) return;
    ++accepted;
    use_data(data, *base.fixture);
    vtemper_data_destroy(data);
  }
}

}  // namespace

/// Seed inputs for a run without a fuzzer: every file, changed at a few places.
std::vector<std::string> fuzz_seeds() {
  std::vector<std::string> seeds;
  for (int base = 0; base < 100; ++base) {
    seeds.push_back({static_cast<char>(base), static_cast<char>(base % 8), static_cast<char>(7 * base), 3, 1, 2, 4});
  }
  return seeds;
}

int64_t fuzz_accepted() {
  return accepted;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const std::vector<Base> bases = make_bases();
  Input input(bytes, size);
  const Base& base = bases[input.below(bases.size())];
  std::snprintf(vtemper::test::running_case, sizeof vtemper::test::running_case, "%s", base.fixture->kind);
  File file = base.file;
  for (int changes = 0; changes < 8 && (changes == 0 || !input.ended()); ++changes) change(file, input);
  const Interruption interruption;
  use(base, bytes_of(std::move(file)));
  if (failures > 0) std::abort();
  return 0;
}
