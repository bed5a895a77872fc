#pragma once
// Tiny problems for the tests of LDA: random but identical on every machine, in the forms used by the library and by
// plain_lda.h.

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/data.h"
#include "inference/optimizer.h"
#include "models/conjugate_model.h"
#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/check.h"
#include "support/cmocka.h"
#include "support/option_texts.h"
#include "support/parameter.h"
#include "support/plain_lda.h"
#include "support/random.h"
#include "support/text.h"

namespace fixtures {

using vtemper::options_of;
using vtemper::Texts;
using vtemper::test::parameter;
using vtemper::test::Random;

using plain::Documents;
using plain::Matrix;
using plain::Number;
using plain::Priors;
using plain::Vector;

/// Documents that mix two of `topics` groups of words, with some noise; document 2, if there is one, is empty.
inline Documents random_corpus(size_t documents, size_t words, size_t topics, int64_t tokens, uint64_t seed,
                               bool with_weights = false) {
  Random random(seed);
  Documents corpus;
  corpus.counts.assign(documents, Vector(words, 0));
  corpus.weights.assign(documents, 1);
  for (size_t d = 0; d < documents; ++d) {
    const int64_t length = d == 2 ? 0 : tokens / 2 + random.below(tokens + 1);
    const int64_t one = random.below(static_cast<int64_t>(topics));
    const int64_t other = random.below(static_cast<int64_t>(topics));
    for (int64_t n = 0; n < length; ++n) {
      size_t word = static_cast<size_t>(random.below(static_cast<int64_t>(words)));
      if (random.uniform() < 0.8) {
        const size_t topic = static_cast<size_t>(random.uniform() < 0.6 ? one : other);
        word = word / topics * topics + topic;
      }
      corpus.counts[d][word % words] += 1;
    }
    if (with_weights) corpus.weights[d] = 0.5 + random.uniform() * 2;
  }
  return corpus;
}

inline Matrix random_lambda(size_t topics, size_t words, uint64_t seed, double low = 0.2, double high = 3) {
  Random random(seed);
  Matrix lambda(topics, Vector(words));
  for (Vector& row : lambda) {
    for (Number& value : row) value = low + (high - low) * random.uniform();
  }
  return lambda;
}

inline Priors symmetric_priors(size_t topics, size_t words, double alpha, double eta, bool point = false) {
  Priors priors;
  priors.alpha.assign(topics, alpha);
  priors.eta.assign(topics, Vector(words, eta));
  priors.point = point;
  return priors;
}

/// All alpha_k and eta_kv different.
inline Priors asymmetric_priors(size_t topics, size_t words, uint64_t seed, bool point = false) {
  Random random(seed);
  Priors priors = symmetric_priors(topics, words, 0, 0, point);
  for (Number& value : priors.alpha) value = 0.05 + 0.7 * random.uniform();
  for (Vector& row : priors.eta) {
    for (Number& value : row) value = 0.02 + 0.5 * random.uniform();
  }
  return priors;
}

inline std::vector<double> flat(const Matrix& rows) {
  std::vector<double> out;
  for (const Vector& row : rows) out.insert(out.end(), row.begin(), row.end());
  return out;
}

inline std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ",") + vtemper::number_text(value);
  return text;
}

