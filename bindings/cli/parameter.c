#include "parameter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "failure.h"

bool parameter_find(const vtemper_model* model, const char* name, vtemper_quantity* info) {
  int32_t count;
  check(vtemper_model_parameter_count(model, &count));
  for (int32_t i = 0; i < count; ++i) {
    info->struct_size = sizeof *info;
    check(vtemper_model_parameter_info(model, i, info));
    if (strcmp(info->name, name) == 0) return true;
  }
  return false;
}

char* format_shape(char text[SHAPE_LENGTH], const vtemper_quantity* info, const char* between) {
  text[0] = '\0';
  size_t used = 0;
  for (int i = 0; i < info->rank; ++i) {
    used += (size_t)snprintf(text + used, SHAPE_LENGTH - used, "%s%" PRId64, i > 0 ? between : "", info->shape[i]);
  }
  return text;
}

double* parameter_values(const vtemper_model* model, const vtemper_quantity* info) {
  int64_t length = 1;
  for (int i = 0; i < 4; ++i) length *= info->shape[i];
  double* values = allocate((size_t)length, sizeof *values);
  check(vtemper_model_get(model, info->name, values, length));
  return values;
}
