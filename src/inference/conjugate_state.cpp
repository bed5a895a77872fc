#include "inference/conjugate_state.h"

#include <algorithm>
#include <cmath>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rows that the mean number of tokens is taken from; more would make the start of a fit depend on the corpus' size.
constexpr int64_t sampled_rows = 100000;
/// A fall of the objective by less than this (relative) is rounding of the sums, which are of Real.
constexpr double objective_noise = 1e-6;

/// Mean tokens of a row, by weight, from all rows or from evenly spaced ones.
double tokens_per_row(const ConjugateModel& model, const Data& data) {
  const int64_t count = std::min(data.rows(), sampled_rows);
  double tokens = 0;
  double weight = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t row =
        static_cast<int64_t>(static_cast<double>(i) * static_cast<double>(data.rows()) / static_cast<double>(count));
    tokens += data.weight(row) * model.row_tokens(data, row);
    weight += data.weight(row);
  }
  return weight > 0 ? tokens / weight : 0;
}

}  // namespace

ConjugateState::ConjugateState(std::shared_ptr<Model> model_, std::shared_ptr<const Data> data_, Method method_)
    : State(std::move(model_), std::move(data_), method_), method(std::move(method_)) {
  conjugate().check_method(method.demands());
  work = conjugate().local_work(data.get(), std::max<int64_t>(run.batch_size, 1));
  measurement.resize(static_cast<size_t>(method.temperature->measurement_length()));
  if (elbo_every > 0 || run.full_steps) {
    elbo_work = conjugate().local_work(data.get(), std::max<int64_t>(run.batch_size, 1));
  }
}

void ConjugateState::prepare(const Data& seen) {
  if (prepared) return;
  if (method.needs_tokens()) {
    corpus.tokens = corpus.rows * tokens_per_row(conjugate(), seen);
    if (!(corpus.tokens > 0)) {
      throw Error(VTEMPER_ERROR_DATA,
                  "the data has no tokens, so there is nothing to choose a temperature or the size of a draw by");
    }
  }
  method.temperature->prepare(conjugate(), corpus);
  method.step_size->prepare(conjugate());
  prepared = true;
}

Perturbation ConjugateState::perturbation() const {
  Perturbation next = method.perturbation->next(clock);
  next.seed = seed;
  next.iteration = static_cast<uint64_t>(clock.iteration);
  next.rows = corpus.rows;
  next.tokens = corpus.tokens;
  return next;
}

bool ConjugateState::elbo_due() const {
  if (elbo_every > 0) return (clock.iteration + 1) % elbo_every == 0;
  return run.full_steps;
}

void ConjugateState::local_half(const Batch& batch, int on_threads) {
  prepare(data ? *data : *batch.data);
  method.temperature->refresh(conjugate(), clock);
  const LocalTemperature temperature = method.temperature->local(clock);
  LocalSettings settings;
  settings.threads = on_threads;
  settings.perturbation = perturbation();
  const bool perturbed = settings.perturbation.share > 0;
  settings.bound = elbo_due() || report_due() || method.temperature->needs_likelihood();
  settings.remember = run.full_steps && batch.data == data.get();
  settings.bound = settings.bound || settings.remember;
  sums = conjugate().local_step(batch, temperature, settings, *work);
  cold_bound = nan;
  if (elbo_due()) {
    cold_bound = sums.bound;
    if (temperature.inverse != 1 || temperature.per_row || (perturbed && settings.perturbation.local)) {
      LocalSettings score = settings;
      score.perturbation = {};
      score.statistics = false;
      score.likelihood = false;
      score.remember = false;
      cold_bound = conjugate().local_step(batch, LocalTemperature{}, score, *elbo_work).bound;
    }
  }
  if (!measurement.empty()) method.temperature->measure(conjugate(), batch, clock, on_threads, measurement.data());
  if (!std::isfinite(sums.expected_log_likelihood) || !std::isfinite(sums.bound)) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                sentence("step ", clock.iteration, " left the finite numbers; precision double may help"));
  }
}

void ConjugateState::move() {
  const bool score = elbo_due();
  const bool bound = score || report_due() || method.temperature->needs_likelihood() || run.full_steps;
  const double scale = sums.rows > 0 ? corpus.rows / sums.rows : 0;
  const double inverse = sums.rows > 0 ? sums.inverse_temperature / sums.rows : 1;
  const LocalTemperature temperature = method.temperature->local(clock);
  GlobalStep step;
  step.scale = scale;
  step.iteration = clock.iteration;
  step.inverse_temperature = inverse;
  step.prior = temperature.prior;
  step.perturbation = perturbation();

  report.elbo = report.objective = nan;
  if (score) {
    const double cold_global_bound = conjugate().global_bound(PriorPower{});
    const double global_bound =
        temperature.prior.inverse == 1 ? cold_global_bound : conjugate().global_bound(temperature.prior);
    report.elbo = scale * cold_bound + cold_global_bound;
    report.objective = scale * sums.bound + global_bound + method.temperature->objective_term(clock);
    report.duplicate_components = conjugate().duplicate_components(*work);
  }
  step.rho = method.step_size->next(conjugate(), *work, step, clock.iteration);
  const GlobalChange change = conjugate().global_step(*work, step);
  // Steps that leave the globals in place are averaged.
  const double learning_rate = step.rho > 0 ? step.rho : 1 / static_cast<double>(clock.iteration + 1);
  method.temperature->update(sums, measurement.data(), learning_rate, clock);

  report.expected_log_likelihood = bound ? scale * sums.expected_log_likelihood : nan;
  report.inverse_temperature = inverse;
  report.temperature = 1 / inverse;
  report.step_size = step.rho;
  report.perturbation = step.perturbation.share;
  report.change = change.relative;
  report.unused_components = change.unused_components;
}

