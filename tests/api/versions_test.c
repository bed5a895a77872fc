/* Files of every released version load, give the same results as then, and are saved again.
 *
 * tests/data/versions/VERSION holds files that VERSION's own build wrote, as base64, and "expected.tsv": the file,
 * the data it is used with, the question, and the number that VERSION gave. A release adds its folder by
 *     build/release/tests/test_api_versions --write tests/data/versions/VERSION
 * and without one this test fails. */
#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixtures.h"

enum { path_length = 512, line_length = 76 };

static char folder[] = "/tmp/vtemper-versions-XXXXXX"; /* the files, decoded */

static char* path_in(const char* place, const char* name, const char* ending) {
  static char paths[4][path_length];
  static int next = 0;
  char* path = paths[next++ % 4];
  const int length = snprintf(path, path_length, "%s/%s%s", place, name, ending);
  assert_true(length > 0 && length < path_length);
  return path;
}

/* ---- Base64 ---- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const char* from, const char* to) {
  FILE *bytes = fopen(from, "rb"), *text = fopen(to, "w");
  assert_non_null(bytes);
  assert_non_null(text);
  unsigned char three[3];
  int column = 0;
  for (size_t read = fread(three, 1, 3, bytes); read > 0; read = fread(three, 1, 3, bytes)) {
    for (size_t i = read; i < 3; ++i) three[i] = 0;
    const unsigned bits = (unsigned)three[0] << 16 | (unsigned)three[1] << 8 | three[2];
    for (size_t i = 0; i < 4; ++i) fputc(i <= read ? digits[bits >> (18 - 6 * i) & 63] : '=', text);
    column += 4;
    if (column % line_length == 0) fputc('\n', text);
  }
  if (column % line_length != 0) fputc('\n', text);
  assert_int_equal(fclose(text), 0);
  fclose(bytes);
}

static void decode(const char* from, const char* to) {
  FILE *text = fopen(from, "r"), *bytes = fopen(to, "wb");
  assert_non_null(text);
  assert_non_null(bytes);
  unsigned bits = 0;
  int count = 0;
  for (int symbol = fgetc(text); symbol != EOF; symbol = fgetc(text)) {
    const char* digit = symbol == '\n' || symbol == '=' ? NULL : strchr(digits, symbol);
    if (digit == NULL) continue;
    bits = bits << 6 | (unsigned)(digit - digits);
    if (++count % 4 == 1) continue;
    fputc((int)(bits >> (6 - 2 * ((count - 1) % 4)) & 255), bytes);
  }
  assert_int_equal(fclose(bytes), 0);
  fclose(text);
}

/* ---- The questions about a file: the same when it is written and when a later version has loaded it ---- */

/** Takes a question and its answer, a number. */
typedef struct Answers {
  const char* file;
  const char* data;
  FILE* written;   /**< the answers go there ... */
  char** expected; /**< ... or are compared with these lines */
  size_t lines;
  double tolerance; /**< relative */
  int count;
} Answers;

static void answer(Answers* answers, const char* question, const char* name, double number) {
  char key[256];
  snprintf(key, sizeof key, "%s\t%s\t%s %s\t", answers->file, answers->data, question, name);
  ++answers->count;
  if (answers->written != NULL) {
    fprintf(answers->written, "%s%.17g\n", key, number);
    return;
  }
  for (size_t i = 0; i < answers->lines; ++i) {
    if (strncmp(answers->expected[i], key, strlen(key)) != 0) continue;
    const double expected = strtod(answers->expected[i] + strlen(key), NULL);
    if (!(fabs(number - expected) <= answers->tolerance * (1 + fabs(expected)))) {
      fail_msg("%sis %.17g; it was %.17g", key, number, expected);
    }
    return;
  }
  /* Quantities that only a later version has are not compared. */
  --answers->count;
}

/* A sum with a different weight for each element, so that none can be lost or exchanged. */
static double sum_of(const double* values, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += (double)(1 + i % 7) * values[i];
  return sum;
}

