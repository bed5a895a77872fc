#pragma once
// Fixtures of group tests that use only the C interface: documents of a few themes, and the handles of one rank,
// which are destroyed in the right order.

#include <string>
#include <utility>
#include <vector>

#include "support/cmocka.h"
#include "support/rank_threads.h"

namespace vtemper::test {

using Texts = std::vector<std::pair<const char*, std::string>>;

/// Rows [first, last) of a corpus with that many themes. A row is the same whatever the limits.
inline vtemper_data* documents(int64_t first, int64_t last, int32_t columns, int32_t themes) {
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<double> values;
  for (int64_t row = first; row < last; ++row) {
    uint32_t state = static_cast<uint32_t>(row) * 2654435761u + 17u;
    for (int32_t column = 0; column < columns; ++column) {
      state = state * 1664525u + 1013904223u;
      if ((state >> 16) % 10 >= (column % themes == row % themes ? 6u : 1u)) continue;
      indices.push_back(column);
      values.push_back(1 + (state >> 24) % 3);
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  vtemper_data* data = nullptr;
  vtemper_data_from_counts(VTEMPER_BY_ROWS, last - first, columns, offsets.data(), VTEMPER_INT64, indices.data(),
                           VTEMPER_INT32, values.data(), VTEMPER_DOUBLE, 0, VTEMPER_COPY, nullptr, nullptr, &data);
  return data;
}

inline vtemper_options* options_of(const Texts& texts) {
  vtemper_options* options = nullptr;
  vtemper_options_create(&options);
  for (const auto& [name, text] : texts) vtemper_options_set(options, name, text.c_str());
  return options;
}

/// The handles of a rank, or of one machine, and the first call that failed.
struct RankHandles {
  vtemper_group* group = nullptr;
  vtemper_data* own = nullptr;
  vtemper_data* data = nullptr;
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  vtemper_status status = VTEMPER_OK;
  std::string message;
  vtemper_report report{};

  RankHandles() { report.struct_size = sizeof report; }
  RankHandles(const RankHandles&) = delete;
  RankHandles& operator=(const RankHandles&) = delete;
  ~RankHandles() {
    vtemper_optimizer_destroy(optimizer);
    vtemper_model_destroy(model);
    vtemper_data_destroy(data);
    vtemper_data_destroy(own);
    vtemper_group_destroy(group);
  }
  bool did(vtemper_status came) {
    status = came;
    if (came != VTEMPER_OK) message = vtemper_last_error();
    return came == VTEMPER_OK;
  }
  bool spread(RankThreads& threads, int number, vtemper_data* rows_of_rank) {
    group = threads.connect(number);
    own = rows_of_rank;
    return did(vtemper_data_spread(own, group, &data));
  }
  /// Creates an optimizer of LDA, with a new model unless one was loaded.
  bool create(const Texts& of_model, const Texts& of_optimizer) {
    vtemper_options* options = options_of(of_model);
    bool good = model != nullptr || did(vtemper_model_create("lda", options, &model));
    vtemper_options_destroy(options);
    options = options_of(of_optimizer);
    good = good && did(vtemper_optimizer_create(model, data, options, &optimizer));
    vtemper_options_destroy(options);
    return good;
  }
  bool step(int64_t steps) { return did(vtemper_optimizer_step(optimizer, steps, &report)); }
};

inline bool says(const RankHandles& rank, vtemper_status status, const std::string& words) {
  if (rank.status == status && rank.message.find(words) != std::string::npos) return true;
  print_error("%s: %s\n", vtemper_status_name(rank.status), rank.message.c_str());
  return false;
}

}  // namespace vtemper::test
