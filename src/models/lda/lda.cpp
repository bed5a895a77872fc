#include "models/lda/lda.h"

#include <algorithm>
#include <cmath>

#include "models/lda/work.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

void require_counts(const Data& data) {
  require_form<Counts>(data, "lda models counts of words; ",
                       data.is<Dense>() ? "dense rows have none" : "sequences are none");
}

}  // namespace

template <class Real>
Lda<Real>::Lda(LdaSettings settings, OptionValues options)
    : ConjugateModel(lda_kind, std::move(options)),
      settings_(std::move(settings)),
      learns_alpha_(settings_.learn_alpha.value_or(false)) {
  parted_alpha_.resize(settings_.alpha.size());
  alpha_scratch_.resize(2 * settings_.alpha.size());
  share_alpha();
}

/// Cannot fail.
template <class Real>
void Lda<Real>::set_alpha(const double* alpha) {
  std::copy_n(alpha, settings_.alpha.size(), settings_.alpha.data());
  share_alpha();
}

/// Topics that one stands for lend it their alpha. Cannot fail.
template <class Real>
void Lda<Real>::share_alpha() {
  const auto& kernels = kernels::instruction_set().double_precision;
  std::fill(parted_alpha_.begin(), parted_alpha_.end(), 0.0);
  for (size_t k = 0; k < settings_.alpha.size(); ++k) {
    const size_t of = topics_ ? static_cast<size_t>(topics_->stand_in(static_cast<int64_t>(k))) : k;
    parted_alpha_[of] += settings_.alpha[k];
  }
  kernels.log_gamma(parted_alpha_.data(), alpha_scratch_.data(), parted());
  double total = kernels.sum(parted_alpha_.data(), parted());
  kernels.log_gamma(&total, &total, 1);
  alpha_bound_ = total - kernels.sum(alpha_scratch_.data(), parted());
}

template <class Real>
std::unique_ptr<Model> Lda<Real>::copy() const {
  auto other = std::make_unique<Lda<Real>>(settings_, options_);
  if (topics_) other->topics_ = std::make_unique<Topics<Real>>(*topics_);
  other->group_ = group_;
  other->fresh_ = fresh_;
  other->share_alpha();
  other->columns_ = columns_;
  other->names_ = names_;
  return other;
}

template <class Real>
void Lda<Real>::initialize(const Data& data, uint64_t seed) {
  require_counts(data);
  if (data.columns() < 1) throw Error(VTEMPER_ERROR_DATA, "the data has no columns, so there are no words to model");
  if (settings_.eta.size() != 1 && settings_.eta.size() != static_cast<size_t>(settings_.topics * data.columns())) {
    throw Error(VTEMPER_ERROR_OPTION, sentence("option eta has ", static_cast<int64_t>(settings_.eta.size()),
                                               " values; it takes 1 or one for every topic and word (",
                                               settings_.topics, " x ", data.columns(), ")"));
  }
  auto topics = std::make_unique<Topics<Real>>(settings_.topics, data.columns(), settings_.eta,
                                               settings_.parameters_folder, group_);
  topics->draw(seed);
  topics_ = std::move(topics);
  fresh_ = true;
  set_alpha(settings_.initial_alpha.data());
  columns_ = data.columns();
  names_ = data.names;
}

template <class Real>
void Lda<Real>::check(const Data& data) const {
  require_initialized();
  topics_->require_whole();
  require_counts(data);
  if (data.columns() != columns()) {
    throw Error(VTEMPER_ERROR_DATA, sentence("the data has ", data.columns(), " columns, the model ", columns(),
                                             "; vtemper_data_align brings the columns into the model's order"));
  }
  check_names(names_, data.names);
  if (group_ && data.group != group_) {
    throw Error(VTEMPER_ERROR_STATE, sentence("the topics are divided over ", group_->ranks(),
                                              " ranks (option exchange sharded), but the data are not spread over ",
                                              "the same group; spread them, or save the model and load it"));
  }
}

