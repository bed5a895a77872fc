/* Every function of the library, every kind of model with every method that it accepts, files of every format, and
 * threads: the n-th allocation fails, alone or with all later ones, in a process that has not called the library
 * before. Blocks and anonymous mappings of all threads count. The call is refused with MEMORY and a message, or it
 * succeeds with the result of an undisturbed process; nothing is leaked, no file is left, and the same calls succeed
 * afterwards.
 *
 * VTEMPER_FAULTS=all fails every single allocation in both ways; without it some of them, the first ones and evenly
 * spaced. The counts are printed. */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <sys/resource.h>

#include "../api/fixtures.h"
#include "allocation_fits.h"

/** Scenarios that are not of a kind and a method. */
static const scenario functions_of[] = {
    {"describe", describe, NULL, NULL, "1", false},
    {"build", describe_build, NULL, NULL, "1", true},
    {"options", set_options, NULL, NULL, "1", false},
    {"names, texts and notes", attach, NULL, NULL, "1", false},
    {"borrowed arrays", borrow, NULL, NULL, "1", false},
    {"rows divided", divide, NULL, NULL, "1", false},
    {"counts divided", split_counts, NULL, NULL, "1", false},
    {"a mapped file", write_and_map, NULL, NULL, "1", false},
    {"a group", spread, "lda", NULL, "1", false},
    {"a model", use_model, "lda", NULL, "1", false},
    {"words", look_at_words, "lda", NULL, "1", false},
    {"a run", run_to_the_end, "lda", NULL, "1", false},
    {"quantities", use_quantities, "lda", "tempering", "1", false},
    {"halves of a step", step_by_halves, "lda", "svi", "1", false},
    {"buffers", use_buffers, "lda", NULL, "1", false},
    {"topics in a file", fit_in_folder, "lda", "svi", "1", false},
    {"a group, 2 threads", spread, "lda", NULL, "2", false},
    {"words, 2 threads", look_at_words, "lda", NULL, "2", false},
    {"a run, 2 threads", run_to_the_end, "lda", NULL, "2", false},
};

static scenario all[600];
static char names[600][3 * name_size];
static int scenarios;
static findings* undisturbed;
static int with_threads;
static long calls, mappings, runs, refusals, successes, failures;
static bool is_called[max_functions];

static void add(const scenario* more) {
  assert_true(scenarios < (int)(sizeof all / sizeof *all));
  all[scenarios++] = *more;
}

static void add_named(vtemper_status (*run)(handles*, const scenario*), const char* what, const char* kind,
                      const char* method, const char* threads) {
  snprintf(names[scenarios], sizeof names[scenarios], "%s %s %s, %s threads", what, kind, method ? method : "",
           threads);
  const scenario more = {names[scenarios], run, kind, method, threads, false};
  add(&more);
}

static bool every_one(void) {
  const char* const wanted = getenv("VTEMPER_FAULTS");
  return wanted != NULL && strcmp(wanted, "all") == 0;
}

static void report_failure(const scenario* of, long at, bool ever) {
  ++failures;
  print_error("%s, allocation %ld of %ld%s: %s\n", of->name, at, undisturbed->calls,
              ever ? " and all later ones" : "", found->text);
}

static void fail_at(const scenario* of, long at, bool ever) {
  const verdict ended = run_child(of, at, ever, undisturbed);
  ++runs;
  refusals += ended == refused;
  successes += ended == succeeded;
  if (ended == wrong) report_failure(of, at, ever);
}

/** The scenario undisturbed, which notes the functions that it calls, and with failing allocations. */
static void sweep(const scenario* of, long places, int turn) {
  const verdict ended = run_child(of, 0, false, NULL);
  memcpy(undisturbed, found, sizeof *found);
  if (ended != succeeded) {
    report_failure(of, 0, false);
    return;
  }
  calls += undisturbed->calls;
  mappings += undisturbed->mappings;
  for (int i = 0; i < function_count; ++i) is_called[i] = is_called[i] || undisturbed->is_called[i];
  with_threads += undisturbed->threads > 1;
  const long first = places / 4;
  for (long at = 1, tried = 0; at <= undisturbed->calls; ++tried) {
    const bool ever = (tried + turn) % 2 != 0;
    fail_at(of, at, ever);
    if (every_one()) fail_at(of, at, !ever);
    const long step = (undisturbed->calls - first) / (places - first) + 1;
    at += every_one() || at < first ? 1 : 1 + (at * 7 + turn) % (2 * step - 1); /* on average `step` */
  }
  /* A thread is started around a mapping, which tests the space for it, by few allocations. */
  for (int i = 0; i < max_places && undisturbed->places[i] > 0 && !every_one(); ++i) {
    for (long beside = -1; beside <= 2; ++beside) fail_at(of, undisturbed->places[i] + beside, beside == 0);
    fail_at(of, undisturbed->places[i], false);
  }
}

