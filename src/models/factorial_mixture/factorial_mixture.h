#pragma once
// Factorial mixture (Ghahramani 1995; tempered in Mandt 2016, section 4; README.md section 1):
//   z_nk ~ Bernoulli(pi_k),  mu_k ~ N(0, v I),  x_n ~ N(sum_k z_nk mu_k, sigma^2 I);
//   q(z_nk = 1) = nu_nk,  q(mu_k) = N(m_k, v_k I).
// Rows are solved in blocks of activation_rows, with one pass over the means' Gram matrix per block: with
//   a_k = E log pi_k - E log (1 - pi_k) - (E tau / 2) (|m_k|^2 + D v_k),
//   logit nu_nk = s_n { a_k + E tau m_k . x_n - sum_{j != k} E tau m_k . m_j nu_nj },   k = 1, ..., K in turn.

#include "models/conjugate_fit.h"
#include "models/factorial_mixture/components.h"
#include "models/parameter_table.h"

namespace vtemper {

extern const ModelKind factorial_mixture_kind;

enum class Initialization { automatic, prior, activations };

struct FactorialMixtureSettings {
  int64_t components;                          ///< K
  std::vector<double> activation_probability;  ///< [K]
  bool learn_activations;
  double activation_prior_rows;  ///< weight of the Beta prior, in rows
  double noise_variance;         ///< 0: estimated from the data
  bool learn_noise;
  double noise_prior_rows;  ///< degrees of freedom of the prior of the noise
  double mean_variance;     ///< 0: estimated from the data
  Initialization initialization;
  int64_t local_iterations;
  double local_tolerance;
};

struct FactorialWork;
struct FactorialScratch;
struct RowStates;

class FactorialMixture final : public ConjugateModel,
                               public Predictive,
                               public TemperedNormalizer,
                               public MoveProposals {
 public:
  FactorialMixture(FactorialMixtureSettings settings, OptionValues options);

  std::unique_ptr<Model> copy() const override;
  const FactorialMixtureSettings& settings() const { return settings_; }
  void report_used(OptionValues& used) const override;
  /// Copies the state of another model with the same settings.
  void take(const FactorialMixture& other);
  void initialize(const Data& data, uint64_t seed) override;
  void check(const Data& data) const override;
  // Products with the means, sweeps and pair statistics.
  double operations_per_entry() const override {
    return static_cast<double>(4 * settings_.components + settings_.components * settings_.components);
  }

  std::unique_ptr<RowSolver> row_solver(const Data* data, int64_t rows) const override;
  std::unique_ptr<ConjugateFit> begin_fit(const Data* data, int64_t rows) override;
  MemoryNeed memory(const Data& data, int64_t rows, bool remember) const override;
  double global_bound(const PriorPower& prior) const override;
  const TemperedNormalizer* tempered_normalizer() const override { return this; }
  MoveProposals* move_proposals() override { return this; }
  const MoveProposals* move_proposals() const override { return this; }
  std::vector<Move> propose_moves(uint64_t seed, int64_t round) const override;
  void apply_move(const Move& move) override;
  void copy_globals(const Model& copy) override;
  void swap_globals(Model& copy) noexcept override;
  double log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                        double tokens) const override;
  bool normalizer_follows_globals(const Normalizer& normalizer) const override;
  StartTemperatures start_temperatures(double rows, double tokens) const override;
  MethodDefaults method_defaults(double row_length) const override;

  std::vector<Quantity> parameters() const override;
  void read_parameter(std::string_view name, const Sink& sink) const override;
  void write_parameter(std::string_view name, const double* in) override;
  std::vector<Quantity> local_quantities(const Data& data) const override;
  void infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
             const Sink& sink) const override;
  const Predictive* predictive() const override { return this; }
  bool completes_rows() const override { return true; }
  void score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                  double* tokens) const override;

  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;

  // The steps with their typed workspace (conjugate_fit.h).
  std::unique_ptr<FactorialWork> local_work(const Data* data, int64_t rows) const;
  LocalSums local_step(const Batch& batch, const LocalTemperature& temperature, const LocalSettings& settings,
                       FactorialWork& work) const;
  void prepare_step(FactorialWork& work, const GlobalStep& step) const;
  GlobalChange global_step(FactorialWork& work, const GlobalStep& step) noexcept;
  int64_t statistics_length() const;
  std::vector<Quantity> statistics() const;
  void write_statistics(const FactorialWork& work, double* out) const;
  void read_statistics(const double* in, FactorialWork& work) const;
  int64_t duplicate_components(FactorialWork& work) const;

 protected:
  void check_method(const RequiredFeatures& required) const override;

 private:
  FactorialMixtureSettings settings_;
  std::unique_ptr<FactorialComponents> components_;
  double initial_residual_ = 1;  ///< initial mean squared residual divided by the noise variance

  /// Parameters of a local step, or of initialisation.
  struct Plan {
    LocalTemperature temperature;
    LocalSettings settings;
    int64_t iterations = 0;
    double tolerance = 0;
    std::optional<uint64_t> random_activations;  ///< seed of random initial activations; unset: the activation
                                                 ///< probability
    bool visit_missing = false;                  ///< rows may have missing values
    bool anneals = false;                        ///< rows have no previous posterior, and T = 1
  };

  ParameterTable parameter_table() const;
  static void require_dense(const Data& data);
  void require_columns(const Data& data) const;
  ComponentPriors priors_for(const Data& data) const;
  void set_learned(ComponentPriors& priors) const;
  static void start_from_activations(FactorialComponents& components, const Data& data, uint64_t seed);
  static double start_residual(const FactorialComponents& components, const Data& data);

  // A local step: terms of the components, then blocks of rows.
  static void prepare(const FactorialComponents& components, FactorialWork& work);
  static LocalSums solve(const FactorialComponents& components, const Batch& batch, const Plan& plan,
                         FactorialWork& work);
  static void solve_block(const FactorialComponents& components, const Batch& block, const Plan& plan,
                          FactorialWork& work, FactorialScratch& scratch);
  static void start_block(const Batch& block, const Plan& plan, const FactorialWork& work, RowStates& states);
  static void keep_better(const Batch& block, const Plan& plan, FactorialWork& work, FactorialScratch& scratch);
  static void perturb_block(const Batch& block, const Plan& plan, const FactorialWork& work,
                            FactorialScratch& scratch);
  static void project_block(const FactorialComponents& components, const Batch& block, const FactorialWork& work,
                            FactorialScratch& scratch);
  static void solve_incomplete(const FactorialComponents& components, const Batch& block, int64_t i, const Plan& plan,
                               const FactorialWork& work, FactorialScratch& scratch);
  static LocalSums sum_block(const Batch& block, int64_t first, const Plan& plan, const FactorialScratch& scratch);
  static void add_statistics(const FactorialComponents& components, const Batch& block, FactorialScratch& scratch,
                             double* statistics);

  /// Solves the rows of `data` at T = 1 with missing values marginalised, and calls visit(row, activations [K]) in
  /// parallel.
  template <class Visit>
  void for_each_row(const Data& data, const OptionValues& evaluate, const Visit& visit) const;
};

}  // namespace vtemper
