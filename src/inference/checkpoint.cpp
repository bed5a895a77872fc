// Quantities of an optimizer, and its checkpoint: the model, the options, the clock, the report and the state of the
// parts. Draws depend on (seed, iteration) only, so nothing else is needed to continue bit for bit.

#include <cmath>

#include "inference/state.h"
#include "kernels/dispatch.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

const std::string option_prefix = "optimizer.option.";

/// The report's numbers in the order of the struct, struct_size apart.
std::vector<double> report_reals(const vtemper_report& r) {
  return {r.passes,      r.elbo,
          r.objective,   r.expected_log_likelihood,
          r.temperature, r.inverse_temperature,
          r.step_size,   r.perturbation,
          r.proximity,   r.change,
          r.seconds};
}

std::vector<int64_t> report_integers(const vtemper_report& r) {
  return {r.iteration,         r.converged,           r.finished, r.objective_falls, r.empty_rows,
          r.unused_components, r.duplicate_components};
}

bool restore_report(const std::vector<double>& reals, const std::vector<int64_t>& integers, vtemper_report& r) {
  if (reals.size() != 11 || integers.size() != 7) return false;
  for (const int64_t value : integers) {
    if (value < 0) return false;
  }
  if (!std::isfinite(reals[0]) || reals[0] < 0 || !std::isfinite(reals[10]) || reals[10] < 0) return false;
  r.passes = reals[0];
  r.elbo = reals[1];
  r.objective = reals[2];
  r.expected_log_likelihood = reals[3];
  r.temperature = reals[4];
  r.inverse_temperature = reals[5];
  r.step_size = reals[6];
  r.perturbation = reals[7];
  r.proximity = reals[8];
  r.change = reals[9];
  r.seconds = reals[10];
  r.iteration = integers[0];
  r.converged = integers[1] != 0;
  r.finished = integers[2] != 0;
  r.objective_falls = integers[3];
  r.empty_rows = integers[4];
  r.unused_components = integers[5];
  r.duplicate_components = integers[6];
  return true;
}

}  // namespace

std::vector<Quantity> Optimizer::quantities() const {
  std::vector<Quantity> list = {
      {"iteration", {}, true, "Steps done; setting it moves the clock of schedule and step size."},
      {"steps_total", {}, false, "Steps at which the run ends, whether given or by default; 0: no end is set."},
      {"memory",
       {},
       false,
       "Bytes that the fit takes, about: parameters, work space, data in memory; 0: not known."}};
  const int64_t length = static_cast<int64_t>(state_->trace.size());
  for (const char* name : Trace::names())
    list.push_back({name, {length}, false, "A column of the trace, one value a report."});
  for (Quantity& quantity : state_->method.temperature->quantities()) list.push_back(std::move(quantity));
  return list;
}

void Optimizer::read_quantity(std::string_view name, const Sink& sink) const {
  if (name == "iteration") {
    sink(0) = static_cast<double>(state_->clock.iteration);
    return;
  }
  if (name == "memory") {
    sink(0) = memory();
    return;
  }
  if (name == "steps_total") {
    sink(0) = static_cast<double>(state_->clock.steps_total);
    return;
  }
  for (size_t column = 0; column < Trace::columns; ++column) {
    if (name != Trace::names()[column]) continue;
    for (size_t row = 0; row < state_->trace.size(); ++row)
      sink(static_cast<int64_t>(row)) = state_->trace.at(row, column);
    return;
  }
  state_->method.temperature->read_quantity(name, sink);
}

void Optimizer::write_quantity(std::string_view name, const double* in) {
  constexpr double largest = 1e12;
  if (!(in[0] >= 0 && in[0] <= largest) || in[0] != std::floor(in[0])) {
    throw Error(VTEMPER_ERROR_DATA, sentence(name, " must be a whole number from 0 to 1e12, not ", in[0]));
  }
  state_->clock.iteration = static_cast<int64_t>(in[0]);
  state_->report.iteration = state_->clock.iteration;
  state_->report.finished = state_->report.converged = 0;
}

