#pragma once
// Latent Dirichlet allocation (Blei 2003; stochastic form Hoffman 2013; tempered forms README.md section 1):
//   beta_k ~ Dir(eta),  theta_d ~ Dir(alpha),  z_dn ~ theta_d,  w_dn ~ beta_{z_dn};
//   q(beta_k) = Dir(lambda_k) (or a point estimate),  q(theta_d) = Dir(gamma_d),  q(z_dn = k) = phi_{d w_dn k}.

#include <optional>

#include "kernels/dispatch.h"
#include "models/conjugate_fit.h"
#include "models/lda/growth.h"
#include "models/lda/topics.h"
#include "support/array.h"

namespace vtemper {

extern const ModelKind lda_kind;

struct LdaSettings {
  int64_t topics;                         ///< K
  std::vector<double> alpha;              ///< [K]
  std::vector<double> initial_alpha;      ///< [K] from the options: with which a fit begins
  std::vector<double> eta;                ///< one value or K x V
  bool point;                             ///< beta_k = lambda_k / sum_v lambda_kv instead of Dir(lambda_k)
  std::optional<bool> learn_alpha;        ///< none: only in fits that grow
  std::optional<double> alpha_min;        ///< lower bound of learned alpha
  std::optional<int64_t> initial_topics;  ///< number with which fits that grow begin
  bool learn_eta;
  int64_t local_iterations;
  double local_tolerance;
  double local_sparsity;          ///< tokens; 0: documents keep all topics
  std::string parameters_folder;  ///< of the file that holds the topics; "": they are in memory
};

/// Default lower bound of learned alpha, for a corpus of `tokens` tokens; 0 if their number is unknown.
double min_learned_alpha(double tokens);

template <class Real>
class LdaWork;
template <class Real>
struct LdaScratch;
struct DocumentInLogSpace;

template <class Real>
class Lda final : public ConjugateModel,
                  public Predictive,
                  public WordModel,
                  public TemperedNormalizer,
                  public SampledMoves,
                  public DividedTable {
 public:
  Lda(LdaSettings settings, OptionValues options);

  std::unique_ptr<Model> copy() const override;
  void initialize(const Data& data, uint64_t seed) override;
  void check(const Data& data) const override;
  // Two products per topic, about 20 times.
  double operations_per_entry() const override { return 40.0 * static_cast<double>(settings_.topics); }

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
  void start_fit(const FitStart& start) override;
  void require_kept() const override {
    if (topics_) topics_->require_kept();
  }
  void undo_start() override;
  void keep_start() override { before_start_.reset(); }

  SampledMoves* sampled_moves() override { return this; }
  int64_t sample_rows(const Data& data) const override;
  double memory_of_moves(const Data& data) const override;
  int64_t find_moves(const Data& sample, int threads, uint64_t seed, int64_t round) override;
  void make_moves() noexcept override;

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
  const WordModel* words() const override { return this; }
  int64_t word_components() const override { return settings_.topics; }
  void word_weights(int64_t column, int64_t first, int64_t count, double* out) const override;
  void word_totals(double* out) const override;
  void word_shares(double* out) const override;

  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;
  void check_stored(const ContainerReader& reader) const override;

  // Topics that are divided over ranks (divided.cpp).
  const DividedTable* divided_table() const override { return topics_ && topics_->share() ? this : nullptr; }
  bool may_divide() const override { return settings_.eta.size() == 1 && !settings_.learn_eta; }
  void divide(const std::shared_ptr<Group>& group) override;
  std::unique_ptr<Model> share_of(const std::shared_ptr<Group>& group) const override;
  std::unique_ptr<Model> gathered(const std::string& folder) const override;
  const std::shared_ptr<Group>& group() const override { return group_; }
  void find_rows(const Batch& batch, const Data* also) const override;
  void borrow_rows() const override { topics_->borrow_rows(); }
  RowExchange& exchange() const override { return topics_->share()->exchange(); }
  void settle() const override { topics_->settle(); }
  double relative_change() const override { return topics_->relative_change(); }
  int64_t duplicate_components() const override;

  // The steps with their typed workspace (conjugate_fit.h).
  std::unique_ptr<LdaWork<Real>> local_work(const Data* data, int64_t rows) const;
  LocalSums local_step(const Batch& batch, const LocalTemperature& temperature, const LocalSettings& settings,
                       LdaWork<Real>& work) const;
  void prepare_step(LdaWork<Real>& work, const GlobalStep& step) const;
  GlobalChange global_step(LdaWork<Real>& work, const GlobalStep& step) noexcept;
  int64_t statistics_length() const;
  std::vector<Quantity> statistics() const;
  void write_statistics(const LdaWork<Real>& work, double* out) const;
  void read_statistics(const double* in, LdaWork<Real>& work) const;
  void write_words(const int32_t* words, int64_t count, const LdaWork<Real>& work, Real* out) const;
  void read_words(const int32_t* words, int64_t count, const Real* in, LdaWork<Real>& work) const;
  TableStatistics::Rows touched_words(LdaWork<Real>& work) const;
  void make_room_for_words(int64_t count, LdaWork<Real>& work) const;
  /// Gives a word a slot if it has none.
  int32_t add_word(int32_t word, const Real* statistics, LdaWork<Real>& work) const;
  void add_words(const TableStatistics::Rows& others, bool others_come_first, LdaWork<Real>& work) const;
  /// Number of topics in the local step: all of them, unless the fit grows.
  int64_t parted() const { return topics_ ? topics_->parted() : settings_.topics; }
  int64_t rest_length() const;
  void write_rest(const LdaWork<Real>& work, double* out) const;
  void read_rest(const double* in, LdaWork<Real>& work) const;
  int64_t duplicate_components(LdaWork<Real>& work) const;
  int64_t gradient_length() const { return settings_.topics * columns(); }
  void natural_gradient(LdaWork<Real>& work, const GlobalStep& step, bool fisher, const GradientVisitor& visit) const;

 protected:
  void check_method(const RequiredFeatures& required) const override;

 private:
  LdaSettings settings_;
  std::shared_ptr<Group> group_;  ///< group over which the topics are or will be divided; NULL: not divided
  std::unique_ptr<Topics<Real>> topics_;
  std::vector<double> parted_alpha_;   ///< [K] of the parted topics: the sums over the topics that they represent
  double alpha_bound_ = 0;             ///< log Gamma(sum alpha) - sum log Gamma(alpha_k), of the parted topics
  std::vector<double> alpha_scratch_;  ///< [2 K]
  std::optional<uint64_t> fresh_;      ///< the seed with which the topics were drawn, if no step has changed them
  bool learns_alpha_;                  ///< in the current fit
  double min_alpha_ = 0;               ///< lower bound of alpha in that fit
  bool fell_from_hot_ = true;          ///< the temperature of that fit falls from one at which topics separate

  /// What the last start_fit has replaced.
  struct BeforeStart {
    OptionValues options;
    bool learns_alpha;
    double min_alpha;
    bool fell_from_hot;
    int64_t parted;                        ///< number of parted topics
    std::unique_ptr<Topics<Real>> topics;  ///< if it splits them; those that it merges can be drawn again
  };
  std::optional<BeforeStart> before_start_;  ///< while start_fit may be undone
  std::vector<TopicMove> found_moves_;       ///< with the shares of all words [V]

  const kernels::Table<Real>& table() const { return kernels::table<Real>(); }
  const kernels::LdaTable<Real>& lda_table() const {
    return kernels::table<Real>(kernels::model_kernels<kernels::LdaKernels>());
  }
  void set_alpha(const double* alpha);
  void share_alpha();
  bool growing() const { return parted() < settings_.topics; }
  /// Number of topics with which a fit begins at a high temperature. `tokens`: mean number per document; `documents`:
  /// their number.
  int64_t first_topics_for(double tokens, double documents) const {
    return settings_.initial_topics.value_or(initial_topics(settings_.topics, tokens, documents));
  }
  bool has_moves() const;
  bool may_learn_alpha() const { return settings_.learn_alpha.value_or(true); }
  bool learns_alpha_from(const LocalTemperature& temperature) const;
  const Real* share_of_each(const Real* gamma, Real* out) const;
  void part_topics(int64_t at_least, uint64_t seed);
  void draw_again();
  void grow(const GlobalStep& step);
  void require_initialized() const;
  double mean_topic_sum(double inverse_temperature, bool moment) const;
  typename Topics<Real>::Blend blend_of(const GlobalStep& step) const;
  void find_duplicates(LdaWork<Real>& work) const;
  void find_top_words(LdaWork<Real>& work) const;
  void unite_top_words(LdaWork<Real>& work) const;
  void refuse_passes(const RequiredFeatures& required, const char* why) const;
  void require_undivided(const char* what) const;
  void require_here(int32_t word) const;
  void require_here(int64_t first_slot, const LdaWork<Real>& work) const;
  void require_here(const Data& data) const;

  // A local step, in chunks of documents: reads them, solves them, and adds up their statistics word by word.
  LocalSums local_chunks(const Batch& batch, const LocalTemperature& temperature, const LocalSettings& settings,
                         LdaWork<Real>& work) const;
  void request_rows(const Batch& batch, int64_t first, LdaWork<Real>& work) const;
  /// Reads rows that are in a file, of the words from a slot on, and calls use(slot, thread, row) for each; copies
  /// them to work.rows if `keep`.
  template <class Use>
  void read_rows(int64_t first_slot, int threads, bool keep, LdaWork<Real>& work, const Use& use) const;
  /// Copies what is missing in work.rows.
  void copy_rows(LdaWork<Real>& work) const;
  /// The row of a word of the batch: in memory, or a copy.
  const Real* row_of(int64_t slot, const LdaWork<Real>& work) const;
  void read_documents(const Batch& chunk, int threads, LdaWork<Real>& work) const;
  void expect_words(double inverse_temperature, int64_t first_slot, const LocalSettings& settings,
                    LdaWork<Real>& work) const;
  void solve_documents(const LocalTemperature& temperature, const LocalSettings& settings, LdaWork<Real>& work) const;
  void solve_document(int64_t document, const LocalTemperature& temperature, const LocalSettings& settings,
                      LdaWork<Real>& work, LdaScratch<Real>& scratch) const;
  /// gamma <- (1 - r) gamma + r n Dir(1_K), if the step perturbs documents; gamma, draw: [K]. Otherwise returns
  /// false.
  template <class Number>
  bool perturb(int64_t document, const LdaWork<Real>& work, Number* gamma, Number* draw) const;
  void keep_better(int64_t document, LdaWork<Real>& work, LdaScratch<Real>& scratch) const;
  kernels::DocumentResult solve(kernels::Document<Real> problem) const;
  bool solve_in_place(int64_t document, double inverse_temperature, int64_t iterations, LdaWork<Real>& work,
                      LdaScratch<Real>& scratch, double& log_factor) const;
  void expect_document(int64_t document, LdaWork<Real>& work, LdaScratch<Real>& scratch) const;
  void evaluate_document(int64_t document, double log_factor, LdaWork<Real>& work, LdaScratch<Real>& scratch) const;
  DocumentInLogSpace document_in_log_space(int64_t document, const LdaWork<Real>& work, Array<Real>& likelihood,
                                           Array<Real>& expectation) const;
  // A step in which each document considers few of many topics (candidates.cpp).
  bool considers_candidates(const Batch& batch, const LocalTemperature& temperature,
                            const LocalSettings& settings) const;
  void begin_candidates(int threads, LdaWork<Real>& work) const;
  void list_words(LdaWork<Real>& work) const;
  void list_word(int64_t slot, int thread, LdaWork<Real>& work) const;
  void find_candidates(int64_t document, const LdaWork<Real>& work, CandidateScratch<Real>& scratch) const;
  void shares_of_candidates(int32_t slot, const LdaWork<Real>& work, const CandidateScratch<Real>& some,
                            Real* shares) const;
  void solve_candidates(int64_t document, const LocalSettings& settings, int thread, LdaWork<Real>& work) const;
  void evaluate_candidates(int64_t document, double log_factor, LdaWork<Real>& work, LdaScratch<Real>& scratch,
                           CandidateScratch<Real>& some) const;
  void keep_topics(int64_t document, int thread, LdaWork<Real>& work) const;
  void keep_topics_in_log_space(int64_t document, const LocalSettings& settings, int thread,
                                LdaWork<Real>& work) const;
  void collect_lists(int threads, LdaWork<Real>& work) const;
  void list_statistics(int64_t slot, int64_t begin, int64_t end, int thread, LdaWork<Real>& work) const;
  void collect_listed_digammas(LdaWork<Real>& work) const;
  WordStatistics<Real> word_statistics(const LdaWork<Real>& work) const;
  const Real* statistics_row(int64_t slot, LdaWork<Real>& work) const;
  void prefetch_statistics(int32_t word, const LdaWork<Real>& work) const;
  template <class Number>
  void copy_statistics(int64_t slot, const LdaWork<Real>& work, Number* out) const;

  void reserve_holders(LdaWork<Real>& work) const;
  void sort_holders(LdaWork<Real>& work) const;
  void collect_statistics(int64_t first_new_slot, int threads, LdaWork<Real>& work) const;
  void add_word(int64_t slot, int64_t begin, int64_t end, LdaWork<Real>& work, LdaScratch<Real>& scratch) const;
  void add_document_in_log_space(int64_t document, LdaWork<Real>& work) const;
  void collect_digammas(int threads, LdaWork<Real>& work) const;
  void learn_alpha(const LdaWork<Real>& work, double rate);
  void learn_eta(double rate);
  void learn_priors(const LdaWork<Real>& work, const GlobalStep& step);

  /// Solves all rows of `data` at T = 1, chunk by chunk, and calls visit(row, gamma [K]), in parallel. Iterations and
  /// tolerance are those of `settings` where the options of `evaluate` are auto.
  template <class Visit>
  void for_each_gamma(const Data& data, const OptionValues& evaluate, LocalSettings settings,
                      const Visit& visit) const;
  template <class Visit>
  void for_each_gamma(const Data& data, const LocalSettings& settings, const Visit& visit) const;
  /// beta of the words [words x K].
  std::vector<double> probabilities_of(const std::vector<int32_t>& words) const;
  /// gamma of all documents [documents x K], as a step at T = 1 finds them.
  std::vector<double> gammas_of(const Data& data, int threads) const;
};

/// KL(Dir(gamma) || Dir(alpha)) with alpha's constant log Gamma(sum alpha) - sum log Gamma(alpha_k) given.
template <class Real>
double dirichlet_divergence(const kernels::Table<Real>& table, const Real* gamma, const Real* alpha,
                            double alpha_bound, int64_t topics, Real* scratch);

/// The symmetric summary of a fitted LDA from which log C(T) is estimated.
struct LdaShape {
  int64_t topics, words;
  double alpha, eta;  ///< means over topics and words
  double rows, tokens;
};

/// Estimates of log C(T) for study (README.md section 2), described in normalizer.cpp.
void lda_sampled_log_normalizers(const LdaShape& shape, const std::vector<double>& inverse_temperatures, bool jensen,
                                 int64_t samples, uint64_t seed, double* out);
double lda_log_normalizer_of_means(const LdaShape& shape, double inverse_temperature);
/// log C(T) for a given mean over the topics of S_k(s) = sum_v beta_kv^s.
double lda_log_normalizer_of_topics(const LdaShape& shape, double inverse_temperature, double mean_topic_sum);

/// log C of the tempered model by the Gibbs variational value (README.md section 2).
double lda_log_normalizer(double inverse_temperature, int64_t topics, int64_t words, double alpha, double eta,
                          double rows, double tokens);

/// Slope, at equal topics, of a document's update at inverse temperature s: how much of a small difference between
/// its proportions survives one round of phi and gamma,
///   c(s) = s^2 (n / K) psi'(alpha + s n / K),
/// for n tokens. Below 1 the document returns to equal proportions.
double lda_document_slope(double inverse_temperature, int64_t topics, double alpha, double tokens);

extern template class Lda<float>;
extern template class Lda<double>;

}  // namespace vtemper