static int take_path(struct dl_phdr_info* object, size_t size, void* path) {
  (void)size;
  if (strstr(object->dlpi_name, "/libvtemper.so") == NULL) return 0;
  snprintf(path, 1024, "%s", object->dlpi_name);
  return 1;
}

/** The names of the functions that the loaded library exports, from its table of dynamic symbols. */
static void list_functions(void) {
  char path[1024];
  struct stat status;
  assert_int_equal(dl_iterate_phdr(take_path, path), 1);
  FILE* const file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fstat(fileno(file), &status), 0);
  char* const bytes = malloc((size_t)status.st_size);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, (size_t)status.st_size, file), status.st_size);
  fclose(file);
  ElfW(Ehdr) header;
  memcpy(&header, bytes, sizeof header);
  for (int i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) section, text;
    memcpy(&section, bytes + header.e_shoff + (size_t)i * sizeof section, sizeof section);
    if (section.sh_type != SHT_DYNSYM) continue;
    memcpy(&text, bytes + header.e_shoff + section.sh_link * sizeof text, sizeof text);
    for (size_t at = 0; at < section.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      memcpy(&symbol, bytes + section.sh_offset + at, sizeof symbol);
      const char* const name = bytes + text.sh_offset + symbol.st_name;
      if (symbol.st_shndx == SHN_UNDEF || (symbol.st_info & 15) != STT_FUNC || strncmp(name, "vtemper_", 8) != 0)
        continue;
      assert_true(function_count < max_functions && strlen(name) < name_size);
      memcpy(functions[function_count++], name, strlen(name) + 1);
    }
  }
  free(bytes);
}

static void list_scenarios(void) {
  for (size_t i = 0; i < sizeof functions_of / sizeof *functions_of; ++i) add(&functions_of[i]);
  for (int i = 0; i < input_count; ++i) {
    add_named(read_file, "file", inputs[i].name, inputs[i].format, "1");
  }
  const scenario finds = {"kinds and methods", find_pairs, NULL, NULL, "1", false};
  if (run_child(&finds, 0, false, NULL) != succeeded) fail_msg("kinds and methods: %s", found->text);
  findings* const pairs = malloc(sizeof *pairs);
  assert_non_null(pairs);
  memcpy(pairs, found, sizeof *pairs);
  static char kind[max_pairs][name_size], method[max_pairs][name_size];
  memcpy(kind, pairs->kind, sizeof kind);
  memcpy(method, pairs->method, sizeof method);
  for (int i = 0; i < pairs->pairs; ++i) {
    add_named(fit_and_save, "fit", kind[i], method[i], "1");
    if (i > 0 && strcmp(kind[i], kind[i - 1]) == 0) continue;
    add_named(score, "scores of", kind[i], NULL, "1");
    add_named(score, "scores of", kind[i], NULL, "2");
    add_named(fit_and_save, "fit", kind[i], NULL, "2");
  }
  printf("%d kinds with methods, %d refused\n", pairs->pairs, pairs->refused_pairs);
  assert_true(pairs->pairs >= 40 && pairs->refused_pairs >= 5);
  free(pairs);
}

static void test_every_function(void** state) {
  (void)state;
  struct rusage used;
  list_functions();
  assert_true(function_count > 100);
  list_scenarios();
  for (int i = 0; i < scenarios; ++i) sweep(&all[i], all[i].run == fit_and_save ? 14 : 40, i);
  int called = 0;
  for (int i = 0; i < function_count; ++i) {
    called += is_called[i];
    if (!is_called[i]) print_error("no scenario calls %s\n", functions[i]);
  }
  getrusage(RUSAGE_CHILDREN, &used);
  printf("%d of %d functions called in %d scenarios, which make %ld allocations, %ld of them anonymous mappings\n",
         called, function_count, scenarios, calls, mappings);
  printf("%d scenarios start threads\n", with_threads);
  printf("%ld runs with a failing allocation: %ld refused, %ld succeeded without it, %ld wrong; %ld seconds\n", runs,
         refusals, successes, failures, (long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec));
  assert_int_equal(called, function_count);
  assert_true(with_threads >= 15);
  assert_true(mappings > 0 && refusals > 0 && successes > 0);
  assert_int_equal(failures, 0);
}

int main(void) {
  if (!can_fail_memory()) {
    puts("another malloc is in use (a sanitizer, valgrind)");
    return 77;
  }
  found = mmap(NULL, 2 * sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED || !write_inputs()) {
    puts("no memory, or no folder for files");
    return 1;
  }
  undisturbed = found + 1;
  setenv("VTEMPER_THREAD_OPERATIONS", "1", 1); /* small steps use threads too */
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_function)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return remove_inputs() ? failed : 1;
}
