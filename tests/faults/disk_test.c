/* A full disk, a missing folder, a read-only folder: IO with a message that names the path, no temporary file left
 * behind, and the old file is kept. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../api/fixtures.h"

typedef struct handles {
  vtemper_data* data;
  vtemper_model* model;
  vtemper_optimizer* optimizer;
  char folder[64];
} handles;

static int set_up(void** state) {
  handles* made = calloc(1, sizeof *made);
  made->data = corpus_data();
  made->model = lda_of(NULL);
  made->optimizer = optimizer_of(made->model, made->data, options_of("method", "vi", NULL));
  snprintf(made->folder, sizeof made->folder, "/tmp/vtemper-disk-XXXXXX");
  *state = made;
  return mkdtemp(made->folder) == NULL;
}

static int files_in(const char* path) {
  int count = 0;
  DIR* folder = opendir(path);
  assert_non_null(folder);
  for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    count += entry->d_name[0] != '.' || (entry->d_name[1] != '\0' && entry->d_name[1] != '.');
  }
  closedir(folder);
  return count;
}

static int tear_down(void** state) {
  handles* made = *state;
  vtemper_optimizer_destroy(made->optimizer);
  vtemper_model_destroy(made->model);
  vtemper_data_destroy(made->data);
  const int result = rmdir(made->folder);
  free(made);
  return result;
}

static void refuse_all(handles* with, const char* path) {
  REFUSED(VTEMPER_ERROR_IO, path, vtemper_model_save(with->model, path));
  REFUSED(VTEMPER_ERROR_IO, path, vtemper_optimizer_save(with->optimizer, path));
  REFUSED(VTEMPER_ERROR_IO, path, vtemper_data_write(with->data, path));
}

static void test_missing_folder(void** state) {
  handles* with = *state;
  char path[128];
  snprintf(path, sizeof path, "%s/missing/file", with->folder);
  refuse_all(with, path);
  refuse_all(with, "");
  snprintf(path, sizeof path, "%s/folder", with->folder);
  assert_int_equal(mkdir(path, 0700), 0);
  refuse_all(with, path);
  assert_int_equal(files_in(with->folder), 1);
  assert_int_equal(rmdir(path), 0);
}

static void test_devices(void** state) {
  handles* with = *state;
  if (access("/dev/full", W_OK) != 0) skip();
  const int before = files_in("/dev");
  refuse_all(with, "/dev/full");
  assert_int_equal(files_in("/dev"), before);
  struct stat status;
  assert_int_equal(stat("/dev/full", &status), 0);
  assert_true(S_ISCHR(status.st_mode)); /* the device was not replaced by a file */
}

/* A disk that fills up in the middle (a limit on the size of files): the old file is unchanged. */
static void test_full_disk(void** state) {
  handles* with = *state;
  char path[128], expected[128] = {0}, seen[128] = {0};
  snprintf(path, sizeof path, "%s/model", with->folder);
  OK(vtemper_model_save(with->model, path));
  FILE* file = fopen(path, "rb");
  assert_int_equal(fread(expected, 1, sizeof expected, file), sizeof expected);
  fclose(file);

  struct rlimit old, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 1000;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  const vtemper_status model = vtemper_model_save(with->model, path);
  const vtemper_status optimizer = vtemper_optimizer_save(with->optimizer, path);
  const vtemper_status data = vtemper_data_write(with->data, path);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_int_equal(model, VTEMPER_ERROR_IO);
  assert_int_equal(optimizer, VTEMPER_ERROR_IO);
  assert_int_equal(data, VTEMPER_ERROR_IO);
  assert_non_null(strstr(vtemper_last_error(), path));

  assert_int_equal(files_in(with->folder), 1);
  file = fopen(path, "rb");
  assert_int_equal(fread(seen, 1, sizeof seen, file), sizeof seen);
  fclose(file);
  assert_memory_equal(seen, expected, sizeof seen);
  assert_int_equal(unlink(path), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_missing_folder),
      cmocka_unit_test(test_devices),
      cmocka_unit_test(test_full_disk),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
