#pragma once
// Words that come together more often than chance, joined to one.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "text_recipe.h"
#include "token_stream.h"
#include "word_splitter.h"

/// Joins the pairs of the rounds, from left to right.
class PhraseJoiner {
 public:
  /// Pairs get the number of "first_second" in the splitter's list.
  void add_round(const PhraseRound& round, WordSplitter& splitter);
  void join(std::vector<uint32_t>& words) const;

 private:
  std::vector<std::unordered_map<uint64_t, uint32_t>> rounds_;
};

/// Pairs of neighbours whose normalised pointwise mutual information log(p_ab / (p_a p_b)) / -log p_ab reaches
/// `min_score`, met at least `min_count` times; then the same with what was joined, for phrases of three and four
/// words. They are added to the joiner and returned.
std::vector<PhraseRound> learn_phrases(const TokenStream& stream, WordSplitter& splitter, double min_score,
                                       int64_t min_count, PhraseJoiner& joiner);
