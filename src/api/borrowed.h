#pragma once
// Arrays and groups that remain the property of the host.

#include <vtemper/vtemper.h>

namespace vtemper::api {

/// Memory or functions borrowed from the host: calls the release hook when the last owner releases them, unless the
/// call that borrowed them failed.
class Borrowed {
 public:
  Borrowed(vtemper_release release, void* user) : release_(release), user_(user) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    if (!armed_ || release_ == nullptr) return;
    try {
      release_(user_);
    } catch (...) {  // an exception of the host cannot be passed on from here
    }
  }
  void arm() { armed_ = true; }

 private:
  vtemper_release release_;
  void* user_;
  bool armed_ = false;
};

}  // namespace vtemper::api
