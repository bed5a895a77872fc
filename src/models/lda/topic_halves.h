#pragma once
// Two topics in place of one, judged by documents to which they were not fitted (README.md section 10).

#include "models/lda/topic_sample.h"

namespace vtemper {

/// Some documents' tokens of one topic.
struct TopicDocuments {
  std::vector<int32_t> document, word;  ///< of each entry; documents are numbered from 0
  std::vector<int32_t> place;           ///< of each entry among those of the topic
  std::vector<double> tokens;
  std::vector<double> weights;  ///< [documents]
  std::vector<double> totals;   ///< [documents] tokens

  double weighted_tokens(size_t entry) const { return weights[static_cast<size_t>(document[entry])] * tokens[entry]; }
  double all_tokens() const;
  /// Adds the tokens of each word.
  void add_words(std::vector<double>& out) const;
};

/// The words of a topic: their numbers in the sample, ascending with their first entry.
struct TopicWords {
  std::vector<int32_t> place;  ///< [words of the sample] number in the topic; -1: none
  std::vector<int32_t> words;  ///< [words of the topic]

  TopicWords(const TopicSample& sample, const TopicTokens& topic);
};

/// Three of four documents fit the halves, the others judge them.
enum class Documents { fitting, judging };

/// Those documents' tokens of the topic, with the numbers that the words have in `words`.
TopicDocuments part_of(const TopicSample& sample, const TopicTokens& topic, const TopicWords& words, Documents which);

/// The two halves of a topic: log probabilities of the words.
struct Halves {
  std::vector<double> first, second;
};

/// Posteriors of the documents of a part under two halves of the topic.
struct Sharing {
  const TopicDocuments& part;
  double alpha;
  std::vector<double> shares;    ///< of each entry's tokens that is in the first half
  std::vector<double> in_first;  ///< [documents] tokens in the first half

  Sharing(const TopicDocuments& of, double prior);
  /// After a change of `shares`.
  void count();
  /// phi and gamma of the two halves in turn (README.md section 1).
  void update(const Halves& halves, int times);
  /// So many updates that equal shares hardly change any more.
  void settle(const Halves& halves) { update(halves, 10); }
  /// The documents' part of the bound that depends on the split.
  double bound(const Halves& halves) const;
  /// Adds the tokens of each word in the first half.
  void add_words(std::vector<double>& first) const;

 private:
  /// gamma of both halves, document by document.
  std::vector<double> gammas() const;
};

/// What the bound of the documents that judge gains, per token, if the halves take the place of the whole topic,
/// whose words have the tokens `whole`. `judge`: equal shares, which are settled.
double gain_per_token(Sharing& judge, const Halves& halves, const std::vector<double>& whole,
                      const TopicSample& sample);

}  // namespace vtemper
