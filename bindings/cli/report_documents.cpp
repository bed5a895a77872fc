// Documents with their topics, topic correlations and timelines, as JSON for the page's script.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

#include "corpus.h"
#include "failure.h"
#include "numbers.h"
#include "outside_text.h"
#include "ranking.h"
#include "report_parts.h"
#include "row_labels.h"
#include "topic_statistics.h"

using nlohmann::json;

namespace {

constexpr int64_t rows_inferred = 20000, documents_shown = 2000, documents_of_topic = 8, topics_of_document = 6;
constexpr size_t max_periods = 120;
/// Limit on the size of all documents, to keep the page small.
constexpr size_t bytes_of_documents = 800000, letters_of_text = 1200, letters_of_name = 120;

/// The first characters of a text, with an ellipsis if there is more.
std::string beginning(const std::string& text, size_t letters) {
  const size_t length = beginning_length(text.c_str(), letters);
  return length == text.size() ? text : text.substr(0, length) + "\u2026";
}

std::string number(int64_t value) {
  char text[NUMBER_LENGTH];
  return format_count(text, value);
}

/// Topic proportions of documents, [rows x topics].
struct Shares {
  const std::vector<double>& values;
  int64_t rows, topics;
  double of(int64_t row, int64_t topic) const { return values[static_cast<size_t>(row * topics + topic)]; }
};

/// The documents with the largest share of each topic, best first: [topics][documents_of_topic].
std::vector<std::vector<int64_t>> best_documents(const Shares& shares) {
  std::vector<std::vector<int64_t>> best;
  std::vector<Ranked> ranked(static_cast<size_t>(shares.rows));
  const int64_t shown = std::min(shares.rows, documents_of_topic);
  for (int64_t k = 0; k < shares.topics; ++k) {
    for (int64_t row = 0; row < shares.rows; ++row) ranked[static_cast<size_t>(row)] = {row, shares.of(row, k)};
    std::partial_sort(ranked.begin(), ranked.begin() + shown, ranked.end(), [](const Ranked& a, const Ranked& b) {
      return a.score > b.score || (a.score == b.score && a.row < b.row);
    });
    best.emplace_back();
    for (int64_t i = 0; i < shown; ++i) best.back().push_back(ranked[static_cast<size_t>(i)].row);
  }
  return best;
}

/// The best documents of the topics first, then evenly spaced others; in ascending order.
std::vector<int64_t> chosen_rows(const std::vector<std::vector<int64_t>>& best, int64_t rows) {
  std::set<int64_t> chosen;
  for (const auto& own : best) chosen.insert(own.begin(), own.end());
  const auto most = static_cast<size_t>(std::min(documents_shown, rows));
  for (size_t i = 0; i < most && chosen.size() < most; ++i) {
    chosen.insert(
        static_cast<int64_t>(static_cast<double>(i) * static_cast<double>(rows) / static_cast<double>(most)));
  }
  return {chosen.begin(), chosen.end()};
}

json document_of(const vtemper_data* data, int64_t row, int64_t own_number, const Shares& shares, size_t letters) {
  std::vector<Ranked> ranked(static_cast<size_t>(shares.topics));
  for (int64_t k = 0; k < shares.topics; ++k) ranked[static_cast<size_t>(k)] = {k, shares.of(row, k)};
  rank_rows(ranked.data(), shares.topics, LARGEST_FIRST);
  json topics = json::array();
  for (const Ranked& topic : ranked) {
    if (topic.score < 0.02 || static_cast<int64_t>(topics.size()) == topics_of_document) break;
    topics.push_back({topic.row, rounded(topic.score, 3)});
  }
  const std::string name = row_text(data, "name", row), date = row_text(data, "date", row);
  json document = {{"name", name.empty() ? "row " + std::to_string(own_number) : beginning(name, letters_of_name)},
                   {"topics", topics}};
  if (!date.empty()) document["date"] = beginning(date, 40);
  const std::string text = beginning(row_text(data, "text", row), letters);
  if (!text.empty()) document["text"] = text;
  return document;
}

void add_correlations(json& page, const std::vector<int64_t>& order, const Shares& shares) {
  const std::vector<double> values = topic_correlations(shares.values.data(), shares.rows, shares.topics);
  json table = json::array();
  for (const int64_t k : order) {
    json line = json::array();
    for (const int64_t j : order) {
      const double value = values[static_cast<size_t>(k * shares.topics + j)];
      line.push_back(std::isfinite(value) ? json(std::round(1000 * value) / 1000) : json());
    }
    table.push_back(line);
  }
  page["correlations"] = std::move(table);
}

void add_timeline(json& page, const vtemper_data* data, const std::vector<int64_t>& order, const Shares& shares,
                  const std::string& counted) {
  if (!row_labels(data).has_dates) return;
  const PeriodLength length = length_for(data, shares.rows, max_periods);
  const Timeline timeline = topic_timeline(data, shares.values.data(), shares.rows, shares.topics, length);
  if (timeline.periods.size() < 2) return;
  json periods = json::array(), mean = json::array(), error = json::array();
  for (const Period& period : timeline.periods) periods.push_back(period.name);
  for (const int64_t k : order) {
    json means = json::array(), errors = json::array();
    for (const Period& period : timeline.periods) {
      const auto place = static_cast<size_t>(k);
      means.push_back(rounded(period.mean[place], 3));
      errors.push_back(rounded(period.deviation[place] / std::sqrt(static_cast<double>(period.documents)), 2));
    }
    mean.push_back(means);
    error.push_back(errors);
  }
  const char* const names[] = {"day", "month", "quarter", "year"};
  std::string note = "Mean share of the topic in the documents of a " + std::string(names[static_cast<int>(length)]) +
                     ", and its standard error as a band" + counted + ".";
  if (timeline.without_date > 0) {
    note += " " + number(timeline.without_date) +
            plural(timeline.without_date == 1, " document has no such date.", " documents have no such date.");
  }
  page["timeline"] = {{"length", names[static_cast<int>(length)]},
                      {"periods", periods},
                      {"mean", mean},
                      {"error", error},
                      {"note", note}};
}

/// Topic proportions of the documents; for a deep exponential family the expected words from each factor: its
/// expected count times the words per unit of it.
std::vector<double> shares_of(const vtemper_model* model, const vtemper_data* data, int64_t shape[2]) {
  std::vector<double> values = inferred_of(model, data, "proportions", shape);
  if (!values.empty()) return values;
  int64_t length[2];
  const std::vector<double> rate = parameter_of(model, "factor.rate", length);
  if (rate.empty()) return {};
  values = inferred_of(model, data, "latent_mean", shape);
  for (int64_t row = 0; row < shape[0]; ++row) {
    double* own = values.data() + row * shape[1];
    double total = 0;
    for (int64_t k = 0; k < shape[1]; ++k) total += own[k] *= rate[static_cast<size_t>(k)];
    for (int64_t k = 0; k < shape[1] && total > 0; ++k) own[k] /= total;
  }
  return values;
}

}  // namespace

