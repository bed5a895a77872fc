#include "group/rank_sum.h"

#include <algorithm>

namespace vtemper {

namespace {

/// Elements first .. first + count, which one rank adds up.
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
  const auto piece = static_cast<size_t>(bytes_at_a_time);
  // Shares are rounded up to whole elements.
  for (std::unique_ptr<char[]>* buffer : {&received_, &sent_})
    buffer->reset(new char[piece + ranks * sizeof(double)]);
  share_bytes_.resize(ranks);
  own_bytes_.resize(ranks);
}

void RankSum::sum(Group& group, double* values, int64_t length) {
  total_of<double>(group, values, length, [](double sum, double more) { return sum + more; });
}

void RankSum::sum(Group& group, float* values, int64_t length) {
  total_of<double>(group, values, length, [](double sum, float more) { return sum + static_cast<double>(more); });
}

void RankSum::unite(Group& group, unsigned char* bits, int64_t length) {
  total_of<unsigned char>(group, bits, length, [](unsigned char all, unsigned char more) {
    return static_cast<unsigned char>(all | more);
  });
}

template <class Total, class Element, class Add>
void RankSum::total_of(Group& group, Element* values, int64_t length, const Add& add) {
  if (group.ranks() == 1) return;
  constexpr int64_t most = bytes_at_a_time / static_cast<int64_t>(sizeof(Element));
  for (int64_t first = 0; first < length; first += most) {
    const int64_t count = std::min(most, length - first);
    if (group.ranks() == 2) {
      total_of_two<Total>(group, values + first, count, add);
    } else {
      total_of_piece<Total>(group, values + first, count, add);
    }
  }
}

/// Two ranks send each other all their elements. That is as many bytes as shares and totals of shares, but the ranks
/// wait for each other once instead of twice, and nothing is copied before it is sent.
template <class Total, class Element, class Add>
void RankSum::total_of_two(Group& group, Element* values, int64_t length, const Add& add) {
  const auto own = static_cast<size_t>(group.rank()), other = 1 - own;
  own_bytes_[own] = 0;
  own_bytes_[other] = length * static_cast<int64_t>(sizeof(Element));
  group.exchange(values, own_bytes_.data(), received_.get(), own_bytes_.data());
  const Element* others = reinterpret_cast<const Element*>(received_.get());
  // The sum of two does not depend on their order.
  for (int64_t i = 0; i < length; ++i) {
    values[i] = static_cast<Element>(add(static_cast<Total>(values[i]), others[i]));
  }
}

template <class Total, class Element, class Add>
void RankSum::total_of_piece(Group& group, Element* values, int64_t length, const Add& add) {
  const int ranks = group.ranks();
  const auto size = static_cast<int64_t>(sizeof(Element));
  const Share own = share_of(length, group.rank(), ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    share_bytes_[static_cast<size_t>(rank)] = share_of(length, rank, ranks).count * size;
    own_bytes_[static_cast<size_t>(rank)] = own.count * size;
  }
  const Element* received = reinterpret_cast<const Element*>(received_.get());
  group.exchange(values, share_bytes_.data(), received_.get(), own_bytes_.data());

  // Few elements at a time, so that their totals stay in the processor's first-level cache.
  Element* sent = reinterpret_cast<Element*>(sent_.get());
  Total total[added_at_a_time];
  for (int64_t first = 0; first < own.count; first += added_at_a_time) {
    const int64_t count = std::min(added_at_a_time, own.count - first);
    std::copy_n(received + first, count, total);
    for (int rank = 1; rank < ranks; ++rank) {
      const Element* more = received + rank * own.count + first;
      for (int64_t i = 0; i < count; ++i) total[i] = add(total[i], more[i]);
    }
    for (int64_t i = 0; i < count; ++i) sent[first + i] = static_cast<Element>(total[i]);
  }
  for (int rank = 1; rank < ranks; ++rank) std::copy_n(sent, own.count, sent + rank * own.count);
  group.exchange(sent_.get(), own_bytes_.data(), values, share_bytes_.data());
}

}  // namespace vtemper
