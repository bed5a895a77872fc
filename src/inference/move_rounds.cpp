#include "inference/move_rounds.h"

namespace vtemper {

namespace {

constexpr int64_t most_rounds = 3;
/// Steps in which the parts of a split topic adapt before the next round.
constexpr int64_t between_rounds = 10;
constexpr const char* tensor = "optimizer.move_rounds";

}  // namespace

void MoveRounds::prepare(SampledMoves& model, bool cold, bool was_hot, int64_t iteration, int threads) {
  due_ = wanted() && cold && (was_hot || (next_ > 0 && iteration == next_));
  found_ = due_ ? model.find_moves(*sample_, threads, seed_, iteration) : 0;
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

std::shared_ptr<const Data> sample_for_moves(const SampledMoves& model, const std::shared_ptr<const Data>& data,
                                             int64_t most_shared) {
  const int64_t wanted = model.sample_rows(*data);
  if (wanted == 0 || data->rows() <= wanted) return wanted == 0 ? nullptr : data;
  const int64_t shared = std::min(data->rows(), most_shared);
  const auto spread = [](int64_t i, int64_t all, int64_t count) {
    return static_cast<int64_t>(static_cast<double>(i) * (static_cast<double>(all) / static_cast<double>(count)));
  };
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < wanted; ++i) rows.push_back(spread(spread(i, shared, wanted), data->rows(), shared));
  return data_select(*data, rows.data(), wanted);
}

}  // namespace vtemper
