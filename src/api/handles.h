#pragma once
// The handles. Their contents are reference-counted, so handles may be destroyed in any order. A magic number detects
// destroyed or foreign handles.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "api/arguments.h"
#include "data/data.h"
#include "group/group.h"
#include "inference/optimizer.h"
#include "models/model.h"
#include "support/options.h"

namespace vtemper::api {

/// First member of a handle, holding the magic number. Volatile, or the compiler would drop the store in the
/// destructor.
template <uint64_t word>
class HandleTag {
 public:
  HandleTag() = default;
  HandleTag(const HandleTag&) = delete;
  HandleTag& operator=(const HandleTag&) = delete;
  ~HandleTag() { word_ = 0; }
  explicit operator bool() const { return word_ == word; }

 private:
  volatile uint64_t word_ = word;
};

/// A model and its users; shared by all handles of the model.
struct SharedModel {
  explicit SharedModel(std::shared_ptr<Model> shared) : model(std::move(shared)) {}
  std::shared_ptr<Model> model;
  std::atomic<bool> running{false};                       ///< an optimizer is running on it
  std::atomic<int> optimizers{0};                         ///< number of optimizers that hold it
  std::map<std::string, std::string, std::less<>> notes;  ///< see vtemper_model_set_note; read by notes_of
  // The note "ending" is formatted when notes are read, because a step must not allocate.
  vtemper_report last_report{};  ///< of the most recent step
  bool report_is_new = false;    ///< the note "ending" is out of date
  std::mutex notes_mutex;
};

/// The notes of a model, including the one about its last fit.
const std::map<std::string, std::string, std::less<>>& notes_of(SharedModel& shared);

/// Data and its users; any number of fits may use it concurrently.
struct SharedData {
  explicit SharedData(DataPointer shared) : data(std::move(shared)) {}
  DataPointer data;
  std::atomic<int> running{0};
};

}  // namespace vtemper::api

struct vtemper_options {
  vtemper::api::HandleTag<0x736e6f6974706f31> tag;
  vtemper::Options set;
};

struct vtemper_data {
  vtemper::api::HandleTag<0x6174616474657631> tag;
  std::shared_ptr<vtemper::api::SharedData> shared;
  const vtemper::Data& get() const { return *shared->data; }
};

struct vtemper_group {
  vtemper::api::HandleTag<0x70756f7267767431> tag;
  std::shared_ptr<vtemper::Group> group;
};

struct vtemper_model {
  vtemper::api::HandleTag<0x6c65646f6d747631> tag;
  std::shared_ptr<vtemper::api::SharedModel> shared;
  vtemper::Model& get() const { return *shared->model; }
};

struct vtemper_optimizer {
  vtemper::api::HandleTag<0x657a696d6974706f> tag;
  std::shared_ptr<vtemper::api::SharedData> data;  ///< NULL if the caller feeds rows
  std::shared_ptr<vtemper::api::SharedModel> model;
  std::unique_ptr<vtemper::Optimizer> optimizer;
  vtemper_monitor monitor = nullptr;
  void* monitor_user = nullptr;
  vtemper_message message = nullptr;
  void* message_user = nullptr;
  std::atomic<bool> running{false};
  std::atomic<bool> ends_after_run{false};  ///< destroyed within its own monitor callback
  ~vtemper_optimizer() {
    if (model) --model->optimizers;
  }
};

namespace vtemper::api {

/// Validates a handle argument: not NULL, of the right kind, not destroyed (if its memory still shows it).
template <class Handle>
Handle& require_handle(Handle* handle, const char* argument) {
  require(handle, argument);
  if (!handle->tag) {
    throw Error(
        VTEMPER_ERROR_ARGUMENT,
        message("argument ", argument, " is not a live handle of its kind: it was destroyed, or is of another kind"));
  }
  return *handle;
}

/// The options behind an optional argument; empty if it is NULL.
inline const Options& set_of(const vtemper_options* options) {
  static const Options none;
  return options == nullptr ? none : require_handle(options, "options").set;
}

inline vtemper_options* new_options(Options set) {
  auto handle = std::make_unique<vtemper_options>();
  handle->set = std::move(set);
  return handle.release();
}

/// Creates a handle as the last step, after everything that can fail.
inline std::unique_ptr<vtemper_data> data_handle(DataPointer data) {
  auto handle = std::make_unique<vtemper_data>();
  handle->shared = std::make_shared<SharedData>(std::move(data));
  return handle;
}

inline std::unique_ptr<vtemper_model> model_handle(std::shared_ptr<SharedModel> shared) {
  auto handle = std::make_unique<vtemper_model>();
  handle->shared = std::move(shared);
  return handle;
}

/// Data that is not in use, so it may be changed.
inline Data& idle_data(vtemper_data* data, const char* action) {
  vtemper_data& handle = require_handle(data, "data");
  if (handle.shared->running > 0) {
    throw Error(VTEMPER_ERROR_STATE, message("the data cannot be ", action, " while an optimizer is running on it"));
  }
  return *handle.shared->data;
}

/// Refuses to change a model on which an optimizer is running.
inline void require_idle(const SharedModel& shared, const char* action) {
  if (!shared.running) return;
  throw Error(VTEMPER_ERROR_STATE, message("the model cannot be ", action, " while an optimizer is running on it"));
}

}  // namespace vtemper::api
