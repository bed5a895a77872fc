#include "models/gaussian_mixture/gaussian_mixture.h"

#include <algorithm>
#include <cmath>

#include "models/gaussian_mixture/work.h"
#include "models/named_arrays.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Squared distances of larger values could overflow.
constexpr double largest_value = 1e120;

template <class Real>
void check_values(const Dense& dense, const Real* values) {
  Spare spare;
  for (int64_t row = 0; row < dense.rows; ++row) {
    const Real* const of_row = dense.typed_row(values, row, spare);
    for (int64_t column = 0; column < dense.columns; ++column) {
      const double value = static_cast<double>(of_row[column * dense.column_stride]);
      if (std::isnan(value) || std::abs(value) <= largest_value) continue;
      throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", column, " is ", value, "; values beyond ",
                                              largest_value, " cannot be squared, so use another unit"));
    }
  }
}

/// The components of a file, one after the other.
struct StoredComponents {
  int64_t count, columns;
  std::vector<double> scalars;          ///< concentration, b and nu of each
  std::vector<double> means;            ///< [count x D]
  std::vector<double> inverse_scales;   ///< [count x D x D]
  std::vector<double> mean_precisions;  ///< [count x D x D]; empty if factors are not independent

  StoredComponents(const ContainerReader& reader, int64_t number, int64_t data_columns, bool independent)
      : count(number),
        columns(data_columns),
        scalars(stored_numbers(reader, "components.scalars", 3 * count)),
        means(stored_numbers(reader, "components.mean", count * columns)),
        inverse_scales(stored_numbers(reader, "components.inverse_scale", count * columns * columns)) {
    if (independent) {
      mean_precisions = stored_numbers(reader, "components.mean_precision", count * columns * columns);
    }
  }

  const double* scalars_of(int64_t k) const { return scalars.data() + 3 * k; }
  const double* inverse_scale_of(int64_t k) const { return inverse_scales.data() + k * columns * columns; }
  const double* mean_precision_of(int64_t k) const { return mean_precisions.data() + k * columns * columns; }

  /// Whether the parameters of each component are in their domain.
  bool are_usable() const {
    for (int64_t k = 0; k < count; ++k) {
      const double* of_component = scalars_of(k);
      if (!(of_component[0] > 0 && of_component[1] > 0 && of_component[2] > static_cast<double>(columns) - 1)) {
        return false;
      }
      if (!linalg::is_definite(inverse_scale_of(k), columns)) return false;
      if (!mean_precisions.empty() && !linalg::is_definite(mean_precision_of(k), columns)) return false;
    }
    return true;
  }

  /// All but the concentration.
  void read(int64_t k, Component& out) const {
    out.mean_scale = scalars_of(k)[1];
    out.dof = scalars_of(k)[2];
    std::copy_n(means.data() + k * columns, columns, out.mean.data());
    std::copy_n(inverse_scale_of(k), columns * columns, out.inverse_scale.data());
    if (!mean_precisions.empty()) std::copy_n(mean_precision_of(k), columns * columns, out.mean_precision.data());
  }
};

const char* text_of(PriorLearning learning) {
  if (learning == PriorLearning::strength) return "strength";
  return learning == PriorLearning::all ? "true" : "false";
}

}  // namespace

GaussianMixture::GaussianMixture(MixtureSettings settings, OptionValues options)
    : DenseMixtureOf(gaussian_mixture_kind, std::move(options)), settings_(std::move(settings)) {}

void GaussianMixture::require_rows(const Data& data) const {
  const Dense& dense =
      require_form<Dense>(data, "gaussian_mixture models dense rows; the data are ", data.form_name());
  with_numbers(dense.values, [&](const auto* values) { check_values(dense, values); });
}

