/* A library for LD_PRELOAD: counts allocations, or calls on files, from the first line of main on, and makes the n-th
 * of them fail, or ends the process before it.
 *
 *   VTEMPER_FAULT=memory|calls  what is counted; "calls": open, fopen, fdopen, read, pread, preadv2, write, fsync,
 *                               linkat, rename, ftruncate, posix_fallocate, pwrite, sync_file_range, fchmod,
 *                               flock, close, and mmap of files
 *   VTEMPER_FAULT_AT=N          the call that fails, from 1; 0 or missing: none
 *   VTEMPER_FAULT_EVER=1        all after it fail as well
 *   VTEMPER_FAULT_NAMES=1       unnamed files (O_TMPFILE) are not supported, and blocks cannot be reserved
 *   VTEMPER_FAULT_UNLINK=1      unlink is one of the calls as well, which never fails: for signals before it
 *   VTEMPER_FAULT_WITH=...      calls: a number of errno, "short" (a write or read of one byte) or "signal:N"
 *                               (sent to the process itself before the call, which is then done)
 *   VTEMPER_FAULT_COUNT=FILE    receives the number of calls as 8 bytes, however the process ends
 *   VTEMPER_FAULT_LOG=FILE      receives what was done to files that are written, for a replay (one line a call)
 *
 * Streams of stdio use the functions of this library as well: those of the C library would bypass them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

enum { NOTHING, MEMORY, CALLS };
enum { SHORT = -1, SIGNAL = -2 };
static int sent = 0; /* the signal of SIGNAL */

static int counted = NOTHING;
static long fails_at = 0;
static int fails_ever = 0;
static int all_have_names = 0; /* as on a file system without unnamed files and posix_fallocate */
static int unlink_counts = 0;
static int fails_with = EIO;
static atomic_long own_count;
static atomic_long* count = &own_count;
static int record = -1;
static __thread int inside = 0; /* calls of this library itself are not counted */

/* Whether this call is the one that fails. */
static int fails(int kind) {
  if (counted != kind || inside) return 0;
  const long call = atomic_fetch_add(count, 1) + 1;
  if (fails_at == 0 || call < fails_at || (call > fails_at && !fails_ever)) return 0;
  if (kind == MEMORY || fails_with != SIGNAL) return 1;
  raise(sent);
  return 0;
}

/* ---- Memory ---- */

static int no_memory(void) {
  if (!fails(MEMORY)) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) {
  return no_memory() ? NULL : __libc_malloc(size);
}

void* calloc(size_t number, size_t size) {
  return no_memory() ? NULL : __libc_calloc(number, size);
}

void* realloc(void* block, size_t size) {
  return no_memory() ? NULL : __libc_realloc(block, size);
}

void* memalign(size_t alignment, size_t size) {
  return no_memory() ? NULL : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
  void* fresh = memalign(alignment, size);
  if (!fresh) return ENOMEM;
  *block = fresh;
  return 0;
}

/* ---- The record ---- */

static void tell(const char* format, ...) {
  if (record < 0) return;
  char line[8192];
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (length > 0) syscall(SYS_write, record, line, (size_t)length);
}

static void tell_bytes(int file, long at, const unsigned char* bytes, size_t size) {
  if (record < 0) return;
  tell("write %d %ld ", file, at);
  for (size_t i = 0; i < size; ++i) tell("%02x", bytes[i]);
  tell("\n");
}

/* ---- Calls ---- */

static int failed(void) {
  if (!fails(CALLS) || fails_with == SHORT) return 0;
  errno = fails_with;
  return 1;
}

static int open_by(const char* path, int flags, mode_t mode) {
  const int has_no_name = (flags & O_TMPFILE) == O_TMPFILE;
  if (has_no_name && all_have_names) {
    errno = EOPNOTSUPP;
    return -1;
  }
  if (failed()) return -1;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (file >= 0 && record >= 0 && !inside) {
    ++inside;
    tell("open %d %d %s\n", file, has_no_name ? 2 : (flags & O_ACCMODE) != O_RDONLY, path);
    --inside;
  }
  return file;
}

