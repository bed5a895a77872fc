#include "models/named_arrays.h"

#include <cmath>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

void append_arrays(const ConstNamedArrays& arrays, ParameterTable& table) {
  for (const ConstNamedArray& array : arrays) {
    if (!array.quantity.settable) continue;
    table.push_back({array.quantity, [values = array.values->data()](int64_t i) { return values[i]; }});
  }
}

void write_array(const NamedArrays& arrays, std::string_view name, double least, double most, const double* in) {
  for (const auto& [quantity, values] : arrays) {
    if (!quantity.settable || name != quantity.name) continue;
    for (int64_t i = 0; i < quantity.size(); ++i) {
      if (in[i] >= least && in[i] <= most) continue;
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of ", name, " is ", in[i], "; it must lie between ",
                                              least, " and ", most));
    }
    std::copy_n(in, quantity.size(), values->begin());
  }
}

std::vector<double> stored_numbers(const ContainerReader& reader, const char* name, int64_t count) {
  std::vector<double> values = reader.doubles(name);
  const bool finite = std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  if (finite && static_cast<int64_t>(values.size()) == count) return values;
  throw Error(VTEMPER_ERROR_FORMAT,
              message(reader.name(), " holds ", name,
                      finite ? " whose size does not match its options" : " with numbers that are not finite"));
}

void save_arrays(const ConstNamedArrays& arrays, ContainerWriter& writer) {
  for (const ConstNamedArray& array : arrays) {
    writer.keep(array.quantity.name, std::vector<double>(array.values->begin(), array.values->end()));
  }
}

void load_arrays(const NamedArrays& arrays, const ContainerReader& reader) {
  for (const auto& [quantity, array] : arrays) {
    const std::vector<double> values = stored_numbers(reader, quantity.name, quantity.size());
    if (!std::all_of(values.begin(), values.end(), [](double x) { return x > 0; })) {
      throw Error(VTEMPER_ERROR_FORMAT,
                  message(reader.name(), " holds ", quantity.name, " with numbers that are not positive"));
    }
    array->resize(values.size());
    std::copy(values.begin(), values.end(), array->begin());
  }
}

}  // namespace vtemper