/// Sets the moments of the data and derives the defaults.
void GaussianMixture::adopt(Moments moments) {
  const int64_t columns = static_cast<int64_t>(moments.mean.size());
  MixturePrior prior = make_prior(settings_, moments);
  Array<double> factor(moments.covariance.size());
  Array<double> inverse = linalg::inverse_of(moments.covariance.data(), columns, factor.data());
  Components components(settings_.components, columns, settings_.independent);
  moments_ = std::move(moments);
  start_prior_ = prior;
  prior_ = std::move(prior);
  covariance_factor_ = std::move(factor);
  covariance_inverse_ = std::move(inverse);
  components_ = std::move(components);
}

/// What of the prior is learned from this data. Files that were written before strengths were learned have few rows
/// without the covariance within clusters.
PriorLearning GaussianMixture::learning() const {
  const bool less = settings_.learning == PriorLearning::all && settings_.less_from_few && has_few_rows(moments_);
  if (!less) return settings_.learning;
  return moments_.within.empty() ? PriorLearning::none : PriorLearning::strength;
}

/// Random start: every component has a random share of the rows, N Dir(1, ..., 1), and a mean drawn from the Normal
/// fitted to the data (README.md section 2). Replaced by clusters unless a random start is requested.
void GaussianMixture::initialize(const Data& data, uint64_t seed) {
  require_rows(data);
  const bool prior_is_given = settings_.dof_prior > 0 && !settings_.covariance_prior.empty();
  adopt(moments_of(data, prior_is_given ? 1 : count()));
  columns_ = data.columns();
  names_ = data.names;
  const int64_t count = settings_.components;
  std::vector<double> sizes(static_cast<size_t>(count));
  double total = 0;
  RandomStream stream(seed, Purpose::initialize, 0, static_cast<uint64_t>(count));
  for (double& size : sizes) total += size = stream.gamma(1);
  Component component = components_->component();
  for (int64_t k = 0; k < count; ++k) {
    require_not_interrupted();
    RandomStream own(seed, Purpose::initialize, 0, static_cast<uint64_t>(k));
    const double size = moments_.weight * sizes[static_cast<size_t>(k)] / total;
    weights_.concentration[static_cast<size_t>(k)] = weights_.prior[static_cast<size_t>(k)] + size;
    draw(prior_, moments_, covariance_factor_, covariance_inverse_, size, own, component);
    if (!components_->write(k, component)) {
      throw Error(VTEMPER_ERROR_NUMERIC,
                  message("the start of component ", k, " is not positive definite in double precision"));
    }
  }
  weights_.refresh();
  if (settings_.k_means) start_from_clusters(data, seed);
}

void GaussianMixture::report_used(OptionValues& used) const {
  used.use_by_default("mean_prior", numbers_text(start_prior_.mean));
  used.use_by_default("dof_prior", start_prior_.dof);
  used.use_by_default("covariance_prior",
                      numbers_text(default_covariance(moments_, settings_.components, start_prior_.dof)));
  used.use_by_default("learn_priors", text_of(learning()));
}

void GaussianMixture::save(ContainerWriter& writer) const {
  require_initialized();
  const Components& components = *components_;
  const int64_t count = components.count();
  const int64_t columns = components.columns();
  const int64_t matrix = columns * columns;
  writer.keep("data.mean", moments_.mean);
  writer.keep("data.covariance", moments_.covariance);
  std::vector<double> scalars, means, inverse_scales, mean_precisions;
  for (int64_t k = 0; k < count; ++k) {
    const double concentration = weights_.concentration[static_cast<size_t>(k)];
    scalars.insert(scalars.end(), {concentration, components.mean_scale(k), components.dof(k)});
    means.insert(means.end(), components.mean(k), components.mean(k) + columns);
    inverse_scales.insert(inverse_scales.end(), components.inverse_scale(k), components.inverse_scale(k) + matrix);
    if (!components.independent()) continue;
    mean_precisions.insert(mean_precisions.end(), components.mean_precision(k),
                           components.mean_precision(k) + matrix);
  }
  writer.keep("components.scalars", std::move(scalars));
  writer.keep("components.mean", std::move(means));
  writer.keep("components.inverse_scale", std::move(inverse_scales));
  if (components.independent()) writer.keep("components.mean_precision", std::move(mean_precisions));
  if (moments_.weight > 0) writer.keep("data.weight", std::vector<double>{moments_.weight});
  if (!moments_.within.empty()) writer.keep("data.covariance_within", moments_.within);
  if (learning() != PriorLearning::none) {
    writer.keep("prior.mean", prior_.mean);
    writer.keep("prior.scalars", std::vector<double>{prior_.mean_scale, prior_.dof});
    writer.keep("prior.inverse_scale", prior_.inverse_scale);
  }
  save_columns(writer);
}

