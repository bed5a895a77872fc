/* Random calls over all handles: a small model of the interface tracks the state of each handle, and so the status
 * that each call must return. The same calls are made twice and must give the same numbers, so that nothing left over
 * from other handles can influence them. The number of calls is printed; VTEMPER_TORTURE=N makes N times as many,
 * VTEMPER_SEQUENCES=N that many sequences in all. */
#include <math.h>

#include "fixtures.h"

enum { FORMS = 3, SLOTS = 4, SEQUENCES = 300, CALLS = 120, MOST = 64 };

static const char* const kinds[FORMS] = {"lda", "gaussian_mixture", "hidden_markov"};
static const char* const sizes[FORMS] = {"topics", "components", "states"};
static const char* const inferred[FORMS] = {"gamma", "responsibilities", "marginals"};

typedef struct known_data {
  vtemper_data* handle; /* NULL: an empty slot */
  int form;
  int64_t rows, columns;
} known_data;

/* Handles of the same model share one. */
typedef struct known_model {
  int form, columns; /* 0 columns: not initialised */
  int handles, optimizers;
} known_model;

typedef struct known_handle {
  vtemper_model* handle;
  known_model* of;
} known_handle;

typedef struct known_optimizer {
  vtemper_optimizer* handle;
  known_model* of;
  int has_data, prepared;
} known_optimizer;

typedef struct machine {
  uint32_t state;
  known_data data[SLOTS];
  known_handle models[SLOTS];
  known_optimizer optimizers[SLOTS];
  uint64_t sum; /* hash of all results */
  long calls, refused;
  char name[64], about[160];
} machine;

static int draw(machine* m, int count) {
  return (int)(corpus_random(&m->state) % (uint32_t)count);
}

static void add(machine* m, const double* values, int count) {
  for (int i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    m->sum = (m->sum ^ bits) * UINT64_C(1099511628211);
  }
}

/* The status is one of those allowed: the sum of 1 << status. */
static int gives(machine* m, const char* call, vtemper_status got, unsigned wanted) {
  ++m->calls;
  m->refused += got != VTEMPER_OK;
  if (got > 31 || !(wanted >> got & 1)) {
    fail_msg("%s, call %ld: %s gives %s, not one of %x: %s (%s)", m->name, m->calls, call, vtemper_status_name(got),
             wanted, vtemper_last_error(), m->about);
  }
  m->sum = m->sum * 31 + got;
  return got == VTEMPER_OK;
}

#define ONLY(status) (1u << (status))
#define GIVES(wanted, call) gives(m, #call, (call), (wanted))

static void make_data(machine* m, known_data* slot) {
  enum { MOST_ROWS = 8, MOST_COLUMNS = 4 };
  const int form = draw(m, FORMS);
  const int64_t rows = 3 + draw(m, MOST_ROWS - 2), columns = 3 + draw(m, 2);
  int64_t offsets[MOST_ROWS + 1] = {0};
  int32_t indices[MOST_ROWS * MOST_COLUMNS];
  double values[MOST_ROWS * MOST_COLUMNS];
  for (int64_t row = 0; row < rows; ++row) {
    offsets[row + 1] = 2 * (row + 1);
    indices[2 * row] = (int32_t)(row % 2);
    indices[2 * row + 1] = (int32_t)(2 + row % (columns - 2));
  }
  for (int64_t i = 0; i < rows * columns; ++i) values[i] = 1 + draw(m, 5);
  vtemper_data* made = NULL;
  if (form == 0) {
    GIVES(ONLY(VTEMPER_OK),
          vtemper_data_from_counts(VTEMPER_BY_ROWS, rows, columns, offsets, VTEMPER_INT64, indices, VTEMPER_INT32,
                                   values, VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &made));
  } else if (form == 1) {
    GIVES(ONLY(VTEMPER_OK), vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY,
                                                    NULL, NULL, &made));
  } else {
    GIVES(ONLY(VTEMPER_OK), vtemper_data_from_sequences(rows, columns, offsets, VTEMPER_INT64, indices, VTEMPER_INT32,
                                                        0, VTEMPER_COPY, NULL, NULL, &made));
  }
  *slot = (known_data){made, form, rows, columns};
}

