#pragma once
// Which calls are collective, and how the other ranks learn of a failure on one rank.

#include "api/handles.h"
#include "data/spread.h"
#include "models/conjugate_model.h"

namespace vtemper::api {

// Contents of handles that may be invalid, because one rank may have been given an invalid handle; NULL in that case.

inline const Model* model_of(const vtemper_model* handle) {
  return handle != nullptr && handle->tag ? handle->shared->model.get() : nullptr;
}

inline const Model* model_of(const vtemper_optimizer* handle) {
  return handle != nullptr && handle->tag ? handle->optimizer->model().get() : nullptr;
}

inline const Data* data_of(const vtemper_data* handle) {
  return handle != nullptr && handle->tag ? handle->shared->data.get() : nullptr;
}

/// A call that all ranks make together if the topics of the model are divided over them, or if the data are spread.
/// The other ranks learn of a failure on one rank, also one caused by an invalid handle (Group::propagate_failures).
/// `end` names its final synchronisation. `model` and `data` may be NULL.
template <class Work>
void propagate_failures(const Model* model, const Data* data, const char* end, const Work& work) {
  const DividedTable* const table = model != nullptr ? vtemper::divided_table_of(*model) : nullptr;
  if (table == nullptr) {
    vtemper::propagate_failures(data, end, work);
    return;
  }
  const std::shared_ptr<Group> group = table->group();
  group->propagate_failures([&] {
    work();
    group->run_locally({end, 0}, [] { return Group::Told{}; });
  });
}

}  // namespace vtemper::api
