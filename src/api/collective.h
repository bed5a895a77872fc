#pragma once
// Which calls are collective, and how the other ranks hear of what fails on one.

#include "api/handles.h"
#include "data/spread.h"
#include "models/conjugate_model.h"

namespace vtemper::api {

// Of handles that need not be living ones: one rank may have been given such. NULL then.

inline const Model* model_of(const vtemper_model* handle) {
  return handle != nullptr && handle->tag ? handle->shared->model.get() : nullptr;
}

inline const Model* model_of(const vtemper_optimizer* handle) {
  return handle != nullptr && handle->tag ? handle->optimizer->model().get() : nullptr;
}

inline const Data* data_of(const vtemper_data* handle) {
  return handle != nullptr && handle->tag ? handle->shared->data.get() : nullptr;
}

/// A call that all ranks make together where the topics of the model are divided over them, or else where the data
/// are spread: what fails on one of them, other handles included, the others hear of (Group::telling). `end` names
/// its last meeting. Either may be NULL.
template <class Work>
void telling(const Model* model, const Data* data, const char* end, const Work& work) {
  const ConjugateModel* const conjugate = model != nullptr ? model->conjugate() : nullptr;
  const DividedTable* const table = conjugate != nullptr ? conjugate->divided_table() : nullptr;
  if (table == nullptr) {
    vtemper::telling(data, end, work);
    return;
  }
  const std::shared_ptr<Group> group = table->group();
  group->telling([&] {
    work();
    group->apart({end, 0}, [] { return Group::Told{}; });
  });
}

}  // namespace vtemper::api