static int64_t size_of(const vtemper_quantity* quantity) {
  int64_t size = 1;
  for (int i = 0; i < 4; ++i) size *= quantity->shape[i];
  return size;
}

static void ask_parameters(Answers* answers, const vtemper_model* model) {
  int32_t count = 0;
  OK(vtemper_model_parameter_count(model, &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity quantity = {.struct_size = sizeof quantity};
    OK(vtemper_model_parameter_info(model, i, &quantity));
    const int64_t size = size_of(&quantity);
    double* values = malloc((size_t)(size > 0 ? size : 1) * sizeof *values);
    OK(vtemper_model_get(model, quantity.name, values, size));
    answer(answers, "get", quantity.name, sum_of(values, size));
    free(values);
  }
}

static void ask_model(Answers* answers, const vtemper_model* model, const vtemper_data* data) {
  answers->tolerance = 1e-12;
  ask_parameters(answers, model);
  int64_t columns = 0;
  OK(vtemper_model_columns(model, &columns));
  answer(answers, "columns", "", (double)columns);
  /* Recomputed, with another order of sums if the instruction set differs. */
  answers->tolerance = 1e-3;
  vtemper_options* options = options_of("threads", "1", NULL);
  int32_t count = 0;
  OK(vtemper_model_infer_count(model, data, &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity quantity = {.struct_size = sizeof quantity};
    OK(vtemper_model_infer_info(model, data, i, &quantity));
    const int64_t size = size_of(&quantity);
    double* values = malloc((size_t)(size > 0 ? size : 1) * sizeof *values);
    OK(vtemper_model_infer(model, data, quantity.name, options, values, size));
    answer(answers, "infer", quantity.name, sum_of(values, size));
    free(values);
  }
  double elbo = 0;
  OK(vtemper_model_evaluate(model, data, NULL, "elbo", options, &elbo));
  answer(answers, "evaluate", "elbo", elbo);
  vtemper_options_destroy(options);
}

static void ask_data(Answers* answers, const vtemper_data* data) {
  answers->tolerance = 1e-12;
  int64_t rows = 0, columns = 0, entries = 0;
  double total = 0;
  OK(vtemper_data_verify(data));
  OK(vtemper_data_rows(data, &rows));
  OK(vtemper_data_columns(data, &columns));
  OK(vtemper_data_entries(data, &entries));
  OK(vtemper_data_total(data, &total));
  answer(answers, "rows", "", (double)rows);
  answer(answers, "columns", "", (double)columns);
  answer(answers, "entries", "", (double)entries);
  answer(answers, "total", "", total);
  double sum = 0;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t of[64], length = 0;
    double values[64];
    OK(vtemper_data_row(data, row, of, values, 64, &length));
    for (int64_t i = 0; i < length; ++i) sum += (double)(row + 1) * ((double)of[i] + 0.5) * values[i];
  }
  answer(answers, "elements", "", sum);
  double letters = 0;
  for (int64_t column = 0; column < columns; ++column) {
    const char* name = NULL;
    OK(vtemper_data_name(data, column, &name));
    for (const char* letter = name; *letter != '\0'; ++letter) letters += (double)((column + 1) * *letter);
  }
  for (int64_t row = 0; row < rows; ++row) {
    const char* text = NULL;
    OK(vtemper_data_row_text(data, "date", row, &text));
    for (const char* letter = text; *letter != '\0'; ++letter) letters += (double)((row + 1) * *letter);
  }
  const char* note = NULL;
  OK(vtemper_data_note(data, "recipe", &note));
  answer(answers, "letters", "", letters + (double)strlen(note));
}

/* ---- One file ---- */

static vtemper_data* read_data(const char* name) {
  vtemper_data* data = NULL;
  OK(vtemper_data_read(path_in(folder, name, ""), "mapped", &data));
  return data;
}

static void use_model(Answers* answers) {
  vtemper_data* data = read_data(answers->data);
  vtemper_model* model = NULL;
  OK(vtemper_model_load(path_in(folder, answers->file, ""), &model));
  ask_model(answers, model, data);
  if (answers->written == NULL) { /* saved by this version, it is the same model */
    OK(vtemper_model_save(model, path_in(folder, "again", "")));
    vtemper_model_destroy(model);
    OK(vtemper_model_load(path_in(folder, "again", ""), &model));
    ask_model(answers, model, data);
  }
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void use_checkpoint(Answers* answers) {
  vtemper_data* data = read_data(answers->data);
  vtemper_optimizer* optimizer = NULL;
  for (int again = 0; again <= (answers->written == NULL); ++again) {
    OK(vtemper_optimizer_load(path_in(folder, again ? "again" : answers->file, ""), data, &optimizer));
    vtemper_report report = {.struct_size = sizeof report};
    OK(vtemper_optimizer_report(optimizer, &report));
    answers->tolerance = 1e-12;
    answer(answers, "report", "iteration", (double)report.iteration);
    answer(answers, "report", "rows_seen", (double)report.rows_seen);
    answer(answers, "report", "temperature", report.temperature);
    vtemper_model* model = NULL;
    OK(vtemper_optimizer_model(optimizer, &model));
    ask_parameters(answers, model);
    vtemper_model_destroy(model);
    OK(vtemper_optimizer_save(optimizer, path_in(folder, "again", "")));
    OK(vtemper_optimizer_step(optimizer, 2, &report)); /* it can go on */
    vtemper_optimizer_destroy(optimizer);
  }
  vtemper_data_destroy(data);
}

static void use_corpus(Answers* answers) {
  vtemper_data* data = read_data(answers->file);
  ask_data(answers, data);
  OK(vtemper_data_write(data, path_in(folder, "again", "")));
  vtemper_data_destroy(data);
  if (answers->written != NULL) return;
  data = read_data("again");
  ask_data(answers, data);
  vtemper_data_destroy(data);
}

static void use_file(Answers* answers) {
  const char* ending = strrchr(answers->file, '.');
  if (strcmp(ending, ".model") == 0) {
    use_model(answers);
  } else if (strcmp(ending, ".checkpoint") == 0) {
    use_checkpoint(answers);
  } else {
    assert_string_equal(ending, ".corpus");
    use_corpus(answers);
  }
}

/* ---- Writing the files of this version ---- */

enum { rows = 15, max_columns = 8 };

static void write_data(const char* name, vtemper_data* data) {
  int64_t columns = 0;
  OK(vtemper_data_columns(data, &columns));
  char texts[rows][16];
  const char* pointers[rows];
  double weights[rows];
  for (int i = 0; i < rows; ++i) {
    snprintf(texts[i], sizeof texts[i], "w%d\xc3\xa9", i);
    pointers[i] = texts[i];
    weights[i] = 1 + 0.25 * (i % 3);
  }
  OK(vtemper_data_set_names(data, pointers, columns));
  OK(vtemper_data_set_row_texts(data, "date", pointers, rows));
  OK(vtemper_data_set_weights(data, weights, rows));
  OK(vtemper_data_set_note(data, "recipe", "as it was"));
  OK(vtemper_data_write(data, path_in(folder, name, "")));
  vtemper_data_destroy(data);
}

static void write_counts(void) {
  int64_t offsets[rows + 1] = {0}, entries = 0;
  int32_t indices[rows * max_columns];
  double values[rows * max_columns];
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < max_columns && row != 4; ++column) {
      if ((row * 5 + column * 3) % 4 == 0 && column % 3 != row % 3) continue;
      indices[entries] = column;
      values[entries++] = column % 3 == row % 3 ? 3 + (row + column) % 3 : 1;
    }
    offsets[row + 1] = entries;
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, rows, max_columns, offsets, VTEMPER_INT64, indices, VTEMPER_INT32,
                              values, VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  write_data("counts.corpus", data);
}

static void write_dense(const char* name, int64_t columns, int binary) {
  double values[rows * max_columns];
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t noise = (row * 7 + column * 11 + row * column * 5) % 13;
      values[row * columns + column] = binary ? (double)((column % 3 == row % 3) != (noise == 0))
                                              : (double)(4 * (row % 3) * (column % 2 ? 1 : -1)) + 0.2 * (double)noise;
    }
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY, NULL, NULL, &data));
  write_data(name, data);
}

