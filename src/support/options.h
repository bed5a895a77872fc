#pragma once
// Options: a table declares each once (name, type, default, range, description); a set holds the user's settings;
// values are the set checked against the table.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <vtemper/vtemper.h>

namespace vtemper {

class OptionValues;

/// One declared option. `default_text` is "auto" if the default depends on something else, which the description then
/// states; the user may also set such an option to "auto".
struct OptionEntry {
  const char* name;
  vtemper_option_type type;
  const char* default_text;
  double minimum;  ///< numbers only, inclusive; every element of REALS
  double maximum;
  const char* choices;  ///< CHOICE only: the words, separated by blanks
  const char* description;
  /// The value of "auto", if it depends on the other options only. NULL: it depends on the data, the model or the
  /// run, whose choice is set by OptionValues::use.
  std::string (*rule)(const OptionValues&) = nullptr;
  const char* unit = "";  ///< REAL only: its plural, for messages
};

using OptionTable = std::vector<OptionEntry>;

/// Appends the entries of `more` whose names `table` does not have yet.
void merge(OptionTable& table, const OptionTable& more);
bool has_option(const OptionTable& table, std::string_view name);

/// The user's settings: names and texts, unchecked. In names a dash counts as an underscore.
class Options {
 public:
  /// Changes nothing if memory runs out.
  void set(std::string_view name, std::string text);
  const std::string* find(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>>& all() const { return texts_; }

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

/// Options checked against a table. Every option has a text, which is set by the user or is the default, and is
/// stored in files; and a value in use, which differs if the text is "auto" or a number that stands for a rule, such
/// as 0 threads.
class OptionValues {
 public:
  OptionValues() = default;

  /// Refuses (Error, VTEMPER_ERROR_OPTION) an unknown name with the nearest valid ones, a text that is not of the
  /// type and a value out of range. An INTEGER may be written as a whole real ("1e+05": hosts whose numbers are
  /// doubles). Texts are kept as they were given, so values constructed from all() are the same. `subject` ("lda",
  /// "the optimizer") appears in the message. `presets` are defaults of a chosen method, which take precedence over
  /// those of the table.
  OptionValues(const OptionTable& table, const Options& options, std::string_view subject,
               const Options& presets = {});

  bool given(std::string_view name) const;               ///< the user set it
  bool is_auto(std::string_view name) const;             ///< its text is "auto"
  const std::string& text(std::string_view name) const;  ///< Error(OPTION) for a name the table does not have
  const std::map<std::string, std::string, std::less<>>& all() const { return texts_; }

  /// The value in use, "auto" if it is not known yet. Error(OPTION) for a name the table does not have.
  const std::string& used(std::string_view name) const;
  /// Sets the value in use; without effect for a name the table does not have.
  void use(std::string_view name, std::string text);
  void use(std::string_view name, double value);
  /// As above, but only if the text is "auto".
  void use_by_default(std::string_view name, std::string text);
  void use_by_default(std::string_view name, double value);
  /// All values in use, as a set.
  Options in_use() const;
  // The value in use, typed. Error(INTERNAL) if it is "auto" or of another type.
  int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  std::vector<double> reals(std::string_view name) const;
  bool boolean(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> texts_;
  std::map<std::string, bool, std::less<>> given_;
  std::map<std::string, std::string, std::less<>> used_;  ///< values in use that differ from the text
};

/// "; did you mean alpha or eta?" for the nearest of `names` (at most three), or "" if none is near.
std::string nearest_names(std::string_view name, const std::vector<std::string>& names);

}  // namespace vtemper
