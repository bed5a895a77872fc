#include "models/random_words.h"

#include "kernels/dispatch.h"

namespace vtemper {

void draw_words(RandomStream& random, int64_t count, uint32_t* out) {
  for (; count > 0 && random.left_in_block() > 0; --count) *out++ = random.bits();
  const int64_t blocks = count / 4;
  const RandomBlocks whole = random.pass_blocks(blocks);
  kernels::instruction_set().random_blocks(whole.key, whole.counter.data(), blocks, out);
  for (int64_t i = 4 * blocks; i < count; ++i) out[i] = random.bits();
}

}  // namespace vtemper