static void write_sequences(void) {
  int64_t offsets[rows + 1] = {0};
  int32_t symbols[rows * max_columns];
  int64_t count = 0;
  for (int row = 0; row < rows; ++row) {
    for (int t = 0; t < row % max_columns; ++t) symbols[count++] = (row + t + (t * row) % 7 / 6) % 5;
    offsets[row + 1] = count;
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_sequences(rows, 5, offsets, VTEMPER_INT64, symbols, VTEMPER_INT32, 0, VTEMPER_COPY, NULL, NULL,
                                 &data));
  write_data("sequences.corpus", data);
}

/* The data of a kind, and its options. A kind that is not listed has its default options, and data of its form that
 * all kinds of that form accept. */
typedef struct {
  const char *kind, *data, *options[5];
} Kind;
static const Kind kinds[] = {
    {"lda", "counts.corpus", {"topics", "3", "precision", "double"}},
    {"gaussian_mixture", "dense.corpus", {"components", "3"}},
    {"bernoulli_mixture", "binary.corpus", {"components", "3"}},
    {"hidden_markov", "sequences.corpus", {"states", "3"}},
    {"factorial_mixture", "dense.corpus", {"components", "2"}},
    {"sigmoid_belief_network", "binary.corpus", {"layers", "3,2", "precision", "double"}},
    {"variational_autoencoder", "binary.corpus", {"latent", "2", "hidden", "3"}},
    {"deep_exponential_family", "counts.corpus", {"latent", "2", "samples", "8"}},
};

