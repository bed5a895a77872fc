#include "vocabulary.h"

#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "failure.h"
#include "text_file.h"

namespace {

/// The names, each with the number of its line from 0.
std::unordered_map<std::string, int64_t> names_of(TextFile& file) {
  std::unordered_map<std::string, int64_t> names;
  int64_t lines = 0, blank = -1;
  for (std::string name; file.line(name); ++lines) {
    const auto number = static_cast<long long>(lines + 1);
    if (name.find_first_not_of(" \t") == name.npos) {
      if (blank < 0) blank = lines;
      continue;
    }
    if (blank >= 0) {
      fail("%s, line %lld: the line is blank, but every line names a column; delete it, or give the column a name",
           file.name().c_str(), static_cast<long long>(blank + 1));
    }
    if (name.find('\t') != name.npos) {
      fail(
          "%s, line %lld: a tab within the name; if the file is a table, keep its column of names, for instance by "
          "cut -f 1",
          file.name().c_str(), number);
    }
    const auto [earlier, is_new] = names.emplace(name, lines);
    if (!is_new) {
      fail("%s, line %lld: \"%s\" is also the name in line %lld; rename one of them: names of columns must differ",
           file.name().c_str(), number, name.c_str(), static_cast<long long>(earlier->second + 1));
    }
  }
  if (names.empty()) fail("%s names no words", file.name().c_str());
  return names;
}

}  // namespace

Vocabulary vocabulary_read(const char* path) {
  TextFile file(path, "", list_advice);
  const std::unordered_map<std::string, int64_t> names = names_of(file);
  Vocabulary vocabulary = {static_cast<char**>(allocate(names.size(), sizeof *vocabulary.names)),
                           static_cast<int64_t>(names.size())};
  for (const auto& [name, line] : names) vocabulary.names[line] = text_of("%s", name.c_str());
  return vocabulary;
}

void vocabulary_free(Vocabulary* vocabulary) {
  for (int64_t i = 0; i < vocabulary->count; ++i) free(vocabulary->names[i]);
  free(vocabulary->names);
}
