#pragma once
// Files with correct hashes and wrong contents: taken apart, reassembled, and used as a host would use what it has
// loaded. Every call returns a status other than INTERNAL, and results with OK are finite.

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "api/handles.h"
#include "models/contract/fixtures.h"
#include "storage/container.h"
#include "storage/container_header.h"
#include "storage/file_contents.h"
#include "support/report.h"
#include "support/time_limit.h"

namespace contract {

inline int64_t failures = 0, calls = 0, refused = 0;

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s: %s: %s\n", vtemper::test::running_case, what, vtemper_last_error());
  ++failures;
}

/// True for OK; a refusal must not be INTERNAL and must have a message.
inline bool succeeds(vtemper_status status) {
  ++calls;
  if (status == VTEMPER_OK) return true;
  ++refused;
  require(status != VTEMPER_ERROR_INTERNAL, "INTERNAL");
  require(std::strlen(vtemper_last_error()) > 15, "refused without a message");
  return false;
}

struct File {
  ContainerHeader header;
  std::string payload;
};

inline File parse(const std::string& bytes, const char* format) {
  int64_t length;
  std::memcpy(&length, bytes.data(), sizeof length);
  const size_t begin = 8 + static_cast<size_t>(length);
  File file;
  file.payload = bytes.substr(begin);
  file.header = parse_header({bytes.data() + 8, static_cast<size_t>(length)},
                             static_cast<int64_t>(file.payload.size()), format, "file");
  return file;
}

/// The bytes of the file, with correct hashes.
inline std::string bytes_of(File file) {
  file.header.texts["payload_hash"] = hash_text(XXH3_64bits(file.payload.data(), file.payload.size()));
  const std::string text = header_text(std::move(file.header));
  const uint64_t length = text.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + text + file.payload;
}

/// Replaces an element of an array: by `real`, or in arrays of integers by `number`.
inline void replace_element(File& file, const TensorPlace& place, int64_t at, double real, int64_t number) {
  const int64_t width = element_size(place.element);
  char* element = file.payload.data() + place.begin + at * width;
  if (place.element == Element::f64) {
    std::memcpy(element, &real, 8);
  } else if (place.element == Element::f32) {
    const float single = static_cast<float>(std::clamp(real, -3e38, 3e38));
    std::memcpy(element, &single, 4);
  } else {
    std::memcpy(element, &number, static_cast<size_t>(width));
  }
}

inline const double hostile_reals[] = {std::nan(""), INFINITY, -INFINITY, -1,    0, 1e300,
                                       -1e300,       5e-324,   1e38,      1e-30, 2, 0.5};
inline const int64_t hostile_wholes[] = {INT64_MAX,        INT64_MIN,     -1,        0, 1, 2,
                                         int64_t{1} << 62, 1000000000001, 4294967296};
inline const char* const hostile_texts[] = {
    "", "-1", "0", "1", "9223372036854775807", "99999999999999999999", "nan", "1e308", "\xff", "37"};

inline vtemper_data* handle_of(DataPointer data) {
  auto* handle = new vtemper_data;
  handle->shared = std::make_shared<api::SharedData>(std::move(data));
  return handle;
}

inline vtemper_options* options_handle_of(const Texts& texts) {
  vtemper_options* options = nullptr;
  require(vtemper_options_create(&options) == VTEMPER_OK, "no options");
  for (const auto& [name, text] : texts) {
    require(vtemper_options_set(options, name.c_str(), text.c_str()) == VTEMPER_OK, "an option is not taken");
  }
  return options;
}

