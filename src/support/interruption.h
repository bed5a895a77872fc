#pragma once
// The question that long calls put to their caller on the way: go on, or end here?

#include <chrono>

namespace vtemper {

/// The calling thread's question; NULL takes it away. Non-zero answers end the call.
void set_interruption(int (*asked)(void* user), void* user);

/// Puts the question, at most every twentieth of a second. False on threads that have none.
bool interruption_wanted();

/// Throws Error(CANCELLED).
[[noreturn]] void end_interrupted();

/// end_interrupted() where that is wanted; for loops on one thread.
inline void require_not_interrupted() {
  if (interruption_wanted()) end_interrupted();
}

/// The calling thread's work is to end, as if its caller wanted so, once the seconds have passed; 0: never. Lives on
/// the stack; the innermost one counts.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds);
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  ~TimeLimit();
  bool reached() const;

 private:
  std::chrono::steady_clock::time_point before_;  ///< the limit around this one
};

/// No question is put on this thread while one lives: for work that is done whole or not at all.
class Uninterrupted {
 public:
  Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  ~Uninterrupted();
};

}  // namespace vtemper
