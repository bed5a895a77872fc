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
              message("there is no model kind \"", name, "\"; the kinds are ", all, nearest_names(name, names)));
}

void check_data(const Model& model, const Data& data) {
  model.check(data);
}

std::vector<double> reals_of_each(const OptionValues& options, const char* name, int64_t count, const char* what) {
  std::vector<double> values = options.reals(name);
  const auto given = static_cast<int64_t>(values.size());
  if (given != 1 && given != count) {
    throw Error(VTEMPER_ERROR_OPTION,
                message("option ", name, " has ", given, " values; it must have 1 or as many as ", "there are ", what,
                        " (", count, ")"));
  }
  values.resize(static_cast<size_t>(count), values[0]);
  return values;
}

int64_t stored_columns(const ContainerReader& reader) {
  const auto columns = parse_integer(reader.text("columns"));
  if (columns && *columns >= 1 && *columns <= max_columns) return *columns;
  throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds an invalid number of columns"));
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
    throw Error(VTEMPER_ERROR_FORMAT,
                message(reader.name(), " has ", counted(static_cast<int64_t>(names->size()), "name"), " for ",
                        counted(columns, "column")));
  }
  return names;
}

namespace {

constexpr std::string_view option_prefix = "option.";
/// Values that data or a fit chose for options that are "auto", unless an array of the model determines them.
constexpr std::string_view choice_prefix = "chosen.";

/// The texts of the file whose names begin with the prefix, without those rejected by `keep`.
template <class Keep>
Options texts_of(const ContainerReader& reader, std::string_view prefix, const Keep& keep) {
  Options options;
  for (const auto& [name, text] : reader.texts()) {
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    const std::string option = name.substr(prefix.size());
    if (keep(option, text)) options.set(option, text);
  }
  return options;
}

const OptionEntry* find_option(const OptionTable& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return name == entry.name; });
  return found == table.end() ? nullptr : &*found;
}

/// Checkpoints hold a model, too. What has not been written yet has no format.
bool is_checkpoint(const ContainerReader& reader) {
  return reader.has_text("format") && reader.text("format") == "vtemper.checkpoint";
}

}  // namespace

Options Model::used_options() const {
  if (!initialized()) return options_.in_use();
  OptionValues used = options_;
  report_used(used);
  return used.in_use();
}

void Model::require_initialized() const {
  if (!initialized()) throw Error(VTEMPER_ERROR_STATE, "the model is not initialised: it has seen no data yet");
}

void Model::save_columns(ContainerWriter& writer) const {
  writer.text("columns", number_text(columns_));
  save_names(names_.get(), writer);
}

void save_model(const Model& model, ContainerWriter& writer) {
  writer.text("kind", model.kind().name);
  const OptionValues& options = model.options();
  for (const auto& [name, text] : options.all()) writer.text(std::string(option_prefix) + name, text);
  for (const OptionEntry& entry : model.kind().options()) {
    if (entry.rule != nullptr || !options.is_auto(entry.name) || options.used(entry.name) == "auto") continue;
    writer.text(std::string(choice_prefix) + entry.name, options.used(entry.name));
  }
  model.save(writer);
}

void Model::check_stored(const ContainerReader& reader) const {
  load_model(reader);
}

void check_saved_model(const Model& model, const ContainerWriter& writer) {
  try {
    model.check_stored(writer.view("the model"));
  } catch (const Error& error) {
    if (error.status() == VTEMPER_ERROR_IO) throw;  // topics in a file that was truncated
    throw Error(VTEMPER_ERROR_NUMERIC,
                message("the model could not be loaded again, so it is not saved: ", error.what()));
  }
}

const ModelKind& stored_kind(const ContainerReader& reader) {
  const std::string& name = reader.text("kind");
  for (const ModelKind* kind : model_kinds()) {
    if (name == kind->name) return *kind;
  }
  throw Error(
      VTEMPER_ERROR_FORMAT,
      message(reader.name(), is_checkpoint(reader) ? " is a checkpoint of a model" : " is a model", " of kind ",
              quoted(name), ", which this library does not know; the version that wrote it reads it"));
}

std::unique_ptr<Model> load_model(const ContainerReader& reader, const std::function<void(Model&)>& prepare) {
  try {
    const ModelKind& kind = stored_kind(reader);
    const OptionTable table = kind.options();
    // Files written before an option had a specific default have "auto" for it, which is ignored.
    const Options options = texts_of(reader, option_prefix, [&](const std::string& name, const std::string& text) {
      const OptionEntry* entry = find_option(table, name);
      return text != "auto" || entry == nullptr || entry->default_text == text;
    });
    OptionValues values(table, options, kind.name);
    const Options choices = texts_of(reader, choice_prefix, [](const auto&, const auto&) { return true; });
    const OptionValues checked(table, choices, kind.name);
    for (const auto& [name, text] : choices.all()) {
      if (find_option(table, name)->rule == nullptr) values.use_by_default(name, text);
    }
    std::unique_ptr<Model> model = kind.create(values);
    if (prepare) prepare(*model);
    model->load(reader);
    return model;
  } catch (const Error& error) {
    // IO: the file is good, but the folder of its option parameters_folder is not.
    if (error.status() == VTEMPER_ERROR_FORMAT || error.status() == VTEMPER_ERROR_IO) throw;
    throw Error(VTEMPER_ERROR_FORMAT,
                message(reader.name(), " is not a usable ", is_checkpoint(reader) ? "checkpoint" : "model file", ": ",
                        error.what()));
  }
}

void check_names(const std::shared_ptr<const Names>& model, const std::shared_ptr<const Names>& data,
                 const char* advice) {
  if (!model || !data || model == data) return;
  const auto [mine, other] = std::mismatch(model->begin(), model->end(), data->begin(), data->end());
  if (mine == model->end()) return;
  throw Error(VTEMPER_ERROR_DATA, message("column ", static_cast<int64_t>(mine - model->begin()), " is \"", *other,
                                          "\" in the data and \"", *mine, "\" in the model; ", advice));
}

}  // namespace vtemper
