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
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of ", name, " is ", in[i], "; it must lie between ",
                                               least, " and ", most));
    }
    std::copy_n(in, quantity.size(), values->begin());
  }
}

void save_arrays(const ConstNamedArrays& arrays, ContainerWriter& writer) {
  for (const ConstNamedArray& array : arrays) {
    writer.keep(array.quantity.name, std::vector<double>(array.values->begin(), array.values->end()));
  }
}

void load_arrays(const NamedArrays& arrays, const ContainerReader& reader) {
  for (const NamedArray& array : arrays) {
    const std::vector<double> values = reader.doubles(array.quantity.name);
    const bool usable = std::all_of(values.begin(), values.end(), [](double x) { return x > 0 && std::isfinite(x); });
    if (!usable || static_cast<int64_t>(values.size()) != array.quantity.size()) {
      throw Error(VTEMPER_ERROR_FORMAT,
                  sentence(reader.name(), " holds ", array.quantity.name,
                           " whose size does not match its options, or whose numbers are not finite and positive"));
    }
    array.values->resize(values.size());
    std::copy(values.begin(), values.end(), array.values->begin());
  }
}

}  // namespace vtemper
