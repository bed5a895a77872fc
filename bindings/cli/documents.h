#pragma once
// Documents of raw text: one per line, per file of a folder, or per record of a table or of JSON Lines.

#include <cstdint>
#include <functional>
#include <string>

/// Where documents are found in the input.
struct DocumentOptions {
  std::string column;       ///< text column of CSV or TSV; several separated by commas
  std::string field;        ///< text field of JSON Lines; "a.b" is field b of object a
  std::string id_column;    ///< column or field with document names, or ""
  std::string date_column;  ///< column or field with dates, or ""
  std::string encoding;     ///< "": strict UTF-8
  bool lines = false;       ///< one document per line, whatever the file looks like
};

struct Document {
  std::string name, date, text;
};

/// Statistics of the input.
struct DocumentsRead {
  int64_t files_left_out = 0;  ///< in folders: files that are not text
  std::string first_left_out;
  int64_t bytes_replaced = 0;
};

/// Visits every document, in order. Files of a folder and its subfolders come in order of their names; names that
/// begin with a dot are skipped. "-" is standard input. Exits if something cannot be read.
DocumentsRead each_document(const std::string& path, const DocumentOptions& options,
                            const std::function<void(Document&)>& visit);
