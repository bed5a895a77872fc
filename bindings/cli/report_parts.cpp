#include "report_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "corpus.h"
#include "failure.h"
#include "parameter.h"

nlohmann::json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  const double near = std::strtod(text, nullptr);
  if (near == std::floor(near) && std::fabs(near) < 1e15) return static_cast<int64_t>(near);
  return near;
}

std::vector<double> parameter_of(const vtemper_model* model, const std::string& name, int64_t shape[2]) {
  vtemper_quantity info;
  if (!parameter_find(model, name.c_str(), &info)) return {};
  shape[0] = info.shape[0];
  shape[1] = info.shape[1];
  int64_t length = 1;
  for (const int64_t size : info.shape) length *= size;
  std::vector<double> values(static_cast<size_t>(length));
  check(vtemper_model_get(model, name.c_str(), values.data(), length));
  return values;
}

std::vector<double> inferred_of(const vtemper_model* model, const vtemper_data* data, const std::string& quantity,
                                int64_t shape[2]) {
  vtemper_quantity info = {};
  info.struct_size = sizeof info;
  int32_t count;
  check(vtemper_model_infer_count(model, data, &count));
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_infer_info(model, data, i, &info));
    if (quantity != info.name) continue;
    shape[0] = info.shape[0];
    shape[1] = info.shape[1];
    std::vector<double> values(static_cast<size_t>(shape[0] * shape[1]));
    check(vtemper_model_infer(model, data, info.name, nullptr, values.data(), shape[0] * shape[1]));
    return values;
  }
  return {};
}

std::string column_name(const vtemper_model* model, int64_t column) {
  const char* name;
  check(vtemper_model_name(model, column, &name));
  return *name != '\0' ? name : "column " + std::to_string(column);
}

vtemper_data* spread_rows(const vtemper_data* data, int64_t most, std::vector<int64_t>& rows) {
  const int64_t all = corpus_rows(data), count = std::min(all, most);
  rows.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    rows[static_cast<size_t>(i)] =
        static_cast<int64_t>(static_cast<double>(i) * static_cast<double>(all) / static_cast<double>(count));
  }
  vtemper_data* selected;
  check(vtemper_data_select(data, rows.data(), count, &selected));
  return selected;
}
