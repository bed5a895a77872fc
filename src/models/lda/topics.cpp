#include "models/lda/topics.h"

#include <algorithm>
#include <cmath>

#include "models/lda/growth.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/large_pages.h"
#include "support/random_streams.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Below this the stored rows grow too large beside new statistics; one pass over all rows brings the scale back
/// to 1.
constexpr double smallest_scale = 1e-8;

/// Words that a thread takes at a time in a step.
constexpr int64_t block_words = 64;

template <class Real>
constexpr Element element() {
  return sizeof(Real) == sizeof(float) ? Element::f32 : Element::f64;
}

}  // namespace

template <class Real>
Topics<Real>::Topics(int64_t topics, int64_t words, std::vector<double> eta, const std::string& folder,
                     const std::shared_ptr<Group>& group)
    : topics_(topics),
      words_(words),
      parted_(topics),
      padded_(kernels::padded(topics)),
      share_(group ? std::make_unique<WordShare>(group, words, padded_ * static_cast<int64_t>(sizeof(Real)))
                   : nullptr),
      stored_(share_ ? share_->own() : words),
      eta_(std::move(eta)),
      eta_totals_(static_cast<size_t>(topics)),
      rows_(folder),
      totals_(static_cast<size_t>(topics)),
      draws_(static_cast<size_t>(topics)),
      touched_(static_cast<size_t>(words)),
      changes_(static_cast<size_t>(words / block_words + 1)) {
  stand_in_.resize(static_cast<size_t>(topics));
  copies_.resize(static_cast<size_t>(topics));
  set_parted(topics);
  const int64_t prior_rows = eta_.size() == 1 ? 1 : words_;
  reserve_large(eta_rows_, static_cast<size_t>(prior_rows * padded_));
  eta_rows_.resize(static_cast<size_t>(prior_rows * padded_));
  for (int64_t v = 0; v < prior_rows; ++v) {
    for (int64_t k = 0; k < topics_; ++k)
      eta_rows_[static_cast<size_t>(v * padded_ + k)] = static_cast<Real>(this->eta(k, v));
  }
  for (int64_t k = 0; k < topics_; ++k) {
    double total = 0;
    if (eta_.size() == 1) {
      total = eta_[0] * static_cast<double>(words_);
    } else {
      for (int64_t v = 0; v < words_; ++v) total += this->eta(k, v);
    }
    eta_totals_[static_cast<size_t>(k)] = total;
  }
}

template <class Real>
Topics<Real>::Topics(const Topics& other)
    : topics_(other.topics_),
      words_(other.words_),
      parted_(other.parted_),
      padded_(other.padded_),
      share_(other.share_ ? std::make_unique<WordShare>(*other.share_) : nullptr),
      stored_(other.stored_),
      stride_(other.stride_),
      eta_(other.eta_),
      eta_rows_(other.eta_rows_),
      eta_totals_(other.eta_totals_),
      rows_(other.rows_),
      stand_in_(other.stand_in_),
      copies_(other.copies_),
      scale_(other.scale_),
      prior_weight_(other.prior_weight_),
      constant_(other.constant_),
      totals_(other.totals_),
      draws_(other.draws_),
      touched_(other.touched_),
      changes_(other.changes_),
      has_open_sums_(other.has_open_sums_),
      moved_(other.moved_) {}

template <class Real>
void Topics<Real>::draw(uint64_t seed) {
  constexpr double shape = 100;
  set_parted(topics_);
  rows_.make_room(room());  // not touched before it is filled
  read_in_order();
  for (int64_t i = 0; i < stored_; ++i) {
    require_not_interrupted();
    rows_.extend(static_cast<size_t>((i + 1) * stride_));
    RandomStream random(seed, Purpose::initialize, 0, static_cast<uint64_t>(word_of(i)));
    Real* of_word = stored_row(i);
    for (int64_t k = 0; k < topics_; ++k) of_word[k] = static_cast<Real>(random.gamma(shape) / shape);
  }
  scale_ = 1;
  prior_weight_ = 0;
  constant_ = 0;
  recount();
}

