#pragma once
// The library's only exception type: a status and the message that vtemper_last_error returns.

#include <stdexcept>
#include <string>

#include <vtemper/vtemper.h>

namespace vtemper {

class Error : public std::runtime_error {
 public:
  Error(vtemper_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  vtemper_status status() const { return status_; }

 private:
  vtemper_status status_;
};

}  // namespace vtemper
