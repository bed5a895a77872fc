/* overhead CORPUS PASSES TOPICS: a fit from C on the corpus in a file of raw arrays, borrowed. Prints the CPU seconds
 * from the arrays to the end of the run, and a digest of the topics. The C half of overhead_julia.sh. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vtemper/vtemper.h>

static void* read_array(FILE* file, size_t size) {
  void* array = malloc(size);
  if (array == NULL || fread(array, 1, size, file) != size) exit(2);
  return array;
}

static void check(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  fprintf(stderr, "%s\n", vtemper_last_error());
  exit(1);
}

int main(int count, char** arguments) {
  FILE* file = count == 4 ? fopen(arguments[1], "rb") : NULL;
  int64_t sizes[3]; /* documents, words, entries */
  if (file == NULL || fread(sizes, sizeof sizes, 1, file) != 1) return 2;
  int64_t* offsets = read_array(file, (size_t)(sizes[0] + 1) * sizeof *offsets);
  int64_t* indices = read_array(file, (size_t)sizes[2] * sizeof *indices);
  int32_t* values = read_array(file, (size_t)sizes[2] * sizeof *values);
  fclose(file);

  const clock_t start = clock();
  vtemper_options* of_model;
  vtemper_options* of_run;
  vtemper_data* data;
  vtemper_model* model;
  vtemper_optimizer* optimizer;
  check(vtemper_options_create(&of_model));
  check(vtemper_options_set(of_model, "topics", arguments[3]));
  check(vtemper_options_create(&of_run));
  check(vtemper_options_set(of_run, "method", "svi"));
  check(vtemper_options_set(of_run, "seed", "1"));
  check(vtemper_options_set(of_run, "threads", "1"));
  check(vtemper_options_set(of_run, "batch_size", "1000"));
  check(vtemper_options_set(of_run, "max_passes", arguments[2]));
  check(vtemper_data_from_counts(VTEMPER_BY_ROWS, sizes[0], sizes[1], offsets, VTEMPER_INT64, indices, VTEMPER_INT64,
                                 values, VTEMPER_INT32, 1, VTEMPER_BORROW, NULL, NULL, &data));
  check(vtemper_model_create("lda", of_model, &model));
  check(vtemper_optimizer_create(model, data, of_run, &optimizer));
  check(vtemper_optimizer_run(optimizer, NULL));
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;

  const int64_t length = atoll(arguments[3]) * sizes[1];
  double* lambda = malloc((size_t)length * sizeof *lambda);
  double sum = 0;
  if (lambda == NULL) return 2;
  check(vtemper_model_get(model, "lambda", lambda, length));
  for (int64_t i = 0; i < length; ++i) sum += lambda[i] * (double)(1 + i % 97);
  printf("%.4f %.17g\n", seconds, sum);
  return 0;
}
