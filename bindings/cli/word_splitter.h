#pragma once
// Words of running text by Unicode's word boundaries, in lower case and normal form NFKC, numbered as they come.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text_recipe.h"

/// Stands between words where something was left out, so that no phrase spans it.
constexpr uint32_t word_gap = 0;

/// What was left out, in words of the text.
struct LeftOut {
  int64_t stop_words = 0;
  int64_t numbers = 0;
  int64_t too_short = 0;
  int64_t too_long = 0;
};

class WordSplitter {
 public:
  /// Ends the command where the language is unknown or has no stems.
  explicit WordSplitter(const TextRecipe& recipe);
  ~WordSplitter();
  WordSplitter(const WordSplitter&) = delete;
  WordSplitter& operator=(const WordSplitter&) = delete;

  /// Appends the numbers of the words of the text (valid UTF-8), from 1, with gaps between them.
  void split(std::string_view text, std::vector<uint32_t>& words);
  /// The number of a word, which is new where it was not met.
  uint32_t number_of(const std::string& word);
  /// The word of a number.
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

/// Lower case and normal form NFKC, as words of the text get them.
std::string folded(const std::string& word, const std::string& language);

/// Ends the command where it is no language that ICU knows.
void check_language(const std::string& language);