bool ConjugateState::has_converged() {
  if (!run.full_steps || std::isnan(report.objective)) return false;
  const double inverse = report.inverse_temperature;
  const double gain = report.objective - last_objective;
  const double size = std::abs(last_objective);
  if (inverse == last_inverse_temperature && gain < -objective_noise * size) ++report.objective_falls;
  const bool converged = inverse == 1 && last_inverse_temperature == 1 && method.temperature->cold(clock) &&
                         method.perturbation->over(clock) && std::abs(gain) < run.tolerance * size;
  // A perturbed step ascends nothing.
  last_objective = report.perturbation > 0 ? nan : report.objective;
  last_inverse_temperature = inverse;
  return converged;
}

int64_t ConjugateState::statistics_length() const {
  return LocalSums::length + 1 + static_cast<int64_t>(measurement.size()) + conjugate().statistics_length();
}

void ConjugateState::write_statistics(double* out) const {
  sums.write(out);
  out += LocalSums::length;
  *out++ = cold_bound;
  out = std::copy(measurement.begin(), measurement.end(), out);
  conjugate().write_statistics(*work, out);
}

void ConjugateState::read_statistics(const double* in) {
  const int64_t length = statistics_length();
  for (int64_t i = 0; i < length; ++i) {
    constexpr double most_rows = 9e15;  // whole numbers in a double
    if (i < 4 && !(in[i] >= 0 && in[i] <= most_rows)) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the statistics is ", in[i],
                                               "; counts of rows and tokens lie in [0, ", most_rows, "]"));
    }
    // Only the cold bound may be missing.
    if (!std::isfinite(in[i]) && (i != LocalSums::length || elbo_due())) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the statistics is ", in[i]));
    }
  }
  sums = LocalSums::read(in);
  in += LocalSums::length;
  cold_bound = *in++;
  std::copy_n(in, measurement.size(), measurement.begin());
  conjugate().read_statistics(in + measurement.size(), *work);
}

double ConjugateState::cold_elbo() {
  LocalSettings settings;
  settings.threads = threads;
  settings.statistics = false;
  settings.bound = true;
  double bound = 0;
  for (int64_t row = 0; row < data->rows(); row += run.batch_size) {
    const int64_t count = std::min(run.batch_size, data->rows() - row);
    data->require_whole();
    bound += conjugate().local_step({data.get(), nullptr, row, count}, LocalTemperature{}, settings, *work).bound;
  }
  return bound + conjugate().global_bound(PriorPower{});
}

double ConjugateState::memory() const {
  const MemoryNeed need = conjugate().memory(*data, run.batch_size, run.full_steps);
  if (!(need.parameters > 0)) return 0;
  return need.parameters + need.work * (elbo_work ? 2 : 1);
}

std::vector<Quantity> ConjugateState::quantities() const {
  std::vector<Quantity> list = method.temperature->quantities();
  for (Quantity& quantity : method.step_size->quantities()) list.push_back(std::move(quantity));
  return list;
}

void ConjugateState::read_quantity(std::string_view name, const Sink& sink) const {
  if (name.substr(0, name.find('.')) == "step_size") {
    method.step_size->read_quantity(name, sink);
  } else {
    method.temperature->read_quantity(name, sink);
  }
}

void ConjugateState::save_parts(ContainerWriter& writer) const {
  work->save(writer);
  writer.keep("optimizer.temperature", method.temperature->state());
  writer.keep("optimizer.step_size", method.step_size->state());
}

void ConjugateState::restore_parts(const ContainerReader& reader) {
  work->load(reader);
  if (!method.temperature->restore(reader.doubles("optimizer.temperature"))) {
    refuse_checkpoint(reader, "its temperature is damaged");
  }
  if (prepared) {
    if (method.needs_tokens() && !(corpus.tokens > 0 && std::isfinite(corpus.tokens))) {
      refuse_checkpoint(reader, "its number of tokens is damaged");
    }
    method.temperature->prepare(conjugate(), corpus);
    method.step_size->prepare(conjugate());
  }
  if (!method.step_size->restore(reader.doubles("optimizer.step_size"))) {
    refuse_checkpoint(reader, "its step size is damaged");
  }
}

}  // namespace vtemper
