#pragma once
// The part of a model's interface that does not concern inference: named parameters, local posteriors, scores and
// state on disk.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/data.h"
#include "storage/container.h"
#include "support/options.h"

namespace vtemper {

class Model;
class ConjugateModel;
class GradientModel;

/// A named array of a model or an optimizer. The texts are string literals.
struct Quantity {
  const char* name;
  std::vector<int64_t> shape;  ///< empty: a scalar
  bool settable;
  const char* description;
  int64_t size() const {
    int64_t product = 1;
    for (const int64_t extent : shape) product *= extent;
    return product;
  }
};

/// Destination of a getter: element (i, j) is written to out[i * row_stride + j * column_stride].
struct Sink {
  double* out;
  int64_t row_stride;
  int64_t column_stride;
  double& operator()(int64_t row, int64_t column = 0) const { return out[row * row_stride + column * column_stride]; }
};

/// Rows of a data set processed together: data rows index[0 .. count), or begin, begin + 1, ... if index is NULL.
/// They may be part of a step whose other rows are on other machines.
struct Batch {
  const Data* data;
  const int64_t* index;
  int64_t begin;
  int64_t count;
  const int64_t* places = nullptr;  ///< [count] positions among all rows of the step; NULL: first_place, first_place
                                    ///< + 1, ...
  int64_t first_place = 0;
  int64_t first_number = 0;          ///< number of the data's first row in the whole corpus
  int64_t all_rows = 0;              ///< rows of the step on all machines; 0: count
  const int64_t* numbers = nullptr;  ///< [count] of the rows in the whole corpus; NULL: they follow from first_number

  int64_t row(int64_t i) const { return index ? index[i] : begin + i; }
  // Key of random draws, independent of how rows are divided among machines.
  uint64_t place(int64_t i) const { return static_cast<uint64_t>(places ? places[i] : first_place + i); }
  uint64_t number(int64_t i) const { return static_cast<uint64_t>(numbers ? numbers[i] : first_number + row(i)); }
  int64_t rows_of_step() const { return all_rows > 0 ? all_rows : count; }
  /// The row at a place of the step, as its position in the batch; -1 if the batch does not contain it. Places are
  /// ascending.
  int64_t find(int64_t place) const {
    const int64_t found =
        places != nullptr ? std::lower_bound(places, places + count, place) - places : place - first_place;
    return found >= 0 && found < count && this->place(found) == static_cast<uint64_t>(place) ? found : -1;
  }
  /// Rows first .. first + most of the batch, limited to its end.
  Batch part(int64_t first, int64_t most) const {
    return {data,
            index ? index + first : nullptr,
            index ? begin : begin + first,
            std::min(most, count - first),
            places ? places + first : nullptr,
            first_place + first,
            first_number,
            rows_of_step(),
            numbers ? numbers + first : nullptr};
  }
};

/// A kind of model: one folder under models/, which defines `extern const ModelKind <folder>_kind`.
struct ModelKind {
  const char* name;
  const char* description;
  OptionTable (*options)();
  /// Creates a model, or throws Error(OPTION) for invalid options.
  std::unique_ptr<Model> (*create)(const OptionValues& options);
  /// The form of data it models.
  vtemper_data_form form;
};

/// Rows, some of whose tokens may be held out.
struct ScoredRows {
  const Data& observed;
  const Data* heldout = nullptr;  ///< of the same rows
  double observed_share = 1;      ///< of all tokens of the corpus, observed and held out
};

/// Facet of models that score rows (held-out likelihood).
class Predictive {
 public:
  virtual ~Predictive() = default;
  /// True if score_rows scores held-out tokens of each row given the observed ones (document completion); false
  /// if it scores whole rows.
  virtual bool completes_rows() const = 0;
  /// True if scores depend on ScoredRows::observed_share.
  virtual bool scales_by_share() const { return false; }
  /// Log probabilities of rows under posterior means at T = 1: of the held-out tokens given the row's observed ones
  /// (Hoffman 2013, section 4), or of the whole row if there are none. Each depends on its row alone, not on the
  /// other rows. `scores` and `tokens`, the tokens, symbols or rows that were scored: [rows], without the weights.
  virtual void score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                          double* tokens) const = 0;
};

/// Facet of models whose components are distributions over columns, such as topics.
class WordModel {
 public:
  virtual ~WordModel() = default;
  virtual int64_t word_components() const = 0;
  /// Weights of a column under the components first .. first + count; out [count].
  virtual void word_weights(int64_t column, int64_t first, int64_t count, double* out) const = 0;
  /// Sums of the weights over the columns: weight divided by sum is the column's mean probability; out
  /// [word_components].
  virtual void word_totals(double* out) const = 0;
  /// Share of all tokens assigned to each component; out [word_components].
  virtual void word_shares(double* out) const = 0;
};

/// Common interface of all models; conjugate_model.h and gradient_model.h add how they are fitted.
class Model {
 public:
  virtual ~Model() = default;
  const ModelKind& kind() const { return *kind_; }
  const OptionValues& options() const { return options_; }
  /// The values of the options in use, including those chosen from the data; "auto" for values that are not known
  /// before initialize, or before the fit that chooses them.
  Options used_options() const;
  bool initialized() const { return columns_ > 0; }
  int64_t columns() const { return columns_; }                          ///< 0 before initialize
  const std::shared_ptr<const Names>& names() const { return names_; }  ///< column names; may be NULL