inline std::shared_ptr<vtemper::Data> data_of(const Documents& corpus) {
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<double> values;
  for (const Vector& counts : corpus.counts) {
    for (size_t v = 0; v < counts.size(); ++v) {
      if (!(counts[v] > 0)) continue;
      indices.push_back(static_cast<int32_t>(v));
      values.push_back(static_cast<double>(counts[v]));
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  vtemper::CountsArrays arrays{};
  arrays.layout = VTEMPER_BY_ROWS;
  arrays.rows = static_cast<int64_t>(corpus.documents());
  arrays.columns = static_cast<int64_t>(corpus.words());
  arrays.offsets = {offsets.data(), VTEMPER_INT64};
  arrays.indices = {indices.data(), VTEMPER_INT32};
  arrays.values = {values.data(), VTEMPER_DOUBLE};
  std::shared_ptr<vtemper::Data> data = vtemper::data_from_counts(arrays, nullptr);
  bool weighted = false;
  for (const Number weight : corpus.weights) weighted = weighted || weight != 1;
  if (weighted) {
    vtemper::data_set_weights(*data, std::vector<double>(corpus.weights.begin(), corpus.weights.end()));
  }
  return data;
}

/// Documents of `corpus` in the order of `rows`, which may repeat.
inline Documents rows_of(const Documents& corpus, const std::vector<int64_t>& rows) {
  Documents out;
  for (const int64_t row : rows) {
    out.counts.push_back(corpus.counts[static_cast<size_t>(row)]);
    out.weights.push_back(corpus.weights[static_cast<size_t>(row)]);
  }
  return out;
}

inline std::shared_ptr<vtemper::ConjugateModel> make_model(const Texts& texts) {
  return as_conjugate(vtemper::lda_kind.create(
      vtemper::OptionValues(vtemper::lda_kind.options(), options_of(texts), vtemper::lda_kind.name)));
}

/// Double precision, local posteriors solved to full precision.
inline Texts exact_options(const Priors& priors) {
  return {{"topics", vtemper::number_text(static_cast<int64_t>(priors.topics()))},
          {"alpha", list_text(std::vector<double>(priors.alpha.begin(), priors.alpha.end()))},
          {"eta", list_text(flat(priors.eta))},
          {"topic_posterior", priors.point ? "point" : "dirichlet"},
          {"precision", "double"},
          {"local_iterations", "100000"},
          {"local_tolerance", "1e-13"},
          {"local_sparsity", "0"}};
}

inline std::shared_ptr<vtemper::ConjugateModel> exact_model(const Priors& priors, const vtemper::Data& data,
                                                            const Matrix& lambda) {
  const std::shared_ptr<vtemper::ConjugateModel> model = make_model(exact_options(priors));
  model->initialize(data, 1);
  model->write_parameter("lambda", flat(lambda).data());
  return model;
}

inline Matrix lambda_of(const vtemper::Model& model) {
  const std::vector<double> values = parameter(model, "lambda");
  const size_t words = static_cast<size_t>(model.columns());
  Matrix lambda(values.size() / words, Vector(words));
  for (size_t i = 0; i < values.size(); ++i) lambda[i / words][i % words] = values[i];
  return lambda;
}

/// S_kv as written by the model; checks its sums.
inline Matrix statistics_of(const vtemper::Model& model, const vtemper::ConjugateFit& fit) {
  std::vector<double> all(static_cast<size_t>(fit.statistics_length()));
  fit.write_statistics(all.data());
  const size_t words = static_cast<size_t>(model.columns());
  const size_t topics = parameter(model, "alpha").size();
  Matrix statistics(topics, Vector(words));
  for (size_t k = 0; k < topics; ++k) {
    Number total = 0;
    for (size_t v = 0; v < words; ++v) total += statistics[k][v] = all[topics * (1 + v) + k];
    check_close("sum of the statistics of a topic", all[k], total, 1e-12L, 1e-12L);
  }
  return statistics;
}

/// One document solved by the library at s: posterior, L and F.
struct Solved {
  plain::Local local;
  vtemper::LocalSums sums;
  bool in_log_space;
};

inline Solved solve_row(vtemper::ConjugateModel& model, const vtemper::Data& data, int64_t row,
                        const vtemper::LocalTemperature& temperature) {
  const std::unique_ptr<vtemper::ConjugateFit> work = model.begin_fit(nullptr, 1);
  vtemper::LocalSettings settings;
  settings.bound = true;
  Solved out;
  out.sums = work->local_step({&data, nullptr, row, 1}, temperature, settings);
  const auto& inside = static_cast<vtemper::LdaFit<double>&>(*work).work();
  const Matrix statistics = statistics_of(model, *work);
  const size_t topics = statistics.size();
  const size_t words = statistics[0].size();
  out.local.gamma.assign(inside.gamma.begin(), inside.gamma.begin() + topics);
  out.local.phi.assign(words, Vector(topics, 0));
  for (size_t v = 0; v < words; ++v) {
    Number total = 0;
    for (size_t k = 0; k < topics; ++k) total += statistics[k][v];
    for (size_t k = 0; k < topics && total > 0; ++k) out.local.phi[v][k] = statistics[k][v] / total;
  }
  out.in_log_space = inside.documents[0].in_log_space;
  return out;
}

inline vtemper::LocalTemperature at(double inverse) {
  vtemper::LocalTemperature temperature;
  temperature.inverse = inverse;
  return temperature;
}

}  // namespace fixtures
