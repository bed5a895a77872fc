#pragma once
// An optimizer saved to memory and loaded again.

#include <memory>
#include <vector>

#include "inference/optimizer.h"
#include "storage/container.h"

namespace vtemper::test {

inline std::unique_ptr<Optimizer> through_checkpoint(const Optimizer& saved, std::shared_ptr<const Data> data) {
  ContainerWriter writer("test");
  saved.save(writer);
  std::vector<char> bytes(static_cast<size_t>(writer.size()));
  writer.write(bytes.data());
  return Optimizer::load(ContainerReader::open_buffer(bytes.data(), writer.size(), "test"), std::move(data));
}

}  // namespace vtemper::test