template <class Real>
void Lda<Real>::require_initialized() const {
  if (!topics_) throw Error(VTEMPER_ERROR_STATE, "the model is not initialised: it has seen no data yet");
}

/// -sum_k KL(Dir(lambda_k) || Dir(eta_k)); for point estimates log Dir(beta_k; 1 + eta_k) summed over k. With a power
/// of the priors: Dir(eta_k) at the power, without normalising it anew.
template <class Real>
double Lda<Real>::global_bound(const PriorPower& power) const {
  require_initialized();
  const auto& kernels = kernels::instruction_set().double_precision;
  const auto expectation = settings_.point ? kernels.logarithm : kernels.digamma;
  constexpr int64_t block = 128;  // topics at a time, so that a step needs no memory for this
  double lambda[block], prior[block], value[block], total[block], prior_total[block], normalizer[block];

  double bound = 0;
  topics_->read_in_order();
  for (int64_t first = 0; first < settings_.topics; first += block) {
    const int64_t topics = std::min(block, settings_.topics - first);
    for (int64_t k = 0; k < topics; ++k) {
      total[k] = topics_->total(first + k);
      prior_total[k] = topics_->eta_total(first + k) + (settings_.point ? static_cast<double>(columns()) : 0);
    }
    expectation(total, normalizer, topics);
    for (int64_t i = 0; i < topics_->stored(); ++i) {
      const int64_t v = topics_->word_of(i);
      for (int64_t k = 0; k < topics; ++k) {
        lambda[k] = topics_->lambda(first + k, v);
        prior[k] = topics_->eta(first + k, v);
      }
      // E log beta (or log beta) times what stands before it: eta at its power - lambda (or s eta).
      expectation(lambda, value, topics);
      for (int64_t k = 0; k < topics; ++k) {
        const double weight = settings_.point ? power.inverse * prior[k] : power.concentration(prior[k]) - lambda[k];
        bound += weight * (value[k] - normalizer[k]);
        if (settings_.point) prior[k] += 1;
      }
      kernels.log_gamma(prior, value, topics);
      bound -= power.inverse * kernels.sum(value, topics);
      if (!settings_.point) {
        kernels.log_gamma(lambda, value, topics);
        bound += kernels.sum(value, topics);
      }
    }
    if (group_ && group_->rank() > 0) continue;  // the terms of the topics are those of rank 0
    kernels.log_gamma(prior_total, prior_total, topics);
    bound += power.inverse * kernels.sum(prior_total, topics);
    if (!settings_.point) {
      kernels.log_gamma(total, total, topics);
      bound -= kernels.sum(total, topics);
    }
  }
  return bound;
}

template <class Real>
double Lda<Real>::row_tokens(const Data& data, int64_t row) const {
  double tokens = 0;
  data.counts().visit_row(row, [&](int32_t, double count) { tokens += count; });
  return tokens;
}

/// A start too hot makes the topics equal, and equal topics never part again; how hot is told by the document's own
/// slope, to which words that come together add. The levels were chosen on validation documents of the corpora of
/// tests/reproduce/README.md: 0.85 is where topics part on average, and a start beyond 4, which gains where
/// passes are few and tokens a topic too, needs a slope that leaves no doubt. Where the slope leaves some and there
/// are documents enough to tell topics apart at once, few passes are better spent below 2.
template <class Real>
StartTemperatures Lda<Real>::start_temperatures(double rows, double tokens) const {
  // Of alpha as it was at the start, so that a run that goes on from a checkpoint finds the same.
  double alpha = 0;
  for (const double value : settings_.initial_alpha) alpha += value / static_cast<double>(settings_.topics);
  const auto heated = [&](double from, double to, double least_slope) {
    constexpr double step = 1.02;
    double temperature = from;
    while (temperature < to && lda_document_slope(1 / std::min(temperature * step, to), settings_.topics, alpha,
                                                  tokens / rows) >= least_slope) {
      temperature = std::min(temperature * step, to);
    }
    return temperature;
  };
  constexpr double coldest = 1.2;
  constexpr double usual = 4;
  constexpr double hottest = 8;
  constexpr double cautious = 2;
  constexpr double many_documents = 20;  // a topic
  const double mild = heated(coldest, usual, 0.85);
  // Topics that have parted bear more heat than those of a random start (tests/reproduce/README.md).
  constexpr double of_parted_topics = 1.5;
  constexpr double enough_tokens = 800;  // a topic
  StartTemperatures start;
  start.reheat = of_parted_topics * mild;
  start.reheats = tokens >= enough_tokens * static_cast<double>(settings_.topics);
  start.schedule = start.entropy_schedule = start.grid = start.brief_schedule = mild;
  if (mild < usual) return start;
  if (settings_.eta.size() == 1 && first_topics_for(tokens / rows, rows) < settings_.topics) {
    start.growing = growing_start;
  }
  start.brief_schedule = heated(usual, hottest, 1.2);
  const bool many = rows >= many_documents * static_cast<double>(settings_.topics);
  if (start.brief_schedule == usual && many) {
    start.brief_schedule = cautious;
    start.growing = 0;
  }
  return start;
}

