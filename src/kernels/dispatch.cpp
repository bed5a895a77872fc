#include "kernels/dispatch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

extern "C" {
const vtemper::kernels::InstructionSet* vtemper_kernels_scalar();
#ifdef VTEMPER_KERNELS_SSE2
const vtemper::kernels::InstructionSet* vtemper_kernels_sse2();
#endif
#ifdef VTEMPER_KERNELS_AVX2
const vtemper::kernels::InstructionSet* vtemper_kernels_avx2();
#endif
#ifdef VTEMPER_KERNELS_AVX512
const vtemper::kernels::InstructionSet* vtemper_kernels_avx512();
#endif
#ifdef VTEMPER_KERNELS_NEON
const vtemper::kernels::InstructionSet* vtemper_kernels_neon();
#endif
}

namespace vtemper::kernels {
namespace {

const InstructionSet& choose() {
  const std::vector<const InstructionSet*> sets = available_instruction_sets();
  if (const char* const wanted = std::getenv("VTEMPER_SIMD")) {
    const std::string name(wanted);
    for (const InstructionSet* set : sets) {
      if (name == set->name) return *set;
    }
  }
  return *sets.front();
}

}  // namespace

// The compiler's own detection also checks that the operating system saves the registers.
std::vector<const InstructionSet*> available_instruction_sets() {
  std::vector<const InstructionSet*> sets;
#ifdef VTEMPER_KERNELS_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma")) {
    sets.push_back(vtemper_kernels_avx512());
  }
#endif
#ifdef VTEMPER_KERNELS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(vtemper_kernels_avx2());
#endif
#ifdef VTEMPER_KERNELS_SSE2
  sets.push_back(vtemper_kernels_sse2());
#endif
#ifdef VTEMPER_KERNELS_NEON
  sets.push_back(vtemper_kernels_neon());
#endif
  sets.push_back(vtemper_kernels_scalar());
  return sets;
}

const InstructionSet& instruction_set() {
  static const InstructionSet& chosen = choose();
  return chosen;
}

const void* find_model_kernels(const InstructionSet& set, const char* model) {
  const ModelKernels* const end = set.models + set.model_count;
  const ModelKernels* const found =
      std::find_if(set.models, end, [model](const ModelKernels& of) { return std::strcmp(of.model, model) == 0; });
  return found == end ? nullptr : found->kernels;
}

}  // namespace vtemper::kernels
