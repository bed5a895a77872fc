#include "phrases.h"

#include <algorithm>
#include <cmath>

namespace {

uint64_t key_of(uint32_t first, uint32_t second) {
  return uint64_t{first} << 32 | second;
}

struct ScoredPair {
  uint32_t first, second;
  double score;
};

PhraseRound learn_round(const TokenStream& stream, const WordSplitter& splitter, double min_score, int64_t min_count,
                        const PhraseJoiner& joiner) {
  std::vector<int64_t> counts(splitter.numbers());
  int64_t total = 0;
  const auto visit_joined = [&](const auto& visit) {
    stream.visit([&](std::vector<uint32_t>& words) {
      joiner.join(words);
      visit(words);
    });
  };
  visit_joined([&](const std::vector<uint32_t>& words) {
    for (const uint32_t word : words) {
      if (word == word_gap) continue;
      ++counts[word];
      ++total;
    }
  });
  std::unordered_map<uint64_t, int64_t> pairs;
  visit_joined([&](const std::vector<uint32_t>& words) {
    for (size_t i = 1; i < words.size(); ++i) {
      const uint32_t first = words[i - 1], second = words[i];
      if (first == word_gap || second == word_gap || first == second) continue;
      if (counts[first] >= min_count && counts[second] >= min_count) ++pairs[key_of(first, second)];
    }
  });
  std::vector<ScoredPair> found;
  for (const auto& [key, count] : pairs) {
    if (count < min_count) continue;
    const auto first = static_cast<uint32_t>(key >> 32), second = static_cast<uint32_t>(key);
    const double together = static_cast<double>(count) / static_cast<double>(total);
    const double apart = static_cast<double>(counts[first]) / static_cast<double>(total) *
                         (static_cast<double>(counts[second]) / static_cast<double>(total));
    const double score = together < 1 ? std::log(together / apart) / -std::log(together) : 1;
    if (score >= min_score) found.push_back({first, second, score});
  }
  std::sort(found.begin(), found.end(), [](const ScoredPair& a, const ScoredPair& b) {
    if (a.score != b.score) return a.score > b.score;
    return key_of(a.first, a.second) < key_of(b.first, b.second);
  });
  PhraseRound round;
  for (const ScoredPair& pair : found) round.emplace_back(splitter.word(pair.first), splitter.word(pair.second));
  return round;
}

}  // namespace

void PhraseJoiner::add_round(const PhraseRound& round, WordSplitter& splitter) {
  auto& pairs = rounds_.emplace_back();
  for (const auto& [first, second] : round) {
    const uint32_t first_number = splitter.number_of(first), second_number = splitter.number_of(second);
    pairs.emplace(key_of(first_number, second_number), splitter.number_of(first + "_" + second));
  }
}

void PhraseJoiner::join(std::vector<uint32_t>& words) const {
  for (const auto& pairs : rounds_) {
    size_t kept = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      const auto found = i + 1 < words.size() ? pairs.find(key_of(words[i], words[i + 1])) : pairs.end();
      if (found == pairs.end()) {
        words[kept++] = words[i];
      } else {
        words[kept++] = found->second;
        ++i;
      }
    }
    words.resize(kept);
  }
}

std::vector<PhraseRound> learn_phrases(const TokenStream& stream, WordSplitter& splitter, double min_score,
                                       int64_t min_count, PhraseJoiner& joiner) {
  constexpr int max_rounds = 2;
  std::vector<PhraseRound> rounds;
  for (int i = 0; i < max_rounds; ++i) {
    PhraseRound round = learn_round(stream, splitter, min_score, min_count, joiner);
    if (round.empty()) break;
    joiner.add_round(round, splitter);
    rounds.push_back(std::move(round));
  }
  return rounds;
}
