// Extreme numbers and hostile contents for every kind of model and method: a step is taken completely or not at all,
// a fit can be saved and loaded, and files with correct hashes and wrong numbers are refused or can be used without
// harm. Prints the numbers of cases. VTEMPER_TORTURE=N takes N times as many.

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "evaluation/evaluate.h"
#include "inference/optimizer.h"
#include "inference/presets.h"
#include "models/contract/models.h"
#include "storage/container.h"
#include "storage/container_header.h"
#include "support/divided.h"
#include "support/error.h"
#include "support/report.h"
#include "support/sanitizer.h"
#include "support/time_limit.h"

using namespace contract;

namespace {

constexpr int seconds_a_case = 60;                  ///< of CPU time
const int64_t part = test::unless_sanitized(1, 5);  ///< every fifth combination with a sanitizer
int64_t failures = 0;                               ///< all are reported

/// Begins a case: its name is printed if it takes too long or fails.
void begin_case(const std::string& name) {
  test::begin_case(name, seconds_a_case);
}

void require(bool condition, const std::string& what) {
  if (condition) return;
  print_error("%s: %s\n", test::running_case, what.c_str());
  ++failures;
}

std::shared_ptr<Model> model_of(const Fixture& fixture) {
  const ModelKind& kind = model_kind(fixture.kind);
  return kind.create(OptionValues(kind.options(), options_of(fixture.options), kind.name));
}

std::vector<double> parameters(const Model& model) {
  std::vector<double> all;
  for (const Quantity& quantity : model.parameters()) {
    if (!quantity.settable) continue;  // derived values may overflow, as the API says
    const std::vector<double> values = test::parameter(model, quantity.name);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

std::string bytes_of(const Optimizer& optimizer) {
  ContainerWriter writer("vtemper.checkpoint");
  optimizer.save(writer);
  std::string bytes(static_cast<size_t>(writer.size()), '\0');
  writer.write(bytes.data());
  return bytes;
}

/// Calls the body; an Error must have a message and must not be INTERNAL; anything else fails the case. True if it
/// succeeds.
template <class Body>
bool succeeds(const Body& body) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    require(error.status() != VTEMPER_ERROR_INTERNAL, std::string("INTERNAL: ") + error.what());
    require(std::strlen(error.what()) > 20, "refused without a message");
    return false;
  }
}

/// Up to `steps` steps, each complete or without effect; then saves, loads and compares. `failures` counts refused
/// steps.
void take_steps(Optimizer& optimizer, const std::shared_ptr<const Data>& data, int steps, int64_t& refused) {
  for (int i = 0; i < steps; ++i) {
    const std::vector<double> before = parameters(*optimizer.model());
    const vtemper_report report = optimizer.report();
    if (succeeds([&] { optimizer.run(1, nullptr, nullptr); })) {
      for (const double value : parameters(*optimizer.model())) {
        require(std::isfinite(value), "a parameter is not finite after a step with status OK");
      }
      const char* infinite = test::infinite_number(optimizer.report());
      require(infinite == nullptr, std::string("the report holds an infinite ") + (infinite ? infinite : ""));
      continue;
    }
    ++refused;
    require(same_bits(before, parameters(*optimizer.model())), "a refused step moved a parameter");
    require(std::memcmp(&report, &optimizer.report(), sizeof report) == 0, "a refused step changed the report");
    break;
  }
  std::string bytes;
  std::unique_ptr<Optimizer> loaded;
  try {
    bytes = bytes_of(optimizer);
    loaded = Optimizer::load(
        ContainerReader::open_buffer(bytes.data(), static_cast<int64_t>(bytes.size()), "vtemper.checkpoint"), data);
  } catch (const Error& error) {
    require(false, error.what());
    return;
  }
  require(same_bits(parameters(*optimizer.model()), parameters(*loaded->model())), "a loaded model is another one");
  require(bytes == bytes_of(*loaded), "a checkpoint that is loaded and saved is another file");
}

/// The data with other weights, or other values.
struct Extreme {
  const char* name;
  double weight;  ///< of every row; 0: of every row but one
  double one;     ///< weight of row 3
  double factor;  ///< multiplies dense values; 0 makes them equal
  int64_t rows;   ///< only so many, the first ones; 0: all
};

const Extreme extremes[] = {
    {"usual", 1, 1, 1, 0},
    {"huge weights", 1e100, 1e100, 1, 0},
    {"largest weights", 1.7e308, 1.7e308, 1, 0},
    {"one huge weight", 1, 1e30, 1, 0},
    {"one larger weight", 1, 1e20, 1, 0},
    {"tiny weights", 1e-300, 1e-300, 1, 0},
    {"subnormal weights", 5e-324, 5e-324, 1, 0},
    {"one weight", 0, 1, 1, 0},
    {"huge values", 1, 1, 1e90, 0},
    {"tiny values", 1, 1, 1e-300, 0},
    {"equal values", 1, 1, 0, 0},
    {"one row", 1, 1, 1, 1},
    {"fewer rows than components", 1, 1, 1, 2},
};

std::shared_ptr<const Data> extreme_data(const Fixture& fixture, const Extreme& extreme) {
  DataPointer data = fixture.data();
  if (extreme.rows > 0) {
    std::vector<int64_t> rows;
    for (int64_t row = 0; row < extreme.rows; ++row) rows.push_back(row);
    data = data_select(*data, rows.data(), extreme.rows);
  }
  if (extreme.factor != 1) {
    if (!data->is<Dense>()) return nullptr;
    std::vector<double> values;
    for (int64_t row = 0; row < data->rows(); ++row) {
      for (int64_t column = 0; column < data->columns(); ++column) {
        values.push_back(extreme.factor * data->dense().at(row, column));
      }
    }
    Dense dense;
    dense.rows = data->rows();
    dense.columns = data->columns();
    dense.values = typed_array(values.data());
    dense.row_stride = dense.columns;
    dense.column_stride = 1;
    data = data_from_dense(dense, true);
  }
  if (extreme.weight != 1 || extreme.one != 1) {
    std::vector<double> weights(static_cast<size_t>(data->rows()), extreme.weight);
    weights[std::min<size_t>(3, weights.size() - 1)] = extreme.one;
    data_set_weights(*data, weights);
  }
  return data;
}

void steps_are_transactions(void**) {
  int64_t combinations = 0, cases = 0, refused = 0, not_offered = 0;
  for (const Fixture& fixture : fixtures()) {
    for (const Preset& preset : presets()) {
      for (const Extreme& extreme : extremes) {
        for (const Texts& more : {Texts{{"batch_size", "0"}}, Texts{{"batch_size", "11"}},
                                  Texts{{"batch_size", "11"}, {"learning_rate", "1000"}}}) {
          Texts texts = more;
          texts["method"] = preset.name;
          texts["threads"] = "1";
          texts["max_iterations"] = "30";
          if (++combinations % part != 0) continue;
          begin_case(described(fixture, texts) + "; " + extreme.name);
          std::unique_ptr<Optimizer> optimizer;
          std::shared_ptr<const Data> data;
          const bool made = succeeds([&] {
            data = extreme_data(fixture, extreme);
            if (data) optimizer = std::make_unique<Optimizer>(model_of(fixture), data, options_of(texts));
          });
          if (!made || !optimizer) {
            ++not_offered;
            continue;
          }
          take_steps(*optimizer, data, static_cast<int>(test::unless_sanitized(4, 2) * test::torture_times()),
                     refused);
          ++cases;
          if (cases % 5 != 0) continue;
          succeeds([&] {
            const OptionValues evaluation(evaluate_options(), {}, "evaluate");
            const double value = evaluate(*optimizer->model(), data.get(), nullptr, "elbo", evaluation);
            require(std::isfinite(value), "the ELBO is not finite with status OK");
          });
        }
      }
    }
  }
  test::end_cases();
  std::printf(
      "%lld fits at extremes, each saved, loaded and equal; %lld of them refused a step; %lld were refused "
      "before it\n",
      static_cast<long long>(cases), static_cast<long long>(refused), static_cast<long long>(not_offered));
  assert_true(failures == 0 && cases > 0);
  if (all_kinds()) assert_true(cases > 1000 / part && refused > 0);
}

/// The file with other bytes in its payload, and correct hashes.
std::string with_payload(std::string bytes, const ContainerHeader& header, size_t begin) {
  ContainerHeader fresh = header;
  fresh.texts["payload_hash"] = hash_text(XXH3_64bits(bytes.data() + begin, bytes.size() - begin));
  const std::string text = header_text(std::move(fresh));
  assert_int_equal(text.size(), begin - 8);
  return bytes.replace(8, text.size(), text);
}

void hostile_contents_do_no_harm(void**) {
  const double reals[] = {std::nan(""), INFINITY, -INFINITY, -1, 0, 1e300, -1e300, 5e-324, 1e38, 1e-30, 2, 0.5};
  const int64_t wholes[] = {INT64_MAX, INT64_MIN, -1, 0, 1, 2, int64_t{1} << 62, 1000000000001, 4294967296};
  int64_t cases = 0, loaded_ones = 0, refused_steps = 0;
  Random random(5);
  for (const Fixture& fixture : fixtures()) {
    for (const char* method : {"svi", "tempering", "local_tempering", "annealing", "vi", "proximity"}) {
      const std::shared_ptr<const Data> data = fixture.data();
      const Texts texts = {{"method", method}, {"batch_size", "11"}, {"threads", "1"}, {"max_iterations", "30"}};
      begin_case(described(fixture, texts));
      std::unique_ptr<Optimizer> optimizer;
      if (!succeeds([&] {
            optimizer = std::make_unique<Optimizer>(model_of(fixture), data, options_of(texts));
            optimizer->run(3, nullptr, nullptr);
          })) {
        continue;
      }
      const std::string whole = bytes_of(*optimizer);
      int64_t length;
      std::memcpy(&length, whole.data(), sizeof length);
      const size_t begin = 8 + static_cast<size_t>(length);
      const ContainerHeader header =
          parse_header({whole.data() + 8, static_cast<size_t>(length)}, static_cast<int64_t>(whole.size() - begin),
                       "vtemper.checkpoint", "checkpoint");
      for (const TensorPlace& place : header.places) {
        const int64_t width = element_size(place.element);
        const int64_t count = (place.end - place.begin) / width;
        const bool whole_numbers = place.element == Element::i64;
        if (count == 0 || place.name.compare(0, 8, "padding.") == 0 || (width < 4)) continue;
        const int64_t few =
            whole_numbers ? 9 * std::min<int64_t>(count, test::unless_sanitized(7, 2)) : test::unless_sanitized(6, 3);
        for (int64_t i = 0; i < few * test::torture_times(); ++i) {
          std::string bytes = whole;
          const int64_t at =
              whole_numbers ? (i / 9) % count : static_cast<int64_t>(random.uniform() * static_cast<double>(count));
          char* element = bytes.data() + begin + place.begin + at * width;
          const double real = reals[static_cast<size_t>(random.uniform() * 12)];
          const float single = static_cast<float>(std::clamp(real, -3e38, 3e38));
          if (whole_numbers) {
            std::memcpy(element, &wholes[i % 9], 8);
          } else if (place.element == Element::f64) {
            std::memcpy(element, &real, 8);
          } else if (place.element == Element::f32) {
            std::memcpy(element, &single, 4);
          }
          begin_case(described(fixture, texts) + "; " + place.name + "[" + std::to_string(at) +
                     "] is another number");
          bytes = with_payload(std::move(bytes), header, begin);
          ++cases;
          std::unique_ptr<Optimizer> loaded;
          if (!succeeds([&] {
                loaded = Optimizer::load(ContainerReader::open_buffer(
                                             bytes.data(), static_cast<int64_t>(bytes.size()), "vtemper.checkpoint"),
                                         data);
              })) {
            continue;
          }
          ++loaded_ones;
          take_steps(*loaded, data, 2, refused_steps);
        }
      }
    }
  }
  test::end_cases();
  std::printf(
      "%lld checkpoints with right hashes and another number: %lld could be loaded and were used, %lld of "
      "those refused a step\n",
      static_cast<long long>(cases), static_cast<long long>(loaded_ones), static_cast<long long>(refused_steps));
  assert_true(failures == 0 && cases > 0);
  if (all_kinds()) assert_true(cases > 1000);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_transactions),
      cmocka_unit_test(hostile_contents_do_no_harm),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
