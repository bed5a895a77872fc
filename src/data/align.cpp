// Aligns columns to a reference vocabulary.

#include <algorithm>

#include "data/counts_builder.h"
#include "data/names.h"
#include "data/sequences_builder.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

constexpr int32_t unknown = -1;

/// The position of each column in the reference.
std::vector<int32_t> places_of(const Names& names, const Names& reference) {
  const ColumnOfName columns = checked_names(reference, VTEMPER_ERROR_DATA, "names");
  std::vector<int32_t> places;
  places.reserve(names.size());
  for (const std::string& name : names) {
    const auto found = columns.find(name);
    places.push_back(found == columns.end() ? unknown : found->second);
  }
  return places;
}

/// The tokens of unknown columns are added to `unknown_tokens`.
Counts aligned(const Counts& counts, const std::vector<int32_t>& places, int64_t columns, double& unknown_tokens) {
  CountsBuilder builder;
  std::vector<std::pair<int32_t, double>> row_entries;
  for (int64_t row = 0; row < counts.rows; ++row) {
    row_entries.clear();
    counts.visit_row(row, [&](int32_t column, double count) {
      const int32_t place = places[static_cast<size_t>(column)];
      if (place == unknown) {
        unknown_tokens += count;
      } else {
        row_entries.emplace_back(place, count);
      }
    });
    // Sorted, so that the stored document does not depend on the order of its own vocabulary.
    std::sort(row_entries.begin(), row_entries.end());
    for (const auto& [place, count] : row_entries) builder.add(place, count);
    builder.end_row();
  }
  return builder.finish(columns);
}

Sequences aligned(const Sequences& sequences, const Names& names, const std::vector<int32_t>& places,
                  int64_t columns) {
  SequencesBuilder builder;
  std::vector<int32_t> symbols;
  for (int64_t row = 0; row < sequences.rows; ++row) {
    const int64_t length = sequences.row_length(row);
    symbols.resize(std::max(symbols.size(), static_cast<size_t>(length)));
    sequences.read_row(row, length, symbols.data());
    for (int64_t t = 0; t < length; ++t) {
      const auto symbol = static_cast<size_t>(symbols[static_cast<size_t>(t)]);
      if (places[symbol] == unknown) {
        throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", position ", t, " is the symbol '", names[symbol],
                                                "', which is not among the reference names"));
      }
      builder.add(places[symbol]);
    }
    builder.end_row();
  }
  return builder.finish(columns);
}

}  // namespace

Aligned data_align(const Data& data, const Names& reference) {
  if (data.is<Dense>()) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED, "dense data have no vocabulary: only counts and sequences can be aligned");
  }
  if (!data.names) throw Error(VTEMPER_ERROR_STATE, "the data have no names, so their columns cannot be aligned");
  if (reference.size() > static_cast<size_t>(max_columns)) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument count is ", static_cast<int64_t>(reference.size()),
                                                "; it must lie between 0 and ", max_columns));
  }
  const std::vector<int32_t> places = places_of(*data.names, reference);
  const auto columns = static_cast<int64_t>(reference.size());
  double unknown_tokens = 0;
  auto result = data.is<Counts>() ? std::make_shared<Data>(aligned(data.counts(), places, columns, unknown_tokens))
                                  : std::make_shared<Data>(aligned(data.sequences(), *data.names, places, columns));
  result->names = std::make_shared<const Names>(reference);
  result->weights = data.weights;
  result->row_texts = data.row_texts;
  result->notes = data.notes;
  result->keep_numbers(data);
  return {std::move(result), unknown_tokens};
}

}  // namespace vtemper
