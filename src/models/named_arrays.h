#pragma once
// The arrays of a model, each declared once: for reading and setting parameters, and for its file.

#include <vector>

#include "models/model.h"
#include "support/array.h"

namespace vtemper {

struct NamedArray {
  Quantity quantity;      ///< settable: a parameter of the model; otherwise only in its file
  Array<double>* values;  ///< positive numbers
};
using NamedArrays = std::vector<NamedArray>;

/// The array of a parameter that is set and saved directly; NULL if there is none of that name.
const NamedArray* find_array(const NamedArrays& arrays, std::string_view name);
void read_array(const NamedArray& array, const Sink& sink);
/// Error(DATA) for the first number outside [least, most]; nothing is changed then.
void write_array(const NamedArray& array, double least, double most, const double* in);

/// Appends the settable ones to `list`.
void list_arrays(const NamedArrays& arrays, std::vector<Quantity>& list);
void save_arrays(const NamedArrays& arrays, ContainerWriter& writer);
/// Reads arrays of the declared shapes. Error(FORMAT) if sizes differ or values are not finite and positive.
void load_arrays(const NamedArrays& arrays, const ContainerReader& reader);

}  // namespace vtemper
