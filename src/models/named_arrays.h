#pragma once
// The arrays of a model, each declared once: for reading and setting parameters, and for its file.

#include <vector>

#include "models/parameter_table.h"
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

/// Appends the settable ones, which users read as they are. They must outlive the table.
void append_arrays(const ConstNamedArrays& arrays, ParameterTable& table);
/// Sets the array of that name. Error(DATA) for the first number outside [least, most]; nothing is changed then.
void write_array(const NamedArrays& arrays, std::string_view name, double least, double most, const double* in);

/// Finite numbers of a model's file. Error(FORMAT) if there are not `count` of them, or one is not finite.
std::vector<double> stored_numbers(const ContainerReader& reader, const char* name, int64_t count);

void save_arrays(const ConstNamedArrays& arrays, ContainerWriter& writer);
/// Reads arrays of the declared shapes. Error(FORMAT) as above, and for numbers that are not positive.
void load_arrays(const NamedArrays& arrays, const ContainerReader& reader);

}  // namespace vtemper