void Optimizer::save(ContainerWriter& writer) const {
  const State& state = *state_;
  save_model(*state.model, writer);
  for (const auto& [name, text] : state.method.options.all()) writer.text(option_prefix + name, text);
  writer.text("instruction_set", kernels::instruction_set().name);
  writer.keep("optimizer.report_reals", report_reals(state.report));
  writer.keep("optimizer.report_integers", report_integers(state.report));
  writer.keep("optimizer.clock", std::vector<int64_t>{state.clock.iteration, state.report.rows_seen,
                                                      state.prepared ? 1 : 0, state.data ? state.data->rows() : -1,
                                                      state.pass_of_last_step, state.clock.steps_total});
  writer.keep("optimizer.corpus", std::vector<double>{state.corpus.tokens, state.last_objective,
                                                      state.last_inverse_temperature, state.clock.steps_per_pass});
  state.work->save(writer);
  writer.keep("optimizer.temperature", state.method.temperature->state());
  writer.keep("optimizer.trace", state.trace.state());
}

std::unique_ptr<Optimizer> Optimizer::load(const ContainerReader& reader, std::shared_ptr<const Data> data) {
  std::shared_ptr<ConjugateModel> model = load_model(reader);
  Options options;
  for (const auto& [name, text] : reader.texts()) {
    if (name.compare(0, option_prefix.size(), option_prefix) == 0)
      options.set(name.substr(option_prefix.size()), text);
  }
  const auto refuse = [&](const std::string& why) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " is not a usable checkpoint: ", why));
  };
  const std::vector<int64_t> clock = reader.integers("optimizer.clock");
  const std::vector<double> corpus = reader.doubles("optimizer.corpus");
  if (clock.size() != 6 || clock[0] < 0 || clock[1] < 0 || clock[5] < 0 || corpus.size() != 4 || !(corpus[3] > 0)) {
    refuse("its clock is damaged");
  }
  if (data && clock[3] >= 0 && data->rows() != clock[3]) {
    throw Error(VTEMPER_ERROR_DATA,
                sentence("the checkpoint was written with ", clock[3], " rows of data; these are ", data->rows()));
  }
  if (!data && clock[3] >= 0 && (options.find("rows_total") == nullptr || *options.find("rows_total") == "auto")) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                sentence("data is NULL, but the checkpoint was written with ", clock[3], " rows of data"));
  }
  std::unique_ptr<Optimizer> optimizer;
  try {
    optimizer = std::make_unique<Optimizer>(std::move(model), std::move(data), options);
  } catch (const Error& error) {
    if (error.status() == VTEMPER_ERROR_OPTION) refuse(error.what());
    throw;
  }
  State& state = *optimizer->state_;
  if (!restore_report(reader.doubles("optimizer.report_reals"), reader.integers("optimizer.report_integers"),
                      state.report)) {
    refuse("its report is damaged");
  }
  state.report.rows_seen = clock[1];
  state.clock.iteration = clock[0];
  state.corpus.tokens = corpus[0];
  state.last_objective = corpus[1];
  state.last_inverse_temperature = corpus[2];
  state.pass_of_last_step = clock[4];
  state.clock.steps_total = clock[5];
  state.clock.steps_per_pass = corpus[3];
  state.work->load(reader);
  if (!state.method.temperature->restore(reader.doubles("optimizer.temperature")))
    refuse("its temperature is damaged");
  if (!state.trace.restore(reader.doubles("optimizer.trace"))) refuse("its trace is damaged");
  if (clock[2] != 0) {
    if (state.method.needs_tokens() && !(state.corpus.tokens > 0 && std::isfinite(state.corpus.tokens))) {
      refuse("its number of tokens is damaged");
    }
    state.method.temperature->prepare(*state.model, state.corpus);
    state.prepared = true;
  }
  return optimizer;
}

}  // namespace vtemper
