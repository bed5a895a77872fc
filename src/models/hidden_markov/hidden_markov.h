#pragma once
// Hidden Markov model of discrete symbols with Dirichlet rows (Beal 2003; tempered forms README.md sections 1, 2):
//   pi ~ Dir(a_pi),  A_j ~ Dir(a_A),  B_k ~ Dir(a_B),
//   z_1 ~ pi,  z_t ~ A_{z_{t-1}},  x_t ~ B_{z_t};
//   q(pi), q(A_j), q(B_k) Dirichlet, q(z) of each sequence exact given them: scaled forward-backward.

#include "models/conjugate_fit.h"
#include "models/hidden_markov/log_parameters.h"

namespace vtemper {

extern const ModelKind hidden_markov_kind;

// Range of the options of priors.
constexpr double least_prior = 1e-8, largest_prior = 1e6;

struct HiddenMarkovSettings {
  int64_t states;                        ///< S
  std::vector<double> initial_prior;     ///< one value or S
  std::vector<double> transition_prior;  ///< one value or S x S
  std::vector<double> emission_prior;    ///< one value or S x V; empty: README.md section 4
};

class HiddenMarkovWork;
class BundleRecursion;
struct ChunkRows;
struct HiddenMarkovScratch;
struct KeptNormalizerWork;
struct NormalizerWork;
struct PartStatistics;
struct SequenceState;

/// Larger counts are refused, because their logarithms and sums could overflow.
constexpr double largest_total = 1e150;

class HiddenMarkov final : public ConjugateModel,
                           public Predictive,
                           public WordModel,
                           public TemperedNormalizer,
                           public MoveProposals {
 public:
  HiddenMarkov(HiddenMarkovSettings settings, OptionValues options);

  std::unique_ptr<Model> copy() const override;
  void initialize(const Data& data, uint64_t seed) override;
  void check(const Data& data) const override;
  // Forward pass, backward pass and pairs of states.
  double operations_per_entry() const override {
    return 3.0 * static_cast<double>(settings_.states * settings_.states);
  }

  /// A parameter's digamma function, exponential and share of the bound take about as long as 300 multiply-adds.
  double operations_per_step() const override { return 300.0 * static_cast<double>(layout_.size()); }

  std::unique_ptr<RowSolver> row_solver(const Data* data, int64_t rows) const override;
  std::unique_ptr<ConjugateFit> begin_fit(const Data* data, int64_t rows) override;
  MemoryNeed memory(const Data& data, int64_t rows, bool remember) const override;
  double global_bound(const PriorPower& prior) const override;
  double row_tokens(const Data& data, int64_t row) const override;
  const TemperedNormalizer* tempered_normalizer() const override { return this; }
  double log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                        double tokens) const override;
  void log_normalizers(const Normalizer& normalizer, const std::vector<double>& inverse_temperatures, double rows,
                       double tokens, double* out) const override;
  bool normalizer_follows_globals(const Normalizer& normalizer) const override;
  StartTemperatures start_temperatures(double rows, double tokens) const override;
  MethodDefaults method_defaults(double row_length) const override;
  MoveProposals* move_proposals() override { return this; }
  const MoveProposals* move_proposals() const override { return this; }
  std::vector<Move> propose_moves(uint64_t seed, int64_t round) const override;
  void apply_move(const Move& move) override;
  void copy_globals(const Model& copy) override;
  void swap_globals(Model& copy) noexcept override;

