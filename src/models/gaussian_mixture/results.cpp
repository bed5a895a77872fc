// Results of a fitted Gaussian mixture: parameters, responsibilities, densities of rows.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/scalar_functions.h"
#include "models/gaussian_mixture/work.h"
#include "models/log_sum.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// The elements that a caller gives for a parameter.
struct GivenParameter {
  std::string_view name;
  const double* in;
  int64_t count, columns;  ///< of components, of the data

  /// Matrix k, whose elements may differ from their mirror images by rounding: their means.
  Array<double> matrix(int64_t k) const {
    const int64_t size = columns * columns;
    Array<double> values(static_cast<size_t>(size));
    std::copy_n(in + k * size, size, values.data());
    linalg::make_symmetric(values.data(), columns);
    return values;
  }
  [[noreturn]] void refuse(int64_t element, const std::string& domain) const {
    throw Error(VTEMPER_ERROR_DATA,
                message("element ", element, " of ", name, " is ", in[element], "; it must ", domain));
  }
};

void check_above(const GivenParameter& given, double above) {
  for (int64_t k = 0; k < given.count; ++k) {
    if (given.in[k] > above && given.in[k] <= 1e15) continue;
    given.refuse(k, message("be greater than ", above, " and at most 1e+15"));
  }
}

void check_positive(const GivenParameter& given) {
  check_above(given, 0);
}

void check_dof(const GivenParameter& given) {
  check_above(given, static_cast<double>(given.columns) - 1);
}

void check_means(const GivenParameter& given) {
  for (int64_t i = 0; i < given.count * given.columns; ++i) {
    if (!(std::abs(given.in[i]) <= 1e120)) given.refuse(i, "lie between -1e+120 and 1e+120");
  }
}

void check_matrices(const GivenParameter& given) {
  const int64_t columns = given.columns, size = columns * columns;
  for (int64_t k = 0; k < given.count; ++k) {
    const double* values = given.in + k * size;
    for (int64_t i = 0; i < size; ++i) {
      if (!(std::abs(values[i]) <= 1e250)) given.refuse(k * size + i, "be finite");
    }
    const int64_t i = linalg::asymmetric_element(values, columns);
    if (i >= 0) {
      const double mirrored = values[i % columns * columns + i / columns];
      given.refuse(k * size + i, message("equal the transposed element, ", mirrored));
    }
    if (!linalg::is_definite(given.matrix(k).data(), columns)) {
      throw Error(VTEMPER_ERROR_DATA, message("matrix ", k, " of ", given.name, " is not positive definite"));
    }
  }
}

void write_mean(const GivenParameter& given, int64_t k, Component& out) {
  std::copy_n(given.in + k * given.columns, given.columns, out.mean.data());
}

void write_mean_precision(const GivenParameter& given, int64_t k, Component& out) {
  linalg::MatrixMap precision = linalg::square_of(out.mean_precision.data(), given.columns);
  const Array<double> symmetric = given.matrix(k);
  precision = linalg::square_of(symmetric.data(), given.columns);
}

void write_mean_scale(const GivenParameter& given, int64_t k, Component& out) {
  out.mean_scale = given.in[k];
}

void write_dof(const GivenParameter& given, int64_t k, Component& out) {
  out.dof = given.in[k];
}

void write_scale(const GivenParameter& given, int64_t k, Component& out) {
  out.inverse_scale = linalg::inverse_of(given.matrix(k).data(), given.columns);
}

/// A parameter of the components that can be written.
struct WrittenParameter {
  const char* name;
  void (*check)(const GivenParameter& given);  ///< Error(DATA) for elements outside their domain
  void (*write)(const GivenParameter& given, int64_t k, Component& out);
};
constexpr WrittenParameter written_parameters[] = {{"mean", check_means, write_mean},
                                                   {"mean.precision", check_matrices, write_mean_precision},
                                                   {"mean.precision_scale", check_positive, write_mean_scale},
                                                   {"precision.dof", check_dof, write_dof},
                                                   {"precision.scale", check_matrices, write_scale}};

}  // namespace

