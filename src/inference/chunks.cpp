#include "inference/chunks.h"

#include <algorithm>

#include "data/spread.h"
#include "group/group.h"

namespace vtemper {

namespace {

/// A chunk is a 64th of a step, so that up to 64 ranks can share it, but not so few rows that adding up its sums
/// takes longer than computing the rows.
constexpr int64_t max_chunks = 64;
constexpr int64_t min_length = 8;

}  // namespace

Chunks::Chunks(std::shared_ptr<const Data> spread, int64_t step_rows)
    : spread_(std::move(spread)),
      step_rows_(step_rows),
      length_(std::max(min_length, (step_rows + max_chunks - 1) / max_chunks)),
      first_of_rank_{0},
      row_(static_cast<size_t>(step_rows)),
      number_(static_cast<size_t>(step_rows)) {
  for (const int64_t rows : spread_->group->gather_count(spread_->rows())) {
    first_of_rank_.push_back(first_of_rank_.back() + rows);
  }
}

int Chunks::rank_of_row(int64_t number) const {
  const auto next = std::upper_bound(first_of_rank_.begin(), first_of_rank_.end(), number);
  return static_cast<int>(next - first_of_rank_.begin()) - 1;
}

/// If a step takes all rows in order, most rows of a chunk are on one rank, which computes it.
int Chunks::rank_of_chunk(int64_t chunk, const int64_t* numbers) const {
  if (numbers == nullptr) return rank_of_row((first_place(chunk) + first_place(chunk + 1)) / 2);
  return static_cast<int>(chunk * spread_->group->ranks() / count());
}

void Chunks::bring(const int64_t* numbers) {
  if (all_brought_) return;
  Group& group = *spread_->group;
  const int64_t first_own = first_of_rank_[static_cast<size_t>(group.rank())];
  std::vector<std::vector<int64_t>> to(static_cast<size_t>(group.ranks()));
  // The rows received are in the order of ranks, and those of one rank in the order of their places.
  std::vector<int64_t> from(to.size() + 1, 0);
  const auto number_at = [numbers](int64_t place) { return numbers != nullptr ? numbers[place] : place; };
  const auto is_at_home = [&](int64_t chunk, int rank) {
    for (int64_t place = first_place(chunk); place < first_place(chunk + 1); ++place) {
      if (rank_of_row(number_at(place)) != rank) return false;
    }
    return true;
  };
  group.run_locally({"the chunks of a step of rows", step_rows_}, [&] {
    own_.clear();
    for (int64_t chunk = 0; chunk < count(); ++chunk) {
      const int computing = rank_of_chunk(chunk, numbers);
      const bool at_home = is_at_home(chunk, computing);
      const bool is_own = computing == group.rank();
      const int64_t first = first_place(chunk), length = first_place(chunk + 1) - first;
      if (is_own) {
        const Data* data = at_home ? spread_.get() : nullptr;
        own_.push_back(
            {chunk, {data, row_.data() + first, 0, length, nullptr, first, 0, step_rows_, number_.data() + first}});
      }
      for (int64_t place = first; place < first + length; ++place) {
        const int64_t number = number_at(place);
        const int storing = rank_of_row(number);
        number_[static_cast<size_t>(place)] = number;
        row_[static_cast<size_t>(place)] = number - first_own;
        if (at_home) continue;
        if (storing == group.rank()) to[static_cast<size_t>(computing)].push_back(number - first_own);
        if (is_own) row_[static_cast<size_t>(place)] = from[static_cast<size_t>(storing) + 1]++;
      }
    }
    for (size_t rank = 1; rank < from.size(); ++rank) from[rank] += from[rank - 1];
    for (const Chunk& chunk : own_) {
      if (chunk.batch.data != nullptr) continue;
      for (int64_t i = 0; i < chunk.batch.count; ++i) {
        const auto place = static_cast<size_t>(chunk.batch.first_place + i);
        row_[place] += from[static_cast<size_t>(rank_of_row(number_[place]))];
      }
    }
    return Group::Told{};
  });
  brought_ = group.ranks() > 1 ? data_travel(*spread_, to) : nullptr;
  for (Chunk& chunk : own_) {
    if (chunk.batch.data == nullptr) chunk.batch.data = brought_.get();
  }
  all_brought_ = numbers == nullptr;
}

}  // namespace vtemper
