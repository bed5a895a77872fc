#include "inference/move_rounds.h"

#include "inference/together.h"

namespace vtemper {

namespace {

constexpr int64_t most_rounds = 3;
/// Steps in which the parts of a split topic adapt before the next round.
constexpr int64_t between_rounds = 10;
constexpr const char* tensor = "optimizer.move_rounds";

/// All rows if they are at most `count`, otherwise so many that are spread evenly.
std::shared_ptr<const Data> some_rows(const std::shared_ptr<const Data>& data, int64_t count) {
  if (data->rows() <= count) return data;
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < count; ++i) rows.push_back(spread_row(i, data->rows(), count));
  return data_select(*data, rows.data(), count);
}

/// From the rows that the ranks of a group share before the first step, so that a group makes the same moves.
std::shared_ptr<const Data> sample_of(const std::shared_ptr<const Data>& data, const SampledMoves& model) {
  const std::shared_ptr<const Data> shared = some_rows(data, max_start_rows);
  return some_rows(shared, model.sample_rows(*shared));
}

}  // namespace

void MoveRounds::prepare(SampledMoves& model, bool cold, bool was_hot, int64_t iteration, int threads) {
  due_ = cold && (was_hot || (next_ > 0 && iteration == next_));
  found_ = due_ ? model.find_moves(*sample_of(rows_, model), threads, seed_, iteration) : 0;
  first_ = was_hot;
}

void MoveRounds::make(SampledMoves& model, int64_t iteration) noexcept {
  if (!due_) return;
  due_ = false;
  if (found_ > 0) model.make_moves();
  made_ += found_;
  round_ = first_ ? 1 : round_ + 1;
  next_ = found_ > 0 && round_ < most_rounds ? iteration + between_rounds : 0;
}

void MoveRounds::save(ContainerWriter& writer) const {
  if (wanted()) writer.keep(tensor, std::vector<int64_t>{round_, next_, made_});
}

bool MoveRounds::restore(const ContainerReader& reader) {
  forget();
  // Checkpoints of earlier versions do not have it.
  if (!wanted() || !reader.has_tensor(tensor)) return true;
  const std::vector<int64_t> integers = reader.integers(tensor);
  if (integers.size() != 3) return false;
  for (const int64_t value : integers) {
    if (value < 0) return false;
  }
  round_ = integers[0];
  next_ = integers[1];
  made_ = integers[2];
  return true;
}

}  // namespace vtemper
