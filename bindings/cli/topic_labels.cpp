#include "topic_labels.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "corpus.h"
#include "failure.h"

namespace {

constexpr size_t words_of_label = 3;
constexpr int64_t words_looked_at = 12;

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

/// Number of UTF-8 characters from a position on.
int64_t characters(const std::string& text, size_t from = 0) {
  return std::count_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(),
                       [](char byte) { return !continues(byte); });
}

/// Whether two words are probably inflections of one: they differ in a few final letters.
bool same_stem(const std::string& a, const std::string& b) {
  constexpr int64_t shortest_stem = 4, longest_ending = 3;
  size_t common = 0;
  while (common < std::min(a.size(), b.size()) && a[common] == b[common]) ++common;
  while (common > 0 && (common < a.size() ? continues(a[common]) : common < b.size() && continues(b[common])))
    --common;
  const auto is_ending = [&](const std::string& word) {
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    return characters(word, common) <= longest_ending &&
           std::none_of(word.begin() + static_cast<std::ptrdiff_t>(common), word.end(), is_digit);
  };
  return characters(a.substr(0, common)) >= shortest_stem && is_ending(a) && is_ending(b);
}

std::string label_of(const vtemper_model* model, const int64_t* words, int64_t count) {
  std::vector<std::string> chosen;
  for (int64_t i = 0; i < count && chosen.size() < words_of_label; ++i) {
    const char* name;
    check(vtemper_model_name(model, words[i], &name));
    const std::string word = *name != '\0' ? name : "#" + std::to_string(words[i]);
    const auto like = [&](const std::string& other) { return same_stem(word, other); };
    if (*name == '\0' || std::none_of(chosen.begin(), chosen.end(), like)) chosen.push_back(word);
  }
  std::string label;
  for (const std::string& word : chosen) label += (label.empty() ? "" : " ") + word;
  return label;
}

}  // namespace

TopicLabels topic_labels(const vtemper_model* model, int64_t topics) {
  const int64_t shown = std::min(model_columns(model), words_looked_at);
  std::vector<int64_t> words(static_cast<size_t>(topics * shown));
  check_words(vtemper_model_rank_all_words(model, "label", shown, words.data(), nullptr));
  TopicLabels labels = {static_cast<char**>(allocate(static_cast<size_t>(topics), sizeof(char*))), topics};
  for (int64_t k = 0; k < topics; ++k) {
    labels.labels[k] = text_of("%s", label_of(model, words.data() + k * shown, shown).c_str());
  }
  return labels;
}

void topic_labels_free(TopicLabels* labels) {
  for (int64_t k = 0; k < labels->count; ++k) std::free(labels->labels[k]);
  std::free(labels->labels);
  *labels = {nullptr, 0};
}