/// Entropy annealing as Gultekin 2014, eq. 8, prints it: the powers of the densities add K (1 - s) tokens to every
/// document. Stochastic annealing as in its section 4.1: topics and documents.
template <class Real>
MethodDefaults Lda<Real>::method_defaults() const {
  MethodDefaults defaults;
  // The steps of few topics that many topics begin with cost little: the time is better spent on more of them.
  constexpr int64_t many_topics = 200;
  if (settings_.topics >= many_topics) {
    defaults.schedule_length = 1.5;
    defaults.reheat_length = 2;  // all topics part anew, where the first time few topics did
  }
  defaults.reheats = true;
  defaults.temperature_entropy = "natural_parameters";
  defaults.perturbation_local = true;
  if (settings_.point) defaults.step_size_metric = "identity";
  defaults.temperature_normalizer = "gibbs";
  return defaults;
}

/// What every step would read, or memory hold, all topics for.
template <class Real>
void Lda<Real>::refuse_passes(const RequiredFeatures& required, const char* why) const {
  const auto refuse = [why](const std::string& what) { throw Error(VTEMPER_ERROR_UNSUPPORTED, what + why); };
  if (required.natural_gradient) {
    refuse("step_size adaptive averages the gradients of all topics in every step (robbins_monro does not)");
  }
  if (required.perturbation) refuse("stochastic annealing changes all topics in every step");
  if (required.restarts)
    refuse("restarts above 1 keep the topics of every start, and a checkpoint holds them in memory");
  if (required.normalizer && normalizer_follows_globals(*required.normalizer)) {
    refuse("temperature_normalizer " + required.normalizer->estimate +
           " reads all topics in every step (gibbs does not)");
  }
}

template <class Real>
void Lda<Real>::check_method(const RequiredFeatures& required) const {
  if (required.fisher && settings_.point) {
    throw Error(
        VTEMPER_ERROR_UNSUPPORTED,
        "step_size_metric fisher is the information of a posterior of the topics, and topic_posterior point has "
        "none; step_size_metric identity or topic_posterior dirichlet go together");
  }
  if (!settings_.parameters_folder.empty()) {
    refuse_passes(required,
                  "; parameters_folder is for topics that are larger than memory, of which a step reads the rows "
                  "of its words only");
  }
  if (group_) {
    refuse_passes(required,
                  "; with exchange sharded the topics are divided over the ranks, which read the rows of their words "
                  "only, and exchange sparse leaves them whole on every rank");
  }
  if (!required.normalizer) return;
  const std::string& estimate = required.normalizer->estimate;
  if (estimate == "moment" && settings_.point) {
    throw Error(
        VTEMPER_ERROR_UNSUPPORTED,
        "temperature_normalizer moment takes moments of the posterior of the topics, and topic_posterior point "
        "has none; use temperature_normalizer plug_in");
  }
  for (const char* known : {"auto", "gibbs", "monte_carlo", "jensen", "mean", "plug_in", "moment"}) {
    if (estimate == known) return;
  }
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              sentence("temperature_normalizer ", estimate,
                       " has no meaning for lda; its estimates are gibbs (the default), monte_carlo, jensen, mean, "
                       "plug_in and moment"));
}