static void select_rows(machine* m, const known_data* from, known_data* slot) {
  const int64_t rows[3] = {draw(m, (int)from->rows), 0, from->rows - draw(m, 2)};
  vtemper_data* made = NULL;
  const int fits = rows[2] < from->rows;
  if (GIVES(ONLY(fits ? VTEMPER_OK : VTEMPER_ERROR_ARGUMENT), vtemper_data_select(from->handle, rows, 3, &made))) {
    *slot = (known_data){made, from->form, 3, from->columns};
  }
}

static void make_model(machine* m, known_handle* slot) {
  const int form = draw(m, FORMS);
  vtemper_options* options = options_of(sizes[form], "2", NULL);
  vtemper_model* made = NULL;
  GIVES(ONLY(VTEMPER_OK), vtemper_model_create(kinds[form], options, &made));
  vtemper_options_destroy(options);
  slot->handle = made;
  slot->of = calloc(1, sizeof *slot->of);
  *slot->of = (known_model){.form = form, .handles = 1};
}

static void release(known_model* model) {
  if (--model->handles == 0) free(model);
}

static void end_data(known_data* slot) {
  vtemper_data_destroy(slot->handle);
  slot->handle = NULL;
}

static void end_model(known_handle* slot) {
  if (slot->handle == NULL) return;
  vtemper_model_destroy(slot->handle);
  slot->handle = NULL;
  release(slot->of);
}

static void end_optimizer(known_optimizer* slot) {
  if (slot->handle == NULL) return;
  vtemper_optimizer_destroy(slot->handle);
  slot->handle = NULL;
  --slot->of->optimizers;
  release(slot->of);
}

/* Whether a model accepts data: another form, other columns, or no objection. */
static vtemper_status answer(const known_model* model, const known_data* data) {
  if (model->form != data->form) return VTEMPER_ERROR_UNSUPPORTED;
  if (model->columns == 0) return VTEMPER_OK;
  /* Symbols that sequences do not use may be left out at the end of their alphabet. */
  const int fits = model->form == 2 ? data->columns <= model->columns : data->columns == model->columns;
  return fits ? VTEMPER_OK : VTEMPER_ERROR_DATA;
}

static void initialize(machine* m, known_handle* model, const known_data* data) {
  known_model* of = model->of;
  vtemper_status wanted = of->form != data->form ? VTEMPER_ERROR_UNSUPPORTED : VTEMPER_OK;
  if (of->optimizers > 0 && of->columns != data->columns) wanted = VTEMPER_ERROR_STATE;
  if (GIVES(ONLY(wanted), vtemper_model_initialize(model->handle, data->handle, (uint64_t)draw(m, 9)))) {
    of->columns = (int)data->columns;
  }
}

static void make_optimizer(machine* m, const known_handle* model, const known_data* data, known_optimizer* slot) {
  vtemper_options* options = options_of("method", "svi", "threads", "1", "max_passes", "5", "rows_total", "9",
                                        data == NULL ? "seed" : "batch_size", "2", NULL);
  vtemper_status wanted = data == NULL ? VTEMPER_OK : answer(model->of, data);
  if (data == NULL && model->of->columns == 0) wanted = VTEMPER_ERROR_STATE;
  snprintf(m->about, sizeof m->about, "%s for %d columns, data of form %d with %d columns", kinds[model->of->form],
           model->of->columns, data == NULL ? -1 : data->form, data == NULL ? 0 : (int)data->columns);
  vtemper_optimizer* made = NULL;
  const int is_made = GIVES(
      ONLY(wanted), vtemper_optimizer_create(model->handle, data == NULL ? NULL : data->handle, options, &made));
  vtemper_options_destroy(options);
  if (!is_made) return;
  if (model->of->columns == 0) model->of->columns = (int)data->columns;
  *slot = (known_optimizer){made, model->of, data != NULL, 0};
  ++model->of->handles;
  ++model->of->optimizers;
}

