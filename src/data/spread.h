#pragma once
// Work of ranks on their parts of a corpus.

#include "data/data.h"
#include "group/group.h"

namespace vtemper {

/// The group of several ranks that the data are spread over; NULL where there is none.
inline Group* ranks_of(const Data* data) {
  return data != nullptr && data->group && data->group->ranks() > 1 ? data->group.get() : nullptr;
}

/// Work that no rank goes on from unless all have done it; alone where the data are not spread.
template <class Work>
void apart(const Data* data, Group::Stretch stretch, const Work& work) {
  Group* const group = ranks_of(data);
  if (group == nullptr) {
    work();
    return;
  }
  group->apart(stretch, [&] {
    work();
    return Group::Told{};
  });
}

}  // namespace vtemper
