/* Small data of every form, files of every format, and checksums of what is read from handles, for scenarios whose
 * allocations fail. Nothing here allocates except the library. */
#ifndef VTEMPER_TESTS_ALLOCATION_INPUTS_H
#define VTEMPER_TESTS_ALLOCATION_INPUTS_H

#include "allocation_children.h"
#include "small_models.h"

enum { few_rows = 24, more_rows = 60, many_rows = 600, columns = 5, room_size = 1 << 16 };

static double room[room_size];

static void mix(handles* made, const void* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    made->checksum = (made->checksum ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
  }
}

static void mix_text(handles* made, const char* text) {
  if (text == NULL) text = "(no text)";
  mix(made, text, strlen(text) + 1);
}

static void mix_number(handles* made, int64_t number) {
  mix(made, &number, sizeof number);
}

static void mix_reals(handles* made, const double* values, int64_t count) {
  mix(made, values, (size_t)count * sizeof *values);
}

/** All that a report contains except times. */
static void mix_report(handles* made, const vtemper_report* report) {
  mix_number(made, report->iteration);
  mix_number(made, report->rows_seen);
  mix_number(made, report->finished);
  mix_reals(made, &report->elbo, 1);
  mix_reals(made, &report->objective, 1);
  mix_reals(made, &report->temperature, 1);
  mix_reals(made, &report->change, 1);
}

static int64_t size_of(const vtemper_quantity* quantity) {
  int64_t size = 1;
  for (int32_t i = 0; i < quantity->rank; ++i) size *= quantity->shape[i];
  return size;
}

static vtemper_status mix_data(handles* made, const vtemper_data* data) {
  int64_t rows = 0, width = 0, entries = 0, length = 0, places[64];
  double total = 0, values[64];
  vtemper_data_form form;
  TRY(vtemper_data_rows(data, &rows));
  TRY(vtemper_data_columns(data, &width));
  TRY(vtemper_data_entries(data, &entries));
  TRY(vtemper_data_total(data, &total));
  TRY(vtemper_data_form_of(data, &form));
  mix_number(made, rows);
  mix_number(made, width);
  mix_number(made, entries);
  mix_number(made, form);
  mix_reals(made, &total, 1);
  for (int64_t row = 0; row < rows && row < few_rows; ++row) {
    TRY(vtemper_data_row(data, row, places, values, 64, &length));
    mix(made, places, (size_t)length * sizeof *places);
    mix_reals(made, values, length);
  }
  return VTEMPER_OK;
}

