// Topics and their words, as JSON for the page's script.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

#include "corpus.h"
#include "failure.h"
#include "parameter.h"
#include "report_parts.h"
#include "topic_faults.h"
#include "topic_labels.h"
#include "topic_shares.h"

using nlohmann::json;

namespace {

constexpr int64_t topics_of_word = 8;
constexpr double min_share_of_word = 0.01;

/// Probabilities of the words [topics x words] and the topics, largest first.
struct TopicTable {
  std::vector<double> probabilities;
  std::vector<TopicShare> shares;
  int64_t words = 0;
  size_t place(int64_t topic, int64_t word) const { return static_cast<size_t>(topic * words + word); }
};

/// Words among the best of a topic at some position of the slider.
std::vector<std::vector<int64_t>> words_of_topics(const Report& report, int64_t topics, int64_t words) {
  std::vector<std::vector<int64_t>> of_topic(static_cast<size_t>(topics));
  const int64_t shown = std::min(words, report.words);
  std::vector<int64_t> ranked(static_cast<size_t>(topics * shown));
  for (int step = 0; step <= 10; ++step) {
    const std::string how = "relevance:" + std::to_string(step / 10) + "." + std::to_string(step % 10);
    check(vtemper_model_rank_all_words(report.model, how.c_str(), shown, ranked.data(), nullptr));
    for (int64_t k = 0; k < topics; ++k) {
      auto& own = of_topic[static_cast<size_t>(k)];
      own.insert(own.end(), ranked.begin() + k * shown, ranked.begin() + (k + 1) * shown);
    }
  }
  for (auto& own : of_topic) {
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return of_topic;
}

/// A word with its overall probability and the distribution of its tokens over topics.
json word_of(const Report& report, const TopicTable& table, int64_t word) {
  double overall = 0;
  std::vector<std::pair<double, int64_t>> parts;
  for (const TopicShare& topic : table.shares) {
    const double part = topic.share * table.probabilities[table.place(topic.topic, word)];
    overall += part;
    parts.emplace_back(-part, topic.topic);
  }
  std::sort(parts.begin(), parts.end());
  json topics = json::array();
  for (const auto& [part, topic] : parts) {
    const double share = overall > 0 ? -part / overall : 0;
    if (share < min_share_of_word || static_cast<int64_t>(topics.size()) == topics_of_word) break;
    topics.push_back({topic, rounded(share, 3)});
  }
  const char* name;
  check(vtemper_model_name(report.model, word, &name));
  return {{"name", *name != '\0' ? name : "#" + std::to_string(word)},
          {"overall", rounded(std::max(overall, 1e-300), 4)},
          {"topics", topics}};
}

/// Adds the words shown for the topics; they are then referred to by index.
std::map<int64_t, size_t> add_words(json& page, const Report& report, const TopicTable& table,
                                    const std::vector<std::vector<int64_t>>& of_topic) {
  std::map<int64_t, size_t> places;
  json words = json::array();
  for (const auto& own : of_topic) {
    for (const int64_t word : own) {
      if (!places.emplace(word, words.size()).second) continue;
      words.push_back(word_of(report, table, word));
    }
  }
  page["words"] = std::move(words);
  page["words_shown"] = report.words;
  return places;
}

/// What the note says about the coherence.
std::string note_of_coherence(const Report& report) {
  if (report.data == nullptr) return "coherence needs documents: --data CORPUS.";
  if (model_columns(report.model) < 2) return "coherence compares words, and there is only one.";
  return "coherence (NPMI) in the documents of " + std::string(report.data_title) + ".";
}

/// Scores of the topics: coherence if there are documents and words to compare, exclusivity and diversity.
void add_scores(json& page, const Report& report, std::vector<json>& topics) {
  std::string note;
  const bool has_coherence = report.data != nullptr && model_columns(report.model) > 1;
  const struct {
    const char* measure;
    const char* name;
  } scores[] = {{"coherence_npmi", "coherence"}, {"exclusivity", "exclusivity"}, {"topic_diversity", "diversity"}};
  for (const auto& [measure, name] : scores) {
    const bool by_documents = std::string(name) == "coherence";
    if (by_documents && !has_coherence) continue;
    std::vector<double> values(topics.size());
    check(vtemper_model_evaluate_topics(report.model, by_documents ? report.data : nullptr, measure, nullptr,
                                        values.data(), static_cast<int64_t>(values.size())));
    double sum = 0, known = 0;
    for (size_t k = 0; k < topics.size(); ++k) {
      topics[k][name] = rounded(values[k], 3);
      if (!std::isfinite(values[k])) continue;
      sum += values[k];
      ++known;
    }
    if (known > 0)
      note += (note.empty() ? "On average " : ", ") + std::string(name) + " " + rounded(sum / known, 3).dump();
  }
  page["topics_note"] = note + ", by the topics' ten likeliest words; " + note_of_coherence(report);
}

void add_faults(json& page, const Report& report, std::vector<json>& topics) {
  TopicFaults faults = topic_faults_find(report.model);
  if (faults.topics > 0) {
    for (size_t k = 0; k < topics.size(); ++k) {
      const auto topic = static_cast<int64_t>(k);
      if (topic_is_unused(&faults, topic)) topics[k]["unused"] = true;
      if (faults.duplicate_of[k] >= 0) topics[k]["like"] = faults.duplicate_of[k];
    }
    TextStream lines;
    text_begin(&lines);
    topic_faults_print(lines.stream, &faults);
    char* text = text_end(&lines);
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) page["warnings"].push_back(line);
    std::free(text);
  }
  topic_faults_free(&faults);
}

}  // namespace

void add_topics(json& page, const Report& report) {
  TopicTable table;
  int64_t shape[2];
  table.probabilities = parameter_of(report.model, "topics", shape);
  if (table.probabilities.empty()) table.probabilities = parameter_of(report.model, "factors", shape);
  if (table.probabilities.empty()) return;
  int64_t count;
  TopicShare* shares = topic_shares(report.model, &count);
  table.shares.assign(shares, shares + count);
  std::free(shares);
  table.words = shape[1];

  std::vector<json> topics(static_cast<size_t>(count));
  const auto of_topic = words_of_topics(report, count, table.words);
  const auto places = add_words(page, report, table, of_topic);
  std::vector<double> map(2 * static_cast<size_t>(count));
  check(vtemper_model_topic_map(report.model, "distance", map.data(), 2 * count));
  TopicLabels labels = topic_labels(report.model, count);
  for (const TopicShare& share : table.shares) {
    const auto k = static_cast<size_t>(share.topic);
    json words = json::array();
    for (const int64_t word : of_topic[k]) {
      words.push_back({places.at(word), rounded(table.probabilities[table.place(share.topic, word)], 4)});
    }
    topics[k] = {{"id", share.topic},           {"label", labels.labels[k]},       {"share", rounded(share.share, 4)},
                 {"x", rounded(map[2 * k], 4)}, {"y", rounded(map[2 * k + 1], 4)}, {"words", words}};
  }
  topic_labels_free(&labels);
  add_scores(page, report, topics);
  add_faults(page, report, topics);
  json ordered = json::array();
  for (const TopicShare& share : table.shares) ordered.push_back(topics[static_cast<size_t>(share.topic)]);
  page["topics"] = std::move(ordered);
  add_documents(page, report);
}
