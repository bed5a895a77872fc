#pragma once

#include <time.h>

#include <vtemper/vtemper.h>

/// Interrupts calls of the library after a limit of CPU time: hostile or large numbers may rightly make a call long,
/// but that tests nothing.
class Interruption {
 public:
  Interruption() { vtemper_set_interrupt(is_over, &end_); }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption() { vtemper_set_interrupt(nullptr, nullptr); }

 private:
  static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  static int is_over(void* end) { return now() > *static_cast<double*>(end); }
  double end_ = now() + 0.3;
};
