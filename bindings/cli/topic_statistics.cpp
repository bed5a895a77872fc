#include "topic_statistics.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

#include "row_labels.h"

namespace {

/// Parses a number of exactly that many digits and advances the position; false otherwise.
bool take_number(const std::string& text, size_t& at, size_t digits, int& number) {
  number = 0;
  for (size_t i = 0; i < digits; ++i, ++at) {
    if (at >= text.size() || std::isdigit(static_cast<unsigned char>(text[at])) == 0) return false;
    number = 10 * number + (text[at] - '0');
  }
  return true;
}

bool is_date(const Date& date) {
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (date.month == 0) return date.day == 0;
  if (date.month > 12) return false;
  const bool leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
  return date.day <= days[date.month - 1] + (leap && date.month == 2 ? 1 : 0);
}

/// Whether the text ends here, or a time of day follows.
bool ends_at(const std::string& text, size_t at) {
  return at == text.size() || text[at] == ' ' || text[at] == 'T';
}

bool parse_year_first(const std::string& text, Date& date) {
  size_t at = 0;
  if (!take_number(text, at, 4, date.year)) return false;
  if (ends_at(text, at)) return true;
  const char separator = text[at];
  const bool separated = separator == '-' || separator == '/' || separator == '.';
  if (separated) ++at;
  if (!take_number(text, at, 2, date.month) || date.month == 0) return false;
  if (separated && ends_at(text, at)) return true;
  if (separated && (at >= text.size() || text[at++] != separator)) return false;
  return take_number(text, at, 2, date.day) && date.day > 0 && ends_at(text, at);
}

bool parse_day_first(const std::string& text, Date& date) {
  size_t at = 0;
  if (!take_number(text, at, 2, date.day) || at >= text.size() || text[at++] != '.') return false;
  if (!take_number(text, at, 2, date.month) || at >= text.size() || text[at++] != '.') return false;
  return take_number(text, at, 4, date.year) && date.day > 0 && date.month > 0 && ends_at(text, at);
}

/// Name of the date's period; "" if the date is less precise.
std::string period_name(const Date& date, PeriodLength length) {
  char text[64];
  if (length == PeriodLength::year) {
    std::snprintf(text, sizeof text, "%04d", date.year);
  } else if (date.month == 0) {
    return "";
  } else if (length == PeriodLength::quarter) {
    std::snprintf(text, sizeof text, "%04d-Q%d", date.year, (date.month + 2) / 3);
  } else if (length == PeriodLength::month) {
    std::snprintf(text, sizeof text, "%04d-%02d", date.year, date.month);
  } else if (date.day == 0) {
    return "";
  } else {
    std::snprintf(text, sizeof text, "%04d-%02d-%02d", date.year, date.month, date.day);
  }
  return text;
}

std::string period_of(const vtemper_data* data, int64_t row, PeriodLength length) {
  Date date;
  return parse_date(row_text(data, "date", row), date) ? period_name(date, length) : "";
}

}  // namespace

bool parse_period_length(const std::string& text, PeriodLength& length) {
  const char* const names[] = {"day", "month", "quarter", "year"};
  for (int i = 0; i < 4; ++i) {
    if (text != names[i]) continue;
    length = static_cast<PeriodLength>(i);
    return true;
  }
  return false;
}

bool parse_date(const std::string& text, Date& date) {
  const size_t start = text.find_first_not_of(" \t");
  if (start == std::string::npos) return false;
  const std::string trimmed = text.substr(start, text.find_last_not_of(" \t") + 1 - start);
  date = {};
  if (parse_year_first(trimmed, date)) return is_date(date);
  date = {};
  return parse_day_first(trimmed, date) && is_date(date);
}

std::vector<double> topic_correlations(const double* shares, int64_t rows, int64_t topics) {
  const auto count = static_cast<size_t>(topics);
  std::vector<double> mean(count), centred(count), products(count * count);
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t k = 0; k < count; ++k) mean[k] += shares[static_cast<size_t>(row) * count + k];
  }
  for (double& value : mean) value /= static_cast<double>(std::max<int64_t>(rows, 1));
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t k = 0; k < count; ++k) centred[k] = shares[static_cast<size_t>(row) * count + k] - mean[k];
    for (size_t k = 0; k < count; ++k) {
      for (size_t j = 0; j <= k; ++j) products[k * count + j] += centred[k] * centred[j];
    }
  }
  std::vector<double> correlations(count * count, 1);
  for (size_t k = 0; k < count; ++k) {
    for (size_t j = 0; j < k; ++j) {
      const double scale = std::sqrt(products[k * count + k] * products[j * count + j]);
      const double value = scale > 1e-12 * static_cast<double>(rows) ? products[k * count + j] / scale
                                                                     : std::numeric_limits<double>::quiet_NaN();
      correlations[k * count + j] = correlations[j * count + k] =
          std::isnan(value) ? value : std::clamp(value, -1., 1.);
    }
  }
  return correlations;
}

Timeline topic_timeline(const vtemper_data* data, const double* shares, int64_t rows, int64_t topics,
                        PeriodLength length) {
  const auto count = static_cast<size_t>(topics);
  std::map<std::string, std::vector<int64_t>> rows_of;
  Timeline timeline;
  for (int64_t row = 0; row < rows; ++row) {
    const std::string name = period_of(data, row, length);
    if (!name.empty()) {
      rows_of[name].push_back(row);
      continue;
    }
    if (timeline.without_date++ == 0) timeline.first_without = row;
  }
  for (const auto& [name, members] : rows_of) {
    Period period = {name, static_cast<int64_t>(members.size()), std::vector<double>(count),
                     std::vector<double>(count)};
    const auto n = static_cast<double>(members.size());
    for (const int64_t row : members) {
      for (size_t k = 0; k < count; ++k) period.mean[k] += shares[static_cast<size_t>(row) * count + k] / n;
    }
    for (const int64_t row : members) {
      for (size_t k = 0; k < count; ++k) {
        const double distance = shares[static_cast<size_t>(row) * count + k] - period.mean[k];
        period.deviation[k] += distance * distance;
      }
    }
    for (double& value : period.deviation) {
      value = n > 1 ? std::sqrt(value / (n - 1)) : std::numeric_limits<double>::quiet_NaN();
    }
    timeline.periods.push_back(std::move(period));
  }
  return timeline;
}

PeriodLength length_for(const vtemper_data* data, int64_t rows, size_t max_periods) {
  for (const PeriodLength length : {PeriodLength::month, PeriodLength::quarter}) {
    std::set<std::string> names;
    int64_t without = 0;
    for (int64_t row = 0; row < rows; ++row) {
      const std::string name = period_of(data, row, length);
      if (name.empty()) {
        ++without;
      } else {
        names.insert(name);
      }
    }
    // Dates with a year only need yearly periods.
    if (!names.empty() && names.size() <= max_periods && 2 * without <= rows) return length;
  }
  return PeriodLength::year;
}
