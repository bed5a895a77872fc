#pragma once
// Records of comma-separated values as in RFC 4180, with any separator: quoted fields may contain separators, line
// breaks and doubled quotes.

#include <string>
#include <string_view>
#include <vector>

#include "text_file.h"

/// Reads the next record; returns the line where it begins, or 0 at the end of the file. Blank lines are skipped.
/// Exits if a quoted field is unterminated or continues after its closing quote.
int64_t read_record(TextFile& file, char separator, std::vector<std::string>& fields);

/// The first record of a text; empty if it is truncated.
std::vector<std::string> first_record(std::string_view text, char separator);

/// The separator with which the beginning of a file looks like a table with a header and at least two columns; 0 if
/// none does.
char separator_of_table(std::string_view text);

/// Candidate separators.
constexpr std::string_view separators = ",\t;|";
