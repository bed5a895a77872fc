#pragma once
// The model kinds for calls that cannot fail: model_kinds() allocates on first use.

#include "models/model.h"

namespace vtemper {

extern const ModelKind* const model_kinds_list[];  ///< terminated by NULL

/// Kind `index`; NULL if out of range.
inline const ModelKind* listed_kind(int32_t index) {
  for (int32_t i = 0; model_kinds_list[i] != nullptr; ++i) {
    if (i == index) return model_kinds_list[i];
  }
  return nullptr;
}

}  // namespace vtemper
