// Groups of ranks, and data that are spread over them.

#include "group/group.h"

#include "api/borrowed.h"
#include "api/guard.h"
#include "api/handles.h"

namespace vtemper::api {
namespace {

/// A group, and the release hook of its host, which is called when the last reference is released.
struct HeldGroup {
  Borrowed connection;
  Group group;
};

}  // namespace
}  // namespace vtemper::api

using namespace vtemper::api;
using vtemper::Error;
using vtemper::Group;
using vtemper::message;

vtemper_status vtemper_group_create(int32_t rank, int32_t ranks, vtemper_reduce reduce, vtemper_exchange exchange,
                                    vtemper_release release, void* user, vtemper_group** group) {
  return guard([&] {
    constexpr int32_t max_ranks = 1 << 20;  // some numbers per rank are held in memory
    if (ranks < 1 || ranks > max_ranks) {
      throw Error(VTEMPER_ERROR_ARGUMENT,
                  message("argument ranks is ", ranks, "; a group has 1 to ", max_ranks, " of them"));
    }
    if (rank < 0 || rank >= ranks) {
      throw Error(VTEMPER_ERROR_ARGUMENT,
                  message("argument rank is ", rank, "; the ranks of this group are 0 to ", ranks - 1));
    }
    for (const auto& [missing, name] : {std::pair(reduce == nullptr, "reduce"), {exchange == nullptr, "exchange"}}) {
      if (ranks == 1 || !missing) continue;
      throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", name, " is NULL; only a group of one rank has none"));
    }
    require(group, "group");
    auto handle = std::make_unique<vtemper_group>();
    const Group::Connection connection = {reduce, exchange, user};
    const auto held = std::shared_ptr<HeldGroup>(new HeldGroup{{release, user}, {rank, ranks, connection}});
    handle->group = {held, &held->group};
    held->connection.arm();
    *group = handle.release();
  });
}

vtemper_status vtemper_group_share(const vtemper_group* group, vtemper_group** same) {
  return guard([&] {
    const vtemper_group& held = require_handle(group, "group");
    require(same, "same");
    auto handle = std::make_unique<vtemper_group>();
    handle->group = held.group;
    *same = handle.release();
  });
}

void vtemper_group_destroy(vtemper_group* group) {
  if (group != nullptr && group->tag) delete group;
}

vtemper_status vtemper_group_rank(const vtemper_group* group, int32_t* rank, int32_t* ranks) {
  return guard([&] {
    const Group& held = *require_handle(group, "group").group;
    if (rank != nullptr) *rank = held.rank();
    if (ranks != nullptr) *ranks = held.ranks();
  });
}

vtemper_status vtemper_data_spread(const vtemper_data* own, vtemper_group* group, vtemper_data** spread) {
  return guard([&] {
    const std::shared_ptr<Group>& ranks = require_handle(group, "group").group;
    decltype(data_handle(nullptr)) made;
    ranks->propagate_failures([&] {
      const vtemper::Data& held = require_handle(own, "own").get();
      require(spread, "spread");
      made = data_handle(vtemper::data_spread(held, ranks));
      ranks->run_locally({"the end of vtemper_data_spread", 0}, [] { return Group::Told{}; });
    });
    *spread = made.release();
  });
}
