#include "models/hidden_markov/hidden_markov.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/hidden_markov/draws.h"
#include "models/hidden_markov/normalizer.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double smallest_parameter = 1e-30, largest_parameter = 1e30;

}  // namespace

HiddenMarkov::HiddenMarkov(HiddenMarkovSettings settings, OptionValues options)
    : ConjugateModel(hidden_markov_kind, std::move(options)),
      settings_(std::move(settings)),
      normalizer_work_(std::make_shared<KeptNormalizerWork>()) {}

std::unique_ptr<Model> HiddenMarkov::copy() const {
  auto other = std::make_unique<HiddenMarkov>(settings_, options_);
  other->layout_ = layout_;
  other->parameters_ = parameters_;
  other->totals_ = totals_;
  other->columns_ = columns_;
  other->names_ = names_;
  return other;
}

void HiddenMarkov::require_sequences(const Data& data) const {
  require_form<Sequences>(data, "hidden_markov models sequences of symbols; the data are ", data.form_name());
}

/// The option, or the default (README.md section 4); validated against the number of symbols.
std::vector<double> HiddenMarkov::emission_prior_for(int64_t symbols) const {
  if (options_.is_auto("emission_prior")) return {0.5};
  const int64_t given = static_cast<int64_t>(settings_.emission_prior.size());
  if (given != 1 && (settings_.states > INT64_MAX / symbols || given != settings_.states * symbols)) {
    throw Error(VTEMPER_ERROR_OPTION, message("option emission_prior has ", given,
                                              " values; it must have 1, or one for every state and symbol (",
                                              settings_.states, " x ", symbols, ")"));
  }
  return settings_.emission_prior;
}

/// Every distribution is a draw from Dir(1) times its counts if the data were spread evenly (Gultekin 2015, section
/// 4.2).
void HiddenMarkov::initialize(const Data& data, uint64_t seed) {
  require_sequences(data);
  if (data.columns() < 1)
    throw Error(VTEMPER_ERROR_DATA, "the data have no columns, so there are no symbols to model");
  std::vector<double> emission_prior = emission_prior_for(data.columns());
  const Layout layout(settings_.states, data.columns());
  Array<double> parameters(static_cast<size_t>(layout.size()));
  parameters.fill(1);
  Array<double> totals(static_cast<size_t>(layout.distributions()));
  double rows = 0, symbols = 0;
  for (int64_t row = 0; row < data.rows(); ++row) {
    rows += data.weight(row);
    symbols += data.weight(row) * static_cast<double>(data.sequences().row_length(row));
  }
  for (int64_t number = 0; number < layout.distributions(); ++number) {
    require_not_interrupted();
    DirichletDraw draw(seed, Purpose::initialize, 0, layout, number, rows, symbols);
    const Layout::Distribution of = layout.distribution(number);
    for (int64_t i = 0; i < of.size; ++i) parameters[static_cast<size_t>(of.first + i * of.stride)] = draw.next();
  }
  layout_ = layout;
  parameters_ = std::move(parameters);
  totals_ = std::move(totals);
  recount();
  settings_.emission_prior = std::move(emission_prior);
  columns_ = data.columns();
  names_ = data.names;
}

void HiddenMarkov::report_used(OptionValues& used) const {
  used.use_by_default("emission_prior", numbers_text(settings_.emission_prior));
}

void HiddenMarkov::check(const Data& data) const {
  require_initialized();
  require_sequences(data);
  if (data.columns() > columns()) {
    throw Error(
        VTEMPER_ERROR_DATA,
        message("the data have an alphabet of ", counted(data.columns(), "symbol"), ", the model one of ", columns(),
                "; symbols the model was not made for cannot be scored: the data that a model is fitted to must have "
                "a column for every symbol, even if it does not occur there"));
  }
  if (!names_ || !data.names || names_ == data.names) return;
  const auto [other, mine] = std::mismatch(data.names->begin(), data.names->end(), names_->begin());
  if (other == data.names->end()) return;
  throw Error(
      VTEMPER_ERROR_DATA,
      message("column ", static_cast<int64_t>(other - data.names->begin()), " is \"", *other, "\" in the data and \"",
              *mine, "\" in the model; vtemper_data_align brings the columns into the model's order"));
}

