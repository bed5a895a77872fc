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
std::string descriptions_of_parts(const std::vector<const Part*>& parts) {
  std::string all;
  for (const Part* part : parts) {
    const std::string description = part->description;
    all += (all.empty() ? "" : "; ") + std::string(part->name) + ": " + description.substr(0, description.rfind('.'));
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

/// "a", "a or b", "a, b or c": the parts that use an option, for the error message of the others; "" if none
/// does.
template <class Part>
std::string users_of(const std::vector<const Part*>& parts, const std::string& option) {
  std::string users, last;
  for (const Part* part : parts) {
    for (const OptionEntry& entry : part->options()) {
      if (option != entry.name) continue;
      if (!last.empty()) users += (users.empty() ? "" : ", ") + last;
      last = part->name;
    }
  }
  return users.empty() ? last : users + " or " + last;
}

/// `family`: temperature, step_size or perturbation; `chosen`: the chosen part.
template <class Part>
void refuse_options_of(const std::vector<const Part*>& parts, const std::string& family, const std::string& chosen,
                       const std::string& option) {
  const std::string users = users_of(parts, option);
  if (users.empty()) return;
  throw Error(VTEMPER_ERROR_OPTION, message("option ", option, " has no effect with ", family, " ", chosen,
                                            "; it belongs to ", family, " ", users));
}

}  // namespace vtemper