  /// Number of changes by the caller outside of steps: of parameters that were set, and of starts.
  int64_t changes() const { return changes_; }
  void count_change() { ++changes_; }

  virtual std::unique_ptr<Model> copy() const = 0;
  /// Sizes and draws the global parameters. Error(UNSUPPORTED) for data of another form, Error(DATA) for values that
  /// the model cannot accept; it is then unchanged. Polls require_not_interrupted (support/interruption.h).
  virtual void initialize(const Data& data, uint64_t seed) = 0;
  /// Error(DATA, UNSUPPORTED) if the initialised model cannot be applied to this data.
  virtual void check(const Data& data) const = 0;
  /// Approximate number of multiply-adds of a step per stored value of its rows, which determines the number of
  /// threads. The model is initialised.
  virtual double operations_per_entry() const = 0;
  /// Likewise of what a step does once, if that can be more than what it does for the rows.
  virtual double operations_per_step() const { return 0; }

  // ---- results ----
  virtual std::vector<Quantity> parameters() const = 0;
  virtual void read_parameter(std::string_view name, const Sink& sink) const = 0;
  /// Sets a settable parameter. Error(DATA) for numbers outside its domain; nothing is then set.
  virtual void write_parameter(std::string_view /*name*/, const double* /*in*/) {}
  /// Local posteriors at T = 1 of the rows of `data`, which passed check: quantities such as "gamma" [rows x topics].
  /// The default one comes first: bindings use it if none is named.
  virtual std::vector<Quantity> local_quantities(const Data& data) const = 0;
  virtual void infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                     const Sink& sink) const = 0;

  // ---- state ----
  virtual void save(ContainerWriter& writer) const = 0;
  virtual void load(const ContainerReader& reader) = 0;
  /// Runs only the checks of load, with the same Error(FORMAT). The default loads a model and discards it.
  virtual void check_stored(const ContainerReader& reader) const;

  // ---- families and facets: NULL if not provided ----
  virtual ConjugateModel* conjugate() { return nullptr; }
  virtual const ConjugateModel* conjugate() const { return nullptr; }
  virtual GradientModel* by_gradient() { return nullptr; }
  virtual const GradientModel* by_gradient() const { return nullptr; }
  virtual const Predictive* predictive() const { return nullptr; }
  virtual const WordModel* words() const { return nullptr; }

 protected:
  /// Enters values chosen from the data or determined by the parameters. The model is initialised.
  virtual void report_used(OptionValues& /*used*/) const {}

  /// Writes the number and the names of the columns.
  void save_columns(ContainerWriter& writer) const;
  /// Error(STATE) before initialize.
  void require_initialized() const;

  Model(const ModelKind& kind, OptionValues options) : options_(std::move(options)), kind_(&kind) {}
  Model(const Model&) = default;
  Model(Model&&) = default;
  Model& operator=(const Model&) = default;
  Model& operator=(Model&&) = default;

  OptionValues options_;
  int64_t columns_ = 0;  ///< 0 before initialize
  int64_t changes_ = 0;
  std::shared_ptr<const Names> names_;

 private:
  const ModelKind* kind_;
};

/// Compiled-in kinds, by name (CMake generates the list from the folders).
const std::vector<const ModelKind*>& model_kinds();
/// Error(ARGUMENT) with the nearest names for an unknown kind.
const ModelKind& model_kind(std::string_view name);

/// Throws if the initialised model cannot be applied to the data.
void check_data(const Model& model, const Data& data);

/// The `count` values of an option that takes one for all or one for each, such as "components". Error(OPTION).
std::vector<double> reals_of_each(const OptionValues& options, const char* name, int64_t count, const char* what);

/// The number of columns in a model's file. Error(FORMAT).
int64_t stored_columns(const ContainerReader& reader);
/// Column names in a model's file; `names` may be NULL. Error(FORMAT) if there are names, but not one per column.
void save_names(const Names* names, ContainerWriter& writer);
std::shared_ptr<const Names> load_names(const ContainerReader& reader, int64_t columns);

/// Models on disk: container format "vtemper.model". A model writes its arrays; these functions add and read kind and
/// options.
void save_model(const Model& model, ContainerWriter& writer);
/// The kind of the model in a model's file or a checkpoint. Error(FORMAT).
const ModelKind& stored_kind(const ContainerReader& reader);
/// `prepare` is called with the model before its arrays are read.
std::unique_ptr<Model> load_model(const ContainerReader& reader,
                                  const std::function<void(Model&)>& prepare = nullptr);
/// Error(NUMERIC) if what `model` is about to save could not be loaded, using load's own checks.
void check_saved_model(const Model& model, const ContainerWriter& writer);

/// Error(DATA) for the first column whose name in the data differs from the model's, with advice. Either may be NULL.
void check_names(const std::shared_ptr<const Names>& model, const std::shared_ptr<const Names>& data,
                 const char* advice = "vtemper_data_align brings the columns into the model's order");

}  // namespace vtemper
