#pragma once
// Selection of the instruction set: the best that the processor and its operating system support, or the one named by
// the environment variable VTEMPER_SIMD (ignored if unavailable). Selected once.

#include <string>
#include <type_traits>
#include <vector>

#include "kernels/table.h"

namespace vtemper::kernels {

const InstructionSet& instruction_set();

/// Compiled-in sets that this machine can run, best first.
std::vector<const InstructionSet*> available_instruction_sets();

/// The functions over Real of an instruction set, or of a model's kernels.
template <class Real, class Both>
const auto& table(const Both& both) {
  if constexpr (std::is_same_v<Real, float>) {
    return both.single_precision;
  } else {
    return both.double_precision;
  }
}

/// The functions over Real of the selected set.
template <class Real>
const Table<Real>& table() {
  return table<Real>(instruction_set());
}

/// The entry of a model in a set, which has all models with kernels.
const void* find_model_kernels(const InstructionSet& set, const char* model);

/// The kernels of a model in a set; `Kernels` is the type that the model's kernels.h declares.
template <class Kernels>
const Kernels& model_kernels(const InstructionSet& set) {
  return *static_cast<const Kernels*>(find_model_kernels(set, Kernels::model));
}

/// As above, in the selected set.
template <class Kernels>
const Kernels& model_kernels() {
  static const Kernels& found = model_kernels<Kernels>(instruction_set());
  return found;
}

}  // namespace vtemper::kernels
