// Columns brought into the order of a reference vocabulary.

#include <algorithm>

#include "data/counts_builder.h"
#include "data/names.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

constexpr int32_t unknown = -1;

/// For each column its place in the reference.
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

}  // namespace

Aligned data_align(const Data& data, const Names& reference) {
  if (!data.counts)
    throw Error(VTEMPER_ERROR_UNSUPPORTED, "dense data have no vocabulary: only counts can be aligned");
  if (!data.names) throw Error(VTEMPER_ERROR_STATE, "the data have no names, so their columns cannot be aligned");
  if (reference.size() > static_cast<size_t>(most_columns)) {
    throw Error(VTEMPER_ERROR_ARGUMENT, sentence("argument count is ", static_cast<int64_t>(reference.size()),
                                                 "; it must lie between 0 and ", most_columns));
  }
  const std::vector<int32_t> places = places_of(*data.names, reference);
  Aligned result{std::make_shared<Data>(), 0};
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
    // Ascending, so that the same documents give the same bits whatever the order of their own vocabulary.
    std::sort(row_entries.begin(), row_entries.end());
    for (const auto& [place, count] : row_entries) builder.add(place, count);
    builder.end_row();
  }
  result.data->counts = builder.finish(static_cast<int64_t>(reference.size()));
  result.data->names = std::make_shared<const Names>(reference);
  result.data->weights = data.weights;
  return result;
}

}  // namespace vtemper
