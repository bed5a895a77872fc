// A corpus that is spread over ranks: the positions of its parts, and samples of all of it.

#include "data/spread.h"

#include <cmath>

#include "api/handles.h"
#include "models/contract/fixtures.h"
#include "support/rank_threads.h"

using namespace vtemper;
using vtemper::test::RankThreads;

namespace {

/// Runs `check` with the data of each rank, which have the rows between two cuts.
template <class Check>
void on_ranks(const DataPointer& corpus, const std::vector<int64_t>& cuts, const Check& check) {
  RankThreads threads(static_cast<int>(cuts.size()) - 1);
  std::vector<std::string> failures(cuts.size());
  threads.run([&](int rank) {
    vtemper_group* group = threads.connect(rank);
    const auto place = static_cast<size_t>(rank);
    try {
      const DataPointer own = data_slice(*corpus, cuts[place], cuts[place + 1] - cuts[place]);
      if (!check(data_spread(*own, group->group), rank)) failures[place] = "not as expected";
    } catch (const std::exception& error) {
      failures[place] = error.what();
    }
    vtemper_group_destroy(group);
  });
  for (const std::string& failure : failures) assert_string_equal(failure.c_str(), "");
}

bool same_rows(const Data& a, const Data& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns() || a.form() != b.form()) return false;
  for (int64_t row = 0; row < a.rows(); ++row) {
    if (a.weight(row) != b.weight(row)) return false;
    if (a.is<Counts>()) {
      std::vector<std::pair<int32_t, double>> one, other;
      a.counts().visit_row(row, [&](int32_t column, double count) { one.emplace_back(column, count); });
      b.counts().visit_row(row, [&](int32_t column, double count) { other.emplace_back(column, count); });
      if (one != other) return false;
    } else if (a.is<Sequences>()) {
      const int64_t length = a.sequences().row_length(row);
      if (b.sequences().row_length(row) != length) return false;
      std::vector<int32_t> one(static_cast<size_t>(length)), other(one);
      a.sequences().read_row(row, length, one.data());
      b.sequences().read_row(row, length, other.data());
      if (one != other) return false;
    } else {
      for (int64_t column = 0; column < a.columns(); ++column) {
        const double one = a.dense().at(row, column), other = b.dense().at(row, column);
        if (one != other && !(std::isnan(one) && std::isnan(other))) return false;
      }
    }
  }
  return true;
}

void parts_stand_in_the_order_of_ranks(void**) {
  const DataPointer corpus = contract::counts();
  const std::vector<int64_t> cuts = {0, 10, 10, 45};
  on_ranks(corpus, cuts, [&](const DataPointer& spread, int rank) {
    const auto place = static_cast<size_t>(rank);
    return spread->part.first == cuts[place] && spread->part.rows == 45 && spread->first_row == cuts[place] &&
           spread->rows() == cuts[place + 1] - cuts[place] && spread->corpus_rows() == 45 &&
           spread->corpus_row_length() == static_cast<double>(corpus->entries()) / 45 &&
           ranks_of(spread.get()) != nullptr && ranks_of(data_slice(*spread, 0, 0).get()) == nullptr;
  });
}

/// Parts of a file without names end at their last column with an entry.
void columns_without_names_are_those_of_all(void**) {
  const DataPointer counts = contract::counts();
  RankThreads threads(3);
  std::vector<std::string> failures(3);
  threads.run([&](int rank) {
    vtemper_group* group = threads.connect(rank);
    try {
      Data own(*data_slice(*counts, rank, 1));
      own.names = nullptr;
      const int64_t all = own.columns();
      std::get<Counts>(own.observations).columns = all + (rank == 1 ? 4 : rank);
      const DataPointer spread = data_spread(own, group->group);
      if (spread->columns() != all + 4) failures[static_cast<size_t>(rank)] = number_text(spread->columns());
    } catch (const std::exception& error) {
      failures[static_cast<size_t>(rank)] = error.what();
    }
    vtemper_group_destroy(group);
  });
  for (const std::string& failure : failures) assert_string_equal(failure.c_str(), "");
}

void samples_are_of_all_ranks(void**) {
  for (const DataPointer& corpus :
       {contract::counts(), contract::sequences(), contract::complete_rows(), contract::rows_with_missing_values()}) {
    for (const bool weighted : {false, true}) {
      if (weighted) {
        std::vector<double> weights(45);
        for (size_t row = 0; row < weights.size(); ++row) weights[row] = 1 + static_cast<double>(row % 4) / 2;
        data_set_weights(*corpus, weights);
      }
      on_ranks(corpus, {0, 1, 20, 45}, [&](const DataPointer& spread, int) {
        const DataPointer all = data_sample(*spread, 45);
        // Each tenth of the rows, with the weights of all.
        std::vector<int64_t> places;
        std::vector<double> weights;
        for (int64_t i = 0; i < 10; ++i) {
          places.push_back(static_cast<int64_t>(4.5 * static_cast<double>(i)));
          weights.push_back(4.5 * corpus->weight(places.back()));
        }
        const DataPointer expected = data_select(*corpus, places.data(), 10);
        data_set_weights(*expected, weights);
        return same_rows(*all, *corpus) && static_cast<bool>(all->weights) == weighted &&
               same_rows(*data_sample(*spread, 10), *expected);
      });
    }
  }
}

/// Row i goes to rank i % 3, from whichever rank has it.
void rows_travel_to_other_ranks(void**) {
  for (const DataPointer& corpus :
       {contract::counts(), contract::sequences(), contract::complete_rows(), contract::rows_with_missing_values()}) {
    on_ranks(corpus, {0, 1, 20, 45}, [&](const DataPointer& spread, int rank) {
      std::vector<std::vector<int64_t>> to(3);
      for (int64_t row = 0; row < spread->rows(); ++row) {
        to[static_cast<size_t>((spread->first_row + row) % 3)].push_back(row);
      }
      std::vector<int64_t> expected;
      for (int64_t row = rank; row < 45; row += 3) expected.push_back(row);
      const DataPointer travelled = data_travel(*spread, to);
      return same_rows(*travelled, *data_select(*corpus, expected.data(), 15)) &&
             travelled->corpus_row_length() == corpus->corpus_row_length();
    });
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(parts_stand_in_the_order_of_ranks),
      cmocka_unit_test(columns_without_names_are_those_of_all),
      cmocka_unit_test(samples_are_of_all_ranks),
      cmocka_unit_test(rows_travel_to_other_ranks),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
