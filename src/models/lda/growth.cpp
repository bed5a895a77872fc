#include "models/lda/growth.h"

#include <algorithm>

namespace vtemper {

namespace {

// Chosen on validation documents of debian_desc, arxiv_3800, newsgroups20 and poliblog5k
// (tests/reproduce/lda_many_topics.md): halves separate between 2.4 and 1.5, and the result hardly depends on these
// numbers or on alpha.
constexpr double last_split = 1.5;         ///< temperature of the last split
constexpr double between_splits = 1.25;    ///< ratio of the temperatures of two splits
constexpr double fewest_topics = 8;        ///< minimum and
constexpr double max_initial_topics = 50;  ///< maximum at the start, unless the halving of K is larger
constexpr double topics_per_token = 1.5;   ///< per token of a document, which cannot distinguish more topics
/// If topics would be split only once, are few compared with a document's tokens, and have many documents each,
/// starting with all topics gives better predictions of documents unlike those of the fit
/// (tests/reproduce/lda_many_topics.md).
constexpr double few_topics_per_token = 3.5;
constexpr double many_documents = 150;  ///< per topic

}  // namespace

int64_t initial_topics(int64_t topics, double tokens, double documents) {
  double least = max_initial_topics;
  if (tokens > 0) least = std::clamp(topics_per_token * tokens, fewest_topics, max_initial_topics);
  int64_t first = topics;
  while (first > 1 && static_cast<double>(half_of_topics(first)) >= least) first = half_of_topics(first);
  const bool one_split = half_of_topics(topics) <= first;
  const double all = static_cast<double>(topics);
  const bool parts_at_once = all <= few_topics_per_token * tokens && documents >= many_documents * all;
  return one_split && parts_at_once ? topics : first;
}

int64_t topics_at(int64_t topics, double temperature) {
  for (double split = last_split; topics > 1 && temperature > split; split *= between_splits) {
    topics = half_of_topics(topics);
  }
  return topics;
}

}  // namespace vtemper
