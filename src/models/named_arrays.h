#pragma once
// The arrays of a model, each declared once: for reading and setting parameters, and for its file.

#include <vector>

#include "models/model.h"
#include "support/array.h"

namespace vtemper {

/// Numbers: Array<double>, or const where the model is only read.
template <class Numbers>
struct NamedArrayOf {
  Quantity quantity;  ///< settable: a parameter of the model; otherwise only in its file
  Numbers* values;    ///< positive numbers
};
using NamedArray = NamedArrayOf<Array<double>>;
using NamedArrays = std::vector<NamedArray>;
using ConstNamedArray = NamedArrayOf<const Array<double>>;
using ConstNamedArrays = std::vector<ConstNamedArray>;

/// The array of a parameter that is set and saved directly; NULL if there is none of that name.
template <class Numbers>
const NamedArrayOf<Numbers>* find_array(const std::vector<NamedArrayOf<Numbers>>& arrays, std::string_view name) {
  for (const NamedArrayOf<Numbers>& array : arrays) {
    if (array.quantity.settable && name == array.quantity.name) return &array;
  }
  return nullptr;
}
void read_array(const ConstNamedArray& array, const Sink& sink);
/// Error(DATA) for the first number outside [least, most]; nothing is changed then.
void write_array(const NamedArray& array, double least, double most, const double* in);

/// Appends the settable ones to `list`.
void list_arrays(const ConstNamedArrays& arrays, std::vector<Quantity>& list);
void save_arrays(const ConstNamedArrays& arrays, ContainerWriter& writer);
/// Reads arrays of the declared shapes. Error(FORMAT) if sizes differ or values are not finite and positive.
void load_arrays(const NamedArrays& arrays, const ContainerReader& reader);

}  // namespace vtemper
