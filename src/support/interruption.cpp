#include "support/interruption.h"

#include <chrono>

#include "support/error.h"

namespace vtemper {

namespace {

constexpr double seconds_between_questions = 0.05;

struct Question {
  int (*asked)(void* user) = nullptr;
  void* user = nullptr;
  int suspended = 0;
  std::chrono::steady_clock::time_point last;
};

thread_local Question question;

}  // namespace

void set_interruption(int (*asked)(void* user), void* user) {
  question.asked = asked;
  question.user = user;
  question.last = std::chrono::steady_clock::now();
}

bool interruption_wanted() {
  if (question.asked == nullptr || question.suspended > 0) return false;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - question.last).count() < seconds_between_questions) return false;
  const bool wanted = question.asked(question.user) != 0;
  question.last = std::chrono::steady_clock::now();
  return wanted;
}

void end_interrupted() {
  throw Error(VTEMPER_CANCELLED, "the caller's interrupt ended the call");
}

Uninterrupted::Uninterrupted() {
  ++question.suspended;
}

Uninterrupted::~Uninterrupted() {
  --question.suspended;
}

}  // namespace vtemper
