#include "support/interruption.h"

#include <chrono>

#include "support/error.h"

namespace vtemper {

namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr double seconds_between_questions = 0.05;
constexpr Time no_limit = Time::max();

struct Question {
  int (*asked)(void* user) = nullptr;
  void* user = nullptr;
  int suspended = 0;
  Time last;
  Time limit = no_limit;
  const std::atomic<bool>* cancelled = nullptr;  ///< of the loop that this thread works for
};

thread_local Question question;

}  // namespace

void set_interruption(int (*asked)(void* user), void* user) {
  question.asked = asked;
  question.user = user;
  question.last = std::chrono::steady_clock::now();
}

bool interruption_wanted() {
  if (question.cancelled != nullptr && question.cancelled->load(std::memory_order_relaxed)) return true;
  const bool limited = question.limit != no_limit;
  if ((question.asked == nullptr && !limited) || question.suspended > 0) return false;
  const auto now = std::chrono::steady_clock::now();
  if (limited && now >= question.limit) return true;
  if (question.asked == nullptr) return false;
  if (std::chrono::duration<double>(now - question.last).count() < seconds_between_questions) return false;
  const bool wanted = question.asked(question.user) != 0;
  question.last = std::chrono::steady_clock::now();
  return wanted;
}

bool time_limit_reached() {
  return question.limit != no_limit && question.suspended == 0 && std::chrono::steady_clock::now() >= question.limit;
}

void end_interrupted() {
  throw Error(VTEMPER_CANCELLED, "the caller's interrupt ended the call");
}

TimeLimit::TimeLimit(double seconds) : before_(question.limit) {
  constexpr double longest = 1e9;  // larger values could overflow the clock's integer ticks
  if (!(seconds > 0) || seconds > longest) return;
  question.limit = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(seconds));
}

TimeLimit::~TimeLimit() {
  question.limit = before_;
}

bool TimeLimit::reached() const {
  return question.limit != no_limit && std::chrono::steady_clock::now() >= question.limit;
}

WorksFor::WorksFor(const std::atomic<bool>& cancelled) : before_(question.cancelled) {
  question.cancelled = &cancelled;
}

WorksFor::~WorksFor() {
  question.cancelled = before_;
}

Uninterrupted::Uninterrupted() {
  ++question.suspended;
}

Uninterrupted::~Uninterrupted() {
  --question.suspended;
}

}  // namespace vtemper