template <class Real>
double Topics<Real>::eta(int64_t topic, int64_t word) const {
  return eta_.size() == 1 ? eta_[0] : eta_[static_cast<size_t>(topic * words_ + word)];
}

template <class Real>
void Topics<Real>::set_eta(double eta) {
  eta_[0] = eta;
  for (int64_t k = 0; k < topics_; ++k) eta_rows_[static_cast<size_t>(k)] = static_cast<Real>(eta);
  std::fill(eta_totals_.begin(), eta_totals_.end(), eta * static_cast<double>(words_));
}

template <class Real>
double Topics<Real>::lambda(int64_t topic, int64_t word) const {
  const double prior = prior_weight_ * eta(topic, word) + constant_;
  if (parted_ == topics_) return scale_ * static_cast<double>(row(word)[topic]) + prior;
  const int64_t parted = stand_in(topic);
  const double learned = scale_ * static_cast<double>(row(word)[parted]);
  return learned / static_cast<double>(copies(parted)) + prior;
}

template <class Real>
double Topics<Real>::total(int64_t topic) const {
  if (parted_ == topics_) return total_of_parted(topic);
  const int64_t parted = stand_in(topic);
  const double prior = prior_weight_ * eta_total(topic) + constant_ * static_cast<double>(words_);
  return (total_of_parted(parted) - prior) / static_cast<double>(copies(parted)) + prior;
}

template <class Real>
double Topics<Real>::total_of_parted(int64_t parted) const {
  const size_t k = static_cast<size_t>(parted);
  return scale_ * totals_[k] + (prior_weight_ * eta_totals_[k] + constant_ * static_cast<double>(words_));
}

template <class Real>
void Topics<Real>::set_parted(int64_t count) {
  parted_ = count;
  padded_ = kernels::padded(count);
  stride_ = rows_.stride(padded_);
  std::fill(copies_.begin(), copies_.end(), 0);
  for (int64_t k = 0; k < topics_; ++k) {
    const int64_t parted = parted_topic(k, topics_, count);
    stand_in_[static_cast<size_t>(k)] = static_cast<int32_t>(parted);
    ++copies_[static_cast<size_t>(parted)];
  }
}

/// Rows are brought together in place: no memory is needed, so a step can do it.
template <class Real>
void Topics<Real>::merge_to(int64_t count) {
  const int64_t before = stride_;
  set_parted(count);
  read_in_order();
  for (int64_t i = 0; i < stored_; ++i) {
    const Real* from = rows_.data() + i * before;
    Real* to = stored_row(i);
    for (int64_t k = 0; k < count; ++k) to[k] = from[k];
    std::fill(to + count, to + stride_, Real{0});
  }
  recount();
}

template <class Real>
void Topics<Real>::split(uint64_t seed) {
  /// What a half differs from its twin, of a word's weight. It only has to be more than rounding: below the
  /// temperature at which the two part, the words that come together make it grow. Larger ones measured worse.
  constexpr double spread = 0.1;
  const Uninterrupted whole;
  const int64_t before = parted_;
  const int64_t stride_before = stride_;
  set_parted(next_topics(topics_, before));
  const int64_t halved = parted_ - before;  // the first ones; of an odd number of topics the last one stays whole
  read_in_order();
  for (int64_t i = stored_ - 1; i >= 0; --i) {
    // From the last word to the first: a row moves to a place that is not before its own.
    const Real* from = rows_.data() + i * stride_before;
    Real* to = stored_row(i);
    std::copy_backward(from, from + before, to + before);
    const auto word = static_cast<uint64_t>(word_of(i));
    RandomStream random(seed, Purpose::split_topics, static_cast<uint64_t>(before), word);
    for (int64_t k = 0; k < halved; ++k) {
      const Real share = static_cast<Real>(0.5 + 0.5 * spread * (2 * random.uniform() - 1));
      to[before + k] = to[k] * (1 - share);
      to[k] *= share;
    }
    std::fill(to + parted_, to + stride_, Real{0});
  }
  recount();
}

template <class Real>
double Topics<Real>::mix(int64_t word, const double* weights) const {
  double sum = 0;
  for (int64_t k = 0; k < topics_; ++k) sum += weights[k] * lambda(k, word);
  return sum;
}

