#pragma once
// Ends the program, with a sentence that names the case, when a case takes more of the processor than it may. Not by
// the clock: on a busy machine that would end what only waits for its turn. What waits without end is ended by ctest.

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace vtemper::test {

inline char running_case[512] = "";

inline void end_of_time(int) {
  const char text[] = "\na case takes more of the processor than it may: ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, running_case, std::strlen(running_case));
  (void)!write(2, "\n", 1);
  _exit(1);
}

/// Begins a case that may take so many seconds of the processor, on all threads together; 0: the last one is over.
inline void begin_case(const std::string& name, int seconds) {
  std::snprintf(running_case, sizeof running_case, "%s", name.c_str());
  signal(SIGPROF, end_of_time);
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

inline void end_cases() {
  begin_case("", 0);
}

}  // namespace vtemper::test
