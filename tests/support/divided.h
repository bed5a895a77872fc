#pragma once
// Shared by the suites whose rows are divided over machines or ranks.

#include <string>
#include <vector>

#include "api/handles.h"
#include "inference/optimizer.h"
#include "support/cmocka.h"
#include "support/error.h"
#include "support/option_texts.h"
#include "support/rank_threads.h"

namespace contract {

using namespace vtemper;

/// Row numbers; each rank has the rows between two consecutive ones.
using Cuts = std::vector<int64_t>;

inline void require(bool condition, const std::string& what, const std::string& why, const std::string& more = {}) {
  if (condition) return;
  print_error("%s: %s %s\n", what.c_str(), why.c_str(), more.c_str());
  assert_true(condition);
}

inline double quantity_of(const Optimizer& optimizer, const char* name) {
  double value = 0;
  optimizer.read_quantity(name, {&value, 1, 1});
  return value;
}

/// With a temperature per row, rows converge in tiles, so the last digits depend on which rows share a tile.
inline double tolerance_of(const Texts& texts) {
  return texts.at("method") == "local_tempering" ? 1e-4 : 1e-7;
}

/// The result of `fit` on each rank, for the rows between two cuts. Errors are stored in the result.
template <class Result, class Fit>
std::vector<Result> fit_spread(const DataPointer& data, const Cuts& cuts, const Fit& fit) {
  std::vector<Result> results(cuts.size() - 1);
  vtemper::test::RankThreads threads(static_cast<int>(results.size()));
  threads.run([&](int rank) {
    vtemper_group* group = threads.connect(rank);
    const auto place = static_cast<size_t>(rank);
    try {
      const DataPointer own = data_slice(*data, cuts[place], cuts[place + 1] - cuts[place]);
      results[place] = fit(data_spread(*own, group->group));
    } catch (const Error& error) {
      results[place].failure = std::string(vtemper_status_name(error.status())) + ": " + error.what();
    }
    vtemper_group_destroy(group);
  });
  return results;
}

}  // namespace contract
