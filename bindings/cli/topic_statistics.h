#pragma once
// Statistics of the topics over many documents: correlations, and shares over time.

#include <cstdint>
#include <string>
#include <vector>

#include <vtemper/vtemper.h>

/// Pearson correlations of topic shares over the documents, [topics x topics]. NaN for a topic whose share is
/// constant.
std::vector<double> topic_correlations(const double* shares, int64_t rows, int64_t topics);

/// Length of a timeline's periods.
enum class PeriodLength { day, month, quarter, year };

/// Parses "day", "month", "quarter" or "year"; false for other words.
bool parse_period_length(const std::string& text, PeriodLength& length);

/// A date, parsed from texts such as 2024, 2024-05, 2024-05-17, 2024/05/17, 20240517 or 17.05.2024; anything after a
/// blank or T is ignored. Month and day are 0 if not given.
struct Date {
  int year = 0, month = 0, day = 0;
};
bool parse_date(const std::string& text, Date& date);

/// Topic shares in the documents of one period.
struct Period {
  std::string name;  ///< 2024, 2024-Q2, 2024-05 or 2024-05-17
  int64_t documents = 0;
  std::vector<double> mean;       ///< [topics]
  std::vector<double> deviation;  ///< [topics] sample standard deviation over the documents; NaN for one
};

/// Periods with documents, earliest first.
struct Timeline {
  std::vector<Period> periods;
  int64_t without_date = 0;  ///< documents whose date is invalid or less precise than the periods
  int64_t first_without = -1;
};

/// Topic shares [rows x topics] over the documents' dates; all documents have equal weight.
Timeline topic_timeline(const vtemper_data* data, const double* shares, int64_t rows, int64_t topics,
                        PeriodLength length);

/// The finest length with at most that many periods.
PeriodLength length_for(const vtemper_data* data, int64_t rows, size_t max_periods);
