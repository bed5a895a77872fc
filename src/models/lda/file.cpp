// Files of the model.

#include <algorithm>
#include <cmath>

#include "models/lda/lda.h"
#include "storage/real_element.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

template <class Real>
void Lda<Real>::save(ContainerWriter& writer) const {
  require_initialized();
  require_undivided("a file needs all topics");
  writer.keep("lda.alpha", settings_.alpha);
  if (settings_.learn_eta) writer.keep("lda.eta", std::vector<double>{topics_->eta(0, 0)});
  topics_->save(writer);
  this->save_columns(writer);
}

template <class Real>
void Lda<Real>::check_stored(const ContainerReader& reader) const {
  const int64_t columns = stored_columns(reader);
  const Tensor& rows = reader.unread_tensor("lda.rows", real_element<Real>, 2);
  if (rows.shape[0] != columns || !may_be_stride<Real>(rows.shape[1], stored_topics(settings_.topics, reader))) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds topics whose size does not match its options"));
  }
  if (settings_.eta.size() != 1 && settings_.eta.size() != static_cast<size_t>(settings_.topics * columns)) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds an eta of the wrong length"));
  }
  const std::vector<double> alpha = reader.doubles("lda.alpha");
  const bool usable = std::all_of(alpha.begin(), alpha.end(), [](double x) { return std::isfinite(x) && x > 0; });
  if (!usable || alpha.size() != settings_.alpha.size()) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds an alpha that is not K positive numbers"));
  }
  if (topics_) topics_->check_stored(reader);
  if (settings_.learn_eta) {
    const std::vector<double> eta = reader.doubles("lda.eta");
    if (eta.size() != 1 || !(eta[0] > 0 && std::isfinite(eta[0]))) {
      throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds an eta that is not one positive number"));
    }
  }
}

template <class Real>
void Lda<Real>::load(const ContainerReader& reader) {
  check_stored(reader);
  const int64_t columns = stored_columns(reader);
  const std::vector<double> alpha = reader.doubles("lda.alpha");
  auto topics =
      std::make_unique<Topics<Real>>(settings_.topics, columns, settings_.eta, settings_.parameters_folder, group_);
  topics->load(reader);
  std::shared_ptr<const Names> names = load_names(reader, columns);
  if (settings_.learn_eta) topics->set_eta(reader.doubles("lda.eta")[0]);
  topics_ = std::move(topics);
  columns_ = columns;
  names_ = std::move(names);
  fresh_.reset();
  set_alpha(alpha.data());
}

}  // namespace vtemper

#include "models/lda/instances.inc"
