#include "models/model.h"

#include "models/conjugate_model.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

const ModelKind& model_kind(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelKind* kind : model_kinds()) {
    if (name == kind->name) return *kind;
    names.push_back(kind->name);
  }
  std::string all;
  for (const std::string& known : names) all += (all.empty() ? "" : ", ") + known;
  throw Error(VTEMPER_ERROR_ARGUMENT,
              sentence("there is no model kind \"", name, "\"; the kinds are ", all, nearest_names(name, names)));
}

void save_model(const ConjugateModel& model, ContainerWriter& writer) {
  writer.text("kind", model.kind().name);
  for (const auto& [name, text] : model.options().all()) writer.text("option." + name, text);
  model.save(writer);
}

std::unique_ptr<ConjugateModel> load_model(const ContainerReader& reader) {
  const std::string prefix = "option.";
  Options options;
  for (const auto& [name, text] : reader.texts()) {
    if (name.compare(0, prefix.size(), prefix) == 0) options.set(name.substr(prefix.size()), text);
  }
  try {
    const ModelKind& kind = model_kind(reader.text("kind"));
    std::unique_ptr<ConjugateModel> model = kind.create(OptionValues(kind.options(), options, kind.name));
    model->load(reader);
    return model;
  } catch (const Error& error) {
    if (error.status() == VTEMPER_ERROR_FORMAT) throw;
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " is not a usable model file: ", error.what()));
  }
}

}  // namespace vtemper
