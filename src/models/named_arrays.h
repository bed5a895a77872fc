#pragma once
// The arrays that a model consists of, once each: what users read and set, and what its file holds.

#include <vector>

#include "models/model.h"
#include "support/array.h"

namespace vtemper {

struct NamedArray {
  Quantity quantity;      ///< settable: a parameter of the model; else in its file only
  Array<double>* values;  ///< positive numbers
};
using NamedArrays = std::vector<NamedArray>;

/// Parameters that are set and saved as they are; NULL for names of others.
const NamedArray* find_array(const NamedArrays& arrays, std::string_view name);
void read_array(const NamedArray& array, const Sink& sink);
/// Error(DATA) for the first number outside [least, most]; nothing is set then.
void write_array(const NamedArray& array, double least, double most, const double* in);

/// Appends the settable ones to `list`.
void list_arrays(const NamedArrays& arrays, std::vector<Quantity>& list);
void save_arrays(const NamedArrays& arrays, ContainerWriter& writer);
/// Into arrays of the sizes that their shapes say. Error(FORMAT) where the file's have other sizes or hold what is
/// not finite and positive.
void load_arrays(const NamedArrays& arrays, const ContainerReader& reader);

}  // namespace vtemper
