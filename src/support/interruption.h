#pragma once
// Cooperative cancellation: long calls poll a callback of the calling thread.

#include <chrono>

namespace vtemper {

/// Sets the calling thread's callback; NULL removes it. A non-zero result cancels the call.
void set_interruption(int (*asked)(void* user), void* user);

/// Polls the callback, at most every 50 ms. False on threads without a callback.
bool interruption_wanted();

/// Throws Error(CANCELLED).
[[noreturn]] void end_interrupted();

/// Throws Error(CANCELLED) if cancellation was requested; for single-threaded loops.
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

/// Suspends polling on this thread while alive, for work that must not be left half done.
class Uninterrupted {
 public:
  Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  ~Uninterrupted();
};

}  // namespace vtemper
