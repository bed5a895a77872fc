/* vtemper get: a parameter of a model. */

#include <stdlib.h>
#include <string.h>

#include "array_file.h"
#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "library_options.h"
#include "nearest.h"

static const Flag flags[] = {
    {"output", 'o', "FILE", "ends with .csv or .npy; without it CSV on stdout"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static vtemper_quantity find_parameter(const vtemper_model* model, const char* name) {
  vtemper_quantity info = {.struct_size = sizeof info};
  int32_t count;
  check(vtemper_model_parameter_count(model, &count));
  Nearest nearest = nearest_to(name);
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &info));
    if (same_name(info.name, name)) return info;
    nearest_consider(&nearest, info.name);
  }
  if (nearest.best) {
    fail_usage("the model has no parameter \"%s\"; did you mean %s?", name, nearest.best);
  }
  fail_usage("the model has no parameter \"%s\"; vtemper info lists them", name);
}

static int run(const Arguments* arguments) {
  const char* path = argument(arguments, "output");
  array_check(path);
  vtemper_model* model = model_read(arguments->operands[0]);
  const vtemper_quantity info = find_parameter(model, arguments->operands[1]);
  int64_t length = 1;
  for (int i = 0; i < 4; ++i) length *= info.shape[i];
  double* values = allocate((size_t)length, sizeof *values);
  check(vtemper_model_get(model, info.name, values, length));
  ArrayFile file;
  array_open(&file, path, info.rank, info.shape);
  array_write(&file, values, info.shape[0]);
  array_close(&file);
  free(values);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command get_command = {
    .name = "get",
    .usage = "MODEL PARAMETER [-o FILE.csv|FILE.npy]",
    .sentence = "writes a parameter of a model",
    .notes = "vtemper info MODEL lists the parameters, such as topics, lambda and alpha. CSV has no header.",
    .least_operands = 2,
    .most_operands = 2,
    .flags = flags,
    .run = run,
};
