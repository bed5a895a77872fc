#pragma once
// Arrays and groups that stay the host's.

#include <vtemper/vtemper.h>

namespace vtemper::api {

/// What a host lends: calls the release hook when the last holder lets go, unless the call that took it failed.
class Borrowed {
 public:
  Borrowed(vtemper_release release, void* user) : release_(release), user_(user) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    if (!armed_ || release_ == nullptr) return;
    try {
      release_(user_);
    } catch (...) {  // a host's exception has nowhere to go from here
    }
  }
  void arm() { armed_ = true; }

 private:
  vtemper_release release_;
  void* user_;
  bool armed_ = false;
};

}  // namespace vtemper::api
