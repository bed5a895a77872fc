#pragma once
// Whether the ranks of a group have the same model.

#include <cstdint>
#include <vector>

#include "group/group.h"
#include "models/model.h"

namespace vtemper {

/// Hash of everything that a file of the model holds.
uint64_t hash_of(const Model& model);

/// Throws the same Error on all ranks if their models, or other values that must be the same, differ. Parameters that
/// are divided over the ranks are not compared. `call`: the public function that all ranks are in. Collective.
void require_same_model(Group& group, const char* call, const Model& model, std::vector<Group::Shared> others);

}  // namespace vtemper
