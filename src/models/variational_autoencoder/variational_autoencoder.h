#pragma once
// Variational autoencoder (Kingma and Welling 2014; Rezende 2014; the paper's section 4.2):
//   model      z ~ Normal(0, I),  x | z ~ Bern(sig(decoder(z))), or Normal(decoder(z), diag(v))
//   posterior  z | x ~ Normal(mu, diag(sigma^2)),  (mu | s) = encoder(x),  sigma = 1e-6 + softplus(s)
// Encoder and decoder have rectified linear hidden layers and a linear output layer. With the Gaussian likelihood
// both use columns standardised by the data that the model was initialised with; densities refer to the original
// data. Gradients are reparameterised: z = mu + sigma eps (README.md section 1).

#include "models/dense_layer.h"
#include "models/gradient_model.h"
#include "models/initial_weights.h"
#include "models/real_storage.h"
#include "support/array.h"

namespace vtemper {

extern const ModelKind variational_autoencoder_kind;

constexpr int64_t max_hidden_layers = 15;

/// End of the error message for a value outside [0, 1].
constexpr const char* any_numbers = ", with likelihood gaussian any finite ones";

struct AutoencoderSettings {
  int64_t latent = 0;           ///< 0: follows from the columns
  std::vector<int64_t> hidden;  ///< units of the encoder's hidden layers, reversed in the decoder
  bool gaussian = false;        ///< likelihood
  bool analytic = true;         ///< KL(q || prior) in closed form instead of by sampling
  int64_t samples = 1;          ///< S
  bool by_rows = true;          ///< the orthogonal statistic is W W' instead of W' W
  InitialWeights encoder = InitialWeights::orthogonal;
  InitialWeights decoder = InitialWeights::glorot;
  double encoder_bias = 0.1;  ///< initial value, hidden layers
};

/// The encoder's output for rows.
template <class Real>
struct Encoding {
  int64_t latent = 0;               ///< latent variables per row
  std::vector<Array<Real>> layers;  ///< [rows x units] the hidden layers, then (mu | s)
  Array<Real> sigma;                ///< [rows x latent]
  Array<Real> log_sigma;            ///< [rows x latent]
  Array<Real> slope;                ///< [rows x latent] d sigma / d s

  void shape(const std::vector<LayerPlace>& encoder, int64_t rows);
};

/// The variances of a Gaussian likelihood, precomputed for many rows.
template <class Real>
struct GaussianNoise {
  Array<Real> inverse;  ///< [D] 1 / v, in standardised columns
  double constant = 0;  ///< log density of a row at its mean
};

template <class Real>
struct AutoencoderWork;

template <class Real>
class VariationalAutoencoder final : public GradientModel, public SharedPosterior, public Predictive {
 public:
  VariationalAutoencoder(AutoencoderSettings settings, OptionValues options)
      : GradientModel(variational_autoencoder_kind, std::move(options)), settings_(std::move(settings)) {}

  std::unique_ptr<Model> copy() const override { return std::make_unique<VariationalAutoencoder>(*this); }
  void initialize(const Data& data, uint64_t seed) override;
  void check(const Data& data) const override;
  // Every parameter is used three times per sample.
  double operations_per_entry() const override {
    return 3.0 * static_cast<double>(settings_.samples * values_.length()) / static_cast<double>(columns_);
  }

  RealArray values() override { return values_.array(); }
  int64_t posterior_begin() const override { return encoder_.front().weights; }
  std::vector<ParameterMatrix> matrices() const override { return weights_of(decoder_, encoder_); }
  const SharedPosterior* shared_posterior() const override { return this; }
  std::unique_ptr<GradientFit> begin_fit(const Data* data, int64_t rows) const override;
  int64_t latent_units() const override { return settings_.latent; }
  int64_t statistic_length(Statistic statistic) const override;
  GradientDefaults gradient_defaults() const override;
  GradientMemory memory(const Data& data, int64_t rows) const override;

  std::vector<Quantity> parameters() const override;
  void read_parameter(std::string_view name, const Sink& sink) const override;
  void write_parameter(std::string_view name, const double* in) override;

  // Scores (results.cpp).
  std::vector<std::string> measures() const override;
  /// Inferred quantities and counts of units are functions of the posterior means.
  DrawOptions draw_options(std::string_view name) const override {
    const bool sampled = name == "elbo" || name == "log_marginal" || name == "predictive";
    return {sampled, sampled};
  }
  void measure_rows(std::string_view name, const Data& data, const OptionValues& evaluate,
                    double* out) const override;
  double measure(std::string_view name, const Data& data, const OptionValues& evaluate) const override;
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
  using Work = AutoencoderWork<Real>;
  GradientSums forward(const Batch& batch, const GradientSettings& settings, Work& work) const;
  void backward(const double* forces, Work& work, GradientSums& sums) const;

