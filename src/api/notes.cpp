// Notes: texts stored with a model.

#include <iterator>

#include "api/guard.h"
#include "api/handles.h"
#include "inference/ending.h"

namespace vtemper::api {

const std::map<std::string, std::string, std::less<>>& notes_of(SharedModel& shared) {
  static constexpr const char* name = "ending";
  const std::lock_guard<std::mutex> lock(shared.notes_mutex);
  if (shared.report_is_new) {
    std::string text = unsettled_message(shared.last_report);
    if (text.empty()) {
      shared.notes.erase(name);
    } else {
      shared.notes[name].swap(text);
    }
    shared.report_is_new = false;
  }
  return shared.notes;
}

}  // namespace vtemper::api

using namespace vtemper::api;

vtemper_status vtemper_model_set_note(vtemper_model* model, const char* name, const char* text) {
  return guard([&] {
    SharedModel& shared = *require_handle(model, "model").shared;
    const std::string_view key = name_argument(name, "name");
    require_idle(shared, "given a note");
    notes_of(shared);
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
    const auto& notes = notes_of(*require_handle(model, "model").shared);
    const std::string_view key = name_argument(name, "name");
    require(text, "text");
    const auto found = notes.find(key);
    *text = found == notes.end() ? "" : found->second.c_str();
  });
}

vtemper_status vtemper_model_note_count(const vtemper_model* model, int32_t* count) {
  return guard([&] {
    const auto& notes = notes_of(*require_handle(model, "model").shared);
    require(count, "count");
    *count = static_cast<int32_t>(notes.size());
  });
}

vtemper_status vtemper_model_note_name(const vtemper_model* model, int32_t index, const char** name) {
  return guard([&] {
    const auto& notes = notes_of(*require_handle(model, "model").shared);
    require(name, "name");
    *name = key_at(notes, index);
  });
}
