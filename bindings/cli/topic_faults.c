#include "topic_faults.h"

#include <inttypes.h>
#include <stdlib.h>

#include "failure.h"
#include "parameter.h"

TopicFaults topic_faults_find(const vtemper_model* model) {
  TopicFaults faults = {0};
  vtemper_quantity tokens, duplicate_of;
  if (!parameter_find(model, "tokens", &tokens) || !parameter_find(model, "duplicate_of", &duplicate_of)) {
    return faults;
  }
  faults.topics = tokens.shape[0];
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

void topic_faults_print(FILE* stream, const TopicFaults* faults) {
  const char* separator = "";
  if (faults->unused > 0) {
    fprintf(stream, "%" PRId64 " of %" PRId64 " topics unused (less than half a token): ", faults->unused,
            faults->topics);
    for (int64_t k = 0; k < faults->topics; ++k) {
      if (!topic_is_unused(faults, k)) continue;
      fprintf(stream, "%s%" PRId64, separator, k);
      separator = ", ";
    }
    fputc('\n', stream);
  }
  separator = "";
  if (faults->duplicates > 0) {
    fprintf(stream, "%" PRId64 " of %" PRId64 " topics duplicate (the ten likeliest words of an earlier one): ",
            faults->duplicates, faults->topics);
    for (int64_t k = 0; k < faults->topics; ++k) {
      if (faults->duplicate_of[k] < 0) continue;
      fprintf(stream, "%s%" PRId64 " of %" PRId64, separator, k, faults->duplicate_of[k]);
      separator = ", ";
    }
    fputc('\n', stream);
  }
}
