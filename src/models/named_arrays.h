#pragma once
// The arrays of a model, each declared once: for reading and setting parameters, and for its file.

#include <vector>

#include "models/parameter_table.h"
#include "support/array.h"

namespace vtemper {

/// Numbers: Array<double>, const if the model is only read.
template <class Numbers>
struct NamedArrayOf {
  Quantity quantity;  ///< settable: a parameter of the model; otherwise only in its file
  Numbers* values;    ///< positive numbers
};
using NamedArray = NamedArrayOf<Array<double>>;
using NamedArrays = std::vector<NamedArray>;
using ConstNamedArray = NamedArrayOf<const Array<double>>;
using ConstNamedArrays = std::vector<ConstNamedArray>;
/// The arrays of a model, which is only read if `Model` is const.
template <class Model>
using NamedArraysOf = std::conditional_t<std::is_const_v<Model>, ConstNamedArrays, NamedArrays>;

/// Appends the settable arrays, which users read unchanged. They must outlive the table.
void append_arrays(const ConstNamedArrays& arrays, ParameterTable& table);
/// Sets the array of that name. Error(DATA) for the first number outside [least, most]; nothing is then changed.
void write_array(const NamedArrays& arrays, std::string_view name, double least, double most, const double* in);

/// Finite numbers of a model's file. Error(FORMAT) if there are not `count` of them, or one is not finite.
std::vector<double> stored_numbers(const ContainerReader& reader, const char* name, int64_t count);

void save_arrays(const ConstNamedArrays& arrays, ContainerWriter& writer);
/// Reads arrays of the declared shapes. Error(FORMAT) as above, and for numbers that are not positive.
void load_arrays(const NamedArrays& arrays, const ContainerReader& reader);

/// Base of models M whose state is the arrays M::arrays_of(model), besides their columns. M::refresh() is called
/// after they changed. `Base` is the interface of M.
template <class M, class Base>
class ModelOfArrays : public Base {
 public:
  using Base::Base;
  void write_parameter(std::string_view name, const double* in) override {
    M& model = static_cast<M&>(*this);
    write_array(M::arrays_of(model), name, 1e-8, 1e15, in);
    model.refresh();
  }
  void save(ContainerWriter& writer) const override {
    save_arrays(M::arrays_of(static_cast<const M&>(*this)), writer);
    this->save_columns(writer);
  }
  void load(const ContainerReader& reader) override {
    M next(this->options_);
    next.columns_ = stored_columns(reader);
    load_arrays(M::arrays_of(next), reader);
    next.refresh();
    next.names_ = load_names(reader, next.columns_);
    static_cast<M&>(*this) = std::move(next);
  }
};

}  // namespace vtemper
