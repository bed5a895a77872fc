#pragma once
// How words are made from text. Stored with the corpus and with models fitted to it, so that new documents are
// processed in the same way.

#include <string>
#include <utility>
#include <vector>

/// Pairs of words to be joined by "_". A later round joins results of earlier ones.
using PhraseRound = std::vector<std::pair<std::string, std::string>>;

struct TextRecipe {
  std::string language;                 ///< locale code for word boundaries and lower case; "": none
  std::vector<std::string> stop_words;  ///< in lower case
  bool stems = false;                   ///< words are stemmed with the language's Snowball algorithm
  int64_t min_length = 0;               ///< minimum letters of a word; 0: depends on the script
  std::vector<PhraseRound> phrases;
};

/// Name of the note with the recipe.
constexpr const char* recipe_note = "text.recipe";

/// The recipe as JSON.
std::string recipe_text(const TextRecipe& recipe);

/// The recipe in a note; exits with a message that names `owner` if the text is invalid.
TextRecipe recipe_parse(const std::string& text, const std::string& owner);
