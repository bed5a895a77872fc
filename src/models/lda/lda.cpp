#include "models/lda/lda.h"

#include <algorithm>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

void require_counts(const Data& data) {
  require_form<Counts>(data, "lda models counts of words; the data are ", data.form_name());
}

}  // namespace

template <class Real>
Lda<Real>::Lda(LdaSettings settings, OptionValues options)
    : ConjugateModel(lda_kind, std::move(options)),
      settings_(std::move(settings)),
      learns_alpha_(settings_.learn_alpha.value_or(false)) {
  parted_alpha_.resize(settings_.alpha.size());
  alpha_scratch_.resize(2 * settings_.alpha.size());
  share_alpha();
}

/// Cannot fail.
template <class Real>
void Lda<Real>::set_alpha(const double* alpha) {
  std::copy_n(alpha, settings_.alpha.size(), settings_.alpha.data());
  share_alpha();
}

/// A parted topic gets the alpha of all topics that it represents. Cannot fail.
template <class Real>
void Lda<Real>::share_alpha() {
  const auto& kernels = kernels::instruction_set().double_precision;
  std::fill(parted_alpha_.begin(), parted_alpha_.end(), 0.0);
  for (size_t k = 0; k < settings_.alpha.size(); ++k) {
    const size_t of = topics_ ? static_cast<size_t>(topics_->stand_in(static_cast<int64_t>(k))) : k;
    parted_alpha_[of] += settings_.alpha[k];
  }
  kernels.log_gamma(parted_alpha_.data(), alpha_scratch_.data(), parted());
  double total = kernels.sum(parted_alpha_.data(), parted());
  kernels.log_gamma(&total, &total, 1);
  alpha_bound_ = total - kernels.sum(alpha_scratch_.data(), parted());
}

template <class Real>
std::unique_ptr<Model> Lda<Real>::copy() const {
  auto other = std::make_unique<Lda<Real>>(settings_, options_);
  if (topics_) other->topics_ = std::make_unique<Topics<Real>>(*topics_);
  other->group_ = group_;
  other->fresh_ = fresh_;
  other->share_alpha();
  other->columns_ = columns_;
  other->names_ = names_;
  return other;
}

template <class Real>
void Lda<Real>::initialize(const Data& data, uint64_t seed) {
  require_counts(data);
  if (data.columns() < 1) throw Error(VTEMPER_ERROR_DATA, "the data have no columns, so there are no words to model");
  if (settings_.eta.size() != 1 && settings_.eta.size() != static_cast<size_t>(settings_.topics * data.columns())) {
    throw Error(VTEMPER_ERROR_OPTION, message("option eta has ", static_cast<int64_t>(settings_.eta.size()),
                                              " values; it must have 1, or one for every topic and word (",
                                              settings_.topics, " x ", data.columns(), ")"));
  }
  auto topics = std::make_unique<Topics<Real>>(settings_.topics, data.columns(), settings_.eta,
                                               settings_.parameters_folder, group_);
  topics->draw(seed);
  topics_ = std::move(topics);
  fresh_ = seed;
  set_alpha(settings_.initial_alpha.data());
  columns_ = data.columns();
  names_ = data.names;
}

template <class Real>
void Lda<Real>::check(const Data& data) const {
  require_initialized();
  require_counts(data);
  if (data.columns() != columns()) {
    throw Error(VTEMPER_ERROR_DATA,
                message("the data have ", counted(data.columns(), "column"), ", the model ", columns(),
                        "; vtemper_data_align brings the columns into the model's order"));
  }
  check_names(names_, data.names);
  if (group_ && data.group != group_) {
    throw Error(VTEMPER_ERROR_STATE, message("the topics are divided over ", group_->ranks(),
                                             " ranks (option exchange sharded), but the data are not spread over ",
                                             "the same group; spread them, or save the model and load it"));
  }
}

template <class Real>
void Lda<Real>::require_initialized() const {
  if (!topics_) throw Error(VTEMPER_ERROR_STATE, "the model is not initialised: it has seen no data yet");
  topics_->require_kept();
}

/// -sum_k KL(Dir(lambda_k) || Dir(eta_k)); for point estimates log Dir(beta_k; 1 + eta_k) summed over k. With a power
/// of the priors: Dir(eta_k) to the power, not renormalised.
template <class Real>
double Lda<Real>::global_bound(const PriorPower& power) const {
  require_initialized();
  const auto& kernels = kernels::instruction_set().double_precision;
  const auto expectation = settings_.point ? kernels.logarithm : kernels.digamma;
  constexpr int64_t block = 128;  // topics at a time, so that a step needs no memory for this
  double lambda[block], prior[block], value[block], total[block], prior_total[block], normalizer[block];

  double bound = 0;
  for (int64_t first = 0; first < settings_.topics; first += block) {
    const int64_t topics = std::min(block, settings_.topics - first);
    for (int64_t k = 0; k < topics; ++k) {
      total[k] = topics_->total(first + k);
      prior_total[k] = topics_->eta_total(first + k) + (settings_.point ? static_cast<double>(columns()) : 0);
    }
    expectation(total, normalizer, topics);
    topics_->visit_rows([&](int64_t i, const Real* row) {
      const int64_t v = topics_->word_of(i);
      for (int64_t k = 0; k < topics; ++k) {
        lambda[k] = topics_->lambda(first + k, v, row);
        prior[k] = topics_->eta(first + k, v);
      }
      // E log beta (or log beta) times what stands before it: eta at its power - lambda (or s eta).
      expectation(lambda, value, topics);
      for (int64_t k = 0; k < topics; ++k) {
        const double weight = settings_.point ? power.inverse * prior[k] : power.concentration(prior[k]) - lambda[k];
        bound += weight * (value[k] - normalizer[k]);
        if (settings_.point) prior[k] += 1;
      }
      kernels.log_gamma(prior, value, topics);
      bound -= power.inverse * kernels.sum(value, topics);
      if (!settings_.point) {
        kernels.log_gamma(lambda, value, topics);
        bound += kernels.sum(value, topics);
      }
    });
    if (group_ && group_->rank() > 0) continue;  // only rank 0 adds the terms that depend on topics alone
    kernels.log_gamma(prior_total, prior_total, topics);
    bound += power.inverse * kernels.sum(prior_total, topics);
    if (!settings_.point) {
      kernels.log_gamma(total, total, topics);
      bound -= kernels.sum(total, topics);
    }
  }
  return bound;
}

template <class Real>
double Lda<Real>::row_tokens(const Data& data, int64_t row) const {
  double tokens = 0;
  data.counts().visit_row(row, [&](int32_t, double count) { tokens += count; });
  return tokens;
}

}  // namespace vtemper

#include "models/lda/instances.inc"
