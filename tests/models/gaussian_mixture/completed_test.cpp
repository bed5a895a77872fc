// Rows with means in place of missing values, against conditional Normals worked out by plain matrices.

#include <algorithm>

#include "evaluation/evaluate.h"
#include "models/gaussian_mixture/plain_mixture.h"

using namespace fixtures;

namespace {

std::shared_ptr<ConjugateModel> fitted(const Data& data, const Texts& texts) {
  const auto model = make_model(texts, data, 6);
  const auto work = model->begin_fit(&data, data.rows());
  for (int i = 0; i < 3; ++i) {
    work->local_step(all_of(data), {}, {});
    work->whole_step({});
  }
  return model;
}

/// A row with means in place of what is missing, by covariances V = W^-1 instead of precisions: given k the mean is
/// m_m + V_mo V_oo^-1 (x_o - m_o), and the integral over what is missing exp{ E log p(m, k) - nu/2 d_o' V_oo^-1 d_o }
/// (2 pi / nu)^(M/2) |W_mm|^(-1/2) with |W_mm| = |V_oo| / |V|.
Vector plain_completed(const plain::PlainMixture& mixture, const Vector& x) {
  std::vector<size_t> observed, missing;
  for (size_t j = 0; j < x.size(); ++j) (std::isnan(x[j]) ? missing : observed).push_back(j);
  const size_t n = x.size(), o = observed.size();
  Vector log_shares;
  std::vector<Vector> means;
  for (size_t k = 0; k < mixture.components.size(); ++k) {
    const plain::PlainComponent& c = mixture.components[k];
    double log_all = 0, log_observed = 0;
    plain::inverse(c.V, n, log_all);
    Vector part(o * o), d(o), mean = c.m;
    for (size_t i = 0; i < o; ++i) {
      d[i] = x[observed[i]] - c.m[observed[i]];
      for (size_t j = 0; j < o; ++j) part[i * o + j] = c.V[observed[i] * n + observed[j]];
    }
    const Vector inverted = plain::inverse(part, o, log_observed);
    for (const size_t at : missing) {
      for (size_t i = 0; i < o; ++i) {
        for (size_t j = 0; j < o; ++j) mean[at] += c.V[at * n + observed[i]] * inverted[i * o + j] * d[j];
      }
    }
    means.push_back(mean);
    log_shares.push_back(o == 0 ? std::log(c.alpha / mixture.total())
                                : mixture.score(c.m, k) - 0.5 * c.nu * plain::quadratic_form(inverted, d) +
                                      0.5 * static_cast<double>(n - o) * std::log(2 * plain::pi / c.nu) -
                                      0.5 * (log_observed - log_all));
  }
  const double largest = *std::max_element(log_shares.begin(), log_shares.end());
  double total = 0;
  for (const double share : log_shares) total += std::exp(share - largest);
  Vector result = x;
  for (const size_t at : missing) {
    result[at] = 0;
    for (size_t k = 0; k < means.size(); ++k) result[at] += std::exp(log_shares[k] - largest) / total * means[k][at];
  }
  return result;
}

template <class Real>
Vector completed(const ConjugateModel& model, const std::vector<Real>& values, int64_t columns, const char* threads) {
  Dense dense;
  dense.rows = static_cast<int64_t>(values.size()) / columns;
  dense.columns = dense.row_stride = columns;
  dense.values = typed_array(values.data());
  dense.column_stride = 1;
  const std::shared_ptr<Data> data = data_from_dense(dense, true);
  const Quantity quantity = model.local_quantities(*data).back();
  assert_string_equal(quantity.name, "completed");
  assert_true(quantity.shape == std::vector<int64_t>({dense.rows, columns}));
  const OptionValues evaluate(evaluate_options(), options_of({{"threads", threads}}), "evaluate");
  Vector out(values.size());
  // Column by column: rows need not be contiguous.
  model.infer(*data, "completed", evaluate, {out.data(), 1, dense.rows});
  Vector by_row;
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t n = static_cast<size_t>(columns), rows = out.size() / n;
    by_row.push_back(out[i % n * rows + i / n]);
  }
  return by_row;
}

/// Rows with no, some and all values missing, in more than one chunk; D = 1 and K = 1 among them.
void missing_values_are_completed(void**) {
  for (const int64_t columns : {1, 2, 5}) {
    for (const char* components : {"1", "3"}) {
      for (const bool independent : {false, true}) {
        Vector values = random_rows(1100, columns, 3, 31, 0.3);
        for (double& value : values) value = static_cast<float>(value);
        std::fill_n(values.begin(), columns, absent);
        for (int64_t j = 0; j < columns; ++j) values[static_cast<size_t>(columns + j)] = static_cast<double>(j) - 0.5;
        const auto model =
            fitted(*data_of(values, columns),
                   {{"components", components}, {"covariance", independent ? "independent" : "normal_wishart"}});
        plain::PlainPrior unused = {};
        unused.m0.resize(static_cast<size_t>(columns));
        const plain::PlainMixture mixture = plain::plain_of(*model, unused, independent);
        const Vector result = completed(*model, values, columns, "1");
        double scale = 0;
        for (const double value : result) scale = std::max(scale, std::abs(value));
        for (size_t i = 0; i < values.size(); i += static_cast<size_t>(columns)) {
          const Vector row(&values[i], &values[i] + columns);
          const Vector expected = plain_completed(mixture, row);
          for (size_t j = 0; j < row.size(); ++j) {
            if (std::isnan(row[j])) {
              check_close("completed", result[i + j], expected[j], 1e-9, scale);
            } else {
              assert_true(result[i + j] == row[j]);
            }
          }
        }
        const std::vector<float> floats(values.begin(), values.end());
        assert_true(same_bits(completed(*model, floats, columns, "1"), result));
        assert_true(same_bits(completed(*model, values, columns, "3"), result));
      }
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(missing_values_are_completed)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
