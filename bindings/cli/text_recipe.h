#pragma once
// How words are made from text. It is stored with the corpus and with models fitted to it, so that new documents are
// read in the same way.

#include <string>
#include <utility>
#include <vector>

/// Pairs of words that are joined by "_". A later round joins what an earlier one has made.
using PhraseRound = std::vector<std::pair<std::string, std::string>>;

struct TextRecipe {
  std::string language;                 ///< code of the locale for boundaries and lower case; "": none
  std::vector<std::string> stop_words;  ///< lower case
  bool stems = false;                   ///< words are stemmed by the Snowball algorithm of the language
  int64_t min_length = 0;               ///< letters of the shortest word; 0: by its script
  std::vector<PhraseRound> phrases;
};

/// Name of the note that holds the recipe.
constexpr const char* recipe_note = "text.recipe";

/// The recipe as JSON.
std::string recipe_text(const TextRecipe& recipe);

/// The recipe of a note; `owner` is named where the text is none and the command ends.
TextRecipe recipe_parse(const std::string& text, const std::string& owner);
