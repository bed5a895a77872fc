#include "group/rank_sum.h"

#include <algorithm>

namespace vtemper {

namespace {

/// Elements first .. first + count that a rank adds.
struct Share {
  int64_t first, count;
};

Share share_of(int64_t length, int rank, int ranks) {
  const int64_t first = length * rank / ranks;
  return {first, length * (rank + 1) / ranks - first};
}

}  // namespace

void RankSum::reserve(const Group& group) {
  const auto ranks = static_cast<size_t>(group.ranks());
  const auto most = static_cast<size_t>(bytes_at_a_time);
  received_.resize(most + ranks * sizeof(double));
  sent_.resize(most + ranks * sizeof(double));
  added_.resize(most / sizeof(float) / ranks + 1);
  share_bytes_.resize(ranks);
  own_bytes_.resize(ranks);
}

template <class Real>
void RankSum::sum_of(Group& group, Real* values, int64_t length) {
  constexpr int64_t most = bytes_at_a_time / static_cast<int64_t>(sizeof(Real));
  for (int64_t first = 0; first < length; first += most) {
    sum_piece(group, values + first, std::min(most, length - first));
  }
}

template <class Real>
void RankSum::sum_piece(Group& group, Real* values, int64_t length) {
  const int ranks = group.ranks();
  const auto size = static_cast<int64_t>(sizeof(Real));
  const Share own = share_of(length, group.rank(), ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    share_bytes_[static_cast<size_t>(rank)] = share_of(length, rank, ranks).count * size;
    own_bytes_[static_cast<size_t>(rank)] = own.count * size;
  }
  Real* received = reinterpret_cast<Real*>(received_.data());
  group.exchange(values, share_bytes_.data(), received, own_bytes_.data());

  double* sum = added_.data();
  std::copy_n(received, own.count, sum);
  for (int rank = 1; rank < ranks; ++rank) {
    const Real* more = received + rank * own.count;
    for (int64_t i = 0; i < own.count; ++i) sum[i] += static_cast<double>(more[i]);
  }

  Real* sent = reinterpret_cast<Real*>(sent_.data());
  for (int64_t i = 0; i < own.count; ++i) sent[i] = static_cast<Real>(sum[i]);
  for (int rank = 1; rank < ranks; ++rank) std::copy_n(sent, own.count, sent + rank * own.count);
  group.exchange(sent, own_bytes_.data(), values, share_bytes_.data());
}

template void RankSum::sum_of(Group&, float*, int64_t);
template void RankSum::sum_of(Group&, double*, int64_t);

}  // namespace vtemper
