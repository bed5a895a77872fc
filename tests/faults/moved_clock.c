/* A library for LD_PRELOAD: the time of day jumps back and forth by hours and years from one query to the next, as if
 * somebody set it. The steady clock is unchanged. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long jump(void) {
  static atomic_uint asked = 0;
  static const long seconds[] = {0, 5 * 3600, -3 * 3600, 400L * 24 * 3600, -7, -2 * 3600, 3600, -9000L * 24 * 3600};
  return seconds[atomic_fetch_add(&asked, 1) % (sizeof seconds / sizeof seconds[0])];
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int result = (int)syscall(SYS_clock_gettime, clock, now);
  const int is_time_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  if (result == 0 && is_time_of_day) now->tv_sec += jump();
  return result;
}

int timespec_get(struct timespec* now, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

int gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  struct timespec exact;
  if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
