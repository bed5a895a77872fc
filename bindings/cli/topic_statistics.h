#pragma once
// What the topics of many documents say together: correlations, and shares over time.

#include <cstdint>
#include <string>
#include <vector>

#include <vtemper/vtemper.h>

/// Pearson correlations over the documents of the shares of two topics, [topics x topics]. NaN for a topic whose
/// share does not vary.
std::vector<double> topic_correlations(const double* shares, int64_t rows, int64_t topics);

/// How long the periods of a course over time are.
enum class PeriodLength { day, month, quarter, year };

/// "day", "month", "quarter" or "year"; false for other words.
bool parse_period_length(const std::string& text, PeriodLength& length);

/// A day, from texts such as 2024, 2024-05, 2024-05-17, 2024/05/17, 20240517 or 17.05.2024, what follows a blank or T
/// left aside. Month and day are 0 where they are not said.
struct Date {
  int year = 0, month = 0, day = 0;
};
bool parse_date(const std::string& text, Date& date);

/// Shares of topics in the documents of one period.
struct Period {
  std::string name;  ///< 2024, 2024-Q2, 2024-05 or 2024-05-17
  int64_t documents = 0;
  std::vector<double> mean;       ///< [topics]
  std::vector<double> deviation;  ///< [topics] sample standard deviation over the documents; NaN for one
};

/// Periods that have documents, earliest first.
struct Timeline {
  std::vector<Period> periods;
  int64_t without_date = 0;  ///< documents whose date cannot be read or is not as fine as the periods
  int64_t first_without = -1;
};

/// The course of the shares of topics [rows x topics] over the documents' dates; every document counts once.
Timeline topic_timeline(const vtemper_data* data, const double* shares, int64_t rows, int64_t topics,
                        PeriodLength length);

/// The finest length that gives at most so many periods.
PeriodLength length_for(const vtemper_data* data, int64_t rows, size_t most_periods);
