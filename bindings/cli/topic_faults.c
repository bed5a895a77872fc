#include "topic_faults.h"

#include <inttypes.h>
#include <stdlib.h>

#include "corpus.h"
#include "failure.h"
#include "parameter.h"

/* Maximum number of topics listed on a line; `get` lists all of them. */
enum { TOPICS_SHOWN = 10 };

TopicFaults topic_faults_find(const vtemper_model* model) {
  TopicFaults faults = {0};
  vtemper_quantity tokens, duplicate_of;
  if (!parameter_find(model, "tokens", &tokens) || !parameter_find(model, "duplicate_of", &duplicate_of)) {
    return faults;
  }
  faults.topics = tokens.shape[0];
  const int64_t half = model_columns(model) / 2; /* as the library compares topics */
  faults.words_compared = half < 1 ? 1 : half < 10 ? half : 10;
  faults.tokens = parameter_values(model, &tokens);
  double* earlier = parameter_values(model, &duplicate_of);
  faults.duplicate_of = allocate((size_t)faults.topics, sizeof *faults.duplicate_of);
  for (int64_t k = 0; k < faults.topics; ++k) {
    const bool unused = topic_is_unused(&faults, k);
    faults.duplicate_of[k] = unused ? -1 : (int64_t)earlier[k];
    faults.unused += unused;
    faults.duplicates += faults.duplicate_of[k] >= 0;
  }
  free(earlier);
  return faults;
}

void topic_faults_free(TopicFaults* faults) {
  free(faults->tokens);
  free(faults->duplicate_of);
}

bool topic_is_unused(const TopicFaults* faults, int64_t topic) {
  return faults->tokens[topic] < 0.5;
}

/* Ends a list with the number of topics not shown. */
static void print_rest(FILE* stream, int64_t faulty) {
  if (faulty > TOPICS_SHOWN) fprintf(stream, " and %" PRId64 " more", faulty - TOPICS_SHOWN);
  fputc('\n', stream);
}

void topic_faults_print(FILE* stream, const TopicFaults* faults) {
  if (faults->unused > 0) {
    fprintf(stream, "%" PRId64 " of %" PRId64 " topics unused (less than half a token): ", faults->unused,
            faults->topics);
    for (int64_t k = 0, shown = 0; k < faults->topics && shown < TOPICS_SHOWN; ++k) {
      if (!topic_is_unused(faults, k)) continue;
      fprintf(stream, "%s%" PRId64, shown++ > 0 ? ", " : "", k);
    }
    print_rest(stream, faults->unused);
  }
  if (faults->duplicates > 0) {
    static const char* const numbers[] = {"",    "",      "two",   "three", "four", "five",
                                          "six", "seven", "eight", "nine",  "ten"};
    const bool one = faults->words_compared == 1;
    fprintf(stream, "%" PRId64 " of %" PRId64 " topics duplicate (the %s%slikeliest word%s of an earlier one): ",
            faults->duplicates, faults->topics, numbers[faults->words_compared], one ? "" : " ", one ? "" : "s");
    for (int64_t k = 0, shown = 0; k < faults->topics && shown < TOPICS_SHOWN; ++k) {
      if (faults->duplicate_of[k] < 0) continue;
      fprintf(stream, "%s%" PRId64 " of %" PRId64, shown++ > 0 ? ", " : "", k, faults->duplicate_of[k]);
    }
    print_rest(stream, faults->duplicates);
  }
}