  std::vector<Quantity> parameters() const override;
  void read_parameter(std::string_view name, const Sink& sink) const override;
  void write_parameter(std::string_view name, const double* in) override;
  std::vector<Quantity> local_quantities(const Data& data) const override;
  void infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
             const Sink& sink) const override;
  const Predictive* predictive() const override { return this; }
  bool completes_rows() const override { return false; }
  void score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                  double* tokens) const override;
  const WordModel* words() const override { return this; }
  int64_t word_components() const override { return settings_.states; }
  void word_weights(int64_t column, int64_t first, int64_t count, double* out) const override;
  void word_totals(double* out) const override;
  void word_shares(double* out) const override;

  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;

  // The steps with their typed workspace (conjugate_fit.h).
  std::unique_ptr<HiddenMarkovWork> local_work(const Data* data, int64_t rows) const;
  LocalSums local_step(const Batch& batch, const LocalTemperature& temperature, const LocalSettings& settings,
                       HiddenMarkovWork& work) const;
  void prepare_step(HiddenMarkovWork& work, const GlobalStep& step) const;
  GlobalChange global_step(HiddenMarkovWork& work, const GlobalStep& step) noexcept;
  int64_t statistics_length() const { return layout_.parameters(); }
  std::vector<Quantity> statistics() const;
  void write_statistics(const HiddenMarkovWork& work, double* out) const;
  void read_statistics(const double* in, HiddenMarkovWork& work) const;
  int64_t duplicate_components(HiddenMarkovWork& work) const;

 protected:
  void check_method(const RequiredFeatures& required) const override;
  void report_used(OptionValues& used) const override;

 private:
  HiddenMarkovSettings settings_;
  Layout layout_;             ///< 0 symbols before initialize
  Array<double> parameters_;  ///< [layout_] Dirichlet parameters, padding 1
  Array<double> totals_;      ///< [distributions] sums of parameters_

  void require_sequences(const Data& data) const;
  /// Priors of a distribution's elements: prior(number)[i * prior_stride(number)].
  const double* prior(int64_t number) const;
  int64_t prior_stride(int64_t number) const;
  std::vector<double> emission_prior_for(int64_t symbols) const;
  /// Sum of a distribution's Dirichlet parameters.
  double total(int64_t number) const { return totals_[static_cast<size_t>(number)]; }
  /// Updates the totals after the parameters changed.
  void recount();

  void expected_logs(LogParameters& logs) const;  ///< E log theta
  void logs_of_means(LogParameters& logs) const;  ///< log E theta
  void logs_relative_to(LogParameters& logs, bool of_means) const;

  // A local step: rows in chunks, chunks in parts with separate statistics.
  void plan(const Batch& batch, bool row_by_row, HiddenMarkovWork& work) const;
  void reserve(int threads, HiddenMarkovWork& work) const;
  void reserve_rows(const RowTemperature& temperature, HiddenMarkovWork& work) const;
  void tabulate_normalizers(const RowTemperature& temperature, HiddenMarkovWork& work) const;
  int64_t read_chunk(const Batch& batch, int64_t first, int64_t last, const HiddenMarkovWork& work,
                     HiddenMarkovScratch& scratch) const;
  void solve_chunk(const Batch& batch, int64_t chunk, int64_t part, HiddenMarkovWork& work,
                   HiddenMarkovScratch& scratch) const;
  void solve_bundle(int64_t begin, int64_t size, const ChunkRows& rows, const HiddenMarkovWork& work,
                    BundleRecursion& bundle, PartStatistics& sums) const;
  void finish_row(int64_t r, double log_normalizer, bool usable, const ChunkRows& rows, const HiddenMarkovWork& work,
                  PartStatistics& sums) const;
  void solve_in_log_space(const int32_t* sequence, double s, const HiddenMarkovWork& work, SequenceState& state,
                          PartStatistics& sums) const;
  void solve_row(const Batch& batch, int64_t index, const RowTemperature& temperature, int64_t part,
                 HiddenMarkovWork& work, HiddenMarkovScratch& scratch) const;
  double solve_row_at(double s, const int32_t* sequence, int64_t length, const HiddenMarkovWork& work,
                      HiddenMarkovScratch& scratch, double& bound) const;
  void sum_parts(bool row_by_row, HiddenMarkovWork& work) const;
  LocalSums sum_rows(const HiddenMarkovWork& work, bool row_by_row, const LocalTemperature& temperature,
                     const LocalSettings& settings) const;

  /// log c_{s,L} of one row at s for every length 1 .. longest (README.md section 2), with E[theta^s] ("moment") or
  /// exp(s E log theta) ("plug_in"); out [longest].
  std::shared_ptr<KeptNormalizerWork> normalizer_work_;  ///< never NULL
  void length_normalizers(std::string_view estimate, double s, int64_t longest, NormalizerWork& work,
                          double* out) const;
  double log_normalizer_with(const Normalizer& normalizer, double s, double rows, double tokens,
                             NormalizerWork& work) const;
};

}  // namespace vtemper