static Kind kind_at(int32_t index) {
  Kind kind = {.kind = vtemper_model_kind_name(index)};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
    if (strcmp(kinds[i].kind, kind.kind) == 0) return kinds[i];
  }
  vtemper_data_form form;
  OK(vtemper_model_kind_form(kind.kind, &form));
  kind.data = form == VTEMPER_COUNTS ? "counts.corpus" : form == VTEMPER_DENSE ? "binary.corpus" : "sequences.corpus";
  return kind;
}

static void write_kind(const Kind* kind, int with_checkpoint) {
  vtemper_options* options = options_of(kind->options[0], kind->options[1], kind->options[2],
                                        kind->options[2] ? kind->options[3] : NULL, NULL);
  vtemper_data* data = read_data(kind->data);
  vtemper_model* model = NULL;
  OK(vtemper_model_create(kind->kind, options, &model));
  vtemper_options_destroy(options);
  vtemper_optimizer* optimizer = optimizer_of(
      model, data, options_of("threads", "1", "seed", "5", "batch_size", "5", "max_iterations", "9", NULL));
  OK(vtemper_optimizer_step(optimizer, 4, NULL));
  OK(vtemper_model_set_note(model, "recipe", "as it was"));
  OK(vtemper_model_save(model, path_in(folder, kind->kind, ".model")));
  if (with_checkpoint) OK(vtemper_optimizer_save(optimizer, path_in(folder, kind->kind, ".checkpoint")));
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void publish(const char* place, FILE* expected, const char* name, const char* ending, const char* data) {
  char file[64];
  const int length = snprintf(file, sizeof file, "%s%s", name, ending);
  assert_true(length > 0 && length < (int)sizeof file);
  Answers answers = {.file = file, .data = data, .written = expected};
  use_file(&answers);
  encode(path_in(folder, file, ""), path_in(place, file, ".base64"));
}

static void write_version(const char* place) {
  mkdir(place, 0777);
  FILE* expected = fopen(path_in(place, "expected", ".tsv"), "w");
  assert_non_null(expected);
  write_counts();
  write_dense("dense.corpus", 3, 0);
  write_dense("binary.corpus", 6, 1);
  write_sequences();
  const char* const corpora[] = {"counts", "dense", "binary", "sequences"};
  for (size_t i = 0; i < 4; ++i) publish(place, expected, corpora[i], ".corpus", "-");
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
    const Kind kind = kind_at(i);
    const int with_checkpoint = strcmp(kind.kind, "lda") == 0 || strcmp(kind.kind, "variational_autoencoder") == 0;
    write_kind(&kind, with_checkpoint);
    publish(place, expected, kind.kind, ".model", kind.data);
    if (with_checkpoint) publish(place, expected, kind.kind, ".checkpoint", kind.data);
  }
  assert_int_equal(fclose(expected), 0);
}

