#pragma once
// Files of models whose table is divided over the ranks of a group: all ranks take part, and rank 0 writes.

#include <string>

#include "group/group.h"
#include "models/conjugate_model.h"

namespace vtemper::api {

/// Calls write(model). If the table of the model is divided, it is gathered in a temporary file beside `path` and
/// write is called with the whole model on rank 0; the call is then collective, and an error on one rank is an error
/// on all.
template <class Write>
void write_whole(const Model& model, const std::string& path, const Write& write) {
  const DividedTable* const table = divided_table_of(model);
  if (table == nullptr) return write(model);
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const std::unique_ptr<Model> whole = model.conjugate()->gathered(folder);
  table->group()->run_locally({"writing the model", model.columns()}, [&] {
    if (whole) write(*whole);
    return Group::Told{};
  });
}

}  // namespace vtemper::api
