#pragma once
// Records of comma-separated values as RFC 4180 has them, with any separator: fields in double quotes may hold
// separators, line breaks and doubled quotes.

#include <string>
#include <string_view>
#include <vector>

#include "text_file.h"

/// Reads the next record; returns the line that it begins at, or 0 at the end of the file. Blank lines are passed
/// over. Ends the command where a quoted field does not end or goes on after its quote.
int64_t read_record(TextFile& file, char separator, std::vector<std::string>& fields);

/// The first record of a text; empty where it is cut short.
std::vector<std::string> first_record(std::string_view text, char separator);

/// The separator by which the beginning of a file looks like a table of at least two columns with a header; 0 where
/// it does not.
char separator_of_table(std::string_view text);

/// The separators that are tried.
constexpr std::string_view separators = ",\t;|";
