#pragma once
// Selection of the instruction set: the best that the processor and its operating system support, or the one named by
// the environment variable VTEMPER_SIMD (ignored if unavailable). Selected once.

#include <string>
#include <vector>

#include "kernels/table.h"

namespace vtemper::kernels {

const InstructionSet& instruction_set();

/// Compiled-in sets that this machine can run, best first.
std::vector<const InstructionSet*> available_instruction_sets();

template <class Real>
const Table<Real>& table(const InstructionSet& set);
template <>
inline const Table<float>& table<float>(const InstructionSet& set) {
  return set.single_precision;
}
template <>
inline const Table<double>& table<double>(const InstructionSet& set) {
  return set.double_precision;
}

}  // namespace vtemper::kernels