ParameterTable GaussianMixture::parameter_table() const {
  const int64_t k = count(), d = columns(), matrix = d * d;
  const auto of_matrices = [matrix](const auto& element) {
    return [=](int64_t i) { return element(i / matrix, i % matrix); };
  };
  // The components exist by the time a value is requested.
  const std::optional<Components>& of = components_;
  const auto at = [](const std::vector<double>& values) {
    return [&values](int64_t i) { return values[static_cast<size_t>(i)]; };
  };
  ParameterTable table = {{{"weights.concentration", {k}, true, "Dirichlet parameters of the weights."},
                           [this](int64_t i) { return weights_.concentration[static_cast<size_t>(i)]; }},
                          mean_weights(),
                          {{"mean", {k, d}, true, "Means of the components' means."},
                           [&of, d](int64_t i) { return of->mean(i / d)[i % d]; }}};
  if (settings_.independent) {
    table.push_back({{"mean.precision", {k, d, d}, true, "Precisions of the components' means."},
                     of_matrices([&of](int64_t c, int64_t i) { return of->mean_precision(c)[i]; })});
  } else {
    table.push_back({{"mean.precision_scale",
                      {k},
                      true,
                      "Precision of a component's mean in units of the component's own precision."},
                     [&](int64_t i) { return of->mean_scale(i); }});
  }
  const ParameterTable rest = {
      {{"precision.dof", {k}, true, "Degrees of freedom of the components' precisions, above D - 1."},
       [&](int64_t i) { return of->dof(i); }},
      {{"precision.scale", {k, d, d}, true, "Scale matrices W of the components' precisions; mean dof W."},
       of_matrices([&of](int64_t c, int64_t i) { return of->scale(c)[i]; })},
      {{"covariance", {k, d, d}, false, "Inverses of the components' mean precisions."},
       of_matrices([&of](int64_t c, int64_t i) { return of->inverse_scale(c)[i] / of->dof(c); })},
      rows_of_components(),
      {{"duplicate_of", {k}, false, "The earlier component that each repeats; -1 for none."},
       [this](int64_t i) { return static_cast<double>(duplicate_of(i)); }},
      {{"mean_prior", {d}, false, "Prior mean of the components' means, given or learned."}, at(prior_.mean)},
      {{"mean_precision_prior", {1}, false, "Prior precision of the components' means, given or learned."},
       [this](int64_t) { return prior_.mean_scale; }},
      {{"dof_prior", {1}, false, "Degrees of freedom of the Wishart prior, given or learned."},
       [this](int64_t) { return prior_.dof; }},
      {{"covariance_prior",
        {d, d},
        false,
        "Covariance whose inverse is the prior mean of the components' precisions, given or learned."},
       [this](int64_t i) { return prior_.inverse_scale[static_cast<size_t>(i)] / prior_.dof; }}};
  table.insert(table.end(), rest.begin(), rest.end());
  return table;
}

void GaussianMixture::write_parameter(std::string_view name, const double* in) {
  require_initialized();
  Components& components = *components_;
  const GivenParameter given = {name, in, components.count(), components.columns()};
  if (name == "weights.concentration") {
    check_positive(given);
    std::copy_n(in, given.count, weights_.concentration.begin());
    return weights_.refresh();
  }
  const auto parameter = std::find_if(std::begin(written_parameters), std::end(written_parameters),
                                      [&](const WrittenParameter& written) { return name == written.name; });
  if (parameter == std::end(written_parameters)) return;
  parameter->check(given);
  Components next = components;
  Component component = components.component();
  for (int64_t k = 0; k < given.count; ++k) {
    components.read(k, component);
    parameter->write(given, k, component);
    if (!next.write(k, component)) {
      throw Error(VTEMPER_ERROR_DATA, message("with this ", name, " component ", k, " leaves the range of a double"));
    }
  }
  components = std::move(next);
}

const char* GaussianMixture::about_density() const {
  return "Log density of the row's values under the posterior predictive (nats; for independent factors with the "
         "components' means at their posterior mean).";
}

