// Introspection: model kinds, options by subject, and shapes of named arrays.

#include "api/guard.h"
#include "api/structs.h"
#include "evaluation/evaluate.h"
#include "inference/optimizer.h"
#include "models/kind_list.h"

namespace vtemper::api {
namespace {

OptionTable options_of(std::string_view subject) {
  if (subject == "optimizer") return optimizer_options();
  if (subject == "evaluate") return evaluate_options();
  std::vector<std::string> subjects = {"optimizer", "evaluate"};
  for (const ModelKind* kind : model_kinds()) {
    if (subject == kind->name) return kind->options();
    subjects.emplace_back(kind->name);
  }
  throw Error(VTEMPER_ERROR_ARGUMENT,
              message("argument subject is '", subject, "'; it must be a model kind, optimizer or evaluate",
                      nearest_names(subject, subjects)));
}

vtemper_option describe(const OptionEntry& entry) {
  vtemper_option info{};
  info.type = entry.type;
  info.name = entry.name;
  info.default_text = entry.default_text;
  info.minimum = entry.minimum;
  info.maximum = entry.maximum;
  info.choices = entry.choices == nullptr ? "" : entry.choices;
  info.description = entry.description;
  return info;
}

}  // namespace

vtemper_quantity describe(const Quantity& quantity) {
  vtemper_quantity info{};
  info.name = quantity.name;
  info.rank = static_cast<int32_t>(quantity.shape.size());
  info.settable = quantity.settable ? 1 : 0;
  for (size_t i = 0; i < 4; ++i) info.shape[i] = i < quantity.shape.size() ? quantity.shape[i] : 1;
  info.description = quantity.description;
  return info;
}

}  // namespace vtemper::api

using namespace vtemper::api;

int32_t vtemper_model_kind_count(void) {
  int32_t count = 0;
  while (vtemper::listed_kind(count) != nullptr) ++count;
  return count;
}

const char* vtemper_model_kind_name(int32_t index) {
  const vtemper::ModelKind* kind = vtemper::listed_kind(index);
  return kind == nullptr ? nullptr : kind->name;
}

const char* vtemper_model_kind_description(int32_t index) {
  const vtemper::ModelKind* kind = vtemper::listed_kind(index);
  return kind == nullptr ? nullptr : kind->description;
}

vtemper_status vtemper_model_kind_form(const char* kind, vtemper_data_form* form) {
  return guard([&] {
    const vtemper::ModelKind& known = vtemper::model_kind(text_argument(kind, "kind"));
    require(form, "form");
    *form = known.form;
  });
}

vtemper_status vtemper_option_count(const char* subject, int32_t* count) {
  return guard([&] {
    const std::string_view name = text_argument(subject, "subject");
    require(count, "count");
    *count = static_cast<int32_t>(options_of(name).size());
  });
}

vtemper_status vtemper_option_info(const char* subject, int32_t index, vtemper_option* info) {
  return guard([&] {
    const std::string_view name = text_argument(subject, "subject");
    require_struct(info, "info");
    const vtemper::OptionTable table = options_of(name);
    require_index(index, static_cast<int64_t>(table.size()), "index");
    write_struct(describe(table[static_cast<size_t>(index)]), info);
  });
}
