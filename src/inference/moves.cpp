#include "inference/moves.h"

#include <algorithm>
#include <cmath>

namespace vtemper {

namespace {

/// Steps of each trial before the trials of a round are compared.
constexpr int64_t short_trial = 8;
/// Further steps of the best trial, and the interval between checks of its progress.
constexpr int64_t longest_trial = 60, stage = 10;
/// Consecutive rounds without a gain that end the search, and total steps after which no round begins.
constexpr int64_t patience = 2, budget = 330;
/// Relative gain of the bound that exceeds what a few further steps of the model would bring.
constexpr double min_gain = 1e-5;

const char* const candidate_name = "optimizer.moves.candidate";
const char* const best_name = "optimizer.moves.best";
const char* const rows_name = "optimizer.moves.rows";
const char* const best_rows_name = "optimizer.moves.best_rows";
constexpr const char* model_format = "vtemper.model";
constexpr const char* rows_format = "vtemper.rows";

/// A model, or the rows that a fit remembers, as a container within that of the checkpoint.
template <class Part>
void save_in(const Part& part, const char* format, const char* name, ContainerWriter& writer) {
  ContainerWriter inner(format);
  part.save(inner);
  writer.keep(name, inner.bytes());
}

/// Does nothing if there is none.
template <class Part>
void load_in(const ContainerReader& reader, const char* format, const char* name, Part& part) {
  if (!reader.has_tensor(name)) return;
  const Tensor& bytes = reader.tensor(name, Element::u8, 1);
  part.load(ContainerReader::open_buffer(bytes.data, bytes.bytes(), format, reader.name()));
}

bool have_same_shapes(const Model& a, const Model& b) {
  const std::vector<Quantity> of_a = a.parameters(), of_b = b.parameters();
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                    [](const Quantity& x, const Quantity& y) { return x.shape == y.shape; });
}

}  // namespace

void Moves::begin(double bound) {
  phase_ = Phase::trials;
  bound_ = bound;
}

void Moves::make_copy(const ConjugateModel& model) {
  std::unique_ptr<ConjugateModel> copy = as_conjugate(model.copy()), best = as_conjugate(model.copy());
  fit_.reset();
  rows_of_best_.reset();
  best_ = std::move(best);
  copy_ = std::move(copy);
}

void Moves::make_fit(const Data* data, int64_t rows) {
  rows_of_best_ = best_->begin_fit(nullptr, 0);
  fit_ = candidate().begin_fit(data, rows);
}

/// Once a round, because it takes a large model seconds; again after a checkpoint, which does not hold the moves.
void Moves::propose(const ConjugateModel& model) {
  const auto wanted_for = std::make_tuple(&model, model.changes(), round_);
  if (proposed_for_ == wanted_for) return;
  proposed_ = model.move_proposals()->propose_moves(seed_, round_);
  proposed_for_ = wanted_for;
}

void Moves::prepare(ConjugateModel& model, const Data* data, int64_t rows) {
  if (!under_way() || (has_candidate_ && fit_)) return;
  if (!copy_) make_copy(model);
  if (!fit_) make_fit(data, rows);
  if (has_candidate_) return;
  propose(model);
  if (number_ >= static_cast<int64_t>(proposed_.size())) {
    phase_ = Phase::over;
    return;
  }
  globals().copy_globals(model);
  globals().apply_move(proposed_[static_cast<size_t>(number_)]);
  fit_->forget_rows();
  numbers_ = static_cast<int64_t>(proposed_.size());
  has_candidate_ = true;
}

bool Moves::step(double bound) noexcept {
  if (!std::isfinite(bound)) bound = -std::numeric_limits<double>::infinity();
  ++steps_;
  ++steps_of_trial_;
  if (!chosen_) {
    if (steps_of_trial_ < short_trial) return false;
    ++tried_;
    if (!has_best_ || bound > best_bound_) {
      swap_with_best();
      best_bound_ = bound;
      has_best_ = true;
    }
    has_candidate_ = false;
    steps_of_trial_ = 0;
    if (++number_ < numbers_) return false;
    swap_with_best();
    has_candidate_ = true;
    has_best_ = false;
    chosen_ = true;
    bound = stage_bound_ = best_bound_;
  }
  const double wanted = bound_ + min_gain * std::abs(bound_);
  if (bound > wanted) {
    gained_ += bound - bound_;
    bound_ = bound;
    return true;
  }
  if (steps_of_trial_ > 0 && steps_of_trial_ % stage == 0) {
    // Drops the trial if it could not reach the goal at the rate of this stage.
    const double slope = (bound - stage_bound_) / static_cast<double>(stage);
    const int64_t left = longest_trial - steps_of_trial_;
    if (left <= 0 || !(bound + slope * static_cast<double>(left) > wanted)) end_round(true);
    stage_bound_ = bound;
  }
  return false;
}

