// Early stopping (README.md section 11): before the first step of a run whose length nobody gave, rehearsals on parts
// of the rows find the number of steps after which they predict the other rows best. The run then takes as many.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "inference/state.h"
#include "kernels/dispatch.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// The rows are divided into so many parts, one of which a rehearsal sets aside. One part of few rows would say
/// little, so these have several rehearsals that set aside different parts.
constexpr int64_t parts = 5;
constexpr int64_t fewest_rows = 2 * parts;
constexpr int64_t few_rows = 200;
constexpr int64_t rehearsals_of_few = 3;
/// The rows of a part are scored in so many groups.
constexpr int64_t groups = 10;
/// Rehearsals end once they have gone beyond their best step by this factor and number of steps.
constexpr double overshoot = 1.3;
constexpr int64_t overshoot_steps = 200;
/// Steps between two scores: a number, or a share of those done.
constexpr int64_t between_scores = 25;
constexpr double share_between_scores = 0.04;
/// Limits of rehearsals: steps; multiply-adds, but as many as this many runs of usual length; share of the time.
constexpr double most_steps = 20000;
constexpr double affordable_work = 4e10;
constexpr double usual_lengths = 4;
constexpr double share_of_time = 1.0 / 3;

/// Options that rehearsals do not share with their run.
bool is_of_the_whole_run(std::string_view name) {
  constexpr std::string_view names[] = {"time", "deadline", "restarts", "exchange", "reproducible", "early_stopping"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

struct Rehearsal {
  std::unique_ptr<Optimizer::State> state;
  std::shared_ptr<const Data> set_aside;
};

struct Division {
  std::shared_ptr<const Data> rehearsed, set_aside;
};

/// part: which part of `order` is set aside.
Division divide(const Data& data, const std::vector<int64_t>& order, int64_t part) {
  std::vector<int64_t> rehearsed, set_aside;
  for (size_t i = 0; i < order.size(); ++i) {
    (static_cast<int64_t>(i) % parts == part ? set_aside : rehearsed).push_back(order[i]);
  }
  return {data_select(data, rehearsed.data(), static_cast<int64_t>(rehearsed.size())),
          data_select(data, set_aside.data(), static_cast<int64_t>(set_aside.size()))};
}

/// The rows that count, at random.
std::vector<int64_t> random_order(const Data& data, uint64_t seed) {
  const int64_t rows = data.rows();
  std::vector<int64_t> order(static_cast<size_t>(rows));
  permute(0, rows, static_cast<uint64_t>(rows), seed, Purpose::set_aside, 0, kernels::instruction_set().first_words,
          order.data());
  order.erase(std::remove_if(order.begin(), order.end(), [&](int64_t row) { return !(data.weight(row) > 0); }),
              order.end());
  return order;
}

/// How far rehearsals may go; seconds 0: no limit.
struct Limits {
  int64_t steps;
  double seconds;
};

/// ELBO of groups of the rows that are set aside, after `next` steps.
std::vector<double> scores_after(int64_t next, const Rehearsal& rehearsal) {
  Optimizer::State& state = *rehearsal.state;
  while (state.clock.iteration < next) {
    require_not_interrupted();
    state.local_half(state.next_batch(state.threads));
    state.prepare_global_half();
    state.global_half(0, {});
  }
  return state.elbo_of(*rehearsal.set_aside, groups);
}

/// The same of all rehearsals, several of which have one thread each.
std::vector<double> scores_after(int64_t next, const std::vector<Rehearsal>& rehearsals, int threads) {
  std::vector<std::vector<double>> scores(rehearsals.size());
  parallel_for(threads, static_cast<int64_t>(rehearsals.size()), [&](int64_t i, int) {
    scores[static_cast<size_t>(i)] = scores_after(next, rehearsals[static_cast<size_t>(i)]);
  });
  std::vector<double> all;
  for (const std::vector<double>& some : scores) all.insert(all.end(), some.begin(), some.end());
  return all;
}

double sum_of(const std::vector<double>& scores) {
  return std::accumulate(scores.begin(), scores.end(), 0.0);
}

/// Whether the scores differ by more than three standard errors over the groups: a single unusual row is not enough,
/// and the best of many scores is better by chance.
bool is_surely_better(const std::vector<double>& scores, const std::vector<double>& than) {
  std::vector<double> gains;
  for (size_t i = 0; i < scores.size(); ++i) gains.push_back(scores[i] - than[i]);
  const auto count = static_cast<double>(gains.size());
  const double mean = sum_of(gains) / count;
  double squares = 0;
  for (const double gain : gains) squares += (gain - mean) * (gain - mean);
  return mean > 3 * std::sqrt(squares / (count * (count - 1)));
}

/// The number of steps after which the rows that are set aside are predicted best. It differs from the usual one if
/// there is more to gain, or surely something to lose.
int64_t best_steps(const std::vector<Rehearsal>& rehearsals, int64_t usual, const Limits& limits, int threads) {
  const auto begin = std::chrono::steady_clock::now();
  const auto out_of_time = [&] { return limits.seconds > 0 && seconds_since(begin) > limits.seconds; };
  std::vector<double> best, of_usual;
  int64_t steps = 0, done = 0;
  const auto is_over = [&] {
    return done >= usual && static_cast<double>(done) > overshoot * static_cast<double>(steps) + overshoot_steps;
  };
  try {
    while (done < limits.steps && !out_of_time() && !is_over()) {
      const auto share = static_cast<int64_t>(share_between_scores * static_cast<double>(done));
      const int64_t next = done + std::max(between_scores, share);
      done = done < usual ? std::min(next, usual) : next;
      std::vector<double> scores = scores_after(done, rehearsals, threads);
      if (done <= usual) of_usual = scores;
      if (!best.empty() && !is_better(sum_of(scores), sum_of(best))) continue;
      best = std::move(scores);
      steps = done;
    }
  } catch (const Error& error) {
    // These rows do not bear more steps; if not even the first ones, the run itself will say so.
    if (error.status() != VTEMPER_ERROR_NUMERIC) throw;
    return steps > 0 ? steps : usual;
  }
  return steps >= usual || (done >= usual && is_surely_better(best, of_usual)) ? steps : usual;
}

}  // namespace

void Optimizer::begin_rehearsal(bool draws_start) {
  const State& first = *state_;
  const bool knows_rows = first.group != nullptr || first.own_part.rows == 0;
  rehearses_ = first.run.stops_early && draws_start && knows_rows && first.data->corpus_rows() >= fewest_rows;
}

int64_t rehearsals_of(int64_t rows) {
  return rows <= few_rows ? rehearsals_of_few : 1;
}

/// The number of steps that rehearsals find best, or the usual one.
int64_t Optimizer::best_length() const {
  const State& first = *state_;
  const int64_t usual = plan_ ? static_cast<int64_t>(first.run.complete_steps) : first.run.steps_total;
  const Data& rows = first.group != nullptr ? *first.own_part.corpus : *first.data;
  const std::vector<int64_t> order = random_order(rows, first.seed);
  if (static_cast<int64_t>(order.size()) < fewest_rows) return usual;
  const double seconds = share_of_time * (plan_ ? plan_->seconds() : first.deadline);
  Options options;
  for (const auto& [name, text] : first.run.options.all()) {
    if (!is_of_the_whole_run(name)) options.set(name, text);
  }
  options.set("early_stopping", "off");
  options.set("max_passes", "0");
  const bool few = rows.rows() <= few_rows;
  if (few) options.set("threads", "1");
  std::vector<Rehearsal> rehearsals;
  for (int64_t part = 0; part < rehearsals_of(rows.rows()); ++part) {
    const Division division = divide(rows, order, part);
    std::shared_ptr<Model> model = first.model->copy();
    State::initialize(*model, *division.rehearsed, first.seed, seconds);
    rehearsals.push_back({State::create(std::move(model), division.rehearsed, options), division.set_aside});
  }

  const double of_step = first.operations(*first.data, first.run.batch_size) + first.model->operations_per_step();
  const double affordable =
      std::max(usual_lengths * static_cast<double>(usual), affordable_work / std::max(of_step, 1.0));
  const Limits limits = {static_cast<int64_t>(std::min(affordable, most_steps)), seconds};
  return best_steps(rehearsals, usual, limits, few ? first.threads : 1);
}

/// Called before the steps of a run to its end.
void Optimizer::rehearse(const MessageSink& messages) {
  State& first = *state_;
  if (!rehearses_) return;
  const bool own_start = first.clock.iteration == 0 && first.model->changes() == changes_before_;
  if (!own_start) {
    rehearses_ = false;
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto tell = [&](const std::string& text) {
    if (messages) messages(1, "early stopping: " + text);
  };
  tell("fits of four fifths of the rows find the number of steps after which they predict the others best");
  const int64_t steps =
      first.group == nullptr ? best_length() : first.group->run_locally({"the rehearsals of the run", 0}, [&] {
        return Group::Told{first.group->rank() == 0 ? best_length() : 0};
      })[0];
  rehearses_ = false;
  end_after(steps);
  const double seconds = seconds_since(begin);
  for (size_t i = 0; i < starts(); ++i) start(i).seconds_before_steps += seconds;
  if (plan_) plan_->begin(plan_->seconds() - plan_->seconds_left() + seconds);
  last_mark_ = std::chrono::steady_clock::now();  // the first step did not take this time
  try {
    tell(message("the run has ", plan_ ? "at most " : "", steps, " steps"));
  } catch (const std::bad_alloc&) {
    // The length is known; lack of memory for a message does not undo it.
  }
}

void Optimizer::end_after(int64_t steps) {
  rehearsed_steps_ = steps;
  for (size_t i = 0; i < starts(); ++i) {
    State& one = start(i);
    if (plan_) {
      one.run.complete_steps = static_cast<double>(steps);
      continue;
    }
    one.run.steps_total = one.clock.steps_total = steps;
    one.run.passes = static_cast<double>(steps) / one.clock.steps_per_pass;
  }
  if (plan_) plan_->end_after(static_cast<double>(steps));
}

}  // namespace vtemper