inline bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// Everything that can be inferred about the data, and two scores.
inline void infer_and_score(const vtemper_model* model, const vtemper_data* data,
                            const vtemper_options* evaluation = nullptr) {
  int32_t count = 0;
  if (succeeds(vtemper_model_infer_count(model, data, &count))) {
    for (int32_t i = 0; i < count; ++i) {
      vtemper_quantity quantity{};
      quantity.struct_size = sizeof quantity;
      if (!succeeds(vtemper_model_infer_info(model, data, i, &quantity))) continue;
      std::vector<double> out(static_cast<size_t>(quantity.shape[0] * quantity.shape[1]));
      if (out.size() > 100000) continue;
      if (succeeds(vtemper_model_infer(model, data, quantity.name, evaluation, out.data(),
                                       static_cast<int64_t>(out.size())))) {
        require(finite(out), "infer gives a number that is not finite");
      }
    }
  }
  for (const char* measure : {"elbo", "predictive"}) {
    double value = 0;
    if (succeeds(vtemper_model_evaluate(model, data, nullptr, measure, evaluation, &value))) {
      require(std::isfinite(value), "a score is not finite");
    }
  }
}

inline void save_and_load(const vtemper_model* model) {
  int64_t size = 0;
  if (!succeeds(vtemper_model_save_buffer(model, nullptr, 0, &size))) return;
  std::string bytes(static_cast<size_t>(size), '\0');
  if (!succeeds(vtemper_model_save_buffer(model, bytes.data(), size, &size))) return;
  vtemper_model* again = nullptr;
  const vtemper_status status = vtemper_model_load_buffer(bytes.data(), size, &again);
  require(succeeds(status) || status == VTEMPER_CANCELLED, "what was saved cannot be loaded");
  vtemper_model_destroy(again);
}

/// Uses a loaded model as a host would.
inline void use_model(vtemper_model* model, const vtemper_data* data) {
  infer_and_score(model, data);
  int64_t words[2];
  succeeds(vtemper_model_rank_words(model, 0, "frex", 2, words, nullptr));
  vtemper_options* options = options_handle_of({{"threads", "1"}, {"max_iterations", "3"}});
  vtemper_optimizer* optimizer = nullptr;
  if (succeeds(vtemper_optimizer_create(model, data, options, &optimizer))) {
    succeeds(vtemper_optimizer_step(optimizer, 2, nullptr));
  }
  vtemper_options_destroy(options);
  vtemper_optimizer_destroy(optimizer);
  save_and_load(model);
}

/// Uses a loaded optimizer as a host would.
inline void use_optimizer(vtemper_optimizer* optimizer, const vtemper_data* data) {
  succeeds(vtemper_optimizer_step(optimizer, 2, nullptr));
  vtemper_report report{};
  report.struct_size = sizeof report;
  if (succeeds(vtemper_optimizer_report(optimizer, &report))) {
    require(vtemper::test::infinite_number(report) == nullptr, "a report holds infinite numbers");
  }
  vtemper_model* model = nullptr;
  if (succeeds(vtemper_optimizer_model(optimizer, &model))) {
    infer_and_score(model, data);
    save_and_load(model);
  }
  vtemper_model_destroy(model);
  int64_t size = 0;
  if (!succeeds(vtemper_optimizer_save_buffer(optimizer, nullptr, 0, &size))) return;
  std::string bytes(static_cast<size_t>(size), '\0');
  if (!succeeds(vtemper_optimizer_save_buffer(optimizer, bytes.data(), size, &size))) return;
  vtemper_optimizer* again = nullptr;
  const vtemper_status status = vtemper_optimizer_load_buffer(bytes.data(), size, data, &again);
  require(succeeds(status) || status == VTEMPER_CANCELLED, "a checkpoint that was saved cannot be loaded");
  vtemper_optimizer_destroy(again);
}

