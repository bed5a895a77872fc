// Texts attached to data: labels of rows, and notes about the whole.

#include "api/guard.h"
#include "api/handles.h"

using namespace vtemper::api;
using vtemper::Error;
using vtemper::message;

namespace {

std::string field_argument(const char* field) {
  const std::string_view name = name_argument(field, "field");
  if (!vtemper::is_field_name(name)) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument field is ", vtemper::quoted(name),
                                                "; it must be 1 to 64 of a-z, 0-9 and underscore"));
  }
  return std::string(name);
}

}  // namespace

vtemper_status vtemper_data_set_row_texts(vtemper_data* data, const char* field, const char* const* texts,
                                          int64_t count) {
  return guard([&] {
    vtemper::Data& held = idle_data(data, "given texts of its rows");
    const std::string name = field_argument(field);
    if (texts == nullptr && count == 0) {
      held.row_texts.erase(name);
      return;
    }
    require_array(texts, "texts", count, "count");
    if (count != held.rows()) {
      throw Error(VTEMPER_ERROR_ARGUMENT,
                  message(vtemper::there_are(count, "text"), " for ", vtemper::counted(held.rows(), "row")));
    }
    held.row_texts[name] = vtemper::RowTexts(texts_argument(texts, count, "texts"), name);
  });
}

vtemper_status vtemper_data_row_text(const vtemper_data* data, const char* field, int64_t row, const char** text) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    const std::string_view name = name_argument(field, "field");
    require(text, "text");
    require_index(row, held.rows(), "row");
    const auto found = held.row_texts.find(name);
    *text = found == held.row_texts.end() ? "" : found->second.at(row);
  });
}

vtemper_status vtemper_data_row_field_count(const vtemper_data* data, int32_t* count) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(count, "count");
    *count = static_cast<int32_t>(held.row_texts.size());
  });
}

vtemper_status vtemper_data_row_field_name(const vtemper_data* data, int32_t index, const char** field) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(field, "field");
    *field = key_at(held.row_texts, index);
  });
}

vtemper_status vtemper_data_set_note(vtemper_data* data, const char* name, const char* text) {
  return guard([&] {
    vtemper::Data& held = idle_data(data, "given a note");
    const std::string key(name_argument(name, "name"));
    if (text == nullptr) {
      held.notes.erase(key);
      return;
    }
    std::string value(text_argument(text, "text"));
    held.notes[key].swap(value);
  });
}

vtemper_status vtemper_data_note(const vtemper_data* data, const char* name, const char** text) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    const std::string_view key = name_argument(name, "name");
    require(text, "text");
    const auto found = held.notes.find(key);
    *text = found == held.notes.end() ? "" : found->second.c_str();
  });
}

vtemper_status vtemper_data_note_count(const vtemper_data* data, int32_t* count) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(count, "count");
    *count = static_cast<int32_t>(held.notes.size());
  });
}

vtemper_status vtemper_data_note_name(const vtemper_data* data, int32_t index, const char** name) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(name, "name");
    *name = key_at(held.notes, index);
  });
}