const double* HiddenMarkov::prior(int64_t number) const {
  const int64_t states = settings_.states;
  if (number == 0) return settings_.initial_prior.data();
  const bool of_transitions = number <= states;
  const std::vector<double>& values = of_transitions ? settings_.transition_prior : settings_.emission_prior;
  if (values.size() == 1) return values.data();
  return values.data() + (of_transitions ? (number - 1) * states : (number - 1 - states) * layout_.symbols);
}

int64_t HiddenMarkov::prior_stride(int64_t number) const {
  const std::vector<double>& values = number == 0                  ? settings_.initial_prior
                                      : number <= settings_.states ? settings_.transition_prior
                                                                   : settings_.emission_prior;
  return values.size() == 1 ? 0 : 1;
}

void HiddenMarkov::recount() {
  for (int64_t number = 0; number <= layout_.states; ++number) {
    double sum = 0;
    for (int64_t k = 0; k < layout_.states; ++k) sum += parameters_[static_cast<size_t>(number * layout_.row + k)];
    totals_[static_cast<size_t>(number)] = sum;
  }
  double* of_symbols = totals_.data() + 1 + layout_.states;
  std::fill_n(of_symbols, layout_.states, 0.0);
  for (int64_t v = 0; v < layout_.symbols; ++v) {
    const double* row = parameters_.data() + layout_.emission(v);
    for (int64_t k = 0; k < layout_.states; ++k) of_symbols[k] += row[k];
  }
}

void HiddenMarkov::logs_relative_to(LogParameters& logs, bool of_means) const {
  const auto& table = kernels::instruction_set().double_precision;
  const auto logarithm = of_means ? table.logarithm : table.digamma;
  logs.resize(layout_);
  logarithm(parameters_.data(), logs.values.data(), layout_.size());
  // Logarithms of the totals: of transitions row by row, of emissions for all states at once.
  const int64_t states = layout_.states;
  for (int64_t number = 0; number <= states; ++number) {
    double offset = total(number);
    logarithm(&offset, &offset, 1);
    double* values = logs.values.data() + number * layout_.row;
    for (int64_t k = 0; k < states; ++k) values[k] -= offset;
  }
  logs.offsets.resize(static_cast<size_t>(states));
  std::copy_n(totals_.data() + 1 + states, states, logs.offsets.data());
  logarithm(logs.offsets.data(), logs.offsets.data(), states);
  for (int64_t v = 0; v < layout_.symbols; ++v) {
    double* row = logs.values.data() + layout_.emission(v);
    for (int64_t k = 0; k < states; ++k) row[k] -= logs.offsets[static_cast<size_t>(k)];
  }
  logs.settle();
}

void HiddenMarkov::expected_logs(LogParameters& logs) const {
  logs_relative_to(logs, false);
}

void HiddenMarkov::logs_of_means(LogParameters& logs) const {
  logs_relative_to(logs, true);
}

double HiddenMarkov::row_tokens(const Data& data, int64_t row) const {
  return static_cast<double>(data.sequences().row_length(row));
}

/// Hotter starts merge all states (README.md section 3), and so does a hotter grid of a single learned temperature;
/// temperatures per row do not.
StartTemperatures HiddenMarkov::start_temperatures(double, double) const {
  StartTemperatures temperatures;
  temperatures.schedule = 1.2;
  temperatures.entropy_schedule = 1.2;
  temperatures.grid = 1.5;
  temperatures.row_grid = 4;
  return temperatures;
}

MethodDefaults HiddenMarkov::method_defaults(double) const {
  MethodDefaults defaults;
  defaults.method = "entropy_annealing";
  defaults.all_rows = true;
  defaults.passes = 200;
  defaults.temperature_shape = "linear";
  defaults.temperature_steps = 100;
  defaults.temperature_normalizer = "moment";
  return defaults;
}

std::vector<Quantity> HiddenMarkov::parameters() const {
  const int64_t states = settings_.states;
  return {
      {"initial", {states}, true, "Dirichlet parameters of the first state."},
      {"transition", {states, states}, true, "Dirichlet parameters of the transitions from each state, row by row."},
      {"emission", {states, columns()}, true, "Dirichlet parameters of each state's symbols, row by row."},
      {"initial.mean", {states}, false, "Mean probabilities of the first state."},
      {"transition.mean", {states, states}, false, "Mean probabilities of the transitions from each state."},
      {"emission.mean", {states, columns()}, false, "Mean probabilities of each state's symbols."},
  };
}

