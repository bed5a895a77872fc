#include "support/round_trip.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long models;

/* check.sh adds up these lines. In processes whose output is compared they go to the file VTEMPER_ROUND_TRIPS. */
static void print_count(void) {
  const char* path = getenv("VTEMPER_ROUND_TRIPS");
  FILE* out = path == NULL ? stderr : fopen(path, "a");
  if (out == NULL) return;
  fprintf(out, "saved, loaded and compared: %ld fitted models\n", atomic_load(&models));
  if (out != stderr) fclose(out);
}

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "after a fit, %s: %s\n", what, vtemper_last_error());
  abort();
}

/* NULL if another fit uses the model. */
static char* bytes_of(const vtemper_model* model, int64_t* size) {
  const vtemper_status status = vtemper_model_save_buffer(model, NULL, 0, size);
  if (status == VTEMPER_ERROR_STATE) return NULL;
  require(status == VTEMPER_OK, "the model cannot be saved");
  char* bytes = malloc((size_t)*size);
  require(bytes != NULL, "there is no memory");
  require(vtemper_model_save_buffer(model, bytes, *size, size) == VTEMPER_OK, "the model cannot be saved");
  return bytes;
}

static double* values_of(const vtemper_model* model, const vtemper_quantity* parameter, int64_t* count) {
  *count = 1;
  for (int32_t d = 0; d < parameter->rank; ++d) *count *= parameter->shape[d];
  double* values = malloc((size_t)*count * sizeof *values + 1);
  require(values != NULL, "there is no memory");
  require(vtemper_model_get(model, parameter->name, values, *count) == VTEMPER_OK, "a parameter cannot be read");
  return values;
}

static void compare_parameters(const vtemper_model* model, const vtemper_model* loaded) {
  int32_t parameters = 0;
  require(vtemper_model_parameter_count(model, &parameters) == VTEMPER_OK, "parameters cannot be counted");
  for (int32_t i = 0; i < parameters; ++i) {
    vtemper_quantity parameter = {.struct_size = sizeof parameter};
    int64_t count = 0, count_loaded = 0;
    require(vtemper_model_parameter_info(model, i, &parameter) == VTEMPER_OK, "a parameter cannot be described");
    if (!parameter.settable) continue; /* derived from the others, and may overflow */
    double* values = values_of(model, &parameter, &count);
    double* values_loaded = values_of(loaded, &parameter, &count_loaded);
    for (int64_t j = 0; j < count; ++j) require(isfinite(values[j]), parameter.name);
    require(count == count_loaded && memcmp(values, values_loaded, (size_t)count * sizeof *values) == 0,
            "a loaded parameter differs");
    free(values);
    free(values_loaded);
  }
}

/* Whether the topics are in a file (option parameters_folder). */
static int has_folder(const vtemper_model* model) {
  vtemper_options* used = NULL;
  const char* folder = "";
  require(vtemper_model_used_options(model, &used) == VTEMPER_OK, "its options cannot be read");
  const int has = vtemper_options_get_text(used, "parameters_folder", &folder) == VTEMPER_OK && folder[0] != '\0';
  vtemper_options_destroy(used);
  return has;
}

void check_round_trip(const vtemper_model* model) {
  int64_t size = 0, size_again = 0;
  char* bytes = bytes_of(model, &size);
  if (bytes == NULL) return;
  vtemper_model* loaded = NULL;
  const vtemper_status status = vtemper_model_load_buffer(bytes, size, &loaded);
  if (status == VTEMPER_ERROR_IO && has_folder(model)) { /* which the test has removed */
    free(bytes);
    return;
  }
  require(status == VTEMPER_OK, "the saved model cannot be loaded");
  compare_parameters(model, loaded);
  char* again = bytes_of(loaded, &size_again);
  require(again != NULL && size == size_again && memcmp(bytes, again, (size_t)size) == 0,
          "the loaded model is saved differently");
  free(bytes);
  free(again);
  vtemper_model_destroy(loaded);
  if (atomic_fetch_add(&models, 1) == 0) atexit(print_count);
}

void check_fit_round_trip(const vtemper_optimizer* optimizer) {
  vtemper_report report = {.struct_size = sizeof report};
  vtemper_model* model = NULL;
  if (optimizer == NULL || vtemper_optimizer_report(optimizer, &report) != VTEMPER_OK) return;
  if (report.iteration == 0 || report.ranks > 1 || vtemper_optimizer_model(optimizer, &model) != VTEMPER_OK) return;
  check_round_trip(model);
  vtemper_model_destroy(model);
}
