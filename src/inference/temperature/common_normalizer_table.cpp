#include <algorithm>
#include <cmath>

#include "inference/temperature_options.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

NormalizerTable::NormalizerTable(const OptionValues& values, size_t size)
    : refresh_every_(values.integer("temperature_refresh")) {
  normalizer_.estimate = values.used("temperature_normalizer");
  normalizer_.samples = values.integer("partition_samples");
  values_.assign(size, std::nan(""));
  fresh_ = values_;
}

void NormalizerTable::fill(const ConjugateModel& model, const std::vector<double>& inverse) {
  model.tempered_normalizer()->log_normalizers(normalizer_, inverse, rows_, tokens_, fresh_.data());
  for (size_t m = 0; m < inverse.size(); ++m) {
    if (!std::isfinite(fresh_[m])) {
      throw Error(VTEMPER_ERROR_NUMERIC,
                  message("log C of the tempered model is ", fresh_[m], " at temperature ", 1 / inverse[m],
                          " (temperature_normalizer ", normalizer_.estimate,
                          "), so no temperature can be learned; method annealing needs no log C"));
    }
  }
  std::swap(values_, fresh_);
}

void NormalizerTable::prepare(const ConjugateModel& model, const Corpus& corpus, const std::vector<double>& inverse) {
  rows_ = corpus.rows;
  tokens_ = corpus.tokens;
  normalizer_.seed = corpus.seed;
  if (!restored_) fill(model, inverse);
}

bool NormalizerTable::refresh(const ConjugateModel& model, const Clock& clock, const std::vector<double>& inverse) {
  if (clock.iteration == 0 || clock.iteration % refresh_every_ != 0 ||
      !model.tempered_normalizer()->normalizer_follows_globals(normalizer_)) {
    return false;
  }
  fill(model, inverse);
  return true;
}

bool NormalizerTable::restore(const double* values) {
  if (!std::all_of(values, values + values_.size(), [](double x) { return std::isfinite(x); })) return false;
  std::copy_n(values, values_.size(), values_.begin());
  restored_ = true;
  return true;
}

}  // namespace vtemper