int open(const char* path, int flags, ...) {
  va_list values;
  va_start(values, flags);
  const mode_t mode = flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(values, mode_t) : 0;
  va_end(values);
  return open_by(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list values;
  va_start(values, flags);
  const mode_t mode = flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(values, mode_t) : 0;
  va_end(values);
  return open_by(path, flags | O_LARGEFILE, mode);
}

/* An interrupted or short call has an effect of its own, so these do not use failed(). */
ssize_t write(int file, const void* bytes, size_t size) {
  if (fails(CALLS)) {
    if (fails_with != SHORT) {
      errno = fails_with;
      return -1;
    }
    if (size > 1) size = 1;
  }
  const long at = record >= 0 ? (long)syscall(SYS_lseek, file, 0, SEEK_CUR) : 0;
  const ssize_t written = syscall(SYS_write, file, bytes, size);
  if (written > 0 && !inside) tell_bytes(file, at, bytes, (size_t)written);
  return written;
}

ssize_t read(int file, void* bytes, size_t size) {
  if (fails(CALLS)) {
    if (fails_with != SHORT) {
      errno = fails_with;
      return -1;
    }
    if (size > 1) size = 1;
  }
  return syscall(SYS_read, file, bytes, size);
}

ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  if (fails(CALLS)) {
    if (fails_with != SHORT) {
      errno = fails_with;
      return -1;
    }
    if (size > 1) size = 1;
  }
  return syscall(SYS_pread64, file, bytes, size, at);
}

/* Never of more than one range in this library. */
ssize_t preadv2(int file, const struct iovec* ranges, int count, off_t at, int flags) {
  struct iovec range = ranges[0];
  if (count == 1 && fails(CALLS)) {
    if (fails_with != SHORT) {
      errno = fails_with;
      return -1;
    }
    if (range.iov_len > 1) range.iov_len = 1;
    ranges = &range;
  }
  return syscall(SYS_preadv2, file, ranges, count, at, 0L, flags);
}

ssize_t preadv64v2(int file, const struct iovec* ranges, int count, off64_t at, int flags) {
  return preadv2(file, ranges, count, at, flags);
}

ssize_t pread64(int file, void* bytes, size_t size, off64_t at) {
  return pread(file, bytes, size, at);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  if (fails(CALLS)) {
    if (fails_with != SHORT) {
      errno = fails_with;
      return -1;
    }
    if (size > 1) size = 1;
  }
  return syscall(SYS_pwrite64, file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return pwrite(file, bytes, size, at);
}

/* Returns the error number instead of setting errno. */
int posix_fallocate(int file, off_t at, off_t size) {
  if (all_have_names) return EOPNOTSUPP;
  if (failed()) return errno;
  return syscall(SYS_fallocate, file, 0, at, size) == 0 ? 0 : errno;
}

int posix_fallocate64(int file, off64_t at, off64_t size) {
  return posix_fallocate(file, at, size);
}

int fsync(int file) {
  if (failed()) return -1;
  tell("sync %d\n", file);
  return (int)syscall(SYS_fsync, file);
}

int sync_file_range(int file, off_t at, off_t size, unsigned flags) {
  return failed() ? -1 : (int)syscall(SYS_sync_file_range, file, at, size, flags);
}

/* Called by the library: gives a name to an open unnamed file, addressed by its path in /proc. */
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (failed()) return -1;
  const int result = (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
  const char* slash = strrchr(from, '/');
  if (result == 0 && slash) tell("name %s %s\n", slash + 1, to);
  return result;
}

int rename(const char* from, const char* to) {
  if (failed()) return -1;
  const int result = (int)syscall(SYS_rename, from, to);
  if (result == 0) tell("rename %s\t%s\n", from, to);
  return result;
}

int unlink(const char* path) {
  if (unlink_counts) fails(CALLS);
  const int result = (int)syscall(SYS_unlink, path);
  if (result == 0) tell("unlink %s\n", path);
  return result;
}

int ftruncate(int file, off_t size) {
  return failed() ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

int fchmod(int file, mode_t mode) {
  return failed() ? -1 : (int)syscall(SYS_fchmod, file, mode);
}

int flock(int file, int operation) {
  return failed() ? -1 : (int)syscall(SYS_flock, file, operation);
}

int close(int file) {
  const int fault = failed();
  tell("close %d\n", file);
  const int result = (int)syscall(SYS_close, file); /* a failing close closes all the same */
  if (!fault) return result;
  errno = fails_with;
  return -1;
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t at) {
  if (file >= 0 && !(flags & MAP_ANONYMOUS) && failed()) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, address, size, protection, flags, file, at);
}

/* ---- Streams ---- */

enum { STREAMS = 64 };
static struct {
  FILE* stream;
  int file;
} streams[STREAMS];

static ssize_t stream_read(void* cookie, char* bytes, size_t size) {
  return read((int)(intptr_t)cookie, bytes, size);
}

/* Like the C library's: continues after a short write, does not retry after a failure. */
static ssize_t stream_write(void* cookie, const char* bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t written = write((int)(intptr_t)cookie, bytes + done, size - done);
    if (written < 0) return (ssize_t)done; /* fewer than requested: an error of the stream */
    done += (size_t)written;
  }
  return (ssize_t)done;
}