/* ---- The test ---- */

/** The lines of a file; the caller frees them. */
static char** lines_of(const char* path, size_t* count) {
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  char** lines = NULL;
  char line[1024];
  for (*count = 0; fgets(line, sizeof line, file) != NULL; ++*count) {
    lines = realloc(lines, (*count + 1) * sizeof *lines);
    lines[*count] = strdup(line);
  }
  fclose(file);
  return lines;
}

static void check_version(const char* place, const char* version) {
  Answers answers = {0};
  answers.expected = lines_of(path_in(place, "expected", ".tsv"), &answers.lines);
  char last[256] = "", file[256], data[256];
  int files = 0;
  for (size_t i = 0; i < answers.lines; ++i) { /* corpora come first: the others need them */
    assert_int_equal(sscanf(answers.expected[i], "%255s %255s", file, data), 2);
    if (strcmp(file, last) == 0) continue;
    strcpy(last, file);
    answers.file = file;
    answers.data = data;
    decode(path_in(place, file, ".base64"), path_in(folder, file, ""));
    use_file(&answers);
    ++files;
  }
  printf("version %s: %d files, %zu numbers, asked for %d times\n", version, files, answers.lines, answers.count);
  assert_int_equal(answers.count, 2 * (int)answers.lines); /* for the loaded file and for the one saved again */
  for (size_t i = 0; i < answers.lines; ++i) free(answers.expected[i]);
  free(answers.expected);
}

static void test_versions(void** state) {
  (void)state;
  const char* data = getenv("VTEMPER_TEST_DATA");
  assert_non_null(data);
  char place[path_length];
  const int length = snprintf(place, sizeof place, "%s/versions", data);
  assert_true(length > 0 && length < path_length);
  int versions = 0, own = 0;
  DIR* all = opendir(place);
  assert_non_null(all);
  for (const struct dirent* entry = readdir(all); entry != NULL; entry = readdir(all)) {
    if (entry->d_name[0] == '.') continue;
    char version[path_length];
    strcpy(version, path_in(place, entry->d_name, ""));
    check_version(version, entry->d_name);
    own = own || strcmp(entry->d_name, vtemper_version()) == 0;
    ++versions;
  }
  closedir(all);
  if (!own)
    fail_msg("no files of version %s: write them with --write %s/%s", vtemper_version(), place, vtemper_version());
  assert_true(versions >= 1);
}

/* The files of all kinds that the next version would publish. */
static void test_next_version(void** state) {
  (void)state;
  write_version(folder);
  check_version(folder, "this build");
}

static void remove_folder(void) {
  DIR* all = opendir(folder);
  if (all == NULL) return;
  for (const struct dirent* entry = readdir(all); entry != NULL; entry = readdir(all)) {
    if (entry->d_name[0] != '.') unlink(path_in(folder, entry->d_name, ""));
  }
  closedir(all);
  rmdir(folder);
}

static const char* written_to = NULL;

static void test_write(void** state) {
  (void)state;
  write_version(written_to);
}

int main(int count, char** words) {
  if (mkdtemp(folder) == NULL) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_versions), cmocka_unit_test(test_next_version)};
  const struct CMUnitTest writing[] = {cmocka_unit_test(test_write)};
  int failed = 0;
  if (count == 3 && strcmp(words[1], "--write") == 0) {
    written_to = words[2];
    failed = cmocka_run_group_tests(writing, NULL, NULL);
  } else {
    failed = cmocka_run_group_tests(tests, NULL, NULL);
  }
  remove_folder();
  return failed;
}