/// Returns none for files written before priors could be learned.
std::optional<MixturePrior> GaussianMixture::read_prior(const ContainerReader& reader, int64_t columns) const {
  if (settings_.learning == PriorLearning::none || !reader.has_tensor("prior.mean")) return std::nullopt;
  MixturePrior prior;
  prior.mean = stored_numbers(reader, "prior.mean", columns);
  prior.inverse_scale = stored_numbers(reader, "prior.inverse_scale", columns * columns);
  const std::vector<double> scalars = stored_numbers(reader, "prior.scalars", 2);
  prior.mean_scale = scalars[0];
  prior.dof = scalars[1];
  if (!(prior.mean_scale > 0) || !(prior.dof > static_cast<double>(columns) - 1) ||
      !linalg::is_definite(prior.inverse_scale.data(), columns)) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(reader.name(), " holds a prior outside the domain of its distribution"));
  }
  Array<double> factor(prior.inverse_scale.size());
  std::copy(prior.inverse_scale.begin(), prior.inverse_scale.end(), factor.begin());
  linalg::DefiniteWork work(columns);
  linalg::cholesky(factor.data(), columns, work);
  prior.log_inverse_scale = linalg::log_determinant(factor.data(), columns);
  return prior;
}

void GaussianMixture::take_prior(MixturePrior learned) {
  prior_.mean = std::move(learned.mean);
  prior_.dof = learned.dof;
  prior_.inverse_scale = std::move(learned.inverse_scale);
  prior_.log_inverse_scale = learned.log_inverse_scale;
  set_mean_scale(prior_, start_prior_, learned.mean_scale);
}

void GaussianMixture::load(const ContainerReader& reader) {
  const auto refuse = [&](const char* what) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds ", what));
  };
  const char* unusable = "a component outside the domain of its distribution";
  const int64_t columns = stored_columns(reader);
  Moments moments;
  moments.mean = stored_numbers(reader, "data.mean", columns);
  moments.covariance = stored_numbers(reader, "data.covariance", columns * columns);
  if (!linalg::is_definite(moments.covariance.data(), columns)) {
    refuse("a covariance that is not positive definite");
  }
  const StoredComponents stored(reader, count(), columns, settings_.independent);
  if (!stored.are_usable()) refuse(unusable);
  std::shared_ptr<const Names> names = load_names(reader, columns);
  std::optional<MixturePrior> learned = read_prior(reader, columns);
  if (learned || reader.has_tensor("data.weight")) {
    moments.weight = stored_numbers(reader, "data.weight", 1)[0];
    if (!(moments.weight > 0)) refuse("no weight of its data");
  }
  if (reader.has_tensor("data.covariance_within")) {
    moments.within = stored_numbers(reader, "data.covariance_within", columns * columns);
    if (!linalg::is_definite(moments.within.data(), columns)) refuse("a covariance that is not positive definite");
  }
  adopt(std::move(moments));
  if (learned) take_prior(std::move(*learned));
  Component component = components_->component();
  for (int64_t k = 0; k < count(); ++k) {
    weights_.concentration[static_cast<size_t>(k)] = stored.scalars_of(k)[0];
    stored.read(k, component);
    if (!components_->write(k, component)) refuse(unusable);
  }
  weights_.refresh();
  columns_ = columns;
  names_ = std::move(names);
}

}  // namespace vtemper
