/* A client program: fits two topics to documents that come from two disjoint halves of a vocabulary, and
 * checks that each topic found one half. */
#include <stdio.h>
#include <stdlib.h>
#include <vtemper/vtemper.h>

enum { DOCUMENTS = 200, WORDS_PER_DOCUMENT = 10, VOCABULARY = 20, TOPICS = 2 };

static void check(vtemper_status status) {
  if (status != VTEMPER_OK) {
    fprintf(stderr, "%s: %s\n", vtemper_status_name(status), vtemper_last_error());
    exit(1);
  }
}

int main(void) {
  static int64_t offsets[DOCUMENTS + 1];
  static int32_t words[DOCUMENTS * WORDS_PER_DOCUMENT];
  static double counts[DOCUMENTS * WORDS_PER_DOCUMENT];
  for (int document = 0; document < DOCUMENTS; ++document) {
    for (int i = 0; i < WORDS_PER_DOCUMENT; ++i) {
      const int entry = document * WORDS_PER_DOCUMENT + i;
      words[entry] = document % 2 * (VOCABULARY / 2) + i;
      counts[entry] = 1 + (document / 2 + i) % 3;
    }
    offsets[document + 1] = (int64_t)(document + 1) * WORDS_PER_DOCUMENT;
  }

  if (vtemper_version_number() != VTEMPER_VERSION_NUMBER) {
    fprintf(stderr, "the library %s is not that of the header\n", vtemper_version());
    return 1;
  }

  vtemper_data* data = NULL;
  check(vtemper_data_from_counts(VTEMPER_BY_ROWS, DOCUMENTS, VOCABULARY, offsets, VTEMPER_INT64, words, VTEMPER_INT32,
                                 counts, VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));

  vtemper_options* model_options = NULL;
  check(vtemper_options_create(&model_options));
  check(vtemper_options_set_integer(model_options, "topics", TOPICS));
  vtemper_model* model = NULL;
  check(vtemper_model_create("lda", model_options, &model));

  vtemper_options* options = NULL;
  check(vtemper_options_create(&options));
  check(vtemper_options_set(options, "method", "svi"));
  check(vtemper_options_set(options, "batch_size", "20"));
  check(vtemper_options_set(options, "max_passes", "10"));
  vtemper_optimizer* optimizer = NULL;
  check(vtemper_optimizer_create(model, data, options, &optimizer));
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_run(optimizer, &report));

  double topics[TOPICS * VOCABULARY];
  check(vtemper_model_get(model, "topics", topics, TOPICS * VOCABULARY));
  double low[TOPICS] = {0, 0};
  for (int topic = 0; topic < TOPICS; ++topic) {
    for (int word = 0; word < VOCABULARY / 2; ++word) low[topic] += topics[topic * VOCABULARY + word];
  }
  printf("%s: %g passes; the first half of the words has probability %g and %g\n", vtemper_build_info(),
         report.passes, low[0], low[1]);

  vtemper_optimizer_destroy(optimizer);
  vtemper_options_destroy(options);
  vtemper_model_destroy(model);
  vtemper_options_destroy(model_options);
  vtemper_data_destroy(data);
  return (low[0] > 0.95 && low[1] < 0.05) || (low[1] > 0.95 && low[0] < 0.05) ? 0 : 1;
}
