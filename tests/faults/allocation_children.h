/* Runs a scenario in a child process that has never called the library, with its n-th allocation failing, or all from
 * the n-th on: blocks (failing_memory.h) and anonymous mappings, of all threads. The child then runs it again with
 * memory: the result must be that of an undisturbed process, and so must be the number of blocks and mappings that
 * are left, since what the library keeps exists by then. */
#ifndef VTEMPER_TESTS_ALLOCATION_CHILDREN_H
#define VTEMPER_TESTS_ALLOCATION_CHILDREN_H

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vtemper/vtemper.h>

#include "failing_memory.h"

/** Mappings that exist, and anonymous ones asked for. */
static atomic_long mappings_live, mappings_asked;
/** Numbers of the allocations that are the first anonymous mappings. */
enum { max_places = 4 };
static atomic_long mapping_places[max_places];

#if VTEMPER_OWN_MALLOC

typedef void* mapping_function(void* address, size_t size, int protection, int flags, int descriptor, off_t offset);
typedef int unmapping_function(void* address, size_t size);
typedef void* opening_function(const char* name, int mode);

/** The C library's function of that name, which the program's own hides. */
static void find_hidden(const char* name, void* function) {
  void* const found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

void* mmap(void* address, size_t size, int protection, int flags, int descriptor, off_t offset) {
  static mapping_function* map;
  if (map == NULL) find_hidden("mmap", &map);
  if ((flags & MAP_ANONYMOUS) != 0) {
    const long asked = atomic_fetch_add(&mappings_asked, 1);
    if (asked < max_places) atomic_store(&mapping_places[asked], atomic_load(&memory_calls) + 1);
    if (memory_fails()) return MAP_FAILED;
  }
  void* const made = map(address, size, protection, flags, descriptor, offset);
  if (made != MAP_FAILED) atomic_fetch_add(&mappings_live, 1);
  return made;
}

int munmap(void* address, size_t size) {
  static unmapping_function* unmap;
  if (unmap == NULL) find_hidden("munmap", &unmap);
  const int status = unmap(address, size);
  if (status == 0) atomic_fetch_sub(&mappings_live, 1);
  return status;
}

/** Writes nothing to the disk, for speed. */
int fsync(int file) {
  return fcntl(file, F_GETFD) < 0 ? -1 : 0;
}

/** One allocation that may fail. Those within the call do not: where one fails, what libopenblas.so.0 needs
 * (libgfortran) ends the process while it is loaded. */
void* dlopen(const char* name, int mode) {
  static opening_function* open_hidden;
  if (open_hidden == NULL) find_hidden("dlopen", &open_hidden);
  if (memory_fails()) return NULL;
  const long fails_at = atomic_exchange(&memory_fails_at, 0);
  void* const library = open_hidden(name, mode);
  atomic_store(&memory_fails_at, fails_at);
  return library;
}

#endif

/** Everything that a scenario makes, and a checksum of what it reads. */
typedef struct handles {
  vtemper_options* options[4];
  vtemper_data* data[6];
  vtemper_model* model[3];
  vtemper_optimizer* optimizer[2];
  vtemper_group* group[2];
  uint64_t checksum;
} handles;

typedef struct scenario {
  const char* name;
  vtemper_status (*run)(handles* made, const struct scenario* of);
  const char *kind, *method; /* or the name of a file and its format */
  const char* threads;
  bool may_fall_back; /* to another result, which says so */
} scenario;

enum { max_functions = 200, max_pairs = 400, name_size = 64 };

/** What a child tells its parent, in memory that they share. */
typedef struct findings {
  long calls;              /* allocations of the first run */
  long mappings;           /* anonymous mappings among them */
  long places[max_places]; /* of the first of these among the allocations */
  uint64_t checksum;
  long blocks_kept, mappings_kept; /* after both runs */
  long threads;                    /* of the process at its end */
  char text[512];                  /* what went wrong, or the message of the refusal */
  bool is_called[max_functions];
  int pairs, refused_pairs; /* the kinds and the methods that they accept */
  char kind[max_pairs][name_size], method[max_pairs][name_size];
} findings;

static findings* found; /* shared */

/** Names of the library's functions, and whether this process notes which are called. */
static char functions[max_functions][name_size];
static int function_count;
static bool is_noting;

static void note_call(const char* call) {
  if (!is_noting) return;
  const size_t length = strcspn(call, "(");
  for (int i = 0; i < function_count; ++i) {
    if (strncmp(functions[i], call, length) == 0 && functions[i][length] == '\0') found->is_called[i] = true;
  }
}

/** The call, of which a note is made. */
#define CALLED(call) (note_call(#call), (call))

#define TRY(call)                                    \
  do {                                               \
    const vtemper_status try_status = CALLED(call);  \
    if (try_status != VTEMPER_OK) return try_status; \
  } while (0)

/** The folder of the inputs, and the one that a scenario writes to. */
static char folder[64], written[80];

static const char* const outputs[] = {"model", "checkpoint", "data"};
enum { output_count = sizeof outputs / sizeof *outputs };

static const char* output(int number) {
  static char paths[output_count][160];
  snprintf(paths[number], sizeof paths[number], "%s/%s", written, outputs[number]);
  return paths[number];
}

static void remove_outputs(void) {
  for (int i = 0; i < output_count; ++i) unlink(output(i));
}

/** Removes what is in the folder of outputs, and returns the number of files. */
static int empty_outputs(void) {
  int count = 0;
  DIR* const entries = opendir(written);
  if (entries == NULL) return -1;
  for (const struct dirent* entry; (entry = readdir(entries)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    unlinkat(dirfd(entries), entry->d_name, 0);
    ++count;
  }
  closedir(entries);
  return count;
}

static void release(handles* made) {
  for (size_t i = 0; i < sizeof made->options / sizeof *made->options; ++i) {
    CALLED(vtemper_options_destroy(made->options[i]));
  }
  for (size_t i = 0; i < sizeof made->data / sizeof *made->data; ++i) CALLED(vtemper_data_destroy(made->data[i]));
  for (size_t i = 0; i < sizeof made->model / sizeof *made->model; ++i) CALLED(vtemper_model_destroy(made->model[i]));
  for (size_t i = 0; i < sizeof made->optimizer / sizeof *made->optimizer; ++i) {
    CALLED(vtemper_optimizer_destroy(made->optimizer[i]));
  }
  for (size_t i = 0; i < sizeof made->group / sizeof *made->group; ++i) CALLED(vtemper_group_destroy(made->group[i]));
}

/** How a child ends. */
typedef enum verdict { succeeded = 10, refused = 11, wrong = 12 } verdict;

static long threads_of_process(void) {
  long count = 0;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == NULL) return 0;
  for (const struct dirent* task; (task = readdir(tasks)) != NULL;) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/** One run whose `at`-th allocation fails (0: none) and, if `ever`, all later ones. */
static vtemper_status run_once(const scenario* of, long at, bool ever, uint64_t* checksum) {
  handles made;
  memset(&made, 0, sizeof made);
  made.checksum = 14695981039346656037u;
  atomic_store(&mappings_asked, 0);
  atomic_store(&memory_fails_on, ever);
  atomic_store(&memory_calls, 0);
  atomic_store(&memory_fails_at, at);
  const vtemper_status status = of->run(&made, of);
  atomic_store(&memory_fails_at, 0);
  found->calls = atomic_load(&memory_calls);
  found->mappings = atomic_load(&mappings_asked);
  if (status != VTEMPER_OK) snprintf(found->text, sizeof found->text, "%s", vtemper_last_error());
  release(&made);
  *checksum = made.checksum;
  return status;
}

static verdict say(const char* what) {
  snprintf(found->text, sizeof found->text, "%s", what);
  return wrong;
}

/** The runs of a child. Of `undisturbed`, what must be equal; NULL in the undisturbed process itself. */
static verdict judge(const scenario* of, long at, bool ever, const findings* undisturbed) {
  uint64_t first = 0, second = 0;
  const long blocks = atomic_load(&memory_live), mappings = atomic_load(&mappings_live);
  const vtemper_status status = run_once(of, at, ever, &first);
  const long calls = found->calls, asked = found->mappings;
  for (int i = 0; i < max_places; ++i) found->places[i] = i < asked ? atomic_load(&mapping_places[i]) : 0;
  char text[sizeof found->text];
  memcpy(text, found->text, sizeof text);
  if (status != VTEMPER_OK && (at == 0 || status != VTEMPER_ERROR_MEMORY || strstr(text, "memory") == NULL)) {
    snprintf(found->text, sizeof found->text, "%s: %.400s", vtemper_status_name(status), text);
    return wrong;
  }
  if (undisturbed == NULL) run_once(of, 0, false, &second); /* how much is left after the second run */
  const long blocks_before = atomic_load(&memory_live);
  vtemper_status again = run_once(of, 0, false, &second);
  /* On a busy machine a team that did not pay off is tried again later: its threads belong to what is kept. */
  for (int tries = 0; undisturbed != NULL && again == VTEMPER_OK && tries < 40; ++tries) {
    if (threads_of_process() >= undisturbed->threads) break;
    usleep(20000);
    again = run_once(of, 0, false, &second);
  }
  if (again != VTEMPER_OK) {
    snprintf(found->text, sizeof found->text, "with memory: %s: %.400s", vtemper_status_name(again),
             vtemper_last_error());
    return wrong;
  }
  found->calls = calls;
  found->mappings = asked;
  found->checksum = second;
  found->blocks_kept = atomic_load(&memory_live) - blocks;
  found->mappings_kept = atomic_load(&mappings_live) - mappings;
  found->threads = threads_of_process();
  if (undisturbed == NULL) {
    if (first != second) return say("two runs differ");
    return atomic_load(&memory_live) == blocks_before ? succeeded : say("every run leaves blocks");
  }
  if (of->may_fall_back) return status == VTEMPER_OK ? succeeded : refused;
  if (status == VTEMPER_OK && first != undisturbed->checksum) return say("succeeded with another result");
  if (second != undisturbed->checksum) return say("another result afterwards");
  if (found->blocks_kept != undisturbed->blocks_kept || found->mappings_kept != undisturbed->mappings_kept) {
    snprintf(found->text, sizeof found->text, "%ld blocks and %ld mappings leaked: %.400s",
             found->blocks_kept - undisturbed->blocks_kept, found->mappings_kept - undisturbed->mappings_kept, text);
    return wrong;
  }
  return status == VTEMPER_OK ? succeeded : refused;
}

/** Forks, judges in the child, and returns its verdict; a signal, other status or file left is `wrong` too. */
static verdict run_child(const scenario* of, long at, bool ever, const findings* undisturbed) {
  static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS}; /* CMocka catches them */
  int state = 0;
  found->text[0] = '\0';
  fflush(NULL);
  const pid_t child = fork();
  if (child < 0) return say("no process could be started");
  if (child == 0) {
    for (size_t i = 0; i < sizeof caught / sizeof *caught; ++i) signal(caught[i], SIG_DFL);
    alarm(60);
    is_noting = undisturbed == NULL;
    const verdict mine = judge(of, at, ever, undisturbed);
    remove_outputs();
    _exit((int)mine);
  }
  if (waitpid(child, &state, 0) != child) return say("the process could not be awaited");
  const int left = empty_outputs();
  if (WIFSIGNALED(state)) {
    return say(WTERMSIG(state) == SIGALRM ? "did not end within 60 seconds" : strsignal(WTERMSIG(state)));
  }
  const int mine = WEXITSTATUS(state);
  if (mine != succeeded && mine != refused && mine != wrong) return say("ended the process");
  if (left != 0) return say("left a temporary file");
  return (verdict)mine;
}

#endif