static void look(machine* m, const known_handle* model, const known_data* data) {
  const known_model* of = model->of;
  double room[MOST];
  int64_t columns = -1, size = -1;
  GIVES(ONLY(VTEMPER_OK), vtemper_model_columns(model->handle, &columns));
  assert_int_equal(columns, of->columns);
  GIVES(ONLY(of->columns == 0 ? VTEMPER_ERROR_STATE : VTEMPER_OK),
        vtemper_model_save_buffer(model->handle, NULL, 0, &size));
  const vtemper_status ready = of->columns == 0 ? VTEMPER_ERROR_STATE : answer(of, data);
  if (of->columns == 0 || ready == VTEMPER_OK) {
    int32_t quantities;
    GIVES(ONLY(ready), vtemper_model_infer_count(model->handle, data->handle, &quantities));
  }
  const int64_t numbers = data->form == 2 ? 4 * data->rows : 2 * data->rows; /* two per symbol, or two per row */
  const unsigned any_refusal = ONLY(VTEMPER_ERROR_STATE) | ONLY(VTEMPER_ERROR_UNSUPPORTED) |
                               ONLY(VTEMPER_ERROR_DATA) | ONLY(VTEMPER_ERROR_ARGUMENT);
  if (GIVES(ready == VTEMPER_OK ? ONLY(VTEMPER_OK) : any_refusal,
            vtemper_model_infer(model->handle, data->handle, inferred[of->form], NULL, room, numbers))) {
    for (int64_t i = 0; i < numbers; ++i) assert_true(isfinite(room[i]));
    add(m, room, (int)numbers);
  }
  GIVES(ready == VTEMPER_OK ? ONLY(VTEMPER_ERROR_ARGUMENT) : any_refusal,
        vtemper_model_infer(model->handle, data->handle, inferred[of->form], NULL, room, numbers + 1));
  if (GIVES(ready == VTEMPER_OK ? ONLY(VTEMPER_OK) : any_refusal,
            vtemper_model_evaluate(model->handle, data->handle, NULL, "elbo", NULL, room))) {
    assert_true(isfinite(room[0]));
    add(m, room, 1);
  }
}

static void step(machine* m, known_optimizer* slot, const known_data* data) {
  vtemper_report report = {.struct_size = sizeof report};
  const vtemper_status with_data = slot->has_data ? VTEMPER_OK : VTEMPER_ERROR_STATE;
  const vtemper_status fed = answer(slot->of, data);
  double statistics[MOST];
  int64_t length = -1;
  switch (draw(m, 6)) {
    case 0:
      GIVES(ONLY(with_data), vtemper_optimizer_step(slot->handle, draw(m, 3), NULL));
      break;
    case 1:
      GIVES(ONLY(with_data), vtemper_optimizer_run(slot->handle, &report));
      break;
    case 2:
      GIVES(ONLY(fed), vtemper_optimizer_feed(slot->handle, data->handle, &report));
      break;
    case 3:
      GIVES(ONLY(VTEMPER_ERROR_ARGUMENT), vtemper_optimizer_step(slot->handle, -1, NULL));
      break;
    case 4:
      GIVES(ONLY(VTEMPER_OK), vtemper_optimizer_statistics_length(slot->handle, &length));
      if (length > MOST) break;
      if (GIVES(ONLY(fed), vtemper_optimizer_local_step(slot->handle, data->handle, statistics, length))) {
        GIVES(ONLY(VTEMPER_OK), vtemper_optimizer_global_step(slot->handle, statistics, length, &report));
      }
      break;
    default:
      GIVES(ONLY(VTEMPER_OK), vtemper_optimizer_report(slot->handle, &report));
      add(m, &report.elbo, 1);
  }
}

