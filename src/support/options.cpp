#include "support/options.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

std::string normalized(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

/// The parts of `text` between separators, without the blanks around them.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// "a", "a or b", "a, b or c".
std::string either(const std::vector<std::string_view>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

/// A whole number, also when it is written as a real: a host that has only doubles passes 100000 as "1e+05".
std::optional<int64_t> whole_number(std::string_view text) {
  if (const auto integer = parse_integer(text)) return integer;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  const auto real = parse_real(text);
  if (!real || std::abs(*real) > largest_exact || *real != std::floor(*real)) return std::nullopt;
  return static_cast<int64_t>(*real);
}

bool in_range(const OptionEntry& entry, double value) {
  return std::isfinite(value) && value >= entry.minimum && value <= entry.maximum;
}

/// Whether `text` (REALS: one element) is a value of the entry.
bool is_value(const OptionEntry& entry, std::string_view text) {
  switch (entry.type) {
    case VTEMPER_OPTION_INTEGER: {
      const auto value = whole_number(text);
      return value && in_range(entry, static_cast<double>(*value));
    }
    case VTEMPER_OPTION_REAL:
    case VTEMPER_OPTION_REALS: {
      const auto value = parse_real(text);
      return value && in_range(entry, *value);
    }
    case VTEMPER_OPTION_CHOICE: {
      const auto choices = parts_of(entry.choices, ' ');
      return std::find(choices.begin(), choices.end(), text) != choices.end();
    }
    case VTEMPER_OPTION_BOOLEAN:
      return text == "true" || text == "false";
    case VTEMPER_OPTION_TEXT:
      return is_valid_utf8(text) && text.find('\0') == std::string_view::npos;
  }
  return false;
}

/// The valid values of the option, for messages.
std::string allowed(const OptionEntry& entry) {
  if (entry.type == VTEMPER_OPTION_BOOLEAN) return "true or false";
  if (entry.type == VTEMPER_OPTION_CHOICE) return either(parts_of(entry.choices, ' '));
  if (entry.type == VTEMPER_OPTION_TEXT) return "a text in UTF-8";
  std::string out = entry.type == VTEMPER_OPTION_INTEGER ? "a whole number"
                    : *entry.unit != '\0'                ? message("a number of ", entry.unit)
                    : entry.type == VTEMPER_OPTION_REAL  ? "a number"
                                                         : "a number, or numbers separated by commas,";
  const bool lower = std::isfinite(entry.minimum);
  const bool upper = std::isfinite(entry.maximum);
  // Integers are written out: nobody writes a number of topics as 1e+06.
  const auto bound = [&entry](double value) {
    return entry.type == VTEMPER_OPTION_INTEGER ? number_text(static_cast<int64_t>(value)) : number_text(value);
  };
  if (lower && upper) out += " from " + bound(entry.minimum) + " to " + bound(entry.maximum);
  if (lower && !upper) out += " of at least " + bound(entry.minimum);
  if (!lower && upper) out += " of at most " + bound(entry.maximum);
  if (out.back() == ',') out.pop_back();
  if (std::string_view(entry.default_text) == "auto") out += ", or auto";
  return out;
}

void check(const OptionEntry& entry, std::string_view text, std::string_view subject) {
  if (text == "auto" && std::string_view(entry.default_text) == "auto") return;
  const bool list = entry.type == VTEMPER_OPTION_REALS;
  const std::vector<std::string_view> elements = list ? parts_of(text, ',') : std::vector{text};
  for (size_t i = 0; i < elements.size(); ++i) {
    if (is_value(entry, elements[i])) continue;
    const std::string place = elements.size() > 1 ? message("element ", i, " of ") : "";
    throw Error(VTEMPER_ERROR_OPTION, message(place, "option ", entry.name, " of ", subject, " is ",
                                              quoted(elements[i]), "; it must be ", allowed(entry)));
  }
}

[[noreturn]] void fail_access(std::string_view name, const std::string& text, const char* type) {
  throw Error(VTEMPER_ERROR_INTERNAL, message("option ", name, " is read as ", type, " but is ", quoted(text)));
}

}  // namespace

void merge(OptionTable& table, const OptionTable& more) {
  for (const OptionEntry& entry : more) {
    if (!has_option(table, entry.name)) table.push_back(entry);
  }
}

bool has_option(const OptionTable& table, std::string_view name) {
  return std::any_of(table.begin(), table.end(), [name](const OptionEntry& entry) { return name == entry.name; });
}

void Options::set(std::string_view name, std::string text) {
  texts_[normalized(name)].swap(text);
}

const std::string* Options::find(std::string_view name) const {
  const auto found = texts_.find(normalized(name));
  return found == texts_.end() ? nullptr : &found->second;
}

OptionValues::OptionValues(const OptionTable& table, const Options& options, std::string_view subject,
                           const Options& presets) {
  std::vector<std::string> names;
  for (const OptionEntry& entry : table) names.emplace_back(entry.name);
  for (const auto& [name, text] : options.all()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string help = nearest_names(name, names);
    if (help.empty()) help = "; it has " + either(std::vector<std::string_view>(names.begin(), names.end()));
    throw Error(VTEMPER_ERROR_OPTION, message(subject, " has no option ", quoted(name), help));
  }
  for (const OptionEntry& entry : table) {
    const std::string* user = options.find(entry.name);
    const std::string* preset = presets.find(entry.name);
    const std::string_view text = trimmed(user != nullptr     ? *user
                                          : preset != nullptr ? *preset
                                                              : std::string_view(entry.default_text));
    check(entry, text, subject);
    texts_.emplace(entry.name, text);
    given_.emplace(entry.name, user != nullptr);
  }
  for (const OptionEntry& entry : table) {
    if (entry.rule != nullptr && is_auto(entry.name)) used_.emplace(entry.name, entry.rule(*this));
  }
}

bool OptionValues::given(std::string_view name) const {
  const auto found = given_.find(name);
  return found != given_.end() && found->second;
}

bool OptionValues::is_auto(std::string_view name) const {
  return text(name) == "auto";
}

const std::string& OptionValues::used(std::string_view name) const {
  const auto known = used_.find(name);
  return known != used_.end() ? known->second : text(name);
}

void OptionValues::use(std::string_view name, std::string text) {
  if (texts_.find(name) != texts_.end()) used_.insert_or_assign(std::string(name), std::move(text));
}

void OptionValues::use(std::string_view name, double value) {
  use(name, number_text(value));
}

void OptionValues::use_by_default(std::string_view name, std::string text) {
  const auto found = texts_.find(name);
  if (found != texts_.end() && found->second == "auto") use(name, std::move(text));
}

void OptionValues::use_by_default(std::string_view name, double value) {
  use_by_default(name, number_text(value));
}

Options OptionValues::in_use() const {
  Options all;
  for (const auto& [name, text] : texts_) all.set(name, used(name));
  return all;
}

int64_t OptionValues::integer(std::string_view name) const {
  const std::string& value = used(name);
  const auto number = whole_number(value);
  if (!number) fail_access(name, value, "a whole number");
  return *number;
}

double OptionValues::real(std::string_view name) const {
  const std::string& value = used(name);
  const auto number = parse_real(value);
  if (!number) fail_access(name, value, "a number");
  return *number;
}

std::vector<double> OptionValues::reals(std::string_view name) const {
  const std::string& value = used(name);
  std::vector<double> numbers;
  for (const std::string_view element : parts_of(value, ',')) {
    const auto number = parse_real(element);
    if (!number) fail_access(name, value, "numbers");
    numbers.push_back(*number);
  }
  return numbers;
}

bool OptionValues::boolean(std::string_view name) const {
  const std::string& value = used(name);
  if (value != "true" && value != "false") fail_access(name, value, "true or false");
  return value == "true";
}

const std::string& OptionValues::text(std::string_view name) const {
  const auto found = texts_.find(normalized(name));
  if (found != texts_.end()) return found->second;
  std::vector<std::string> names;
  names.reserve(texts_.size());
  for (const auto& [known, value] : texts_) names.push_back(known);
  throw Error(VTEMPER_ERROR_OPTION, message("there is no option ", quoted(name), nearest_names(name, names)));
}

std::string nearest_names(std::string_view name, const std::vector<std::string>& names) {
  constexpr size_t longest = 64;  // a longer word is not a typing error
  constexpr size_t most = 3;
  if (name.empty() || name.size() > longest) return "";
  const std::string wanted = normalized(name);
  std::vector<std::pair<int, std::string_view>> near;
  for (const std::string& known : names) {
    const int distance = edit_distance(wanted, normalized(known));
    const int tolerated = (static_cast<int>(std::max(wanted.size(), known.size())) + 1) / 3;
    const bool part = wanted.size() >= 3 && known.find(wanted) != std::string::npos;
    if (distance <= tolerated || part) near.emplace_back(distance, known);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > most) near.resize(most);
  std::vector<std::string_view> words;
  words.reserve(near.size());
  for (const auto& [distance, known] : near) words.push_back(known);
  return words.empty() ? "" : message("; did you mean ", either(words), "?");
}

}  // namespace vtemper
