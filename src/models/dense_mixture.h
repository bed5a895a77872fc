#pragma once
// A mixture over dense rows, except for the distribution of its components: the weights, parameters, local posteriors
// and scores, the checks of data and methods, defaults. Responsibilities of rows are in mixture_rows.h, starts from
// clusters in k_means.h.

#include <functional>
#include <vector>

#include "models/conjugate_fit.h"
#include "models/mixture_rows.h"
#include "models/parameter_table.h"

namespace vtemper {

/// Workspace of a fit: rows of a chunk, the statistics, the weights after the prepared step.
struct DenseMixtureWork : LocalWork, MixtureRows {
  Array<double> statistics;
  MixtureWeights next_weights;
  GlobalChange change;
};

/// The option for the Dirichlet prior of the weights, of which there are K (option `components`).
OptionEntry weights_prior_option();

/// Ways to split a component: Move::variant is below.
constexpr int64_t ways_to_split = 2;

class DenseMixture : public ConjugateModel, public Predictive, public TemperedNormalizer, public MoveProposals {
 public:
  void check(const Data& data) const final;
  std::vector<Quantity> parameters() const final { return quantities_of(parameter_table()); }
  void read_parameter(std::string_view name, const Sink& sink) const final;
  /// Responsibilities, log densities, completed rows.
  std::vector<Quantity> local_quantities(const Data& data) const final;
  void infer(const Data& data, std::string_view quantity, const OptionValues& evaluate, const Sink& sink) const final;
  const Predictive* predictive() const final { return this; }
  bool completes_rows() const final { return false; }
  /// The rows' log densities; each row counts as one token.
  void score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores, double* tokens) const final;
  const TemperedNormalizer* tempered_normalizer() const final { return this; }
  bool normalizer_follows_globals(const Normalizer&) const final { return true; }
  MethodDefaults method_defaults(double row_length) const override;
  MoveProposals* move_proposals() final { return this; }
  const MoveProposals* move_proposals() const final { return this; }
  /// The pairs of components that lose the least log likelihood when they are merged, and the components to split.
  std::vector<Move> propose_moves(uint64_t seed, int64_t round) const final;
  int64_t duplicate_components(LocalWork& work) const;

 protected:
  /// The concentration of the weights is 0 before initialize.
  DenseMixture(const ModelKind& kind, OptionValues options);
  int64_t count() const { return static_cast<int64_t>(weights_.prior.size()); }  ///< K
  /// The first earlier non-empty component of which the non-empty component `k` is a duplicate; -1: none.
  int64_t duplicate_of(int64_t k) const;
  // Parameters "weights" and "rows".
  Parameter mean_weights() const;
  Parameter rows_of_components() const;

  MixtureWeights weights_;

  // The components.
  /// Error(UNSUPPORTED) for data of another form, Error(DATA) for values that the components do not accept.
  virtual void require_rows(const Data& data) const = 0;
  virtual ParameterTable parameter_table() const = 0;
  /// Whether two components are nearly the same distribution.
  virtual bool are_alike(int64_t a, int64_t b) const = 0;
  /// For a, b: about what the rows' log likelihood loses if both become one component, apart from their weights.
  using MergingCost = std::function<double(int64_t, int64_t)>;
  virtual MergingCost merging_cost() const = 0;
  /// Rows of the union of `slot` and `into`, and of each half of `from` afterwards.
  struct MovedRows {
    double both, half;
  };
  MovedRows moved_rows(const Move& move) const;
  /// The part of apply_move that concerns the weights.
  void move_weights(const Move& move, const MovedRows& rows);
  /// Writes a quantity of all rows at T = 1: "responsibilities", "log_density" or "completed".
  virtual void infer_rows(const Data& data, std::string_view quantity, int threads, const Sink& sink) const = 0;
  /// Description of a row's log density.
  virtual const char* about_density() const {
    return "Log probability of the row under the posterior predictive (nats).";
  }

  /// Error(UNSUPPORTED) for estimates of log C other than upper and plug_in.
  void check_method(const RequiredFeatures& required) const override;
};

/// The calls of mixtures M that process chunks of rows with their workspace W, which derives from DenseMixtureWork. M
/// has the other members required by conjugate_fit.h, and
///   void solve_chunk(const Batch&, const LocalTemperature&, const LocalSettings&, W&) const;
/// reads the rows and computes their responsibilities and bounds,
///   void collect(int threads, W&) const;
/// adds them to the statistics, and
///   void complete_chunk(int64_t first, int threads, W&, const Sink&) const;
/// writes them into rows of the sink, from its row `first` on, with their expectation in place of missing values.
template <class M, class W>
class DenseMixtureOf : public DenseMixture {
 public:
  using DenseMixture::DenseMixture;
  std::unique_ptr<Model> copy() const final { return std::make_unique<M>(model()); }
  std::unique_ptr<RowSolver> row_solver(const Data* data, int64_t rows) const final {
    return row_solver_of(model(), model().local_work(data, rows));
  }
  std::unique_ptr<ConjugateFit> begin_fit(const Data* data, int64_t rows) final {
    return fit_of(static_cast<M&>(*this), model().local_work(data, rows));
  }
  /// `assigned`: the components of the batch's rows, if they are given.
  LocalSums local_step(const Batch& batch, const LocalTemperature& temperature, const LocalSettings& settings,
                       W& work, const int32_t* assigned = nullptr) const {
    if (settings.statistics) work.statistics.fill(0);
    LocalSums sums;
    for_each_chunk(batch, [&](const Batch& chunk) {
      const int64_t first = chunk.first_place - batch.first_place;
      model().solve_chunk(chunk, temperature, settings, work);
      if (assigned != nullptr) work.assign(assigned + first);
      work.add_to(sums, settings, first);
      if (settings.statistics) model().collect(settings.threads, work);
    });
    return sums;
  }

 protected:
  /// Log densities are the bounds of the rows.
  void infer_rows(const Data& data, std::string_view quantity, int threads, const Sink& sink) const override {
    LocalSettings settings;
    settings.threads = threads;
    const std::unique_ptr<W> work = model().local_work(nullptr, 0);
    work->every_score = true;
    for_each_chunk(all_rows(data), [&](const Batch& chunk) {
      model().solve_chunk(chunk, LocalTemperature{}, settings, *work);
      if (quantity == "responsibilities") return work->write_responsibilities(chunk.begin, threads, sink);
      if (quantity == "completed") return model().complete_chunk(chunk.begin, threads, *work, sink);
      for (int64_t t = 0; t < chunk.count; ++t) sink(chunk.begin + t) = work->bounds[static_cast<size_t>(t)];
    });
  }

 private:
  const M& model() const { return static_cast<const M&>(*this); }
};

}  // namespace vtemper
