#pragma once
// Priors of a Gaussian mixture as the model shows them, in the form of plain_mixture.h.

#include "models/gaussian_mixture/plain_mixture.h"

namespace fixtures {

inline Vector prior_of(const Model& model) {
  Vector all;
  for (const char* name : {"mean_prior", "mean_precision_prior", "dof_prior", "covariance_prior"}) {
    const Vector values = parameter(model, name);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// The prior as the model shows it.
inline plain::PlainPrior plain_prior(const Model& model, plain::PlainPrior start, bool independent) {
  start.m0 = parameter(model, "mean_prior");
  start.nu0 = parameter(model, "dof_prior")[0];
  start.V0 = parameter(model, "covariance_prior");
  for (double& value : start.V0) value *= start.nu0;
  const double scale = parameter(model, "mean_precision_prior")[0];
  if (independent) {
    for (double& value : start.P0) value *= scale;
  } else {
    start.b0 = scale;
  }
  return start;
}

inline std::shared_ptr<ConjugateModel> from_file(const Model& model) {
  ContainerWriter writer("test");
  save_model(model, writer);
  std::vector<char> bytes(static_cast<size_t>(writer.size()));
  writer.write(bytes.data());
  return as_conjugate(load_model(ContainerReader::open_buffer(bytes.data(), writer.size(), "test")));
}

}  // namespace fixtures
