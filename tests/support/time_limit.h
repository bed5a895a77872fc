#pragma once
// Ends the program, with a message that names the case, when a case exceeds its CPU time. CPU time instead of wall
// time, because on a busy machine a case may only be waiting for a processor; ctest ends waits that never end.

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

/// Begins a case with a limit in seconds of CPU time, over all threads; 0: ends the last case.
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

/// VTEMPER_TORTURE=N: suites that go through many cases take N times as many.
inline int64_t torture_times() {
  const char* text = std::getenv("VTEMPER_TORTURE");
  return text ? std::max<int64_t>(1, std::strtoll(text, nullptr, 10)) : 1;
}

}  // namespace vtemper::test
