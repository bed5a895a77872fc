#pragma once
// Function words of several languages, and language detection based on them.

#include <string>
#include <string_view>
#include <vector>

/// The list of a language, given by its two-letter code; empty if there is none.
std::vector<std::string> stop_words_of(const std::string& language);

/// The language to whose function words most of these words (lower case) belong, if it clearly leads; otherwise "".
std::string language_of_words(const std::vector<std::string>& words);
