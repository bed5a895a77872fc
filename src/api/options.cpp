// Sets of option names and values. Names are validated where a set is used, not here.

#include "support/options.h"

#include <cmath>

#include "api/guard.h"
#include "api/handles.h"

namespace vtemper::api {
namespace {

void set(vtemper_options* options, const char* name, const std::string& text) {
  vtemper_options& handle = require_handle(options, "options");
  handle.set.set(std::string(name_argument(name, "name")), text);
}

std::string finite_text(double value, const char* argument) {
  if (!std::isfinite(value)) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", argument, " is ", value, ", which is not finite"));
  }
  return number_text(value);
}

}  // namespace
}  // namespace vtemper::api

using namespace vtemper::api;

vtemper_status vtemper_options_create(vtemper_options** options) {
  return guard([&] {
    require(options, "options");
    *options = new vtemper_options();
  });
}

vtemper_status vtemper_options_copy(const vtemper_options* options, vtemper_options** copy) {
  return guard([&] {
    const vtemper_options& handle = require_handle(options, "options");
    require(copy, "copy");
    auto fresh = std::make_unique<vtemper_options>();
    fresh->set = handle.set;
    *copy = fresh.release();
  });
}

void vtemper_options_destroy(vtemper_options* options) {
  if (options != nullptr && options->tag) delete options;
}

vtemper_status vtemper_options_set(vtemper_options* options, const char* name, const char* text) {
  return guard([&] { set(options, name, std::string(text_argument(text, "text"))); });
}

vtemper_status vtemper_options_set_text(vtemper_options* options, const char* name, const char* text) {
  return guard([&] { set(options, name, std::string(text_argument(text, "text"))); });
}

vtemper_status vtemper_options_set_integer(vtemper_options* options, const char* name, int64_t value) {
  return guard([&] { set(options, name, vtemper::number_text(value)); });
}

vtemper_status vtemper_options_set_real(vtemper_options* options, const char* name, double value) {
  return guard([&] { set(options, name, finite_text(value, "value")); });
}

vtemper_status vtemper_options_set_reals(vtemper_options* options, const char* name, const double* values,
                                         int64_t length) {
  return guard([&] {
    require_handle(options, "options");
    require(values, "values");
    if (length < 1) {
      throw vtemper::Error(VTEMPER_ERROR_ARGUMENT,
                           vtemper::message("argument length is ", length, "; at least one value is needed"));
    }
    std::string text;
    for (int64_t i = 0; i < length; ++i) {
      if (i > 0) text += ',';
      text += finite_text(values[i], vtemper::message("values[", i, "]").c_str());
    }
    set(options, name, text);
  });
}

vtemper_status vtemper_options_get_text(const vtemper_options* options, const char* name, const char** text) {
  return guard([&] {
    const vtemper::Options& values = require_handle(options, "options").set;
    const std::string_view key = text_argument(name, "name");
    require(text, "text");
    const std::string* value = values.find(key);
    if (value == nullptr) {
      std::vector<std::string> names;
      for (const auto& [known, ignored] : values.all()) names.push_back(known);
      throw vtemper::Error(VTEMPER_ERROR_OPTION, vtemper::message("the set has no option named '", key, "'",
                                                                  vtemper::nearest_names(key, names)));
    }
    *text = value->c_str();
  });
}