 private:
  AutoencoderSettings settings_;
  std::vector<double> mean_, deviation_;  ///< [D] for standardising columns; empty: not standardised
  RealStorage values_;
  std::vector<LayerPlace> decoder_;  ///< from the latent variables to the columns
  int64_t noise_ = 0;                ///< offset of log(v - min_noise) [D], with the Gaussian likelihood
  std::vector<LayerPlace> encoder_;  ///< from the columns to (mu | s)

  const Real* flat() const { return values_.of<Real>(); }
  void require_dense(const Data& data) const;
  void choose_latent(int64_t columns);
  int64_t lay_out(int64_t columns);
  void place(int64_t columns);

  /// A named array of parameters.
  struct Named {
    Quantity quantity;
    const Real* values;  ///< NULL: computed
  };
  std::vector<Named> named() const;
  double noise_variance(int64_t column) const;

  // Forward pass (forward.cpp) for rows first .. end of the batch.
  void read_rows(const Batch& batch, int64_t first, int64_t end, Real* x) const;
  /// Uses the parameters `values`, of which only the encoder's are read.
  void encode(const Real* values, const Real* x, int64_t first, int64_t end, Encoding<Real>& out) const;
  /// As above, given the sums of the first layer.
  void encode_further(const Real* values, int64_t first, int64_t end, Encoding<Real>& out) const;
  /// Outputs of the decoder's layers for latent variables z [count x latent].
  void decode(const Real* z, int64_t count, Real* const* outputs) const;

  void prepare_noise(GaussianNoise<Real>& noise) const;
  /// Log likelihood of a row; overwrites `output` with its gradient times `factor`. With the Gaussian likelihood
  /// `errors` [D] receives (x - mean) / v; otherwise it is unused.
  double score_row(const Real* x, Real factor, const GaussianNoise<Real>& noise, Real* output, Real* errors) const;

  // The parts of a step (gradient.cpp, constrain.cpp).
  void shape(int64_t rows, Work& work) const;
  int64_t scratch_length() const;
  void draw(const Batch& batch, const GradientSettings& settings, int64_t first, int64_t end, Work& work) const;
  void decode_and_score(int64_t first, int64_t end, Real* scratch, Work& work) const;
  void pull_posterior(const GradientSettings& settings, int64_t first, int64_t end, Work& work) const;
  void propagate(const LayerPlace& layer, const Real* deltas, int64_t rows, const Real* inputs, Real* scratch,
                 Real* out) const;
  void propagate_to_encoder(int64_t first, int64_t end, Real* scratch, Work& work) const;
  GradientSums add_up(const GradientSettings& settings, const Work& work) const;
  void collect(int threads, Work& work) const;
  void measure_latent(Statistic statistic, const Encoding<Real>& encoding, const Work& work,
                      std::vector<double>& out) const;
  void measure_latent_reference(Work& work) const;
  void pull_latent(const double* forces, Work& work, GradientSums& sums) const;
  void measure_weights(const Real* values, Array<Real>& transposed, Array<Real>& products, int threads,
                       std::vector<double>& out) const;
  void transpose_encoder(const Real* values, int threads, Array<Real>& out) const;
  void measure_weights_reference(Work& work) const;
  void pull_weights(const double* forces, Work& work, GradientSums& sums) const;

  // Scores (results.cpp).
  /// Rows scored together.
  struct Block {
    int64_t first = 0, count = 0;
    int64_t first_number = 0;  ///< number of the data's first row in the whole corpus
    Array<Real> x;
    Encoding<Real> encoding;
  };
  template <class Visit>
  void for_each_block(const Data& data, int threads, const Visit& visit) const;
  /// Workspace of one thread for scoring samples.
  struct ScoreScratch {
    Array<Real> z, errors;
    std::vector<Array<Real>> outputs;
  };
  /// All samples of the rows of a block: sample s of row i has number i samples + s.
  struct Samples {
    const Block& block;
    int64_t of_row;
    uint64_t seed;
    const GaussianNoise<Real>& noise;
  };
  template <class Ratio>
  void score_samples(const Samples& samples, int64_t begin, int64_t end, const Ratio& ratio, double* out,
                     ScoreScratch& scratch) const;
  template <class Ratio, class RowScore>
  void score_by_samples(const Data& data, const OptionValues& evaluate, int64_t samples, const Ratio& ratio,
                        const RowScore& row_score, double* out) const;
  double active_units(const Data& data, int threads) const;
  double dead_units(std::string_view name, const Data& data, int threads) const;
};

/// Lower bound added to the standard deviations of the posterior.
constexpr double min_sigma = 1e-6;
/// Lower bound added to the noise variances, in standardised columns: constant columns would have none.
constexpr double min_noise = 1e-4;

}  // namespace vtemper
