#include "models/named_arrays.h"

#include <cmath>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

void read_array(const ConstNamedArray& array, const Sink& sink) {
  const std::vector<int64_t>& shape = array.quantity.shape;
  const int64_t columns = shape.size() > 1 ? shape[1] : 1;
  for (int64_t i = 0; i < array.quantity.size(); ++i) {
    sink(i / columns, i % columns) = array.values->data()[i];
  }
}

void write_array(const NamedArray& array, double least, double most, const double* in) {
  for (int64_t i = 0; i < array.quantity.size(); ++i) {
    if (in[i] >= least && in[i] <= most) continue;
    throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of ", array.quantity.name, " is ", in[i],
                                             "; it must lie between ", least, " and ", most));
  }
  std::copy_n(in, array.quantity.size(), array.values->begin());
}

void list_arrays(const ConstNamedArrays& arrays, std::vector<Quantity>& list) {
  for (const ConstNamedArray& array : arrays) {
    if (array.quantity.settable) list.push_back(array.quantity);
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
      throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " holds ", array.quantity.name,
                                                 " of another size than its options say, or with numbers that are "
                                                 "not finite and positive"));
    }
    array.values->resize(values.size());
    std::copy(values.begin(), values.end(), array.values->begin());
  }
}

}  // namespace vtemper