/* Saves and loads: a checkpoint in place of the optimizer, or a copy of the model. */
static void renew(machine* m, known_optimizer* slot, const known_data* data) {
  int64_t size = -1;
  GIVES(ONLY(VTEMPER_OK), vtemper_optimizer_save_buffer(slot->handle, NULL, 0, &size));
  char* bytes = malloc((size_t)size);
  GIVES(ONLY(VTEMPER_ERROR_ARGUMENT), vtemper_optimizer_save_buffer(slot->handle, bytes, size - 1, &size));
  GIVES(ONLY(VTEMPER_OK), vtemper_optimizer_save_buffer(slot->handle, bytes, size, &size));
  vtemper_optimizer* loaded = NULL;
  const unsigned damaged = ONLY(VTEMPER_ERROR_FORMAT);
  GIVES(damaged, vtemper_optimizer_load_buffer(bytes, size - 1, NULL, &loaded));
  const int own = !slot->has_data;
  const vtemper_status fits = own ? VTEMPER_OK : answer(slot->of, data);
  /* Data with other rows, or none, are refused or accepted as the checkpoint requires; no other handle is changed. */
  const unsigned wanted = own ? ONLY(VTEMPER_OK)
                              : ONLY(VTEMPER_OK) | ONLY(VTEMPER_ERROR_DATA) | ONLY(VTEMPER_ERROR_UNSUPPORTED) |
                                    ONLY(VTEMPER_ERROR_OPTION) | ONLY(VTEMPER_ERROR_STATE);
  const int is_loaded = GIVES(wanted, vtemper_optimizer_load_buffer(bytes, size, own ? NULL : data->handle, &loaded));
  assert_true(!is_loaded || fits == VTEMPER_OK);
  if (is_loaded) {
    char* again = malloc((size_t)size);
    GIVES(ONLY(VTEMPER_OK), vtemper_optimizer_save_buffer(loaded, again, size, &size));
    assert_memory_equal(bytes, again, (size_t)size);
    free(again);
  }
  vtemper_optimizer_destroy(loaded);
  free(bytes);
}

static void one_call(machine* m) {
  known_data* data = &m->data[draw(m, SLOTS)];
  known_handle* model = &m->models[draw(m, SLOTS)];
  known_optimizer* optimizer = &m->optimizers[draw(m, SLOTS)];
  if (data->handle == NULL) {
    make_data(m, data);
    return;
  }
  if (model->handle == NULL) {
    make_model(m, model);
    return;
  }
  switch (draw(m, 11)) {
    case 0:
      end_data(data);
      break;
    case 1:
      if (draw(m, 2)) end_model(model);
      break;
    case 2:
      if (draw(m, 2)) end_optimizer(optimizer);
      break;
    case 3: {
      known_data* other = &m->data[draw(m, SLOTS)];
      if (other->handle == NULL) select_rows(m, data, other);
      break;
    }
    case 4:
      initialize(m, model, data);
      break;
    case 5: {
      known_handle* other = &m->models[draw(m, SLOTS)];
      if (other->handle != NULL) break;
      GIVES(ONLY(VTEMPER_OK), vtemper_model_copy(model->handle, &other->handle));
      other->of = calloc(1, sizeof *other->of);
      *other->of = (known_model){.form = model->of->form, .columns = model->of->columns, .handles = 1};
      break;
    }
    case 6:
      look(m, model, data);
      break;
    default:
      if (optimizer->handle == NULL) {
        make_optimizer(m, model, draw(m, 5) == 0 ? NULL : data, optimizer);
      } else if (draw(m, 6) == 0) {
        renew(m, optimizer, data);
      } else {
        step(m, optimizer, data);
      }
  }
}

static machine sequence(uint32_t seed, int calls) {
  machine made = {.state = seed};
  snprintf(made.name, sizeof made.name, "sequence %u", (unsigned)seed);
  for (int i = 0; i < calls; ++i) one_call(&made);
  for (int i = 0; i < SLOTS; ++i) {
    end_data(&made.data[i]);
    end_optimizer(&made.optimizers[i]);
    end_model(&made.models[i]);
  }
  return made;
}

static void test_sequences(void** state) {
  (void)state;
  const char* times = getenv("VTEMPER_TORTURE");
  const char* number = getenv("VTEMPER_SEQUENCES");
  const int sequences = number != NULL ? atoi(number) : SEQUENCES * (times == NULL ? 1 : atoi(times));
  long calls = 0, refused = 0;
  for (int i = 1; i <= sequences; ++i) {
    const machine first = sequence((uint32_t)i, CALLS), second = sequence((uint32_t)i, CALLS);
    assert_true(first.sum == second.sum && first.calls == second.calls);
    calls += first.calls + second.calls;
    refused += first.refused + second.refused;
  }
  printf(
      "%d sequences of calls drawn at random, twice each: %ld calls with the status they must give, %ld of them "
      "refused\n",
      sequences, calls, refused);
  assert_true(sequences > 0 && calls > sequences * 100L && refused * 20 > calls);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sequences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