static vtemper_status mix_model(handles* made, const vtemper_model* model) {
  int32_t count = 0;
  TRY(vtemper_model_parameter_count(model, &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity quantity = {.struct_size = sizeof quantity};
    TRY(vtemper_model_parameter_info(model, i, &quantity));
    const int64_t size = size_of(&quantity);
    mix_text(made, quantity.name);
    if (size > room_size) continue;
    TRY(vtemper_model_get(model, quantity.name, room, size));
    mix_reals(made, room, size);
  }
  return VTEMPER_OK;
}

static uint32_t draw(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

/** Rows of one form: two or three words, symbols, or zeros and ones. */
static vtemper_status make_data(vtemper_data_form form, int64_t rows, vtemper_data** data) {
  static int64_t offsets[many_rows + 1];
  static int32_t indices[2 * many_rows];
  static double ones[2 * many_rows], values[many_rows * columns];
  uint32_t state = 3;
  for (int64_t row = 0; row < rows; ++row) {
    offsets[row + 1] = 2 * (row + 1);
    indices[2 * row] = (int32_t)(row % 2);
    indices[2 * row + 1] = (int32_t)(2 + row % 3);
    ones[2 * row] = ones[2 * row + 1] = 1;
    for (int64_t column = 0; column < columns; ++column) values[columns * row + column] = draw(&state) % 2;
  }
  if (form == VTEMPER_COUNTS) {
    TRY(vtemper_data_from_counts(VTEMPER_BY_ROWS, rows, columns, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, ones,
                                 VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, data));
  } else if (form == VTEMPER_DENSE) {
    TRY(vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY, NULL, NULL, data));
  } else {
    TRY(vtemper_data_from_sequences(rows, columns, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, 0, VTEMPER_COPY,
                                    NULL, NULL, data));
  }
  return VTEMPER_OK;
}

static const char* const words[columns] = {"one", "two", "three", "four", "a longer name than fits into a small one"};

/** Rows for the scenario's kind: more of them where they are divided over threads, and for mixtures, whose chunks are
 * larger. */
static vtemper_status data_of(const scenario* of, vtemper_data** data) {
  vtemper_data_form form;
  TRY(vtemper_model_kind_form(of->kind, &form));
  const int64_t divided = strstr(of->kind, "_mixture") != NULL ? many_rows : more_rows;
  return make_data(form, strcmp(of->threads, "1") == 0 ? few_rows : divided, data);
}

/** A small model of the scenario's kind. */
static vtemper_status model_of(handles* made, const scenario* of, vtemper_model** model) {
  if (made->options[0] == NULL) {
    TRY(vtemper_options_create(&made->options[0]));
    for (size_t i = 0; i < SMALL_MODELS; ++i) {
      if (strcmp(small_models[i][0], of->kind) == 0)
        TRY(vtemper_options_set(made->options[0], small_models[i][1], small_models[i][2]));
    }
    if (strcmp(of->kind, "deep_exponential_family") == 0) {
      TRY(vtemper_options_set(made->options[0], "local_iterations", "5"));
    }
  }
  TRY(vtemper_model_create(of->kind, made->options[0], model));
  return VTEMPER_OK;
}

/** Data, a model and an optimizer, the first of each. */
static vtemper_status start_fit(handles* made, const scenario* of) {
  TRY(data_of(of, &made->data[0]));
  TRY(model_of(made, of, &made->model[0]));
  TRY(vtemper_options_create(&made->options[1]));
  TRY(vtemper_options_set_text(made->options[1], "threads", of->threads));
  TRY(vtemper_options_set_integer(made->options[1], "seed", 5));
  TRY(vtemper_options_set_integer(made->options[1], "max_iterations", 6));
  if (of->method != NULL) TRY(vtemper_options_set(made->options[1], "method", of->method));
  if (of->method != NULL && strcmp(of->method, "tempering") == 0) {
    TRY(vtemper_options_set(made->options[1], "temperature_grid_size", "4"));
  }
  TRY(vtemper_optimizer_create(made->model[0], made->data[0], made->options[1], &made->optimizer[0]));
  return VTEMPER_OK;
}

/** The options "evaluate" of the scenario, the third. */
static vtemper_status make_evaluation(handles* made, const scenario* of) {
  TRY(vtemper_options_create(&made->options[2]));
  TRY(vtemper_options_set(made->options[2], "threads", of->threads));
  return VTEMPER_OK;
}

typedef struct input {
  const char *name, *format, *bytes;
  int size; /* 0: of a text */
} input;

static const input inputs[] = {
    {"ldac", "ldac", "2 0:1 3:2\n0\n1 2:4\n", 0},
    {"docword", "docword", "3\n4\n3\n1 1 1\n1 4 2\n3 3 4\n", 0},
    {"svmlight", "svmlight", "1 1:1 4:2\n0 3:4\n", 0},
    {"matrix_market", "matrix_market",
     "%%MatrixMarket matrix coordinate integer general\n3 4 3\n1 1 1\n1 4 2\n3 3 4\n", 0},
    {"csv", "csv", "one,a longer name than fits into a small one\n1.5,NA\n2,3\n-1,0.25\n", 0},
    {"sequences", "sequences", "0 1 2\n1\n2 1\n", 0},
    {"labelled_sequences", "labelled_sequences", "a 0 1 2\nb 1\nc 2 1\n", 0},
    {"word_sequences", "word_sequences", "a b c\nb\nc b\n", 0},
    {"idx", "idx", "\0\0\x08\x02\0\0\0\x02\0\0\0\x03\x01\x02\x03\x04\x05\x06", 18},
    {"npy", "npy",
     "\x93NUMPY\x01\0\x76\0{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }"
     "                                                          \n"
     "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40",
     144},
    {"ldac.gz", "auto",
     "\x1f\x8b\x08\0\0\0\0\0\x02\x03\x33\x52\x30\xb0\x32\x54\x30\xb6\x32\xe2\x32\xe0\x32\x54\x30\xb2\x32\xe1\x02\0"
     "\x42\x97\xbf\xb7\x12\0\0\0",
     38},
};
enum { input_count = sizeof inputs / sizeof *inputs };

static const char* path_of(const char* name) {
  static char path[160];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/** Makes the folders and the files. */
static bool write_inputs(void) {
  const char* const temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.30s/vtemper-functions-XXXXXX", temporary != NULL ? temporary : "/tmp");
  if (mkdtemp(folder) == NULL) return false;
  snprintf(written, sizeof written, "%s/out", folder);
  if (mkdir(written, 0700) != 0) return false;
  for (int i = 0; i < input_count; ++i) {
    const size_t size = inputs[i].size > 0 ? (size_t)inputs[i].size : strlen(inputs[i].bytes);
    FILE* const file = fopen(path_of(inputs[i].name), "wb");
    if (file == NULL) return false;
    const bool is_whole = fwrite(inputs[i].bytes, 1, size, file) == size;
    if (fclose(file) != 0 || !is_whole) return false;
  }
  return true;
}

static bool remove_inputs(void) {
  for (int i = 0; i < input_count; ++i) unlink(path_of(inputs[i].name));
  return rmdir(written) == 0 && rmdir(folder) == 0;
}

#endif
