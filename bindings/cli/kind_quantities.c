#include "kind_quantities.h"

#include <stdlib.h>

#include "failure.h"

/* Four rows of the form; dense rows are binary, which all kinds of dense data accept. */
static vtemper_data* tiny_data(vtemper_data_form form) {
  static const int64_t offsets[] = {0, 2, 4, 6, 8};
  static const int32_t indices[] = {0, 1, 1, 2, 0, 2, 0, 1};
  static const double ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
  static const double bits[] = {0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1};
  vtemper_data* data;
  if (form == VTEMPER_DENSE) {
    check(vtemper_data_from_dense(4, 3, bits, VTEMPER_DOUBLE, 3, 1, VTEMPER_COPY, NULL, NULL, &data));
  } else if (form == VTEMPER_SEQUENCES) {
    check(vtemper_data_from_sequences(4, 3, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, 0, VTEMPER_COPY, NULL,
                                      NULL, &data));
  } else {
    check(vtemper_data_from_counts(VTEMPER_BY_ROWS, 4, 3, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, ones,
                                   VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  }
  return data;
}

static vtemper_model* tiny_model(const char* kind, vtemper_data** data) {
  vtemper_data_form form;
  vtemper_model* model;
  check(vtemper_model_kind_form(kind, &form));
  *data = tiny_data(form);
  check(vtemper_model_create(kind, NULL, &model));
  check(vtemper_model_initialize(model, *data, 0));
  return model;
}

static KindQuantities room_for(vtemper_model* model, int32_t count) {
  KindQuantities list = {allocate((size_t)count, sizeof *list.items), count, model};
  for (int32_t i = 0; i < count; ++i) list.items[i].struct_size = sizeof list.items[i];
  return list;
}

KindQuantities kind_parameters(const char* kind) {
  vtemper_data* data;
  vtemper_model* model = tiny_model(kind, &data);
  int32_t count;
  check(vtemper_model_parameter_count(model, &count));
  KindQuantities list = room_for(model, count);
  for (int32_t i = 0; i < count; ++i) check(vtemper_model_parameter_info(model, i, &list.items[i]));
  vtemper_data_destroy(data);
  return list;
}

KindQuantities kind_inferred(const char* kind) {
  vtemper_data* data;
  vtemper_model* model = tiny_model(kind, &data);
  int32_t count;
  check(vtemper_model_infer_count(model, data, &count));
  KindQuantities list = room_for(model, count);
  for (int32_t i = 0; i < count; ++i) check(vtemper_model_infer_info(model, data, i, &list.items[i]));
  vtemper_data_destroy(data);
  return list;
}

void kind_quantities_free(KindQuantities* list) {
  free(list->items);
  vtemper_model_destroy(list->model);
}
