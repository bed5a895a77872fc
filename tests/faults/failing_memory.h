/* Counts allocations of the whole process, and makes the chosen ones fail.
 *
 * The program defines malloc and its kin itself, so that every library's calls come here (operator new included,
 * which calls malloc); memory comes from the C library's own entry points. Sanitizers and valgrind bring their own
 * malloc, so a program built or run with them cannot do this: can_fail_memory() tells. */
#ifndef VTEMPER_TESTS_FAILING_MEMORY_H
#define VTEMPER_TESTS_FAILING_MEMORY_H

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define VTEMPER_OWN_MALLOC 0
#else
#define VTEMPER_OWN_MALLOC 1
#endif

/** Blocks that are allocated and not freed. */
static atomic_long memory_live;
/** Allocations and reallocations asked for since it was set to 0. */
static atomic_long memory_calls;
/** The number of the call that fails, from 1; 0: none. */
static atomic_long memory_fails_at;
/** 1: all calls after that one fail as well. */
static atomic_int memory_fails_on;

#if VTEMPER_OWN_MALLOC

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* block);

static int memory_fails(void) {
  const long call = atomic_fetch_add(&memory_calls, 1) + 1;
  const long at = atomic_load(&memory_fails_at);
  if (at == 0 || call < at || (call > at && !atomic_load(&memory_fails_on))) return 0;
  errno = ENOMEM;
  return 1;
}

static void* memory_counted(void* block) {
  if (block != NULL) atomic_fetch_add(&memory_live, 1);
  return block;
}

void* malloc(size_t size) {
  return memory_fails() ? NULL : memory_counted(__libc_malloc(size));
}

void* calloc(size_t count, size_t size) {
  return memory_fails() ? NULL : memory_counted(__libc_calloc(count, size));
}

void* realloc(void* block, size_t size) {
  if (memory_fails()) return NULL;
  void* fresh = __libc_realloc(block, size);
  if (block == NULL) return memory_counted(fresh);
  if (size == 0 && fresh == NULL) atomic_fetch_sub(&memory_live, 1);
  return fresh;
}

void* memalign(size_t alignment, size_t size) {
  return memory_fails() ? NULL : memory_counted(__libc_memalign(alignment, size));
}

void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
  void* fresh = memalign(alignment, size);
  if (fresh == NULL) return ENOMEM;
  *block = fresh;
  return 0;
}

void free(void* block) {
  if (block == NULL) return;
  atomic_fetch_sub(&memory_live, 1);
  __libc_free(block);
}

#endif

/** Whether this program's malloc is the one in use. */
static inline int can_fail_memory(void) {
#if VTEMPER_OWN_MALLOC
  const long before = atomic_load(&memory_calls);
  void* volatile block = malloc(1);
  free(block);
  return atomic_load(&memory_calls) > before;
#else
  (void)memory_live, (void)memory_calls, (void)memory_fails_at, (void)memory_fails_on;
  return 0;
#endif
}

#endif
