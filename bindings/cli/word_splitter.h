#pragma once
// Splits running text into words at Unicode word boundaries, lower-cased and normalised (NFKC), numbered in order of
// occurrence.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text_recipe.h"

/// Separates words where something was dropped, so that no phrase spans the gap.
constexpr uint32_t word_gap = 0;

/// Counts of dropped words.
struct LeftOut {
  int64_t stop_words = 0;
  int64_t numbers = 0;
  int64_t too_short = 0;
  int64_t too_long = 0;
};

class WordSplitter {
 public:
  /// Exits if the language is unknown or has no stemmer.
  /// @param max_cached  so many different words of the text, as they are written, are processed once only
  explicit WordSplitter(const TextRecipe& recipe, size_t max_cached = 1 << 20);
  ~WordSplitter();
  WordSplitter(const WordSplitter&) = delete;
  WordSplitter& operator=(const WordSplitter&) = delete;

  /// Appends the numbers of the words of the text (valid UTF-8), from 1, with gaps where words were dropped.
  void split(std::string_view text, std::vector<uint32_t>& words);
  /// The number of a word; a new one if it was not seen before.
  uint32_t number_of(const std::string& word);
  /// The word with a given number.
  const std::string& word(uint32_t number) const { return *words_[number]; }
  /// One more than the largest number.
  size_t numbers() const { return words_.size(); }
  const LeftOut& left_out() const { return left_out_; }

 private:
  struct Tools;
  void split_piece(std::string_view piece, std::vector<uint32_t>& words);

  std::unique_ptr<Tools> tools_;
  std::unordered_map<std::string, uint32_t> number_of_word_;
  std::vector<const std::string*> words_;  ///< keys of the map
  LeftOut left_out_;
};

/// Lower-cases and normalises (NFKC) a word as for words of the text.
std::string folded(const std::string& word, const std::string& language);

/// The code of the language alone, as short as there is one: "en" of "eng" and of "en-GB"; "" of "".
std::string language_alone(const std::string& language);

/// Exits if ICU does not know the language.
void check_language(const std::string& language);
