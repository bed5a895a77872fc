#pragma once
// The kinds of models for calls that cannot fail: model_kinds() needs memory once.

#include "models/model.h"

namespace vtemper {

extern const ModelKind* const model_kinds_list[];  ///< ends with NULL

/// Kind `index`; NULL where there is none.
inline const ModelKind* listed_kind(int32_t index) {
  for (int32_t i = 0; model_kinds_list[i] != nullptr; ++i) {
    if (i == index) return model_kinds_list[i];
  }
  return nullptr;
}

}  // namespace vtemper
