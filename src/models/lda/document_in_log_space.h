#pragma once
// The local problem of a document in logarithms and double precision: slow, for the rare document whose sums
// leave the range of Real (its words share no topic with it that a product could represent).

#include <cstdint>
#include <vector>

namespace vtemper {

struct DocumentInLogSpace {
  int64_t topics;
  int64_t words;
  std::vector<double> expectations;  ///< [words x topics] E log beta
  std::vector<double> counts;        ///< [words]
  std::vector<double> alpha;         ///< [topics]
  double inverse_temperature;

  std::vector<double> gamma;           ///< [topics] in: start; out: result
  std::vector<double> responsibility;  ///< [words x topics] out: phi of the final gamma
  double expected_log_likelihood;      ///< out: L
  double bound_of_words;  ///< out: sum_w n_w log sum_k exp{ s (E log theta_k + E log beta_wk) } = s L + H(phi)

  void solve(int64_t iterations, double tolerance);
};

}  // namespace vtemper
