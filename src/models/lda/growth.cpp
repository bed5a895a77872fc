#include "models/lda/growth.h"

#include <algorithm>

namespace vtemper {

namespace {

// Chosen on validation documents of debian_desc, arxiv_3800, newsgroups20 and poliblog5k (tests/reproduce/README.md):
// halves part between 2.4 and 1.5, and what they do there hardly depends on these numbers, nor on alpha.
constexpr double last_split = 1.5;        ///< temperature of the last split
constexpr double between_splits = 1.25;   ///< ratio of the temperatures of two splits
constexpr double fewest_topics = 8;       ///< that a fit starts with,
constexpr double most_first_topics = 50;  ///< unless the number of K's halving is larger
constexpr double topics_per_token = 1.5;  ///< of a document: more topics, and it could not tell them apart

}  // namespace

int64_t first_topics(int64_t topics, double tokens) {
  double least = most_first_topics;
  if (tokens > 0) least = std::clamp(topics_per_token * tokens, fewest_topics, most_first_topics);
  while (topics > 1 && static_cast<double>(half_of_topics(topics)) >= least) topics = half_of_topics(topics);
  return topics;
}

int64_t topics_at(int64_t topics, double temperature) {
  for (double split = last_split; topics > 1 && temperature > split; split *= between_splits) {
    topics = half_of_topics(topics);
  }
  return topics;
}

}  // namespace vtemper
