#include "models/gradient_model.h"

#include <algorithm>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

const char* statistic_name(Statistic statistic) {
  switch (statistic) {
    case Statistic::entropy:
      return "entropy";
    case Statistic::kl:
      return "kl";
    case Statistic::mean_variance:
      return "mean_variance";
    case Statistic::orthogonal:
      return "orthogonal";
    case Statistic::none:
      break;
  }
  return "none";
}

int64_t samples_of(const OptionValues& evaluate, int64_t usual) {
  return evaluate.is_auto("samples") ? usual : evaluate.integer("samples");
}

void GradientSums::add_row(double weight, double row_elbo, double row_objective, double row_log_likelihood) {
  count += 1;
  rows += weight;
  elbo += weight * row_elbo;
  objective += weight * row_objective;
  expected_log_likelihood += weight * row_log_likelihood;
}

void GradientSums::write(double* out) const {
  const double all[length] = {count, rows, elbo, objective, expected_log_likelihood, pull, force, active_units};
  std::copy_n(all, length, out);
}

GradientSums GradientSums::read(const double* in) {
  return {in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]};
}

}  // namespace vtemper
