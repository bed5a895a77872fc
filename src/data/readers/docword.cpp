// UCI docword ("Bag of Words"): three lines with the numbers of documents, words and entries, then one entry
// (document, word, count) per line, indices from 1. Documents without entries are rows as well.

#include "data/readers/entry_list.h"
#include "data/readers/formats.h"

namespace vtemper {
namespace {

int64_t read_size(Scanner& scanner, const char* what) {
  const int64_t size = scanner.integer(what);
  if (size < 0) scanner.refuse(VTEMPER_ERROR_DATA, message(what, " is ", size, ", which is negative"));
  scanner.end_line();
  return size;
}

}  // namespace

void read_docword(Scanner& scanner, DataBuilder& data) {
  const int64_t rows = read_size(scanner, "the number of documents");
  const int64_t columns = read_size(scanner, "the number of words");
  const int64_t announced = read_size(scanner, "the number of entries");
  EntryList entries(scanner, data, rows, columns, announced);
  while (!scanner.skip_empty_lines()) {
    const int64_t document = scanner.integer("a document's number");
    const int64_t word = scanner.integer("a word's number");
    entries.add(document, word, scanner.real("a count"));
    scanner.end_line();
  }
  entries.finish();
}

}  // namespace vtemper
