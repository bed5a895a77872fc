#include "models/normal_draws.h"

#include <algorithm>

#include "kernels/dispatch.h"
#include "models/random_words.h"

namespace vtemper {

template <class Real>
void draw_normals(RandomStream& random, int64_t count, Real* out) {
  const auto& table = kernels::table<Real>();
  constexpr int64_t pairs_at_once = 64;
  uint32_t words[2 * pairs_at_once];
  alignas(64) Real numbers[2 * pairs_at_once];
  for (int64_t done = 0; done < count; done += 2 * pairs_at_once) {
    const int64_t wanted = std::min(count - done, 2 * pairs_at_once);
    const int64_t pairs = (wanted + 1) / 2;
    draw_words(random, 2 * pairs, words);
    table.normal_pairs(words, pairs, numbers);
    std::copy_n(numbers, wanted, out + done);
  }
}

template void draw_normals(RandomStream&, int64_t, float*);
template void draw_normals(RandomStream&, int64_t, double*);

}  // namespace vtemper
