#include "inference/moves.h"

#include <cmath>

namespace vtemper {

namespace {

/// Steps of a trial before the trials of a round are compared.
constexpr int64_t short_trial = 8;
/// Steps that the best of them has beyond these, and steps between looks at its progress.
constexpr int64_t longest_trial = 60, stage = 10;
/// Rounds in a row without a gain that end the search, and steps after which no round begins.
constexpr int64_t patience = 2, budget = 200;
/// A gain of the bound, relative to it, that is more than a few further steps of the model would have brought.
constexpr double least_gain = 1e-5;

const char* const candidate_name = "optimizer.moves.candidate";
const char* const best_name = "optimizer.moves.best";
constexpr const char* model_format = "vtemper.model";

void save_globals(const ConjugateModel* model, const char* name, ContainerWriter& writer) {
  if (model == nullptr) return;
  ContainerWriter inner(model_format);
  model->save(inner);
  std::string bytes(static_cast<size_t>(inner.size()), '\0');
  inner.write(bytes.data());
  writer.keep(name, std::move(bytes));
}

std::unique_ptr<ConjugateModel> load_globals(const ContainerReader& reader, const char* name,
                                             const ConjugateModel& like) {
  if (!reader.has_tensor(name)) return nullptr;
  const Tensor& bytes = reader.tensor(name, Element::u8, 1);
  std::unique_ptr<ConjugateModel> model = as_conjugate(like.copy());
  model->load(ContainerReader::open_buffer(bytes.data, bytes.bytes(), model_format, reader.name()));
  return model;
}

}  // namespace

void Moves::begin(double bound) {
  phase_ = Phase::trials;
  bound_ = bound;
}

void Moves::prepare(const ConjugateModel& model) {
  if (!under_way() || candidate_) return;
  const std::vector<Move> proposed = model.propose_moves(seed_, round_);
  if (number_ >= static_cast<int64_t>(proposed.size())) {
    phase_ = Phase::over;
    return;
  }
  std::unique_ptr<ConjugateModel> copy = as_conjugate(model.copy());
  copy->apply_move(proposed[static_cast<size_t>(number_)]);
  candidate_ = std::move(copy);
  numbers_ = static_cast<int64_t>(proposed.size());
}

bool Moves::step(double bound) {
  if (!std::isfinite(bound)) bound = -std::numeric_limits<double>::infinity();
  ++steps_;
  ++steps_of_trial_;
  if (!chosen_) {
    if (steps_of_trial_ < short_trial) return false;
    ++tried_;
    if (!best_ || bound > best_bound_) {
      best_ = std::move(candidate_);
      best_bound_ = bound;
    }
    candidate_.reset();
    steps_of_trial_ = 0;
    if (++number_ < numbers_) return false;
    candidate_ = std::move(best_);
    chosen_ = true;
    bound = stage_bound_ = best_bound_;
  }
  const double wanted = bound_ + least_gain * std::abs(bound_);
  if (bound > wanted) {
    gained_ += bound - bound_;
    bound_ = bound;
    return true;
  }
  if (steps_of_trial_ > 0 && steps_of_trial_ % stage == 0) {
    // Drops what would not get there even if it went on gaining as in this stage.
    const double slope = (bound - stage_bound_) / static_cast<double>(stage);
    const int64_t left = longest_trial - steps_of_trial_;
    if (left <= 0 || !(bound + slope * static_cast<double>(left) > wanted)) end_round(true);
    stage_bound_ = bound;
  }
  return false;
}

void Moves::kept() {
  ++kept_;
  end_round(false);
}

void Moves::end_round(bool failed) {
  candidate_.reset();
  best_.reset();
  failed_rounds_ = failed ? failed_rounds_ + 1 : 0;
  ++round_;
  number_ = steps_of_trial_ = 0;
  chosen_ = false;
  if (failed_rounds_ >= patience || steps_ >= budget) {
    phase_ = Phase::over;
  } else if (!failed) {
    phase_ = Phase::none;
  }
}

void Moves::forget() {
  *this = Moves(wanted_, seed_);
}

void Moves::save(ContainerWriter& writer) const {
  if (!wanted_) return;
  writer.keep("optimizer.moves.integers",
              std::vector<int64_t>{static_cast<int64_t>(phase_), round_, failed_rounds_, number_, numbers_,
                                   steps_of_trial_, chosen_ ? 1 : 0, tried_, kept_, steps_});
  writer.keep("optimizer.moves.reals", std::vector<double>{bound_, best_bound_, stage_bound_, gained_});
  save_globals(candidate_.get(), candidate_name, writer);
  save_globals(best_.get(), best_name, writer);
}

bool Moves::restore(const ContainerReader& reader, const ConjugateModel& model) {
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
  candidate_ = load_globals(reader, candidate_name, model);
  best_ = load_globals(reader, best_name, model);
  // A trial that has begun, or the best of a round, has a candidate.
  return candidate_ != nullptr || (steps_of_trial_ == 0 && !chosen_);
}

}  // namespace vtemper
