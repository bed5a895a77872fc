#include "states.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "outside_text.h"
#include "parameter.h"

enum { SYMBOLS_SHOWN = 8, STATES_SHOWN = 4 };

static double* mean_of(const vtemper_model* model, const char* name, int64_t* states) {
  vtemper_quantity quantity;
  if (!parameter_find(model, name, &quantity)) fail("the model has no parameter %s", name);
  *states = quantity.shape[0];
  return parameter_values(model, &quantity);
}

/* Index of the largest value not yet taken; marks it as taken. */
static int64_t take_largest(double* values, int64_t count) {
  int64_t best = 0;
  for (int64_t i = 1; i < count; ++i) {
    if (values[i] > values[best]) best = i;
  }
  return best;
}

static void print_symbol(FILE* stream, const vtemper_model* model, int64_t symbol) {
  const char* name;
  check(vtemper_model_name(model, symbol, &name));
  if (*name) {
    fputc(' ', stream);
    print_outside_text(stream, name);
  } else {
    fprintf(stream, " %" PRId64, symbol);
  }
}

/* The most probable items of a row, with their probabilities; overwrites the row. */
static void print_likeliest(FILE* stream, const vtemper_model* model, double* row, int64_t count, int shown) {
  for (int i = 0; i < shown && i < count; ++i) {
    const int64_t best = take_largest(row, count);
    if (model) {
      print_symbol(stream, model, best);
    } else {
      fprintf(stream, " %" PRId64, best);
    }
    fprintf(stream, " %.2f", row[best]);
    row[best] = -1;
  }
}

void states_print(FILE* stream, const vtemper_model* model) {
  if (strcmp(vtemper_model_kind(model), "hidden_markov") != 0) return;
  int64_t states;
  double* initial = mean_of(model, "initial.mean", &states);
  double* transition = mean_of(model, "transition.mean", &states);
  double* emission = mean_of(model, "emission.mean", &states);
  double* weights = mean_of(model, "emission", &states);
  const int64_t symbols = model_columns(model);
  double total = 0;
  for (int64_t i = 0; i < states * symbols; ++i) total += weights[i];
  fprintf(stream,
          "\nstates    share of the symbols, probability at the start; likeliest next states; likeliest symbols\n");
  for (int64_t k = 0; k < states; ++k) {
    double share = 0;
    for (int64_t v = 0; v < symbols; ++v) share += weights[k * symbols + v] / total;
    fprintf(stream, "  %-3" PRId64 " %5.1f %% %5.2f ;", k, 100 * share, initial[k]);
    print_likeliest(stream, NULL, transition + k * states, states, STATES_SHOWN);
    fprintf(stream, " ;");
    print_likeliest(stream, model, emission + k * symbols, symbols, SYMBOLS_SHOWN);
    fputc('\n', stream);
  }
  free(weights);
  free(emission);
  free(transition);
  free(initial);
}
