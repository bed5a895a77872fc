#include "data/data_builder.h"

#include "data/names.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

void DataBuilder::set_names(Names names, const std::string& source) {
  checked_names(names, VTEMPER_ERROR_DATA, source + ": names");
  names_ = std::move(names);
}

DataPointer DataBuilder::finish() {
  if (auto* const whole = std::get_if<DataPointer>(&rows_)) return std::move(*whole);
  auto data = std::make_shared<Data>();
  if (auto* const counts = std::get_if<CountsBuilder>(&rows_)) data->counts = counts->finish(columns_);
  if (auto* const sequences = std::get_if<SequencesBuilder>(&rows_)) data->sequences = sequences->finish(columns_);
  if (auto* const dense = std::get_if<DenseBuilder<float>>(&rows_)) data->dense = dense->finish(row_count_);
  if (auto* const dense = std::get_if<DenseBuilder<double>>(&rows_)) data->dense = dense->finish(row_count_);
  if (!names_.empty()) data->names = std::make_shared<const Names>(std::move(names_));
  return data;
}

}  // namespace vtemper
