// Sums over the ranks of a group: in the order of ranks, in double, in pieces.

#include "group/rank_sum.h"

#include <cmath>

#include "api/handles.h"
#include "support/cmocka.h"
#include "support/random.h"
#include "support/rank_threads.h"

using vtemper::Group;
using vtemper::RankSum;
using vtemper::test::Random;
using vtemper::test::RankThreads;

namespace {

/// The results of `work` on each rank.
template <class Result, class Work>
std::vector<Result> on_ranks(int ranks, const Work& work) {
  std::vector<Result> results(static_cast<size_t>(ranks));
  RankThreads threads(ranks);
  threads.run([&](int rank) {
    vtemper_group* group = threads.connect(rank);
    results[static_cast<size_t>(rank)] = work(*group->group);
    vtemper_group_destroy(group);
  });
  return results;
}

template <class Real>
std::vector<Real> numbers_of(int rank, int64_t length) {
  Random random(static_cast<uint64_t>(rank) + 1);
  std::vector<Real> numbers;
  for (int64_t i = 0; i < length; ++i) {
    numbers.push_back(static_cast<Real>(random.normal() * std::exp(10 * random.normal())));
  }
  return numbers;
}

/// The plain sum: rank by rank, in double.
template <class Real>
std::vector<Real> summed(int ranks, int64_t length) {
  std::vector<double> sums(static_cast<size_t>(length));
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<Real> more = numbers_of<Real>(rank, length);
    for (size_t i = 0; i < more.size(); ++i) sums[i] = rank == 0 ? more[i] : sums[i] + static_cast<double>(more[i]);
  }
  return {sums.begin(), sums.end()};
}

template <class Real>
void compare(int ranks, int64_t length) {
  const auto sums = on_ranks<std::vector<Real>>(ranks, [&](Group& group) {
    RankSum sum;
    sum.reserve(group);
    std::vector<Real> numbers = numbers_of<Real>(group.rank(), length);
    sum.sum(group, numbers.data(), length);
    return numbers;
  });
  const std::vector<Real> expected = summed<Real>(ranks, length);
  for (const std::vector<Real>& sum : sums) assert_true(sum == expected);
}

void sums_are_those_of_the_order_of_ranks(void**) {
  for (const int ranks : {1, 2, 3, 7, 16}) {
    // Fewer elements than ranks, and more than fit in one piece.
    for (const int64_t length : {int64_t{0}, int64_t{1}, int64_t{5}, int64_t{1000}}) {
      compare<double>(ranks, length);
      compare<float>(ranks, length);
    }
  }
  compare<double>(3, 1200001);
  compare<float>(3, 1200001);
}

void bits_of_all_ranks_are_united(void**) {
  constexpr int ranks = 3;
  constexpr size_t length = 50;
  const auto bytes_of = [](int rank) {
    std::vector<unsigned char> bytes(length);
    for (size_t i = 0; i < length; ++i) bytes[i] = static_cast<unsigned char>((i * 7 + 13) << rank & 0xA5);
    return bytes;
  };
  const auto unions = on_ranks<std::vector<unsigned char>>(ranks, [&](Group& group) {
    RankSum sum;
    sum.reserve(group);
    std::vector<unsigned char> bytes = bytes_of(group.rank());
    sum.unite(group, bytes.data(), length);
    return bytes;
  });
  for (const auto& all : unions) {
    for (size_t i = 0; i < length; ++i) assert_int_equal(all[i], bytes_of(0)[i] | bytes_of(1)[i] | bytes_of(2)[i]);
  }
}

/// Bytes sent: first everything but the rank's own share, then the sums of its own share to each other rank.
void bytes_to_others_are_counted(void**) {
  const auto bytes = on_ranks<int64_t>(4, [](Group& group) {
    RankSum sum;
    sum.reserve(group);
    std::vector<float> numbers(1000);
    sum.sum(group, numbers.data(), 1000);
    return group.bytes_sent();
  });
  for (const int64_t sent : bytes) assert_int_equal(sent, 2 * 3 * 250 * 4);
}

void numbers_and_bytes_are_gathered_in_order(void**) {
  const auto all = on_ranks<char>(3, [](Group& group) {
    const double own[] = {10.0 + group.rank(), 20.0 + group.rank()};
    bool good = group.gather(own, 2) == std::vector<double>{10, 20, 11, 21, 12, 22};
    const std::vector<char> bytes(static_cast<size_t>(2 * group.rank()), static_cast<char>('a' + group.rank()));
    const std::vector<std::vector<char>> gathered = group.gather(bytes);
    good = good && gathered == std::vector<std::vector<char>>{{}, {'b', 'b'}, {'c', 'c', 'c', 'c'}};
    return good ? 1 : 0;
  });
  for (const char good : all) assert_int_equal(good, 1);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_those_of_the_order_of_ranks),
      cmocka_unit_test(bits_of_all_ranks_are_united),
      cmocka_unit_test(bytes_to_others_are_counted),
      cmocka_unit_test(numbers_and_bytes_are_gathered_in_order),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
