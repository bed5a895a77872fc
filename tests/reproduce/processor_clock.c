/* A library to be loaded before all others (LD_PRELOAD): the steady clock is the time that the process has had of the
 * processors. With one thread option time is then planned as on a machine that does nothing else. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
  return (int)syscall(SYS_clock_gettime, clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock, now);
}