namespace {

/// Number of the first distribution of a parameter.
int64_t first_distribution(std::string_view name, int64_t states) {
  return name.substr(0, 7) == "initial" ? 0 : name.substr(0, 10) == "transition" ? 1 : 1 + states;
}

}  // namespace

void HiddenMarkov::read_parameter(std::string_view name, const Sink& sink) const {
  require_initialized();
  const int64_t first = first_distribution(name, settings_.states);
  const bool is_vector = first == 0;
  const bool mean = name.size() > 5 && name.substr(name.size() - 5) == ".mean";
  for (int64_t j = 0; j < (is_vector ? 1 : settings_.states); ++j) {
    const Layout::Distribution of = layout_.distribution(first + j);
    const double scale = mean ? 1 / total(first + j) : 1;
    for (int64_t i = 0; i < of.size; ++i) {
      const double value = scale * parameters_[static_cast<size_t>(of.first + i * of.stride)];
      (is_vector ? sink(i) : sink(j, i)) = value;
    }
  }
}

void HiddenMarkov::write_parameter(std::string_view name, const double* in) {
  require_initialized();
  const int64_t first = first_distribution(name, settings_.states);
  const int64_t count = first == 0 ? 1 : settings_.states;
  const int64_t size = count * layout_.distribution(first).size;
  for (int64_t i = 0; i < size; ++i) {
    if (in[i] >= smallest_parameter && in[i] <= largest_parameter) continue;
    throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of ", name, " is ", in[i], "; it must lie in [",
                                            smallest_parameter, ", ", largest_parameter, "]"));
  }
  for (int64_t j = 0; j < count; ++j) {
    const Layout::Distribution of = layout_.distribution(first + j);
    for (int64_t i = 0; i < of.size; ++i) parameters_[static_cast<size_t>(of.first + i * of.stride)] = *in++;
  }
  recount();
}

namespace {

constexpr const char* emission_prior_array = "hidden_markov.emission_prior";

/// The default that the model was fitted with. Files without it are older, and it was another one.
std::vector<double> stored_emission_prior(const ContainerReader& reader, int64_t symbols) {
  if (!reader.has_tensor(emission_prior_array)) return {std::max(0.5, 10 / static_cast<double>(symbols))};
  std::vector<double> stored = reader.doubles(emission_prior_array);
  if (stored.size() != 1 || !(stored[0] >= least_prior && stored[0] <= largest_prior)) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds a prior of the symbols that is out of range"));
  }
  return stored;
}

}  // namespace

void HiddenMarkov::save(ContainerWriter& writer) const {
  require_initialized();
  writer.tensor("hidden_markov.parameters", Element::f64, {1 + layout_.states + layout_.symbols, layout_.row},
                parameters_.data());
  if (options_.is_auto("emission_prior")) writer.keep(emission_prior_array, settings_.emission_prior);
  save_columns(writer);
}

void HiddenMarkov::load(const ContainerReader& reader) {
  const int64_t symbols = stored_columns(reader);
  const Tensor& stored = reader.tensor("hidden_markov.parameters", Element::f64, 2);
  if (stored.shape[1] != row_of_states(settings_.states) || stored.shape[0] != 1 + settings_.states + symbols) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(reader.name(), " holds parameters whose size does not match its options"));
  }
  std::vector<double> emission_prior =
      options_.is_auto("emission_prior") ? stored_emission_prior(reader, symbols) : emission_prior_for(symbols);
  const Layout layout(settings_.states, symbols);
  Array<double> parameters(static_cast<size_t>(layout.size()));
  parameters.fill(1);
  const double* values = static_cast<const double*>(stored.data);
  for (int64_t number = 0; number < layout.distributions(); ++number) {
    const Layout::Distribution of = layout.distribution(number);
    for (int64_t i = 0; i < of.size; ++i) {
      const double value = values[of.first + i * of.stride];
      if (!(value > 0 && value <= 10 * largest_total)) {
        throw Error(VTEMPER_ERROR_FORMAT,
                    message(reader.name(), " holds parameters that are not finite and positive"));
      }
      parameters[static_cast<size_t>(of.first + i * of.stride)] = value;
    }
  }
  Array<double> totals(static_cast<size_t>(layout.distributions()));
  std::shared_ptr<const Names> names = load_names(reader, symbols);
  layout_ = layout;
  parameters_ = std::move(parameters);
  totals_ = std::move(totals);
  recount();
  settings_.emission_prior = std::move(emission_prior);
  columns_ = symbols;
  names_ = std::move(names);
}

}  // namespace vtemper