template <class Real>
void Lda<Real>::start_fit(const FitStart& start) {
  require_initialized();
  const double tokens = start.rows > 0 ? start.tokens / start.rows : 0;
  const int64_t first = settings_.first_topics.value_or(
      std::max(first_topics_for(tokens, start.rows), topics_at(settings_.topics, start.temperature)));
  const bool grows = start.may_grow && start.temperature >= least_growing_start && settings_.eta.size() == 1 &&
                     first < settings_.topics;
  learns_alpha_ = settings_.learn_alpha.value_or(grows);
  least_alpha_ =
      settings_.least_alpha.value_or(settings_.learn_alpha.has_value() ? 0 : least_learned_alpha(start.tokens));
  options_.use("learn_alpha", learns_alpha_ ? "true" : "false");
  options_.use("least_alpha", least_alpha_);
  options_.use("first_topics", number_text(grows ? first : settings_.topics));
  fell_from_hot_ = start.may_grow && start.temperature * sparse_from > 1;
  if (start.resumed) return;
  if (growing() || (fresh_ && grows)) topics_->make_writable();
  // Topics that the user set, or that come from another fit, stay whole.
  if (fresh_ && grows) {
    topics_->merge_to(first);
    share_alpha();
  } else if (growing()) {
    part_topics(start.may_grow ? topics_at(settings_.topics, start.temperature) : settings_.topics, start.seed);
  }
}

/// Cannot fail.
template <class Real>
void Lda<Real>::part_topics(int64_t at_least, uint64_t seed) {
  if (parted() >= at_least) return;
  while (parted() < at_least) topics_->split(seed);
  share_alpha();
}

template <class Real>
void Lda<Real>::grow(const GlobalStep& step) {
  fresh_ = false;
  if (growing()) part_topics(topics_at(settings_.topics, 1 / step.inverse_temperature), step.perturbation.seed);
}

template <class Real>
double Lda<Real>::log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                                 double tokens) const {
  double value;
  log_normalizers(normalizer, {inverse_temperature}, rows, tokens, &value);
  return value;
}

template <class Real>
void Lda<Real>::log_normalizers(const Normalizer& normalizer, const std::vector<double>& inverse_temperatures,
                                double rows, double tokens, double* out) const {
  LdaShape shape{settings_.topics, columns(), 0, 0, rows, tokens};
  for (const double value : settings_.alpha) shape.alpha += value / static_cast<double>(settings_.topics);
  for (int64_t k = 0; k < settings_.topics; ++k) {
    shape.eta += topics_->eta_total(k) / static_cast<double>(settings_.topics * columns());
  }
  const std::string& estimate = normalizer.estimate;
  if (estimate == "monte_carlo" || estimate == "jensen") {
    lda_sampled_log_normalizers(shape, inverse_temperatures, estimate == "jensen", normalizer.samples,
                                normalizer.seed, out);
    return;
  }
  for (const double s : inverse_temperatures) {
    if (estimate == "mean") {
      *out++ = lda_log_normalizer_of_means(shape, s);
    } else if (estimate == "plug_in" || estimate == "moment") {
      *out++ = lda_log_normalizer_of_topics(shape, s, mean_topic_sum(s, estimate == "moment"));
    } else {
      *out++ = lda_log_normalizer(s, shape.topics, shape.words, shape.alpha, shape.eta, rows, tokens);
    }
  }
}