void add_documents(json& page, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) == 0) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, rows_inferred, rows);
  int64_t shape[2];
  const std::vector<double> values = shares_of(report.model, data, shape);
  if (values.empty()) {
    vtemper_data_destroy(data);
    return;
  }
  const Shares shares = {values, shape[0], shape[1]};
  const int64_t all = corpus_rows(report.data);
  std::string counted;
  if (shares.rows < all) counted = ", of " + number(shares.rows) + " of the " + number(all) + " documents";
  std::vector<int64_t> order;
  for (const json& topic : page["topics"]) order.push_back(topic["id"]);
  add_correlations(page, order, shares);
  add_timeline(page, data, order, shares, counted);

  const auto best = best_documents(shares);
  const std::vector<int64_t> chosen = chosen_rows(best, shares.rows);
  const size_t letters = std::min(letters_of_text, bytes_of_documents / std::max<size_t>(chosen.size(), 1));
  json list = json::array();
  for (const int64_t row : chosen) {
    list.push_back(document_of(data, row, rows[static_cast<size_t>(row)], shares, letters));
  }
  for (json& topic : page["topics"]) {
    json documents = json::array();
    const int64_t k = topic["id"];
    for (const int64_t row : best[static_cast<size_t>(k)]) {
      const auto place = std::lower_bound(chosen.begin(), chosen.end(), row) - chosen.begin();
      documents.push_back({place, rounded(shares.of(row, k), 3)});
    }
    topic["documents"] = documents;
  }
  const std::string note = static_cast<int64_t>(chosen.size()) == all
                               ? number(all) + " documents."
                               : number(static_cast<int64_t>(chosen.size())) + " of the " + number(all) +
                                     " documents: those that represent the topics, and others evenly spaced.";
  page["documents"] = {{"list", std::move(list)}, {"note", note}};
  vtemper_data_destroy(data);
}
