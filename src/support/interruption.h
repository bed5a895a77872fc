#pragma once
// Cooperative cancellation: long calls poll a callback of the calling thread.

#include <atomic>
#include <chrono>

namespace vtemper {

/// Sets the calling thread's callback; NULL removes it. A non-zero result cancels the call.
void set_interruption(int (*asked)(void* user), void* user);

/// Polls the callback, at most every 50 ms. On other threads that work for the call, returns whether it was cancelled
/// (WorksFor).
bool interruption_wanted();

/// Whether the calling thread's TimeLimit has passed; does not poll the callback.
bool time_limit_reached();

/// Throws Error(CANCELLED).
[[noreturn]] void end_interrupted();

/// Throws Error(CANCELLED) if cancellation was requested; for loops on one thread, also within a parallel loop.
inline void require_not_interrupted() {
  if (interruption_wanted()) end_interrupted();
}

/// Cancels the calling thread's work once `seconds` have passed; 0: no limit. Lives on the stack; the innermost limit
/// applies.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds);
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  ~TimeLimit();
  bool reached() const;

 private:
  std::chrono::steady_clock::time_point before_;  ///< the enclosing limit
};

/// While alive, this thread works for a loop of another thread, which sets the flag when it is cancelled.
class WorksFor {
 public:
  explicit WorksFor(const std::atomic<bool>& cancelled);
  WorksFor(const WorksFor&) = delete;
  WorksFor& operator=(const WorksFor&) = delete;
  ~WorksFor();

 private:
  const std::atomic<bool>* before_;  ///< flag of the enclosing loop
};

/// Suspends polling on this thread while alive, for work that must not be left half done.
class Uninterrupted {
 public:
  Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  ~Uninterrupted();
};

}  // namespace vtemper
