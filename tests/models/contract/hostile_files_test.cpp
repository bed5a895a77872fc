// Models and mapped corpora with correct hashes and wrong contents: one number of an array, or one text of the
// header, is replaced. What is not refused is used as a host would use it (inference, scores, steps, save, load):
// every call returns a status other than INTERNAL, and results with OK are finite. Prints the numbers of files;
// VTEMPER_TORTURE=N replaces N times as many numbers.

#include <sys/stat.h>
#include <unistd.h>

#include <functional>

#include "models/contract/hostile_use.h"

using namespace contract;

namespace {

constexpr int seconds_a_case = 20;  ///< of CPU time

void begin_case(const std::string& name) {
  vtemper::test::begin_case(name, seconds_a_case);
}

/// Calls use(bytes) for files that differ from this one in a number or a text.
int64_t vary(const std::string& name, const File& whole, const std::function<void(const std::string&)>& use) {
  Random random(3);
  int64_t files = 0;
  const auto one = [&](const File& file, const std::string& what) {
    begin_case(name + "; " + what);
    ++files;
    use(bytes_of(file));
  };
  for (const TensorPlace& place : whole.header.places) {
    const int64_t width = element_size(place.element);
    const int64_t count = (place.end - place.begin) / width;
    if (count == 0 || place.name.compare(0, 8, "padding.") == 0) continue;
    for (int64_t i = 0; i < 4 * vtemper::test::torture_times(); ++i) {
      File file = whole;
      const int64_t at = static_cast<int64_t>(random.uniform() * static_cast<double>(count));
      const double real = hostile_reals[static_cast<size_t>(random.uniform() * 12)];
      const int64_t number = hostile_wholes[static_cast<size_t>(random.uniform() * 9)];
      replace_element(file, place, at, real, number);
      one(file, place.name + "[" + std::to_string(at) + "] is another number");
    }
    for (size_t d = 0; d < place.shape.size(); ++d) {  // the same numbers with another shape
      File file = whole;
      auto& shape = file.header.places[static_cast<size_t>(&place - whole.header.places.data())].shape;
      std::swap(shape[d], shape.back());
      if (shape == place.shape) shape.push_back(1);
      one(file, place.name + " has another shape");
    }
  }
  for (const auto& [text, value] : whole.header.texts) {
    if (text == "header_hash" || text == "payload_hash") continue;
    for (const char* other : hostile_texts) {
      File file = whole;
      file.header.texts[text] = other;
      one(file, "text " + text + " is \"" + other + "\"");
    }
    File file = whole;
    file.header.texts.erase(text);
    one(file, "text " + text + " is missing");
  }
  return files;
}

void hostile_models(void**) {
  int64_t files = 0, loaded = 0;
  for (const Fixture& fixture : fixtures()) {
    vtemper_data* data = handle_of(fixture.data());
    vtemper_options* options = options_handle_of(fixture.options);
    vtemper_options* steps = options_handle_of({{"threads", "1"}});
    vtemper_model* model = nullptr;
    vtemper_optimizer* optimizer = nullptr;
    assert_int_equal(vtemper_model_create(fixture.kind, options, &model), VTEMPER_OK);
    assert_int_equal(vtemper_optimizer_create(model, data, steps, &optimizer), VTEMPER_OK);
    assert_int_equal(vtemper_optimizer_step(optimizer, 2, nullptr), VTEMPER_OK);
    const std::string bytes = model_bytes(model);
    files += vary(std::string("model ") + fixture.kind, parse(bytes, "vtemper.model"), [&](const std::string& other) {
      vtemper_model* hostile = nullptr;
      if (!succeeds(vtemper_model_load_buffer(other.data(), static_cast<int64_t>(other.size()), &hostile))) return;
      ++loaded;
      use_model(hostile, data);
      vtemper_model_destroy(hostile);
    });
    vtemper_optimizer_destroy(optimizer);
    vtemper_model_destroy(model);
    vtemper_options_destroy(options);
    vtemper_options_destroy(steps);
    vtemper_data_destroy(data);
  }
  vtemper::test::end_cases();
  std::printf("%lld models with right hashes and other contents: %lld could be loaded and were used\n",
              static_cast<long long>(files), static_cast<long long>(loaded));
  assert_true(failures == 0 && loaded > 0);
  if (all_kinds()) assert_true(files > 500 && loaded > 100);
}

void hostile_corpora(void**) {
  int64_t files = 0, opened = 0;
  char path[] = "/tmp/vtemper-hostile-XXXXXX";
  close(mkstemp(path));
  for (const vtemper_data_form form : {VTEMPER_COUNTS, VTEMPER_DENSE, VTEMPER_SEQUENCES}) {
    const Fixture& fixture = fixture_of(form);
    const std::string bytes = corpus_bytes(fixture, path);
    const size_t key = bytes.find("\"format\":\"") + 10;
    const std::string format = bytes.substr(key, bytes.find('"', key) - key);
    files +=
        vary("corpus for " + std::string(fixture.kind), parse(bytes, format.c_str()), [&](const std::string& other) {
          write_file(path, other);
          vtemper_data* hostile = nullptr;
          if (!succeeds(vtemper_data_read(path, "mapped", &hostile))) return;
          ++opened;
          use_data(hostile, fixture);
          vtemper_data_destroy(hostile);
        });
  }
  unlink(path);
  vtemper::test::end_cases();
  std::printf("%lld mapped corpora with right hashes and other contents: %lld could be opened and were used\n",
              static_cast<long long>(files), static_cast<long long>(opened));
  assert_true(files > 100 && opened > 30 && failures == 0);
}

/// Sizes of the file after `cut` and before: its lost part is put back from `bytes`.
void restore(const char* path, const std::string& bytes, int64_t left) {
  FILE* file = std::fopen(path, "r+b");
  assert_non_null(file);
  assert_int_equal(std::fseek(file, static_cast<long>(left), SEEK_SET), 0);
  const size_t lost = bytes.size() - static_cast<size_t>(left);
  assert_int_equal(std::fwrite(bytes.data() + left, 1, lost, file), lost);
  assert_int_equal(std::fclose(file), 0);
}

/// The result of one of six calls on a mapped corpus.
vtemper_status call_on_mapped(int call, vtemper_data* mapped, vtemper_model* model, vtemper_optimizer* optimizer,
                              double* value) {
  vtemper_data *made = nullptr, *other = nullptr;
  const int64_t chosen[] = {0, 2, 2};
  vtemper_status status = VTEMPER_OK;
  vtemper_report report{};
  report.struct_size = sizeof report;
  if (call == 0) status = vtemper_optimizer_step(optimizer, 3, &report);
  if (call == 0) *value = report.change;
  if (call == 1) status = vtemper_data_total(mapped, value);
  if (call == 2) status = vtemper_model_evaluate(model, mapped, nullptr, "elbo", nullptr, value);
  if (call == 3) status = vtemper_data_verify(mapped);
  if (call == 4) status = vtemper_data_select(mapped, chosen, 3, &made);
  if (call == 5) status = vtemper_data_split(mapped, 0.5, 1, &made, &other);
  if (made && status == VTEMPER_OK) status = vtemper_data_total(made, value);
  vtemper_data_destroy(made);
  vtemper_data_destroy(other);
  return status;
}

/// A mapped file is truncated or replaced while it is in use: a small one was read when it was opened and is used as
/// it was, so are those rows of a large one that were read before, and others are refused; the process never ends.
void files_change_under_the_mapping(void**) {
  int64_t cuts = 0, told = 0, unharmed = 0;
  char path[] = "/tmp/vtemper-mapped-XXXXXX";
  close(mkstemp(path));
  const Fixture& fixture = fixture_of(VTEMPER_COUNTS);
  vtemper_data* data = handle_of(fixture.data());
  for (const bool is_large : {false, true}) {
    const std::string bytes = corpus_of_size(data, path, is_large);
    const int64_t size = static_cast<int64_t>(bytes.size());
    double undisturbed[6] = {};
    for (const int64_t left : {size, int64_t{0}, int64_t{1}, int64_t{100}, size / 2, size - 1}) {
      for (int call = 0; call < 6; ++call) {
        begin_case("a mapping cut to " + std::to_string(left) + " bytes, call " + std::to_string(call));
        vtemper_data* mapped = nullptr;
        assert_int_equal(vtemper_data_read(path, "mapped", &mapped), VTEMPER_OK);
        vtemper_options* steps = options_handle_of({{"threads", "2"}, {"method", "svi"}, {"batch_size", "8"}});
        vtemper_options* options = options_handle_of(fixture.options);
        vtemper_model* model = nullptr;
        vtemper_optimizer* optimizer = nullptr;
        assert_int_equal(vtemper_model_create(fixture.kind, options, &model), VTEMPER_OK);
        assert_int_equal(vtemper_optimizer_create(model, mapped, steps, &optimizer), VTEMPER_OK);
        assert_int_equal(vtemper_optimizer_step(optimizer, 2, nullptr), VTEMPER_OK);
        assert_int_equal(truncate(path, left), 0);
        double value = 0;
        const bool whole = succeeds(call_on_mapped(call, mapped, model, optimizer, &value));
        if (left == size) {
          assert_true(whole);
          undisturbed[call] = value;
        } else {
          ++cuts;
          told += !whole;
          unharmed += whole && value == undisturbed[call];
        }
        restore(path, bytes, left);
        vtemper_optimizer_destroy(optimizer);
        vtemper_model_destroy(model);
        vtemper_options_destroy(options);
        vtemper_options_destroy(steps);
        vtemper_data_destroy(mapped);
      }
    }
    assert_true(is_large || unharmed == 30);
  }
  assert_int_equal(vtemper_data_set_note(data, "much", nullptr), VTEMPER_OK);
  // A replaced file is another file: the mapping keeps the old one.
  assert_int_equal(vtemper_data_write(data, path), VTEMPER_OK);
  vtemper_data* mapped = nullptr;
  double before = 0, after = 0;
  assert_int_equal(vtemper_data_read(path, "mapped", &mapped), VTEMPER_OK);
  assert_int_equal(vtemper_data_total(mapped, &before), VTEMPER_OK);
  vtemper_data* other = handle_of(fixture_of(VTEMPER_DENSE).data());
  assert_int_equal(vtemper_data_write(other, path), VTEMPER_OK);
  assert_int_equal(vtemper_data_total(mapped, &after), VTEMPER_OK);
  assert_true(before == after);
  vtemper_data_destroy(other);
  vtemper_data_destroy(mapped);
  vtemper_data_destroy(data);
  unlink(path);
  vtemper::test::end_cases();
  std::printf("%lld files truncated in use: %lld refused with a message, %lld used as they were\n",
              static_cast<long long>(cuts), static_cast<long long>(told), static_cast<long long>(unharmed));
  assert_true(told + unharmed == cuts && failures == 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(hostile_models),
      cmocka_unit_test(hostile_corpora),
      cmocka_unit_test(files_change_under_the_mapping),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