template <class Real>
void Topics<Real>::assign(const double* lambda) {
  make_writable();
  set_parted(topics_);
  read_in_order();
  for (int64_t v = 0; v < words_; ++v) {
    Real* of_word = row(v);
    for (int64_t k = 0; k < topics_; ++k) of_word[k] = static_cast<Real>(lambda[k * words_ + v]);
    std::fill(of_word + topics_, of_word + stride_, Real{0});
  }
  scale_ = 1;
  prior_weight_ = 0;
  constant_ = 0;
  recount();
}

template <class Real>
void Topics<Real>::normalizer(bool point, Normalizer& out) const {
  out.point = point;
  out.values.resize(static_cast<size_t>(padded_));
  out.inverse.resize(static_cast<size_t>(padded_));
  out.totals.resize(static_cast<size_t>(parted_));
  for (int64_t k = 0; k < parted_; ++k) out.totals[static_cast<size_t>(k)] = total_of_parted(k);
  const auto& kernels = kernels::instruction_set().double_precision;
  (point ? kernels.logarithm : kernels.digamma)(out.totals.data(), out.totals.data(), parted_);
  std::copy_n(out.totals.begin(), parted_, out.values.begin());
  const double least = static_cast<double>(*std::min_element(out.values.begin(), out.values.begin() + parted_));
  for (size_t k = 0; k < static_cast<size_t>(parted_); ++k) {
    out.inverse[k] = static_cast<Real>(std::exp(least - static_cast<double>(out.values[k])));
  }
}

template <class Real>
double Topics<Real>::word(int64_t word, const Normalizer& normalizer, double inverse_temperature, Real* likelihood,
                          Real* expectation) const {
  const bool one_prior = eta_.size() == 1;
  const Real prior = static_cast<Real>(prior_weight_ * eta_[0] + constant_);
  if (!one_prior) {
    const Real weight = static_cast<Real>(prior_weight_);
    const Real constant = static_cast<Real>(constant_);
    for (int64_t k = 0; k < parted_; ++k) likelihood[k] = weight * eta_row(word)[k] + constant;
    std::fill(likelihood + parted_, likelihood + padded_, Real{1});
  }
  kernels::WordTopics<Real> row;
  row.l = this->row(word);
  row.scale = static_cast<Real>(scale_);
  row.prior = one_prior ? &prior : likelihood;
  row.prior_stride = one_prior ? 0 : 1;
  row.normalizer = normalizer.values.data();
  row.inverse = normalizer.inverse.data();
  row.point = normalizer.point;
  row.inverse_temperature = static_cast<Real>(inverse_temperature);
  row.topics = parted_;
  row.expectation = expectation;
  row.likelihood = likelihood;
  return kernels::table<Real>(kernels::instruction_set()).word_topics(row);
}