void Moves::swap_with_best() noexcept {
  globals().swap_globals(*best_);
  fit_->swap_rows(*rows_of_best_);
}

void Moves::keep(ConjugateModel& model, ConjugateFit& fit) noexcept {
  globals().swap_globals(model);
  fit_->swap_rows(fit);
  ++kept_;
  end_round(false);
}

void Moves::end_round(bool failed) noexcept {
  has_candidate_ = has_best_ = false;
  failed_rounds_ = failed ? failed_rounds_ + 1 : 0;
  ++round_;
  number_ = steps_of_trial_ = 0;
  chosen_ = false;
  if (failed_rounds_ >= patience || steps_ >= budget) {
    phase_ = Phase::over;
    fit_.reset();
    rows_of_best_.reset();
    copy_.reset();
    best_.reset();
  } else if (!failed) {
    phase_ = Phase::none;
  }
}

void Moves::forget() {
  *this = Moves(wanted_, seed_);
}

void Moves::save(ContainerWriter& writer, bool with_rows) const {
  if (!wanted_) return;
  writer.keep("optimizer.moves.integers",
              std::vector<int64_t>{static_cast<int64_t>(phase_), round_, failed_rounds_, number_, numbers_,
                                   steps_of_trial_, chosen_ ? 1 : 0, tried_, kept_, steps_});
  writer.keep("optimizer.moves.reals", std::vector<double>{bound_, best_bound_, stage_bound_, gained_});
  if (has_candidate_) save_in(*copy_, model_format, candidate_name, writer);
  if (has_best_) save_in(*best_, model_format, best_name, writer);
  if (!fit_ || !with_rows) return;
  if (has_candidate_) save_in(*fit_, rows_format, rows_name, writer);
  if (has_best_) save_in(*rows_of_best_, rows_format, best_rows_name, writer);
}

bool Moves::restore(const ContainerReader& reader, ConjugateModel& model, const Data* data, int64_t rows) {
  if (!wanted_) return true;
  const std::vector<int64_t> integers = reader.integers("optimizer.moves.integers");
  const std::vector<double> reals = reader.doubles("optimizer.moves.reals");
  if (integers.size() != 10 || reals.size() != 4) return false;
  for (const int64_t value : integers) {
    if (value < 0) return false;
  }
  if (integers[0] > static_cast<int64_t>(Phase::over)) return false;
  phase_ = static_cast<Phase>(integers[0]);
  round_ = integers[1];
  failed_rounds_ = integers[2];
  number_ = integers[3];
  numbers_ = integers[4];
  steps_of_trial_ = integers[5];
  chosen_ = integers[6] != 0;
  tried_ = integers[7];
  kept_ = integers[8];
  steps_ = integers[9];
  bound_ = reals[0];
  best_bound_ = reals[1];
  stage_bound_ = reals[2];
  gained_ = reals[3];
  has_candidate_ = reader.has_tensor(candidate_name);
  has_best_ = reader.has_tensor(best_name);
  if (has_candidate_ || has_best_) make_copy(model);
  if (has_best_) load_in(reader, model_format, best_name, *best_);
  if (has_candidate_) load_in(reader, model_format, candidate_name, *copy_);
  if ((has_best_ && !have_same_shapes(*best_, model)) || (has_candidate_ && !have_same_shapes(*copy_, model))) {
    return false;
  }
  if (reader.has_tensor(rows_name) || reader.has_tensor(best_rows_name)) {
    if (!copy_) return false;
    make_fit(data, rows);
    load_in(reader, rows_format, rows_name, *fit_);
    load_in(reader, rows_format, best_rows_name, *rows_of_best_);
  }
  // A trial in progress, or the best of a round, must have a candidate.
  return has_candidate_ || (steps_of_trial_ == 0 && !chosen_);
}

}  // namespace vtemper
