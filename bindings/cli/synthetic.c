#include "synthetic.h"

#include <math.h>
#include <stdlib.h>

#include "failure.h"

/* Dirichlet concentrations of words in a topic and of topics in a document. */
static const double word_concentration = 0.05;
static const double topic_concentration = 0.1;
static const double two_pi = 6.283185307179586;

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t next_bits(uint64_t* state) {
  uint64_t bits = *state += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/* Uniform on (0, 1). */
static double uniform(uint64_t* state) {
  return ((double)(next_bits(state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t* state) {
  const double radius = sqrt(-2 * log(uniform(state)));
  return radius * cos(two_pi * uniform(state));
}

/* Gamma variate (Marsaglia and Tsang 2000). */
static double gamma_variate(uint64_t* state, double shape) {
  if (shape < 1) return gamma_variate(state, shape + 1) * pow(uniform(state), 1 / shape);
  const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double x = normal(state), v = pow(1 + c * x, 3);
    if (v > 0 && log(uniform(state)) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
  }
}

/* Cumulative sums of a symmetric Dirichlet draw; the last is 1. */
static void draw_shares(uint64_t* state, double concentration, int count, double* cumulative) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += gamma_variate(state, concentration);
    cumulative[i] = sum;
  }
  for (int i = 0; i < count; ++i) cumulative[i] /= sum;
  cumulative[count - 1] = 1;
}

/* First index whose cumulative sum exceeds a uniform draw. */
static int draw_index(uint64_t* state, const double* cumulative, int count) {
  const double draw = uniform(state);
  int low = 0, high = count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (cumulative[middle] > draw) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/* A word, with the topic that gives it the highest probability. */
typedef struct OwnedWord {
  int word, topic;
  double probability;
} OwnedWord;

static int by_topic_and_probability(const void* a, const void* b) {
  const OwnedWord *left = a, *right = b;
  if (left->topic != right->topic) return left->topic < right->topic ? -1 : 1;
  if (left->probability != right->probability) return left->probability < right->probability ? 1 : -1;
  return left->word < right->word ? -1 : 1;
}

/* Names of the words; the caller frees them. */
static char** name_words(const SyntheticSizes* sizes, const double* topics) {
  OwnedWord* owned = allocate((size_t)sizes->words, sizeof *owned);
  for (int v = 0; v < sizes->words; ++v) {
    owned[v] = (OwnedWord){v, 0, -1};
    for (int k = 0; k < sizes->topics; ++k) {
      const double* cumulative = topics + (size_t)k * (size_t)sizes->words;
      const double probability = cumulative[v] - (v > 0 ? cumulative[v - 1] : 0);
      if (probability > owned[v].probability) owned[v] = (OwnedWord){v, k, probability};
    }
  }
  qsort(owned, (size_t)sizes->words, sizeof *owned, by_topic_and_probability);
  char** names = allocate((size_t)sizes->words, sizeof *names);
  int rank = 0;
  for (int i = 0; i < sizes->words; ++i) {
    rank = i > 0 && owned[i].topic == owned[i - 1].topic ? rank + 1 : 1;
    names[owned[i].word] = text_of("%c%d", 'a' + owned[i].topic, rank);
  }
  free(owned);
  return names;
}

vtemper_data* synthetic_corpus(const SyntheticSizes* sizes, uint64_t seed) {
  uint64_t state = seed;
  const size_t topic_count = (size_t)sizes->topics, word_count = (size_t)sizes->words;
  double* topics = allocate(topic_count * word_count, sizeof *topics);
  for (size_t k = 0; k < topic_count; ++k) {
    draw_shares(&state, word_concentration, sizes->words, topics + k * word_count);
  }
  const size_t room = (size_t)sizes->documents * (size_t)sizes->tokens;
  int64_t* offsets = allocate((size_t)sizes->documents + 1, sizeof *offsets);
  int32_t* columns = allocate(room, sizeof *columns);
  int32_t* values = allocate(room, sizeof *values);
  int32_t* counts = allocate(word_count, sizeof *counts);
  double* proportions = allocate(topic_count, sizeof *proportions);
  int64_t entries = 0;
  offsets[0] = 0;
  for (int d = 0; d < sizes->documents; ++d) {
    draw_shares(&state, topic_concentration, sizes->topics, proportions);
    for (size_t v = 0; v < word_count; ++v) counts[v] = 0;
    for (int n = 0; n < sizes->tokens; ++n) {
      const size_t k = (size_t)draw_index(&state, proportions, sizes->topics);
      ++counts[draw_index(&state, topics + k * word_count, sizes->words)];
    }
    for (int v = 0; v < sizes->words; ++v) {
      if (counts[v] == 0) continue;
      columns[entries] = v;
      values[entries++] = counts[v];
    }
    offsets[d + 1] = entries;
  }
  vtemper_data* data;
  check(vtemper_data_from_counts(VTEMPER_BY_ROWS, sizes->documents, sizes->words, offsets, VTEMPER_INT64, columns,
                                 VTEMPER_INT32, values, VTEMPER_INT32, 0, VTEMPER_COPY, NULL, NULL, &data));
  char** names = name_words(sizes, topics);
  check(vtemper_data_set_names(data, (const char* const*)names, sizes->words));
  for (int v = 0; v < sizes->words; ++v) free(names[v]);
  free(names);
  free(proportions);
  free(counts);
  free(values);
  free(columns);
  free(offsets);
  free(topics);
  return data;
}
