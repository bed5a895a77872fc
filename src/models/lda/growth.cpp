#include "models/lda/growth.h"

#include <algorithm>

namespace vtemper {

namespace {

// Chosen on validation documents of debian_desc, arxiv_3800, newsgroups20 and poliblog5k (tests/reproduce/README.md):
// halves part between 2.4 and 1.5, and what they do there hardly depends on these numbers, nor on alpha.
constexpr double last_split = 1.5;         ///< temperature of the last split
constexpr double between_splits = 1.25;    ///< ratio of the temperatures of two splits
constexpr double fewest_topics = 8;        ///< that a fit starts with,
constexpr double max_initial_topics = 50;  ///< unless the number of K's halving is larger
constexpr double topics_per_token = 1.5;   ///< of a document: more topics, and it could not tell them apart
/// Where topics would be split only once, are few beside a document's tokens, and have many documents each, all
/// topics from the beginning predict documents that are unlike those of the fit better (tests/reproduce/README.md).
constexpr double few_topics_per_token = 3.5;
constexpr double many_documents = 150;  ///< a topic

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
