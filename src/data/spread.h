#pragma once
// Work of the ranks of a group on their parts of a corpus.

#include <vector>

#include "data/data.h"
#include "group/group.h"

namespace vtemper {

/// The group that the data are spread over, if it has several ranks; otherwise NULL.
inline Group* ranks_of(const Data* data) {
  return data != nullptr && data->group && data->group->ranks() > 1 ? data->group.get() : nullptr;
}

/// Work after which a rank continues only if it succeeded on all of them (Group::run_locally); an ordinary call if
/// the data are not spread.
template <class Work>
void run_locally(const Data* data, Group::Section section, const Work& work) {
  Group* const group = ranks_of(data);
  if (group == nullptr) {
    work();
    return;
  }
  group->run_locally(section, [&] {
    work();
    return Group::Told{};
  });
}

/// A call of all ranks that may fail anywhere on one of them (Group::propagate_failures). `end` names its final
/// synchronisation.
template <class Work>
void propagate_failures(const Data* data, const char* end, const Work& work) {
  Group* const group = ranks_of(data);
  if (group == nullptr) {
    work();
    return;
  }
  group->propagate_failures([&] {
    work();
    group->run_locally({end, 0}, [] { return Group::Told{}; });
  });
}

/// Sends rows of spread data between ranks. Returns the rows that this rank received, in the order of the ranks that
/// sent them. `to`: [ranks] the rows of this rank to send to each rank. Collective.
DataPointer data_travel(const Data& spread, const std::vector<std::vector<int64_t>>& to);

}  // namespace vtemper
