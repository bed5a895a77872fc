// Notes: texts that travel with a model.

#include <iterator>

#include "api/guard.h"
#include "api/handles.h"

using namespace vtemper::api;

vtemper_status vtemper_model_set_note(vtemper_model* model, const char* name, const char* text) {
  return guard([&] {
    SharedModel& shared = *living(model, "model").shared;
    const std::string_view key = name_argument(name, "name");
    require_idle(shared, "given a note");
    if (text == nullptr) {
      const auto found = shared.notes.find(key);
      if (found != shared.notes.end()) shared.notes.erase(found);
      return;
    }
    std::string value(text_argument(text, "text"));
    shared.notes[std::string(key)].swap(value);
  });
}

vtemper_status vtemper_model_note(const vtemper_model* model, const char* name, const char** text) {
  return guard([&] {
    const SharedModel& shared = *living(model, "model").shared;
    const std::string_view key = name_argument(name, "name");
    require(text, "text");
    const auto found = shared.notes.find(key);
    *text = found == shared.notes.end() ? "" : found->second.c_str();
  });
}

vtemper_status vtemper_model_note_count(const vtemper_model* model, int32_t* count) {
  return guard([&] {
    const SharedModel& shared = *living(model, "model").shared;
    require(count, "count");
    *count = static_cast<int32_t>(shared.notes.size());
  });
}

vtemper_status vtemper_model_note_name(const vtemper_model* model, int32_t index, const char** name) {
  return guard([&] {
    const SharedModel& shared = *living(model, "model").shared;
    require(name, "name");
    require_index(index, static_cast<int64_t>(shared.notes.size()), "index");
    *name = std::next(shared.notes.begin(), index)->first.c_str();
  });
}
