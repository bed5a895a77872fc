#pragma once
// Shared by all calls that run an optimizer: the in-use mark, the callbacks, the report.

#include <string>

#include "api/handles.h"
#include "api/structs.h"

namespace vtemper::api {

/// Keeps the report for the model's note "ending", which is written later.
inline void keep_ending(const vtemper_optimizer& handle) {
  handle.model->last_report = handle.optimizer->report();
  handle.model->report_is_new = handle.model->last_report.iteration > 0;
}

/// Marks an optimizer, its model and the data of a step as in use, so that callbacks cannot change them. An optimizer
/// destroyed meanwhile is deleted at the end.
class Running {
 public:
  Running(vtemper_optimizer& optimizer, SharedData* batch) : optimizer_(optimizer), batch_(batch) {
    require_stopped(optimizer);
    if (optimizer.model->running.exchange(true)) {
      throw Error(VTEMPER_ERROR_STATE, "another optimizer is running on this model");
    }
    optimizer.running = true;
    if (optimizer.data) ++optimizer.data->running;
    if (batch != nullptr) ++batch->running;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (batch_ != nullptr) --batch_->running;
    if (optimizer_.data) --optimizer_.data->running;
    optimizer_.running = false;
    keep_ending(optimizer_);
    optimizer_.model->running = false;
    if (optimizer_.ends_after_run) delete &optimizer_;
  }

  static void require_stopped(const vtemper_optimizer& optimizer) {
    if (!optimizer.running) return;
    throw Error(VTEMPER_ERROR_STATE,
                "the optimizer is running: its monitor may only call functions that take const handles");
  }

 private:
  vtemper_optimizer& optimizer_;
  SharedData* batch_;
};

inline vtemper_report report_of(const vtemper_optimizer& handle) {
  return handle.optimizer->report();
}

// The callbacks capture a single pointer, so std::function stores them without allocating.

inline ReportMonitor monitor_of(const vtemper_optimizer& handle) {
  if (handle.monitor == nullptr) return nullptr;
  return [caller = &handle](const vtemper_report& report) {
    vtemper_report copy = report;
    copy.struct_size = sizeof copy;
    return caller->monitor(&copy, caller->monitor_user) != 0;
  };
}

inline MessageSink messages_of(const vtemper_optimizer& handle) {
  if (handle.message == nullptr) return nullptr;
  return [caller = &handle](int level, const std::string& text) {
    caller->message(level, text.c_str(), caller->message_user);
  };
}

/// Validates an optional report argument before any work is done.
inline void require_report(const vtemper_report* report) {
  if (report != nullptr) require_struct(report, "report");
}

inline void give_report(const vtemper_optimizer& handle, vtemper_report* report) {
  if (report != nullptr) write_struct(report_of(handle), report);
}

}  // namespace vtemper::api
