#include "report_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "corpus.h"
#include "failure.h"
#include "row_labels.h"

using nlohmann::json;

namespace {

std::string base64(const std::vector<uint8_t>& bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    const uint32_t three = (static_cast<uint32_t>(bytes[i]) << 16U) |
                           (left > 1 ? static_cast<uint32_t>(bytes[i + 1]) << 8U : 0U) |
                           (left > 2 ? static_cast<uint32_t>(bytes[i + 2]) : 0U);
    for (unsigned part = 0; part < 4; ++part) {
      out += part > left ? '=' : letters[(three >> (18U - 6U * part)) & 63U];
    }
  }
  return out;
}

/// The smallest and the largest finite value.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(const double* values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if (!std::isfinite(values[i])) continue;
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
  }
  double longest() const { return std::max(std::fabs(low), std::fabs(high)); }
};

/// Values as bytes: from low to high, or centred at 0 if both signs occur.
std::string pixels(const double* values, int64_t count, const Range& range, bool is_signed) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    double level = 0;
    if (is_signed) {
      level = 128 + (range.longest() > 0 ? 127 * values[i] / range.longest() : 0);
    } else {
      level = range.high > range.low ? 255 * (values[i] - range.low) / (range.high - range.low) : 0;
    }
    bytes[static_cast<size_t>(i)] =
        static_cast<uint8_t>(std::lround(std::clamp(std::isfinite(level) ? level : 0, 0., 255.)));
  }
  return base64(bytes);
}

json images_section(const Report& report, const std::string& title, const std::string& note, const Shapes& shapes,
                    int64_t count) {
  const int64_t columns = model_columns(report.model);
  Range range;
  range.take(shapes.values, count * columns);
  if (!shapes.originals.empty()) range.take(shapes.originals.data(), count * columns);
  json items = json::array();
  for (int64_t i = 0; i < count; ++i) {
    json item = {{"caption", shapes.captions[static_cast<size_t>(i)]},
                 {"pixels", pixels(shapes.values + i * columns, columns, range, shapes.is_signed)}};
    if (!shapes.originals.empty())
      item["original"] = pixels(shapes.originals.data() + i * columns, columns, range, shapes.is_signed);
    items.push_back(std::move(item));
  }
  json part = section("images", title, note);
  part["height"] = report.image_height;
  part["width"] = report.image_width;
  part["signed"] = shapes.is_signed;
  part["items"] = std::move(items);
  part["legend"] =
      shapes.is_signed
          ? "Blue above zero, orange below, up to " + rounded(range.longest(), 3).dump() + "."
          : "Black is " + rounded(range.low, 3).dump() + ", white " + rounded(range.high, 3).dump() + ".";
  return part;
}

json profiles_section(const Report& report, const std::string& title, const std::string& note, const Shapes& shapes,
                      int64_t count) {
  const int64_t columns = model_columns(report.model);
  json items = json::array(), names = json::array();
  for (int64_t i = 0; i < count; ++i) {
    json item = {{"caption", shapes.captions[static_cast<size_t>(i)]},
                 {"values", numbers(shapes.values + i * columns, columns, 4)}};
    if (!shapes.spread.empty()) item["spread"] = numbers(shapes.spread.data() + i * columns, columns, 3);
    if (!shapes.originals.empty()) item["original"] = numbers(shapes.originals.data() + i * columns, columns, 4);
    items.push_back(std::move(item));
  }
  for (int64_t j = 0; j < columns; ++j) names.push_back(column_name(report.model, j));
  json part = section("profiles", title, note);
  part["columns"] = std::move(names);
  part["x_label"] = "column";
  part["y_label"] = shapes.is_signed ? "weight" : shapes.originals.empty() ? shapes.unit : "value";
  part["items"] = std::move(items);
  return part;
}

}  // namespace

json section(const char* type, const std::string& title, const std::string& note) {
  return {{"type", type}, {"title", title}, {"note", note}};
}

json numbers(const double* values, int64_t count, int digits) {
  json list = json::array();
  for (int64_t i = 0; i < count; ++i) list.push_back(rounded(values[i], digits));
  return list;
}

std::string percent(double share) {
  return rounded(100 * share, 3).dump() + " %";
}

std::vector<int64_t> by_size(const std::vector<double>& sizes) {
  std::vector<int64_t> order(sizes.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int64_t>(k);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return sizes[static_cast<size_t>(a)] > sizes[static_cast<size_t>(b)];
  });
  return order;
}

std::vector<double> reordered(const std::vector<double>& values, const std::vector<int64_t>& order) {
  const size_t columns = values.size() / std::max<size_t>(order.size(), 1);
  std::vector<double> out;
  for (const int64_t k : order) {
    const auto begin = values.begin() + static_cast<int64_t>(columns) * k;
    out.insert(out.end(), begin, begin + static_cast<int64_t>(columns));
  }
  return out;
}

std::vector<double> values_of_rows(const vtemper_data* data) {
  const int64_t rows = corpus_rows(data), columns = corpus_columns(data);
  std::vector<double> values(static_cast<size_t>(rows * columns));
  int64_t length;
  for (int64_t i = 0; i < rows; ++i)
    check(vtemper_data_row(data, i, nullptr, values.data() + i * columns, columns, &length));
  return values;
}

std::vector<std::string> row_captions(const vtemper_data* data, const std::vector<int64_t>& rows) {
  std::vector<std::string> captions;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name = row_text(data, "name", static_cast<int64_t>(i));
    captions.push_back(name.empty() ? "row " + std::to_string(rows[i]) : name);
  }
  return captions;
}

json shapes_section(const Report& report, const std::string& title, const std::string& note, const Shapes& shapes) {
  const auto count = std::min(static_cast<int64_t>(shapes.captions.size()), max_images);
  return report.image_height > 0 ? images_section(report, title, note, shapes, count)
                                 : profiles_section(report, title, note, shapes, count);
}
