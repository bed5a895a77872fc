// Sequences as text: one sequence per line, symbols as numbers from 0 separated by spaces. In the labelled form the
// first word of a line is a label, which is ignored. The largest symbol determines the size of the alphabet. In the
// form of words each word is a symbol, numbered as they first occur and named by itself.

#include <algorithm>
#include <unordered_map>

#include "data/readers/formats.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

/// Whether there is another line. Empty ones may stand at the end of the file only.
bool begin_line(Scanner& scanner, const char* refusal) {
  if (scanner.at_end()) return false;
  if (!scanner.at_line_end()) return true;
  const int64_t line = scanner.line();
  if (scanner.skip_empty_lines()) return false;
  scanner.refuse_at(line, VTEMPER_ERROR_FORMAT, refusal);
}

constexpr const char* no_symbol = "the line is empty; a sequence has at least one symbol";

void read_lines(Scanner& scanner, bool has_labels, DataBuilder& data) {
  SequencesBuilder& builder = data.sequences();
  int64_t columns = 0;
  scanner.begin_rows(0);
  while (begin_line(scanner, has_labels ? "the line is empty; it should begin with a label" : no_symbol)) {
    if (has_labels) scanner.skip_word();
    for (int64_t position = 0; !scanner.at_line_end(); ++position) {
      const int64_t symbol = scanner.integer(
          "a symbol's number; blanks separate symbols, and words as symbols are of format word_sequences");
      if (symbol < 0 || symbol >= max_columns) {
        scanner.refuse(VTEMPER_ERROR_DATA, message("row ", builder.rows(), ", position ", position, " is the symbol ",
                                                   symbol, "; symbols lie between 0 and ", max_columns - 1));
      }
      builder.add(static_cast<int32_t>(symbol));
      columns = std::max(columns, symbol + 1);
    }
    builder.end_row();
    scanner.end_line();
  }
  data.end(builder.rows(), columns);
}

/// The number of the word, a new one where it has not occurred.
int32_t number_of_word(const Scanner& scanner, std::string_view word,
                       std::unordered_map<std::string, int32_t>& numbers) {
  if (word.size() >= 255) {
    scanner.refuse(VTEMPER_ERROR_FORMAT,
                   "a word has 255 bytes or more; the symbols of a sequence are words, "
                   "separated by spaces, also where each is a single letter");
  }
  const auto [found, is_new] = numbers.emplace(word, static_cast<int32_t>(numbers.size()));
  if (is_new && !is_valid_utf8(found->first)) {
    scanner.refuse(VTEMPER_ERROR_FORMAT,
                   message(quoted(word), " is not UTF-8; convert the file, for instance by iconv"));
  }
  if (is_new && static_cast<int64_t>(numbers.size()) > max_columns) {
    scanner.refuse(VTEMPER_ERROR_DATA, message("there are more than ", max_columns, " different words"));
  }
  return found->second;
}

}  // namespace

void read_word_sequences(Scanner& scanner, DataBuilder& data) {
  SequencesBuilder& builder = data.sequences();
  std::unordered_map<std::string, int32_t> numbers;
  scanner.begin_rows(0);
  while (begin_line(scanner, no_symbol)) {
    while (!scanner.at_line_end()) builder.add(number_of_word(scanner, scanner.word(), numbers));
    builder.end_row();
    scanner.end_line();
  }
  Names names(numbers.size());
  for (const auto& [word, number] : numbers) names[static_cast<size_t>(number)] = word;
  data.set_names(std::move(names), scanner.path());
  data.end(builder.rows(), static_cast<int64_t>(numbers.size()));
}

void read_sequences(Scanner& scanner, DataBuilder& data) {
  read_lines(scanner, false, data);
}

void read_labelled_sequences(Scanner& scanner, DataBuilder& data) {
  read_lines(scanner, true, data);
}

}  // namespace vtemper