template <class Real>
void Topics<Real>::blend(const Update& update, const double* sums, const Blend& step, int threads) {
  const Uninterrupted whole;
  const double rho = step.rho;
  moved_ = Moved();
  moved_.rho = rho;
  for (int64_t k = 0; k < parted_; ++k) moved_.mass_before += total_of_parted(k);
  const bool full = rho >= 1;
  const double scale_after = full ? 1 : (1 - rho) * scale_;
  const double stretch = rho * step.share * step.scale / scale_after;

  const auto& table = kernels::table<Real>(kernels::instruction_set());
  kernels::WordUpdate<Real> of_words;
  of_words.scale = static_cast<Real>(scale_);
  of_words.prior_weight = static_cast<Real>(prior_weight_ - step.prior_weight);
  of_words.constant = static_cast<Real>(constant_ - step.constant);
  of_words.target = static_cast<Real>(step.scale);
  of_words.kept = full ? Real{0} : Real{1};
  of_words.factor = static_cast<Real>(stretch);
  of_words.topics = parted_;
  const Real prior = static_cast<Real>(of_words.prior_weight * eta_[0] + of_words.constant);  // of listed words
  const int64_t blocks = (update.count + block_words - 1) / block_words;
  parallel_for(threads, blocks, [&](int64_t block, int) {
    kernels::WordChange change = {0, 0};
    kernels::WordUpdate<Real> word = of_words;
    const int64_t end = std::min(update.count, (block + 1) * block_words);
    for (int64_t i = block * block_words; i < end; ++i) {
      if (i + words_ahead < update.count) prefetch_update(update, i + words_ahead);
      word.l = row(update.words[i]);
      if (update.lists != nullptr) {
        const kernels::WordChange of_word = update_listed_word(*update.lists, i, word, prior);
        change.before += of_word.before;
        change.moved += of_word.moved;
        continue;
      }
      word.statistics = update.statistics + i * padded_;
      word.prior = eta_row(update.words[i]);
      const kernels::WordChange of_word = table.update_word(word);
      change.before += of_word.before;
      change.moved += of_word.moved;
    }
    changes_[static_cast<size_t>(block)] = change;
  });
  for (int64_t block = 0; block < blocks; ++block) {
    moved_.words += changes_[static_cast<size_t>(block)].moved;
    moved_.old_mass += changes_[static_cast<size_t>(block)].before;
  }
  moved_.over_prior = moved_.mass_before;
  for (int64_t k = 0; k < parted_; ++k) {
    moved_.over_prior -= step.prior_weight * eta_total(k) + step.constant * static_cast<double>(words_);
  }

  if (full) {
    clear_other_rows(update);
    std::fill(totals_.begin(), totals_.end(), 0.0);
    prior_weight_ = step.share * step.prior_weight;
    constant_ = step.share * step.constant;
  } else {
    prior_weight_ = (1 - rho) * prior_weight_ + rho * step.share * step.prior_weight;
    constant_ = (1 - rho) * constant_ + rho * step.share * step.constant;
  }
  scale_ = scale_after;
  for (size_t k = 0; k < static_cast<size_t>(parted_); ++k) totals_[k] += stretch * sums[k];
  if (scale_ < smallest_scale) renormalize();
}

template <class Real>
double Topics<Real>::relative_change() {
  double over_words[2] = {moved_.words, moved_.old_mass};
  if (share_) share_->sum(over_words, 2);
  const double change = moved_.rho * (over_words[0] + std::abs(moved_.over_prior - over_words[1]));
  return change / moved_.mass_before;
}

template <class Real>
void Topics<Real>::add_draw(double mass, uint64_t seed, uint64_t iteration) {
  // Dir(1) is exponential draws over their sum; they are drawn twice, first for the sums, so that a step needs no
  // memory for them.
  const auto draw = [&](const auto& take) {
    for (int64_t v = 0; v < words_; ++v) {
      RandomStream random(seed, Purpose::perturb, iteration, static_cast<uint64_t>(v));
      for (int64_t k = 0; k < topics_; ++k) take(v, k, -std::log(random.uniform()));
    }
  };
  std::fill(draws_.begin(), draws_.end(), 0.0);
  draw([&](int64_t, int64_t k, double x) { draws_[static_cast<size_t>(k)] += x; });
  for (double& total : draws_) total = mass / (scale_ * total);
  draw([&](int64_t v, int64_t k, double x) { row(v)[k] += static_cast<Real>(draws_[static_cast<size_t>(k)] * x); });
  for (double& total : totals_) total += mass / scale_;
}

template <class Real>
void Topics<Real>::clear_other_rows(const Update& update) {
  std::fill(touched_.begin(), touched_.end(), char{0});
  for (int64_t i = 0; i < update.count; ++i) touched_[static_cast<size_t>(update.words[i])] = 1;
  read_in_order();
  for (int64_t i = 0; i < stored_; ++i) {
    if (!touched_[static_cast<size_t>(word_of(i))]) std::fill_n(stored_row(i), stride_, Real{0});
  }
}

template <class Real>
void Topics<Real>::renormalize() {
  const Real factor = static_cast<Real>(scale_);
  Real* const numbers = rows_.data();
  read_in_order();
  for (int64_t i = 0; i < stored_ * stride_; ++i) numbers[i] *= factor;
  scale_ = 1;
  recount();
}

