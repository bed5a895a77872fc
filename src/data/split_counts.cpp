// Splits each row's tokens into an observed and a held-out part.

#include "data/counts_builder.h"
#include "data/hypergeometric.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"

namespace vtemper {
namespace {

/// Number of tokens of a row, whose counts must be integers. Refuses more than the draw supports.
int64_t tokens_of(const Counts& counts, int64_t row) {
  int64_t tokens = 0;
  counts.visit_row(row, [&](int32_t column, double count) {
    if (count != std::floor(count)) {
      throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", static_cast<int64_t>(column), " holds ",
                                              count, "; tokens can be split only where counts are whole"));
    }
    if (count > static_cast<double>(max_hypergeometric_tokens - tokens)) {
      throw Error(VTEMPER_ERROR_DATA,
                  message("row ", row, " holds more than ", max_hypergeometric_tokens, " tokens, too many to split"));
    }
    tokens += static_cast<int64_t>(count);
  });
  return tokens;
}

}  // namespace

DataPair data_split_counts(const Data& data, double share, uint64_t seed) {
  require_share(share);
  if (!data.is<Counts>()) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                data.is<Dense>() ? "dense data have no tokens: only counts can be split"
                                 : "sequences cannot be split: their symbols are ordered; only counts can be split");
  }
  const Counts& counts = data.counts();
  CountsBuilder observed, heldout;
  for (int64_t row = 0; row < counts.rows; ++row) {
    require_not_interrupted();
    int64_t left = tokens_of(counts, row);
    int64_t wanted = std::llround(share * static_cast<double>(left));
    RandomStream stream(seed, Purpose::split_counts, 0, static_cast<uint64_t>(data.first_row + row));
    counts.visit_row(row, [&](int32_t column, double value) {
      const auto count = static_cast<int64_t>(value);
      const int64_t drawn = draw_hypergeometric(stream, left, count, wanted);
      left -= count;
      wanted -= drawn;
      if (drawn < count) observed.add(column, static_cast<double>(count - drawn));
      if (drawn > 0) heldout.add(column, static_cast<double>(drawn));
    });
    observed.end_row();
    heldout.end_row();
  }
  DataPair pair{std::make_shared<Data>(observed.finish(counts.columns)),
                std::make_shared<Data>(heldout.finish(counts.columns))};
  for (const DataPointer& part : {pair.first, pair.second}) {
    part->names = data.names;
    part->weights = data.weights;
    part->row_texts = data.row_texts;
    part->notes = data.notes;
    part->keep_numbers(data);
  }
  return pair;
}

}  // namespace vtemper