/// Uses a mapped corpus as a host would.
inline void use_data(vtemper_data* data, const Fixture& fixture) {
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
  if (columns > 1000 || rows > 1000) return;  // a model of this size would be valid but slow
  vtemper_options* options = options_handle_of(fixture.options);
  vtemper_options* steps = options_handle_of({{"threads", "1"}, {"deadline", "1"}});
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  require(vtemper_model_create(fixture.kind, options, &model) == VTEMPER_OK, "no model");
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

/// Calls that read the rows, in turn.
inline void use_rows(vtemper_data* data, const Fixture& fixture) {
  vtemper_options* options = options_handle_of(fixture.options);
  vtemper_options* steps = options_handle_of({{"threads", "2"}, {"method", "svi"}, {"batch_size", "16"}});
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  require(vtemper_model_create(fixture.kind, options, &model) == VTEMPER_OK, "no model");
  if (succeeds(vtemper_optimizer_create(model, data, steps, &optimizer))) {
    for (int i = 0; i < 20; ++i) succeeds(vtemper_optimizer_step(optimizer, 5, nullptr));
    infer_and_score(model, data);
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_options_destroy(options);
  vtemper_options_destroy(steps);
  double total = 0;
  succeeds(vtemper_data_total(data, &total));
  succeeds(vtemper_data_verify(data));
  int64_t rows = 0, columns = 0, length = 0;
  succeeds(vtemper_data_rows(data, &rows));
  succeeds(vtemper_data_columns(data, &columns));
  std::vector<int64_t> of_row(static_cast<size_t>(std::max<int64_t>(columns, 1000)));
  std::vector<double> values(of_row.size());
  std::vector<int64_t> chosen;
  for (int64_t row = 0; row < rows; ++row) {
    succeeds(vtemper_data_row(data, row, of_row.data(), values.data(), static_cast<int64_t>(of_row.size()), &length));
    chosen.push_back(rows - 1 - row);
  }
  vtemper_data *first = nullptr, *second = nullptr;
  if (succeeds(vtemper_data_select(data, chosen.data(), rows, &first))) vtemper_data_destroy(first);
  if (succeeds(vtemper_data_split(data, 0.5, 1, &first, &second))) {
    vtemper_data_destroy(first);
    vtemper_data_destroy(second);
  }
}

inline std::string model_bytes(const vtemper_model* model) {
  int64_t size = 0;
  succeeds(vtemper_model_save_buffer(model, nullptr, 0, &size));
  std::string bytes(static_cast<size_t>(size), '\0');
  require(succeeds(vtemper_model_save_buffer(model, bytes.data(), size, &size)), "a fixture cannot be saved");
  return bytes;
}

inline void write_file(const char* path, const std::string& bytes) {
  FILE* file = std::fopen(path, "wb");
  const bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  require(written, "a file cannot be written");
  if (file) std::fclose(file);
}

inline std::string read_file(const char* path) {
  std::string bytes(static_cast<size_t>(std::filesystem::file_size(path)), '\0');
  FILE* file = std::fopen(path, "rb");
  require(file && std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size(), "a file cannot be read");
  if (file) std::fclose(file);
  return bytes;
}

/// Writes the data as a mapped corpus that is copied, or with a note too large for that; gives its bytes.
inline std::string corpus_of_size(vtemper_data* data, const char* path, bool is_large) {
  const std::string much(is_large ? static_cast<size_t>(largest_file_read_at_once) : 1, 'x');
  assert_int_equal(vtemper_data_set_note(data, "much", much.c_str()), VTEMPER_OK);
  assert_int_equal(vtemper_data_write(data, path), VTEMPER_OK);
  return read_file(path);
}

/// Writes the fixture's data with names, texts and weights as a mapped corpus; gives its bytes.
inline std::string corpus_bytes(const Fixture& fixture, const char* path) {
  vtemper_data* data = handle_of(fixture.data());
  int64_t rows = 0, columns = 0;
  succeeds(vtemper_data_rows(data, &rows));
  succeeds(vtemper_data_columns(data, &columns));
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
  for (int64_t i = 0; i < std::max(rows, columns); ++i) texts.push_back("word" + std::to_string(i));
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const std::vector<double> weights(static_cast<size_t>(rows), 1.5);
  const bool made = succeeds(vtemper_data_set_names(data, pointers.data(), columns)) &&
                    succeeds(vtemper_data_set_row_texts(data, "name", pointers.data(), rows)) &&
                    succeeds(vtemper_data_set_weights(data, weights.data(), rows)) &&
                    succeeds(vtemper_data_write(data, path));
  require(made, "a corpus cannot be written");
  vtemper_data_destroy(data);
  return read_file(path);
}

}  // namespace contract
