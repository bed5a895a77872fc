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

Sequences aligned(const Data& data, const std::vector<int32_t>& places, int64_t columns) {
  const Sequences& sequences = *data.sequences;
  SequencesBuilder builder;
  std::vector<int32_t> symbols;
  for (int64_t row = 0; row < sequences.rows; ++row) {
    const int64_t length = sequences.row_length(row);
    symbols.resize(std::max(symbols.size(), static_cast<size_t>(length)));
    sequences.read_row(row, length, symbols.data());
    for (int64_t t = 0; t < length; ++t) {
      const auto symbol = static_cast<size_t>(symbols[static_cast<size_t>(t)]);
      if (places[symbol] == unknown) {
        throw Error(VTEMPER_ERROR_DATA, sentence("row ", row, ", position ", t, " is the symbol '",
                                                 (*data.names)[symbol], "', which is not among the reference names"));
      }
      builder.add(places[symbol]);
    }
    builder.end_row();
  }
  return builder.finish(columns);
}

}  // namespace

Aligned data_align(const Data& data, const Names& reference) {
  data.require_whole();
  if (data.dense) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED, "dense data have no vocabulary: only counts and sequences can be aligned");
  }
  if (!data.names) throw Error(VTEMPER_ERROR_STATE, "the data have no names, so their columns cannot be aligned");
  if (reference.size() > static_cast<size_t>(most_columns)) {
    throw Error(VTEMPER_ERROR_ARGUMENT, sentence("argument count is ", static_cast<int64_t>(reference.size()),
                                                 "; it must lie between 0 and ", most_columns));
  }
  const std::vector<int32_t> places = places_of(*data.names, reference);
  Aligned result{std::make_shared<Data>(), 0};
  result.data->names = std::make_shared<const Names>(reference);
  result.data->weights = data.weights;
  result.data->row_texts = data.row_texts;
  result.data->notes = data.notes;
  result.data->keep_numbers(data);
  if (data.sequences) {
    result.data->sequences = aligned(data, places, static_cast<int64_t>(reference.size()));
    return result;
  }
  CountsBuilder builder;
  std::vector<std::pair<int32_t, double>> row_entries;
  for (int64_t row = 0; row < data.rows(); ++row) {
    row_entries.clear();
    data.counts->visit_row(row, [&](int32_t column, double count) {
      const int32_t place = places[static_cast<size_t>(column)];
      if (place == unknown) {
        result.unknown_tokens += count;
      } else {
        row_entries.emplace_back(place, count);
      }
    });
    // Ascending, so that a document's bits do not depend on the order of its own vocabulary.
    std::sort(row_entries.begin(), row_entries.end());
    for (const auto& [place, count] : row_entries) builder.add(place, count);
    builder.end_row();
  }
  result.data->counts = builder.finish(static_cast<int64_t>(reference.size()));
  return result;
}

}  // namespace vtemper
