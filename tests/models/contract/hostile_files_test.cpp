// Models and mapped corpora with right hashes and wrong contents: one number of an array, or one text of the header,
// replaced. What is not refused is used as a host would: inferred, scored, stepped on, saved, loaded; every call
// comes back with a status that is not INTERNAL, and what it gives with OK is finite. The numbers of files are
// printed; VTEMPER_TORTURE=N replaces N times as many numbers.

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>

#include "api/handles.h"
#include "models/contract/fixtures.h"
#include "storage/container.h"
#include "storage/container_header.h"
#include "storage/copied_file.h"

using namespace contract;

namespace {

constexpr unsigned seconds_a_case = 20;
char running[512] = "";
int64_t failures = 0, calls = 0, refused = 0;

void on_alarm(int) {
  const char text[] = "\na case takes longer than it may: ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, running, std::strlen(running));
  _exit(1);
}

void begin_case(const std::string& name) {
  std::snprintf(running, sizeof running, "%s", name.c_str());
  alarm(seconds_a_case);
}

void require(bool condition, const char* what) {
  if (condition) return;
  print_error("%s: %s: %s\n", running, what, vtemper_last_error());
  ++failures;
}

/// True for OK; a refusal must be none of the library's own faults and have a sentence.
bool succeeds(vtemper_status status) {
  ++calls;
  if (status == VTEMPER_OK) return true;
  ++refused;
  require(status != VTEMPER_ERROR_INTERNAL, "INTERNAL");
  require(std::strlen(vtemper_last_error()) > 15, "refused without a sentence");
  return false;
}

int64_t times() {
  const char* text = std::getenv("VTEMPER_TORTURE");
  return text ? std::max<int64_t>(1, std::strtoll(text, nullptr, 10)) : 1;
}

struct File {
  ContainerHeader header;
  std::string payload;
};

File parse(const std::string& bytes, const char* format) {
  int64_t length;
  std::memcpy(&length, bytes.data(), sizeof length);
  const size_t begin = 8 + static_cast<size_t>(length);
  File file;
  file.payload = bytes.substr(begin);
  file.header = parse_header({bytes.data() + 8, static_cast<size_t>(length)},
                             static_cast<int64_t>(file.payload.size()), format, "file");
  return file;
}

/// The bytes of the file, with right hashes.
std::string bytes_of(File file) {
  file.header.texts["payload_hash"] = hash_text(XXH3_64bits(file.payload.data(), file.payload.size()));
  const std::string text = header_text(std::move(file.header));
  const uint64_t length = text.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + text + file.payload;
}

/// Calls use(bytes) for files that differ from this one in a number or a text.
int64_t vary(const std::string& name, const File& whole, const std::function<void(const std::string&)>& use) {
  const double reals[] = {std::nan(""), INFINITY, -INFINITY, -1, 0, 1e300, -1e300, 5e-324, 1e38, 1e-30, 2, 0.5};
  const int64_t wholes[] = {INT64_MAX, INT64_MIN, -1, 0, 1, 2, int64_t{1} << 62, 1000000000001, 4294967296};
  const char* const texts[] = {"",    "-1",    "0",    "1", "9223372036854775807", "99999999999999999999",
                               "nan", "1e308", "\xff", "37"};
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
    for (int64_t i = 0; i < 4 * times(); ++i) {
      File file = whole;
      const int64_t at = static_cast<int64_t>(random.uniform() * static_cast<double>(count));
      char* element = file.payload.data() + place.begin + at * width;
      const double real = reals[static_cast<size_t>(random.uniform() * 12)];
      const int64_t number = wholes[static_cast<size_t>(random.uniform() * 9)];
      if (place.element == Element::f64) {
        std::memcpy(element, &real, 8);
      } else if (place.element == Element::f32) {
        const float single = static_cast<float>(std::clamp(real, -3e38, 3e38));
        std::memcpy(element, &single, 4);
      } else {
        std::memcpy(element, &number, static_cast<size_t>(width));
      }
      one(file, place.name + "[" + std::to_string(at) + "] is another number");
    }
    for (size_t d = 0; d < place.shape.size(); ++d) {  // the same numbers as another array
      File file = whole;
      auto& shape = file.header.places[static_cast<size_t>(&place - whole.header.places.data())].shape;
      std::swap(shape[d], shape.back());
      if (shape == place.shape) shape.push_back(1);
      one(file, place.name + " has another shape");
    }
  }
  for (const auto& [text, value] : whole.header.texts) {
    if (text == "header_hash" || text == "payload_hash") continue;
    for (const char* other : texts) {
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

vtemper_data* handle_of(DataPointer data) {
  auto* handle = new vtemper_data;
  handle->shared = std::make_shared<api::SharedData>(std::move(data));
  return handle;
}

vtemper_options* options_of(const Texts& texts) {
  vtemper_options* options = nullptr;
  assert_int_equal(vtemper_options_create(&options), VTEMPER_OK);
  for (const auto& [name, text] : texts) {
    assert_int_equal(vtemper_options_set(options, name.c_str(), text.c_str()), VTEMPER_OK);
  }
  return options;
}

bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// As a host uses a model that it has loaded.
void use_model(vtemper_model* model, const vtemper_data* data) {
  int32_t count = 0;
  if (succeeds(vtemper_model_infer_count(model, data, &count))) {
    for (int32_t i = 0; i < count; ++i) {
      vtemper_quantity quantity{};
      quantity.struct_size = sizeof quantity;
      if (!succeeds(vtemper_model_infer_info(model, data, i, &quantity))) continue;
      std::vector<double> out(static_cast<size_t>(quantity.shape[0] * quantity.shape[1]));
      if (out.size() > 100000) continue;
      if (succeeds(vtemper_model_infer(model, data, quantity.name, nullptr, out.data(),
                                       static_cast<int64_t>(out.size())))) {
        require(finite(out), "infer gives a number that is not finite");
      }
    }
  }
  for (const char* measure : {"elbo", "predictive"}) {
    double value = 0;
    if (succeeds(vtemper_model_evaluate(model, data, nullptr, measure, nullptr, &value))) {
      require(std::isfinite(value), "a score is not finite");
    }
  }
  int64_t words[2];
  succeeds(vtemper_model_rank_words(model, 0, "frex", 2, words, nullptr));
  vtemper_options* options = options_of({{"threads", "1"}, {"max_iterations", "3"}});
  vtemper_optimizer* optimizer = nullptr;
  if (succeeds(vtemper_optimizer_create(model, data, options, &optimizer))) {
    succeeds(vtemper_optimizer_step(optimizer, 2, nullptr));
  }
  vtemper_options_destroy(options);
  vtemper_optimizer_destroy(optimizer);
  int64_t size = 0;
  if (!succeeds(vtemper_model_save_buffer(model, nullptr, 0, &size))) return;
  std::string bytes(static_cast<size_t>(size), '\0');
  if (!succeeds(vtemper_model_save_buffer(model, bytes.data(), size, &size))) return;
  vtemper_model* again = nullptr;
  require(succeeds(vtemper_model_load_buffer(bytes.data(), size, &again)), "what was saved cannot be loaded");
  vtemper_model_destroy(again);
}

void hostile_models(void**) {
  int64_t files = 0, loaded = 0;
  for (const Fixture& fixture : fixtures()) {
    vtemper_data* data = handle_of(fixture.data());
    vtemper_options* options = options_of(fixture.options);
    vtemper_options* steps = options_of({{"threads", "1"}});
    vtemper_model* model = nullptr;
    vtemper_optimizer* optimizer = nullptr;
    assert_int_equal(vtemper_model_create(fixture.kind, options, &model), VTEMPER_OK);
    assert_int_equal(vtemper_optimizer_create(model, data, steps, &optimizer), VTEMPER_OK);
    assert_int_equal(vtemper_optimizer_step(optimizer, 2, nullptr), VTEMPER_OK);
    int64_t size = 0;
    assert_int_equal(vtemper_model_save_buffer(model, nullptr, 0, &size), VTEMPER_OK);
    std::string bytes(static_cast<size_t>(size), '\0');
    assert_int_equal(vtemper_model_save_buffer(model, bytes.data(), size, &size), VTEMPER_OK);
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
  alarm(0);
  std::printf("%lld models with right hashes and other contents: %lld could be loaded and were used\n",
              static_cast<long long>(files), static_cast<long long>(loaded));
  assert_true(files > 500 && loaded > 100 && failures == 0);
}

/// As a host uses a corpus that it has mapped.
void use_data(vtemper_data* data, const Fixture& fixture) {
  int64_t rows = 0, columns = 0, entries = 0;
  succeeds(vtemper_data_rows(data, &rows));
  succeeds(vtemper_data_columns(data, &columns));
  succeeds(vtemper_data_entries(data, &entries));
  double total = 0;
  if (succeeds(vtemper_data_total(data, &total))) require(!std::isnan(total), "the total is not a number");
  succeeds(vtemper_data_verify(data));
  const char* text = nullptr;
  succeeds(vtemper_data_name(data, 1, &text));
  succeeds(vtemper_data_row_text(data, "name", 1, &text));
  const int64_t chosen[] = {0, 2, 2};
  vtemper_data *first = nullptr, *second = nullptr;
  if (succeeds(vtemper_data_select(data, chosen, 3, &first))) vtemper_data_destroy(first);
  if (succeeds(vtemper_data_split(data, 0.5, 1, &first, &second))) {
    vtemper_data_destroy(first);
    vtemper_data_destroy(second);
  }
  if (columns > 1000 || rows > 1000) return;  // a model of so many would take long, and be right
  vtemper_options* options = options_of(fixture.options);
  vtemper_options* steps = options_of({{"threads", "1"}, {"deadline", "1"}});
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  assert_int_equal(vtemper_model_create(fixture.kind, options, &model), VTEMPER_OK);
  if (succeeds(vtemper_optimizer_create(model, data, steps, &optimizer))) {
    succeeds(vtemper_optimizer_step(optimizer, 2, nullptr));
    double value = 0;
    if (succeeds(vtemper_model_evaluate(model, data, nullptr, "elbo", nullptr, &value))) {
      require(std::isfinite(value), "a score is not finite");
    }
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_options_destroy(options);
  vtemper_options_destroy(steps);
}

void write_file(const char* path, const std::string& bytes) {
  FILE* file = std::fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
  std::fclose(file);
}

void hostile_corpora(void**) {
  int64_t files = 0, opened = 0;
  char path[] = "/tmp/vtemper-hostile-XXXXXX";
  close(mkstemp(path));
  for (const size_t at : {size_t{0}, size_t{2}, size_t{5}}) {  // counts, dense rows, sequences
    const Fixture& fixture = fixtures()[at];
    vtemper_data* data = handle_of(fixture.data());
    int64_t rows = 0, columns = 0;
    vtemper_data_rows(data, &rows);
    vtemper_data_columns(data, &columns);
    std::vector<std::string> texts;
    std::vector<const char*> pointers;
    for (int64_t i = 0; i < std::max(rows, columns); ++i) texts.push_back("word" + std::to_string(i));
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    const std::vector<double> weights(static_cast<size_t>(rows), 1.5);
    assert_int_equal(vtemper_data_set_names(data, pointers.data(), columns), VTEMPER_OK);
    assert_int_equal(vtemper_data_set_row_texts(data, "name", pointers.data(), rows), VTEMPER_OK);
    assert_int_equal(vtemper_data_set_weights(data, weights.data(), rows), VTEMPER_OK);
    assert_int_equal(vtemper_data_write(data, path), VTEMPER_OK);
    vtemper_data_destroy(data);
    FILE* file = std::fopen(path, "rb");
    assert_non_null(file);
    std::string bytes(1 << 20, '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    std::fclose(file);
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
  alarm(0);
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

/// What one of six calls on a mapped corpus gives.
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

/// A mapped file that is cut short, or replaced, while it is in use: a small one was read when it was opened and is
/// used as it was, a large one is refused or read as it was; never the end of the process.
void files_change_under_the_mapping(void**) {
  int64_t cuts = 0, told = 0, unharmed = 0;
  char path[] = "/tmp/vtemper-mapped-XXXXXX";
  close(mkstemp(path));
  const Fixture& fixture = fixtures()[0];
  vtemper_data* data = handle_of(fixture.data());
  for (const bool is_large : {false, true}) {
    const std::string much(is_large ? static_cast<size_t>(largest_copied_file) : 1, 'x');
    assert_int_equal(vtemper_data_set_note(data, "much", much.c_str()), VTEMPER_OK);
    assert_int_equal(vtemper_data_write(data, path), VTEMPER_OK);
    std::string bytes(static_cast<size_t>(std::filesystem::file_size(path)), '\0');
    FILE* file = std::fopen(path, "rb");
    assert_int_equal(std::fread(bytes.data(), 1, bytes.size(), file), bytes.size());
    std::fclose(file);
    const int64_t size = static_cast<int64_t>(bytes.size());
    double undisturbed[6] = {};
    for (const int64_t left : {size, int64_t{0}, int64_t{1}, int64_t{100}, size / 2, size - 1}) {
      for (int call = 0; call < 6; ++call) {
        begin_case("a mapping cut to " + std::to_string(left) + " bytes, call " + std::to_string(call));
        vtemper_data* mapped = nullptr;
        assert_int_equal(vtemper_data_read(path, "mapped", &mapped), VTEMPER_OK);
        vtemper_options* steps = options_of({{"threads", "2"}, {"method", "svi"}, {"batch_size", "8"}});
        vtemper_options* options = options_of(fixture.options);
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
    assert_int_equal(is_large ? told : unharmed, 30);
  }
  assert_int_equal(vtemper_data_set_note(data, "much", nullptr), VTEMPER_OK);
  // A replaced file is another file: the mapping keeps what it was made of.
  assert_int_equal(vtemper_data_write(data, path), VTEMPER_OK);
  vtemper_data* mapped = nullptr;
  double before = 0, after = 0;
  assert_int_equal(vtemper_data_read(path, "mapped", &mapped), VTEMPER_OK);
  assert_int_equal(vtemper_data_total(mapped, &before), VTEMPER_OK);
  vtemper_data* other = handle_of(fixtures()[2].data());
  assert_int_equal(vtemper_data_write(other, path), VTEMPER_OK);
  assert_int_equal(vtemper_data_total(mapped, &after), VTEMPER_OK);
  assert_true(before == after);
  vtemper_data_destroy(other);
  vtemper_data_destroy(mapped);
  vtemper_data_destroy(data);
  unlink(path);
  alarm(0);
  std::printf(
      "%lld files cut short in use: %lld large ones refused with a sentence, %lld small ones used as they were\n",
      static_cast<long long>(cuts), static_cast<long long>(told), static_cast<long long>(unharmed));
  assert_true(told + unharmed == cuts && failures == 0);
}

}  // namespace

int main() {
  signal(SIGALRM, on_alarm);
  const CMUnitTest tests[] = {
      cmocka_unit_test(hostile_models),
      cmocka_unit_test(hostile_corpora),
      cmocka_unit_test(files_change_under_the_mapping),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
