#pragma once
// Function words of some languages, and what language a text is in, as told by them.

#include <string>
#include <string_view>
#include <vector>

/// The languages that have a list, as codes of two letters.
std::vector<std::string> stop_word_languages();

/// The list of a language, empty where there is none.
std::vector<std::string> stop_words_of(const std::string& language);

/// The language whose function words are most of these words (lower case), where it stands out; "" otherwise.
std::string language_of_words(const std::vector<std::string>& words);
