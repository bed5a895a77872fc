#pragma once
// Sigmoid belief network (Neal 1992; Mnih and Gregor 2014; the paper's section 4.1) with layers h_0 (next to the
// data) to h_{L-1} (the top), all of them stochastic:
//   model:      h_{L-1} ~ Bern(sig(a)),  h_{l-1} | h_l ~ Bern(sig(h_l Wp_l + bp_l)),
//               x | h_0 ~ Bern(sig(h_0 Wp_0 + bp_0))
//   posterior:  h_0 | x ~ Bern(sig((x - xbar) Wq_0 + bq_0)),  h_l | h_{l-1} ~ Bern(sig(h_{l-1} Wq_l + bq_l))
//
// xbar is the mean of the data that the model was initialised with. The posterior's parameters have score-function
// gradients with leave-one-out baselines (README.md section 1).

#include "models/dense_layer.h"
#include "models/gradient_model.h"
#include "models/importance_sum.h"
#include "models/real_storage.h"

namespace vtemper {

extern const ModelKind sigmoid_belief_network_kind;

constexpr int64_t max_layers = 16;

struct BeliefNetworkSettings {
  std::vector<int64_t> layers;  ///< units of h_0, ..., h_{L-1}; empty: they follow from the columns
  int64_t samples = 5;          ///< S
  bool multi_sample = false;    ///< use the multi-sample bound (VIMCO) instead of the ELBO
  bool keep_log_q = false;      ///< include the gradient of -log q itself, whose mean is zero
  bool constant_start = false;  ///< all weights of the model start at constant_weight
  double constant_weight;
  double prior_probability;  ///< initial value for the top units
};

template <class Real>
struct BeliefNetworkWork;
template <class Real>
struct LayerRows;

template <class Real>
class SigmoidBeliefNetwork final : public GradientModel, public SharedPosterior, public Predictive {
 public:
  SigmoidBeliefNetwork(BeliefNetworkSettings settings, OptionValues options);

  std::unique_ptr<Model> copy() const override;
  void initialize(const Data& data, uint64_t seed) override;
  void check(const Data& data) const override;
  // Every parameter is used three times per sample.
  double operations_per_entry() const override {
    return 3.0 * static_cast<double>(settings_.samples * values_.length()) / static_cast<double>(columns_);
  }

  RealArray values() override { return values_.array(); }
  int64_t posterior_begin() const override { return posterior_begin_; }
  std::vector<ParameterMatrix> matrices() const override { return weights_of(model_, posterior_); }
  const SharedPosterior* shared_posterior() const override { return this; }
  std::unique_ptr<GradientFit> begin_fit(const Data* data, int64_t rows) const override;
  int64_t latent_units() const override { return units_; }
  int64_t statistic_length(Statistic statistic) const override;
  GradientDefaults gradient_defaults() const override;
  void check_method(const RequiredGradientFeatures& required) const override;
  GradientMemory memory(const Data& data, int64_t rows) const override;
  std::vector<std::string> measures() const override { return {"log_marginal", "active_units"}; }
  /// The posterior means of a single layer are exact.
  DrawOptions draw_options(std::string_view name) const override {
    const bool of_means = name == "latent_mean" || name == "active_units";
    if (of_means && layers() == 1) return {};
    return {true, true};
  }
  void measure_rows(std::string_view name, const Data& data, const OptionValues& evaluate,
                    double* out) const override;
  double measure(std::string_view name, const Data& data, const OptionValues& evaluate) const override;

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

  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;

  /// The operations of a step (work.h).
  using Work = BeliefNetworkWork<Real>;
  GradientSums forward(const Batch& batch, const GradientSettings& settings, Work& work) const;
  void backward(const double* forces, Work& work, GradientSums& sums) const;

 private:
  BeliefNetworkSettings settings_;
  RealStorage values_;
  std::vector<Real> mean_;             ///< xbar [D]
  int64_t units_ = 0;                  ///< total over all layers
  int64_t prior_ = 0;                  ///< offset of a
  int64_t posterior_begin_ = 0;        ///< offset of Wq_0
  std::vector<LayerPlace> model_;      ///< [L] from h_l down
  std::vector<LayerPlace> posterior_;  ///< [L] up to h_l

  int64_t layers() const { return static_cast<int64_t>(settings_.layers.size()); }
  const Real* values() const { return values_.of<Real>(); }
  void choose_layers(int64_t columns);
  int64_t lay_out(int64_t columns);
  void place(int64_t columns);

  /// A named array of parameters.
  struct Named {
    Quantity quantity;
    int64_t begin;  ///< offset in the flat array; -1: xbar
  };
  std::vector<Named> named() const;
  Named find(std::string_view name) const;

  // The parts of a step (sample.cpp, gradient.cpp, constrain.cpp), for rows or samples first .. end.
  void read_rows(const Batch& batch, int64_t first, int64_t end, Work& work) const;
  /// Keys of the samples' random draws. Sample s of batch row i is stored at n = s rows + i and drawn as first + n;
  /// within a step, it is numbered among the rows of all machines.
  struct Draws {
    uint64_t seed;
    uint32_t purpose;
    uint64_t iteration;
    uint64_t first;
    const Batch* step = nullptr;
    uint64_t sample(int64_t n, int64_t rows) const {
      if (step == nullptr) return first + static_cast<uint64_t>(n);
      return static_cast<uint64_t>(n / rows) * static_cast<uint64_t>(step->rows_of_step()) + step->place(n % rows);
    }
  };
  void draw_samples(const Draws& draws, bool again, bool entropies, int threads, Work& work) const;
  void infer_rows(int64_t l, bool entropies, int64_t first, int64_t end, Work& work) const;
  void draw_layer(const Draws& draws, int64_t l, int64_t first, int64_t end, int64_t thread, Work& work) const;
  void score_samples(bool deltas, bool keep_logits, int threads, Work& work) const;
  void score_layer(int64_t l, bool deltas, bool keep_logits, int64_t first, int64_t end, Work& work) const;
  void weigh_samples(double temperature, int64_t first, int64_t end, int64_t thread, Work& work) const;
  void posterior_deltas(int64_t first, int64_t end, Work& work) const;
  GradientSums add_up(const GradientSettings& settings, const Work& work) const;
  LayerRows<Real> rows_of(size_t l, const Work& work) const;
  double share_of_layer(size_t l, double rows, const Work& work) const;
  void measure(Work& work, double rows) const;
  void measure_reference(Work& work, double rows) const;
  void pull(const double* forces, Work& work, GradientSums& sums) const;
  void pull_layer(size_t l, const double* force, const double* variance_force, Work& work) const;
  void collect(int threads, Work& work) const;
  double active_units_of(const Work& work) const;

  /// Draws `samples` samples of every row and calls visit(row, work) for each block of them, in order; parallel over
  /// rows (results.cpp).
  template <class Visit>
  void sample_rows(const Data& data, int64_t samples, uint64_t seed, int threads, const Visit& visit) const;
  /// Importance sums of each row, over samples of log w = log p(x, h) - log q(h | x).
  std::vector<ImportanceSum> importance_sums(const Data& data, const OptionValues& evaluate,
                                             int64_t default_samples) const;
  double active_units(const Data& data, const OptionValues& evaluate) const;
};

}  // namespace vtemper
