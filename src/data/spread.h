#pragma once
// Work of ranks on their parts of a corpus.

#include <vector>

#include "data/data.h"
#include "group/group.h"

namespace vtemper {

/// The group of several ranks that the data are spread over; NULL where there is none.
inline Group* ranks_of(const Data* data) {
  return data != nullptr && data->group && data->group->ranks() > 1 ? data->group.get() : nullptr;
}

/// Work that no rank goes on from unless all have done it; alone where the data are not spread.
template <class Work>
void apart(const Data* data, Group::Section section, const Work& work) {
  Group* const group = ranks_of(data);
  if (group == nullptr) {
    work();
    return;
  }
  group->apart(section, [&] {
    work();
    return Group::Told{};
  });
}

/// A call of all ranks that may fail on one of them anywhere (Group::telling), with a last meeting named `end`.
template <class Work>
void telling(const Data* data, const char* end, const Work& work) {
  Group* const group = ranks_of(data);
  if (group == nullptr) {
    work();
    return;
  }
  group->telling([&] {
    work();
    group->apart({end, 0}, [] { return Group::Told{}; });
  });
}

/// Rows of spread data that ranks send one another, as each receives them: those that rank 0 sends it first, and so
/// on. `to`: [ranks] of the own rows those for each rank. Collective.
DataPointer data_travel(const Data& spread, const std::vector<std::vector<int64_t>>& to);

}  // namespace vtemper
