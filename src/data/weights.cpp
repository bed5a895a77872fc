// Row weights.

#include "data/data.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

void check_weight_count(const Data& data, int64_t count) {
  if (count == data.rows()) return;
  throw Error(VTEMPER_ERROR_ARGUMENT, message(there_are(count, "weight"), " for ", counted(data.rows(), "row")));
}

void data_set_weights(Data& data, const std::vector<double>& weights) {
  check_weight_count(data, static_cast<int64_t>(weights.size()));
  for (size_t row = 0; row < weights.size(); ++row) {
    if (std::isfinite(weights[row]) && weights[row] >= 0) continue;
    throw Error(VTEMPER_ERROR_DATA, message("weights[", static_cast<int64_t>(row), "] is ", weights[row],
                                            "; weights must be finite and not negative"));
  }
  data.weights = own_weights(weights);
  // The rows no longer have the weights of the data they were sliced from.
  data.whole = nullptr;
  data.part.corpus = nullptr;
}

RowWeights own_weights(std::vector<double> weights) {
  const auto owner = std::make_shared<const std::vector<double>>(std::move(weights));
  return {std::shared_ptr<const double>(owner, owner->data()), nullptr};
}

void Data::refuse_weight(int64_t row, double weight) const {
  const auto source_of = [](const auto& rows) -> std::string {
    if constexpr (std::is_same_v<std::decay_t<decltype(rows)>, Dense>) {
      return "";
    } else {
      return rows.source;
    }
  };
  throw Error(VTEMPER_ERROR_FORMAT, message(std::visit(source_of, observations), ": row ", row, " has the weight ",
                                            weight, "; weights must be finite and not negative"));
}

}  // namespace vtemper