/// Mean over the topics of sum_v beta_kv^s at the topics' means, or of its expectation under Dir(lambda_k),
///   E sum_v beta_kv^s = Gamma(lambda_k0) / Gamma(lambda_k0 + s) sum_v Gamma(lambda_kv + s) / Gamma(lambda_kv).
template <class Real>
double Lda<Real>::mean_topic_sum(double s, bool moment) const {
  const auto& kernels = kernels::instruction_set().double_precision;
  constexpr int64_t block = 256;  // words at a time, so that a step needs no memory for this
  double values[block], raised[block];
  double sum = 0;
  for (int64_t k = 0; k < settings_.topics; ++k) {
    double of_total[2] = {topics_->total(k), topics_->total(k) + s};
    kernels.log_gamma(of_total, of_total, 2);
    const double offset = moment ? of_total[0] - of_total[1] : -s * std::log(topics_->total(k));
    for (int64_t first = 0; first < columns(); first += block) {
      const int64_t words = std::min(block, columns() - first);
      for (int64_t i = 0; i < words; ++i) {
        values[i] = topics_->lambda(k, first + i);
        raised[i] = values[i] + s;
      }
      if (moment) {
        kernels.log_gamma(values, values, words);
        kernels.log_gamma(raised, raised, words);
        for (int64_t i = 0; i < words; ++i) values[i] = raised[i] - values[i] + offset;
      } else {
        kernels.logarithm(values, values, words);
        for (int64_t i = 0; i < words; ++i) values[i] = s * values[i] + offset;
      }
      kernels.exponential(values, values, words);
      sum += kernels.sum(values, words);
    }
  }
  return sum / static_cast<double>(settings_.topics);
}

template <class Real>
bool Lda<Real>::normalizer_follows_globals(const Normalizer& normalizer) const {
  return normalizer.estimate == "plug_in" || normalizer.estimate == "moment";
}

template <class Real>
void Lda<Real>::save(ContainerWriter& writer) const {
  require_initialized();
  require_undivided("a file needs all topics");
  writer.text("columns", number_text(columns()));
  writer.keep("lda.alpha", settings_.alpha);
  if (settings_.learn_eta) writer.keep("lda.eta", std::vector<double>{topics_->eta(0, 0)});
  topics_->save(writer);
  save_names(names_.get(), writer);
}

template <class Real>
void Lda<Real>::check_stored(const ContainerReader& reader) const {
  const auto columns = parse_integer(reader.text("columns"));
  const Tensor& rows = reader.tensor("lda.rows", sizeof(Real) == sizeof(float) ? Element::f32 : Element::f64, 2);
  if (!columns || *columns < 1 || rows.shape[0] != *columns ||
      !may_be_stride<Real>(rows.shape[1], stored_topics(settings_.topics, reader))) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " holds topics of another size than its options say"));
  }
  if (settings_.eta.size() != 1 && settings_.eta.size() != static_cast<size_t>(settings_.topics * *columns)) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " holds an eta of the wrong length"));
  }
  const std::vector<double> alpha = reader.doubles("lda.alpha");
  const bool usable = std::all_of(alpha.begin(), alpha.end(), [](double x) { return std::isfinite(x) && x > 0; });
  if (!usable || alpha.size() != settings_.alpha.size()) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " holds an alpha that is not K positive numbers"));
  }
  if (topics_) topics_->check_stored(reader);
  if (settings_.learn_eta) {
    const std::vector<double> eta = reader.doubles("lda.eta");
    if (eta.size() != 1 || !(eta[0] > 0 && std::isfinite(eta[0]))) {
      throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " holds an eta that is not one positive number"));
    }
  }
}

template <class Real>
void Lda<Real>::load(const ContainerReader& reader) {
  check_stored(reader);
  const auto columns = parse_integer(reader.text("columns"));
  const std::vector<double> alpha = reader.doubles("lda.alpha");
  auto topics =
      std::make_unique<Topics<Real>>(settings_.topics, *columns, settings_.eta, settings_.parameters_folder, group_);
  topics->load(reader);
  std::shared_ptr<const Names> names = load_names(reader, *columns);
  if (settings_.learn_eta) topics->set_eta(reader.doubles("lda.eta")[0]);
  topics_ = std::move(topics);
  columns_ = *columns;
  names_ = std::move(names);
  fresh_ = false;
  set_alpha(alpha.data());
}

template class Lda<float>;
template class Lda<double>;

}  // namespace vtemper
