#pragma once
// Phrases: words that co-occur more often than by chance, joined to one word.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "text_recipe.h"
#include "token_stream.h"
#include "word_splitter.h"

/// Joins the pairs of all rounds, from left to right.
class PhraseJoiner {
 public:
  /// A joined pair gets the number of "first_second" in the splitter's vocabulary.
  void add_round(const PhraseRound& round, WordSplitter& splitter);
  void join(std::vector<uint32_t>& words) const;

 private:
  std::vector<std::unordered_map<uint64_t, uint32_t>> rounds_;
};

/// Learns pairs of adjacent words with normalised pointwise mutual information log(p_ab / (p_a p_b)) / -log p_ab of
/// at least `min_score` and at least `min_count` occurrences; then repeats this on the joined text, for phrases of
/// three and four words. Adds them to the joiner and returns them.
std::vector<PhraseRound> learn_phrases(const TokenStream& stream, WordSplitter& splitter, double min_score,
                                       int64_t min_count, PhraseJoiner& joiner);
