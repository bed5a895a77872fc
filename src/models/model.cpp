#include "models/model.h"

#include <algorithm>

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

void check_data(const Model& model, const Data& data) {
  data.require_whole();
  model.check(data);
}

void save_names(const Names* names, ContainerWriter& writer) {
  if (names == nullptr) return;
  std::string bytes;
  for (const std::string& name : *names) bytes += name + '\0';
  writer.keep("names", bytes);
}

std::shared_ptr<const Names> load_names(const ContainerReader& reader, int64_t columns) {
  if (!reader.has_tensor("names")) return nullptr;
  const Tensor& bytes = reader.tensor("names", Element::u8, 1);
  auto names = std::make_shared<Names>();
  const char* text = static_cast<const char*>(bytes.data);
  for (const char* end = text + bytes.bytes(); text < end;) {
    const char* zero = std::find(text, end, '\0');
    if (zero == end) break;
    names->emplace_back(text, zero);
    text = zero + 1;
  }
  if (static_cast<int64_t>(names->size()) != columns) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " names ", static_cast<int64_t>(names->size()),
                                               " words for ", columns, " columns"));
  }
  return names;
}

void save_model(const Model& model, ContainerWriter& writer) {
  writer.text("kind", model.kind().name);
  for (const auto& [name, text] : model.options().all()) writer.text("option." + name, text);
  model.save(writer);
}

void Model::check_stored(const ContainerReader& reader) const {
  load_model(reader);
}

void check_saved_model(const Model& model, const ContainerWriter& writer) {
  try {
    model.check_stored(writer.view("the model"));
  } catch (const Error& error) {
    throw Error(VTEMPER_ERROR_NUMERIC, sentence("nothing is saved that could not be loaded: ", error.what()));
  }
}

std::unique_ptr<Model> load_model(const ContainerReader& reader) {
  const std::string prefix = "option.";
  Options options;
  for (const auto& [name, text] : reader.texts()) {
    if (name.compare(0, prefix.size(), prefix) == 0) options.set(name.substr(prefix.size()), text);
  }
  try {
    const ModelKind& kind = model_kind(reader.text("kind"));
    std::unique_ptr<Model> model = kind.create(OptionValues(kind.options(), options, kind.name));
    model->load(reader);
    return model;
  } catch (const Error& error) {
    if (error.status() == VTEMPER_ERROR_FORMAT) throw;
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " is not a usable model file: ", error.what()));
  }
}

void check_names(const std::shared_ptr<const Names>& model, const std::shared_ptr<const Names>& data) {
  if (!model || !data || model == data) return;
  const auto [mine, other] = std::mismatch(model->begin(), model->end(), data->begin(), data->end());
  if (mine == model->end()) return;
  throw Error(
      VTEMPER_ERROR_DATA,
      sentence("column ", static_cast<int64_t>(mine - model->begin()), " is \"", *other, "\" in the data and \"",
               *mine, "\" in the model; vtemper_data_align brings the columns into the model's order"));
}

}  // namespace vtemper