template <class Real>
void Topics<Real>::recount() {
  std::fill(totals_.begin(), totals_.end(), 0.0);
  read_in_order();
  for (int64_t i = 0; i < stored_; ++i) {
    const Real* of_word = stored_row(i);
    for (int64_t k = 0; k < parted_; ++k) totals_[static_cast<size_t>(k)] += static_cast<double>(of_word[k]);
  }
  has_open_sums_ = share_ != nullptr;
}

template <class Real>
void Topics<Real>::save(ContainerWriter& writer) const {
  require_whole();
  read_in_order();
  writer.tensor("lda.rows", element<Real>(), {words_, stride_}, rows_.data());
  std::vector<double> scalars = {scale_, prior_weight_, constant_};
  writer.keep("lda.scales", scalars);
  writer.keep("lda.totals", totals_);
  if (parted_ != topics_) writer.text("lda.parted", number_text(parted_));
}

int64_t stored_topics(int64_t topics, const ContainerReader& reader) {
  if (!reader.has_text("lda.parted")) return topics;
  const auto parted = parse_integer(reader.text("lda.parted"));
  if (parted && *parted >= 1 && *parted < topics && is_halving(topics, *parted)) return *parted;
  throw Error(VTEMPER_ERROR_FORMAT,
              sentence(reader.name(), " holds a number of parted topics that a fit of ", topics, " never has"));
}

template <class Real>
void Topics<Real>::check_stored(const ContainerReader& reader) const {
  const Tensor& rows = reader.tensor("lda.rows", element<Real>(), 2);
  const std::vector<double> scales = reader.doubles("lda.scales");
  const std::vector<double> totals = reader.doubles("lda.totals");
  // Room for the sum of a step's rounding and the prior.
  const auto usable = [](double x) { return x >= 0 && x <= 10 / smallest_scale * largest_total; };
  const int64_t parted = stored_topics(topics_, reader);
  if (rows.shape[0] != words_ || !may_be_stride<Real>(rows.shape[1], parted) || scales.size() != 3 ||
      totals.size() != totals_.size()) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " holds topics of another size than its options say"));
  }
  const Real* values = static_cast<const Real*>(rows.data);
  bool good = scales[0] >= smallest_scale && scales[0] <= 1 && scales[1] >= 0 && scales[1] <= 1 && scales[2] >= 0 &&
              scales[2] <= 1 && std::all_of(totals.begin(), totals.end(), usable);
  std::vector<double> sums(totals.size());
  for (int64_t v = 0; good && v < words_; ++v) {
    const Real* row = values + v * rows.shape[1];
    for (int64_t k = 0; k < rows.shape[1]; ++k) good = good && usable(static_cast<double>(row[k]));
    for (int64_t k = 0; k < parted; ++k) sums[static_cast<size_t>(k)] += static_cast<double>(row[k]);
  }
  // The totals are kept for their bits; rounding parts them from the sums, but not by much. A topic has a mass.
  for (size_t k = 0; good && k < static_cast<size_t>(parted); ++k) {
    good = totals[k] <= 2 * sums[k] + 1e-6 && sums[k] <= 2 * totals[k] + 1e-6 &&
           (totals[k] > 0 || scales[1] + scales[2] > 0);
  }
  if (!good)
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " holds topics that are not finite and positive"));
}

template <class Real>
void Topics<Real>::load(const ContainerReader& reader) {
  check_stored(reader);
  const Tensor& rows = reader.tensor("lda.rows", element<Real>(), 2);
  const std::vector<double> scales = reader.doubles("lda.scales");
  set_parted(stored_topics(topics_, reader));
  const Real* values = static_cast<const Real*>(rows.data);
  if (!share_ && rows_.may_borrow() && reader.file().owner) {
    rows_.borrow(values, static_cast<size_t>(rows.count()), reader.file());
    stride_ = rows.shape[1];
  } else {
    rows_.make_room(room());
    rows_.extend(room());
    for (int64_t i = 0; i < stored_; ++i) std::copy_n(values + word_of(i) * rows.shape[1], padded_, stored_row(i));
  }
  scale_ = scales[0];
  prior_weight_ = scales[1];
  constant_ = scales[2];
  totals_ = reader.doubles("lda.totals");
  has_open_sums_ = false;
}

template class Topics<float>;
template class Topics<double>;

}  // namespace vtemper
