#pragma once
// Documents of raw text: a line each, a file of a folder each, a record of a table or of JSON Lines each.

#include <cstdint>
#include <functional>
#include <string>

/// Where the documents are in what is read.
struct DocumentOptions {
  std::string column;       ///< of CSV or TSV; several separated by commas
  std::string field;        ///< of JSON Lines; "a.b" is field b of the object a
  std::string id_column;    ///< column or field of the documents' names, or ""
  std::string date_column;  ///< column or field of their dates, or ""
  std::string encoding;     ///< "": UTF-8, strictly
  bool lines = false;       ///< a document a line, whatever it looks like
};

struct Document {
  std::string name, date, text;
};

/// What was met on the way.
struct DocumentsRead {
  int64_t files_left_out = 0;  ///< of a folder: those that are no text
  std::string first_left_out;
  int64_t bytes_replaced = 0;
};

/// Visits every document, in order. Files of a folder come in the order of their names, those below it as well; names
/// that begin with a dot are passed over. "-" is the standard input. Ends the command where something cannot be read.
DocumentsRead each_document(const std::string& path, const DocumentOptions& options,
                            const std::function<void(Document&)>& visit);
