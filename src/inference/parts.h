#pragma once
// Selecting parts by name.

#include <string>
#include <vector>

#include "support/error.h"
#include "support/options.h"
#include "support/text.h"

namespace vtemper {

/// "auto none schedule ...": `first` followed by the names of the parts.
template <class Part>
std::string names_of_parts(const std::vector<const Part*>& parts, const std::string& first) {
  std::string names = first;
  for (const Part* part : parts) names += (names.empty() ? "" : " ") + std::string(part->name);
  return names;
}

/// "a: what a is; b: what b is."
template <class Part>
std::string sentences_of_parts(const std::vector<const Part*>& parts) {
  std::string all;
  for (const Part* part : parts) {
    const std::string sentence = part->sentence;
    all += (all.empty() ? "" : "; ") + std::string(part->name) + ": " + sentence.substr(0, sentence.rfind('.'));
  }
  return all + ".";
}

template <class Part>
const Part* find_part(const std::vector<const Part*>& parts, const std::string& name) {
  for (const Part* part : parts) {
    if (name == part->name) return part;
  }
  return nullptr;
}

template <class Part>
const Part& part_named(const std::vector<const Part*>& parts, const std::string& name) {
  if (const Part* part = find_part(parts, name)) return *part;
  throw Error(VTEMPER_ERROR_INTERNAL, "there is no part named " + name);
}

/// Name of the part that uses an option which the chosen parts do not use, for the error message.
template <class Part>
std::string user_of(const std::vector<const Part*>& parts, const std::string& option) {
  std::string users;
  for (const Part* part : parts) {
    for (const OptionEntry& entry : part->options()) {
      if (option == entry.name) users += (users.empty() ? "" : " or ") + std::string(part->name);
    }
  }
  return users;
}

/// `room`: temperature, step_size or perturbation; `chosen`: the chosen part.
template <class Part>
void refuse_options_of(const std::vector<const Part*>& parts, const std::string& room, const std::string& chosen,
                       const std::string& option) {
  const std::string users = user_of(parts, option);
  if (users.empty()) return;
  throw Error(VTEMPER_ERROR_OPTION, sentence("option ", option, " has no effect with ", room, " ", chosen,
                                             "; it belongs to ", room, " ", users));
}

inline bool has_option(const OptionTable& table, const std::string& name) {
  for (const OptionEntry& entry : table) {
    if (name == entry.name) return true;
  }
  return false;
}

}  // namespace vtemper
