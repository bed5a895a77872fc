// Files of the topics: rows as they are stored, with their scales and totals.

#include <algorithm>
#include <cmath>

#include "models/lda/growth.h"
#include "models/lda/topics.h"
#include "storage/real_element.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

template <class Real>
void Topics<Real>::save(ContainerWriter& writer) const {
  rows_.require_written();
  Piece rows;
  rows.data = rows_.in_memory() ? rows_.data() : rows_.borrowed();
  rows.size = words_ * stride_ * static_cast<int64_t>(sizeof(Real));
  rows.contents = rows_.model();
  rows.file = rows_.file();
  writer.tensor("lda.rows", real_element<Real>, {words_, stride_}, rows);
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
              message(reader.name(), " holds a number of split topics that a fit of ", topics, " topics never has"));
}

template <class Real>
void Topics<Real>::check_stored(const ContainerReader& reader) const {
  const Tensor& rows = reader.unread_tensor("lda.rows", real_element<Real>, 2);
  const std::vector<double> scales = reader.doubles("lda.scales");
  const std::vector<double> totals = reader.doubles("lda.totals");
  // The factor 10 leaves room for rounding errors of a step and for the prior.
  const auto usable = [](double x) { return x >= 0 && x <= 10 / smallest_scale * largest_total; };
  const int64_t parted = stored_topics(topics_, reader);
  if (rows.shape[0] != words_ || !may_be_stride<Real>(rows.shape[1], parted) || scales.size() != 3 ||
      totals.size() != totals_.size()) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds topics whose size does not match its options"));
  }
  bool good = scales[0] >= smallest_scale && scales[0] <= 1 && scales[1] >= 0 && scales[1] <= 1 && scales[2] >= 0 &&
              scales[2] <= 1 && std::all_of(totals.begin(), totals.end(), usable);
  std::vector<double> sums(totals.size());
  int64_t column = 0;
  rows.piece().visit([&](const void* bytes, int64_t size) {
    const Real* const numbers = static_cast<const Real*>(bytes);
    for (int64_t i = 0; good && i < size / static_cast<int64_t>(sizeof(Real)); ++i) {
      const auto number = static_cast<double>(numbers[i]);
      good = usable(number);
      if (column < parted) sums[static_cast<size_t>(column)] += number;
      column = column + 1 < rows.shape[1] ? column + 1 : 0;
    }
  });
  // The totals are stored so that their bits are restored; they differ from the sums by rounding errors only. A topic
  // has positive mass.
  for (size_t k = 0; good && k < static_cast<size_t>(parted); ++k) {
    good = totals[k] <= 2 * sums[k] + 1e-6 && sums[k] <= 2 * totals[k] + 1e-6 &&
           (totals[k] > 0 || scales[1] + scales[2] > 0);
  }
  if (!good)
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds topics that are not finite and positive"));
}

template <class Real>
void Topics<Real>::load(const ContainerReader& reader) {
  check_stored(reader);
  const Tensor& rows = reader.unread_tensor("lda.rows", real_element<Real>, 2);
  const std::vector<double> scales = reader.doubles("lda.scales");
  set_parted(stored_topics(topics_, reader));
  const Real* values = static_cast<const Real*>(rows.data);
  if (!share_ && rows_.may_borrow() && reader.contents()) {
    rows_.borrow(values, static_cast<size_t>(rows.count()), reader.contents());
    stride_ = rows.shape[1];
  } else {
    make_room();
    rows_.extend(static_cast<size_t>(most_rows() * stride_));
    Spare spare;
    fill_all([&](int64_t i, Real* numbers) {
      std::copy_n(rows.at(values + word_of(i) * rows.shape[1], padded_, spare), padded_, numbers);
      std::fill(numbers + padded_, numbers + stride_, Real{0});
    });
  }
  scale_ = scales[0];
  prior_weight_ = scales[1];
  constant_ = scales[2];
  totals_ = reader.doubles("lda.totals");
  has_open_sums_ = false;
}

}  // namespace vtemper

#include "models/lda/topics_instances.inc"
