#include "inference/same_model.h"

#include "kernels/dispatch.h"
#include "models/conjugate_model.h"
#include "support/text.h"

namespace vtemper {

uint64_t hash_of(const Model& model) {
  ContainerWriter writer("vtemper.model");
  save_model(model, writer);
  return writer.hash();
}

void require_same_model(Group& group, const char* call, const Model& model, std::vector<Group::Shared> others) {
  std::vector<Group::Shared> shared = {{"the version of vtemper", number_text(int64_t{VTEMPER_VERSION_NUMBER})},
                                       {"the instruction set", kernels::instruction_set().name},
                                       {"the kind of the model", model.kind().name},
                                       {"whether the model is initialised", model.initialized() ? "true" : "false"}};
  shared.insert(shared.end(), others.begin(), others.end());
  group.require_equal({call, 0}, VTEMPER_ERROR_OPTION, shared);
  // Which options there are depends on the kind.
  shared.clear();
  for (const auto& [name, text] : model.options().all()) shared.push_back({"option " + name + " of the model", text});
  const bool divided = divided_table_of(model) != nullptr;
  shared.push_back({"whether the model is divided over ranks", divided ? "true" : "false"});
  if (model.initialized() && !divided) {
    shared.push_back({"the hash of the model's parameters", number_text(hash_of(model))});
  }
  group.require_equal({call, 1}, VTEMPER_ERROR_OPTION, shared);
}

}  // namespace vtemper