static int stream_seek(void* cookie, off64_t* at, int whence) {
  const off64_t result = (off64_t)syscall(SYS_lseek, (int)(intptr_t)cookie, *at, whence);
  if (result < 0) return -1;
  *at = result;
  return 0;
}

static int stream_close(void* cookie) {
  for (int i = 0; i < STREAMS; ++i) {
    if (streams[i].stream && streams[i].file == (int)(intptr_t)cookie) streams[i].stream = NULL;
  }
  return close((int)(intptr_t)cookie);
}

static FILE* stream_of(int file, const char* mode) {
  const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
  FILE* stream = fopencookie((void*)(intptr_t)file, mode, functions);
  if (!stream) return NULL;
  for (int i = 0; i < STREAMS; ++i) {
    if (streams[i].stream) continue;
    streams[i].stream = stream;
    streams[i].file = file;
    return stream;
  }
  abort(); /* more than this library keeps */
}

FILE* fdopen(int file, const char* mode) {
  return failed() ? NULL : stream_of(file, mode);
}

FILE* fopen(const char* path, const char* mode) {
  int flags = mode[0] == 'r'   ? O_RDONLY
              : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                               : O_WRONLY | O_CREAT | O_APPEND;
  if (strchr(mode, '+')) flags = (flags & ~O_ACCMODE) | O_RDWR;
  const int file = open_by(path, flags, 0666);
  if (file < 0) return NULL;
  FILE* stream = stream_of(file, mode);
  if (!stream) syscall(SYS_close, file);
  return stream;
}

FILE* fopen64(const char* path, const char* mode) {
  return fopen(path, mode);
}

int fileno(FILE* stream) {
  for (int i = 0; i < STREAMS; ++i) {
    if (streams[i].stream == stream) return streams[i].file;
  }
  return stream == stdin ? 0 : stream == stdout ? 1 : stream == stderr ? 2 : -1;
}

/* ---- Begin ---- */

static int (*real_main)(int, char**, char**);

static int counted_main(int argument_count, char** arguments, char** environment) {
  const char* kind = getenv("VTEMPER_FAULT");
  const char* with = getenv("VTEMPER_FAULT_WITH");
  const char* at = getenv("VTEMPER_FAULT_AT");
  const char* count_path = getenv("VTEMPER_FAULT_COUNT");
  const char* record_path = getenv("VTEMPER_FAULT_LOG");
  if (record_path) record = (int)syscall(SYS_openat, AT_FDCWD, record_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (count_path) {
    const int file = (int)syscall(SYS_openat, AT_FDCWD, count_path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || syscall(SYS_ftruncate, file, sizeof *count) != 0) abort();
    void* shared = (void*)syscall(SYS_mmap, NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) abort();
    count = shared;
    syscall(SYS_close, file);
  }
  if (with) fails_with = strcmp(with, "short") == 0 ? SHORT : strncmp(with, "signal:", 7) == 0 ? SIGNAL : atoi(with);
  if (fails_with == SIGNAL) sent = atoi(with + 7);
  fails_ever = getenv("VTEMPER_FAULT_EVER") != NULL;
  all_have_names = getenv("VTEMPER_FAULT_NAMES") != NULL;
  unlink_counts = getenv("VTEMPER_FAULT_UNLINK") != NULL;
  fails_at = at ? atol(at) : 0;
  if (kind && strcmp(kind, "calls") == 0) {
    FILE* own = stream_of(1, "w");
    if (!own) abort();
    stdout = own;
    counted = CALLS;
  } else if (kind) {
    counted = MEMORY;
  }
  return real_main(argument_count, arguments, environment);
}

int __libc_start_main(int (*main)(int, char**, char**), int argument_count, char** arguments, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void* stack_end) {
  int (*start)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start(counted_main, argument_count, arguments, init, fini, loader_fini, stack_end);
}