/// Replaces missing values by sum_k phi_k (m_k + d_mis of k) (README.md section 1), handling rows of the same pattern
/// together. The sum runs over components in order, whatever the number of threads.
void GaussianMixture::complete_chunk(int64_t first, int threads, MixtureWork& work, const Sink& sink) const {
  const Components& components = *components_;
  const int64_t count = components.count();
  const int64_t columns = components.columns();
  for (int64_t t = 0; t < work.count; ++t) {
    const double* row = work.rows.data() + t * components.stride();  // 0 where missing
    for (int64_t j = 0; j < columns; ++j) sink(first + t, j) = row[j];
    if (work.missing_values[static_cast<size_t>(t)] != columns) continue;
    for (int64_t k = 0; k < count; ++k) {
      const double phi = work.responsibilities[MixtureWork::place(count, k, t)];
      for (int64_t j = 0; j < columns; ++j) sink(first + t, j) += phi * components.mean(k)[j];
    }
  }
  parallel_for(threads, static_cast<int64_t>(work.groups.size()) - 1, [&](int64_t group, int thread) {
    MixtureScratch& scratch = work.scratch[static_cast<size_t>(thread)];
    const size_t begin = static_cast<size_t>(work.groups[static_cast<size_t>(group)]);
    const size_t end = static_cast<size_t>(work.groups[static_cast<size_t>(group) + 1]);
    const uint8_t* is_missing = work.patterns.data() + work.missing_rows[begin] * columns;
    for (int64_t k = 0; k < count; ++k) {
      const double* mean = components.mean(k);
      scratch.missing.choose(components.scale(k), columns, is_missing);
      for (size_t i = begin; i < end; ++i) {
        const int64_t t = work.missing_rows[i];
        const double* row = work.rows.data() + t * components.stride();
        double* difference = scratch.row.data();
        for (int64_t j = 0; j < columns; ++j) difference[j] = row[j] - mean[j];
        scratch.missing.complete(difference);
        const double phi = work.responsibilities[MixtureWork::place(count, k, t)];
        for (int64_t j = 0; j < columns; ++j) {
          if (is_missing[j]) sink(first + t, j) += phi * (mean[j] + difference[j]);
        }
      }
    }
  });
}

/// The posterior predictive is a mixture of Student distributions with eta = nu + 1 - D degrees of freedom (Bishop
/// 2006, equation 10.81): with q the squared distance under W of the O observed values (the others are integrated
/// out), and g = b / (1 + b) (1 for independent factors, whose mean is fixed at its posterior mean instead of
/// integrated),
///   log p = log E pi_k + log Gamma((eta + O)/2) - log Gamma(eta/2) - (O/2) log(pi / g) - (1/2) log |(W^-1)_oo|
///           - (eta + O)/2 log(1 + g q).
void GaussianMixture::write_densities(const Data& data, int threads, const Sink& sink) const {
  const Components& components = *components_;
  const int64_t count = components.count();
  const int64_t columns = components.columns();
  const auto log_gamma = kernels::instruction_set().double_precision.log_gamma;
  // log Gamma((eta_k + o)/2) for every possible number o of observed values
  std::vector<double> log_gammas(static_cast<size_t>(count * (columns + 1)));
  for (int64_t k = 0; k < count; ++k) {
    for (int64_t o = 0; o <= columns; ++o) {
      log_gammas[static_cast<size_t>(k * (columns + 1) + o)] =
          0.5 * (components.dof(k) + 1 - static_cast<double>(columns - o));
    }
  }
  log_gamma(log_gammas.data(), log_gammas.data(), static_cast<int64_t>(log_gammas.size()));

  MixtureWork work(components);
  work.factors.fill(1);  // with constants 0: scores are the squared distances
  const auto density_of = [&](int64_t t) {
    const int64_t missing = work.missing_values[static_cast<size_t>(t)];
    if (missing == columns) return 0.0;  // an empty observation has probability 1
    const int64_t observed = columns - missing;
    const int64_t place = work.missing_places[static_cast<size_t>(t)];
    LogSum density;
    for (int64_t k = 0; k < count; ++k) {
      const double shrinkage =
          components.independent() ? 1 : components.mean_scale(k) / (1 + components.mean_scale(k));
      double log_determinant = components.log_inverse_scale(k);  // of (W^-1)_oo
      if (missing > 0) log_determinant += work.log_determinants[static_cast<size_t>(place * count + k)];
      const double freedom = components.dof(k) + 1 - static_cast<double>(columns);
      const double* of_component = log_gammas.data() + k * (columns + 1);
      const double term = std::log(weights_.mean(k)) + of_component[observed] - of_component[0] -
                          0.5 * static_cast<double>(observed) * (log_pi - std::log(shrinkage)) -
                          0.5 * log_determinant -
                          0.5 * (freedom + static_cast<double>(observed)) *
                              std::log1p(shrinkage * work.scores[MixtureWork::place(count, k, t)]);
      density.add(term);
    }
    return density.value();
  };
  for_each_chunk(all_rows(data), [&](const Batch& chunk) {
    score_chunk(chunk, 0, threads, work);
    work.for_each_row(threads, [&](int64_t t) { sink(chunk.begin + t) = density_of(t); });
  });
}

void GaussianMixture::infer_rows(const Data& data, std::string_view quantity, int threads, const Sink& sink) const {
  if (quantity == "log_density") return write_densities(data, threads, sink);
  DenseMixtureOf::infer_rows(data, quantity, threads, sink);
}

}  // namespace vtemper
