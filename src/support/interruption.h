#pragma once
// The question that long calls put to their caller on the way: go on, or end here?

namespace vtemper {

/// The calling thread's question; NULL takes it away. Non-zero answers end the call.
void set_interruption(int (*asked)(void* user), void* user);

/// Puts the question, at most every twentieth of a second. False on threads that have none.
bool interruption_wanted();

/// Throws Error(CANCELLED).
[[noreturn]] void end_interrupted();

/// No question is put on this thread while one lives: for work that is done whole or not at all.
class Uninterrupted {
 public:
  Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  ~Uninterrupted();
};

}  // namespace vtemper
