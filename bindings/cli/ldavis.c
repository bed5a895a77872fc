/* Layout: mdsDat (coordinates and shares of the topics), tinfo (words and their bars: the most salient ones overall,
 * then for each topic those among the most relevant for some weight lambda), token.table (distribution of each word's
 * tokens over the topics), R, lambda.step, plot.opts, topic.order. Topics are numbered from 1, largest first;
 * topic.order holds the model's numbers, also from 1. */

#include "ldavis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "numbers.h"
#include "parameter.h"

/* A topic or word with its sort key. */
typedef struct Scored {
  int64_t index;
  double score;
} Scored;

/* The output, with topics in their new order. */
typedef struct Ldavis {
  const vtemper_model* model;
  int64_t topics, words, terms;
  double* probabilities;   /**< [topics x words] */
  double* topic_tokens;    /**< [topics] */
  double* word_tokens;     /**< [words] sum over the topics */
  double total;            /**< total number of tokens */
  int64_t* order;          /**< [topics] number of each topic in the model */
  int64_t *term, *of_term; /**< [rows] of tinfo: word; topic from 0, or -1 */
  int64_t rows;
} Ldavis;

static int higher_first(const void* a, const void* b) {
  const Scored *left = a, *right = b;
  if (left->score != right->score) return left->score < right->score ? 1 : -1;
  return left->index < right->index ? -1 : 1;
}

static double tokens_of(const Ldavis* vis, int64_t topic, int64_t word) {
  return vis->probabilities[topic * vis->words + word] * vis->topic_tokens[topic];
}

/* Keeps the best `room` items offered so far, best first. */
static void offer(Scored* best, int64_t* held, int64_t room, Scored candidate) {
  if (*held == room && higher_first(&candidate, &best[room - 1]) > 0) return;
  int64_t place = *held < room ? (*held)++ : room - 1;
  for (; place > 0 && higher_first(&candidate, &best[place - 1]) < 0; --place) best[place] = best[place - 1];
  best[place] = candidate;
}

static void add_row(Ldavis* vis, int64_t word, int64_t topic) {
  if ((vis->rows & (vis->rows - 1)) == 0) {
    const size_t room = vis->rows ? 2 * (size_t)vis->rows : 1;
    vis->term = reallocate(vis->term, room, sizeof *vis->term);
    vis->of_term = reallocate(vis->of_term, room, sizeof *vis->of_term);
  }
  vis->term[vis->rows] = word;
  vis->of_term[vis->rows++] = topic;
}

/* Saliency (Chuang, Manning and Heer 2012): p(w) sum_k p(k | w) log p(k | w) / p(k). */
static void add_salient_words(Ldavis* vis) {
  Scored* best = allocate((size_t)vis->terms, sizeof *best);
  int64_t held = 0;
  for (int64_t v = 0; v < vis->words; ++v) {
    double saliency = 0;
    for (int64_t k = 0; k < vis->topics && vis->word_tokens[v] > 0; ++k) {
      const double share = tokens_of(vis, k, v) / vis->word_tokens[v];
      if (share > 0) saliency += share * log(share * vis->total / vis->topic_tokens[k]);
    }
    offer(best, &held, vis->terms, (Scored){v, saliency * vis->word_tokens[v] / vis->total});
  }
  for (int64_t i = 0; i < held; ++i) add_row(vis, best[i].index, -1);
  free(best);
}

static double log_lift(const Ldavis* vis, int64_t topic, int64_t word) {
  return log(vis->probabilities[topic * vis->words + word] * vis->total / vis->word_tokens[word]);
}

/* Adds words among the most relevant ones of the topic for some lambda. */
static void add_words_of_topic(Ldavis* vis, int64_t topic, double lambda_step) {
  Scored* best = allocate((size_t)vis->terms, sizeof *best);
  char* chosen = allocate((size_t)vis->words, 1);
  double* log_probability = allocate(2 * (size_t)vis->words, sizeof *log_probability);
  double* lift = log_probability + vis->words;
  for (int64_t v = 0; v < vis->words; ++v) {
    chosen[v] = 0;
    log_probability[v] = log(vis->probabilities[topic * vis->words + v]);
    lift[v] = log_lift(vis, topic, v);
  }
  const int64_t steps = llround(1 / lambda_step);
  for (int64_t step = 0; step <= steps; ++step) {
    const double lambda = fmin(1, (double)step * lambda_step);
    int64_t held = 0;
    for (int64_t v = 0; v < vis->words; ++v) {
      const double relevance = lambda * log_probability[v] + (1 - lambda) * lift[v];
      if (isfinite(log_probability[v]) && isfinite(lift[v])) offer(best, &held, vis->terms, (Scored){v, relevance});
    }
    for (int64_t i = 0; i < held; ++i) chosen[best[i].index] = 1;
  }
  for (int64_t v = 0; v < vis->words; ++v) {
    if (chosen[v]) add_row(vis, v, topic);
  }
  free(log_probability);
  free(chosen);
  free(best);
}

static void write_string(FILE* out, const char* text) {
  fputc('"', out);
  for (; *text; ++text) {
    const unsigned char byte = (unsigned char)*text;
    /* '<' is escaped too, so that the JSON can be embedded in HTML. */
    if (byte < ' ' || byte == '"' || byte == '\\' || byte == '<' || byte == 0x7f) {
      fprintf(out, "\\u%04x", byte);
    } else {
      fputc(byte, out);
    }
  }
  fputc('"', out);
}

static void write_word(FILE* out, const Ldavis* vis, int64_t word) {
  const char* name;
  check(vtemper_model_name(vis->model, word, &name));
  char number[NUMBER_LENGTH];
  snprintf(number, sizeof number, "#%" PRId64, word);
  write_string(out, *name ? name : number);
}

static void write_real(FILE* out, double value) {
  char text[NUMBER_LENGTH];
  fputs(format_real(text, value), out);
}

static double rounded(double value) {
  return round(value * 1e4) / 1e4;
}

/* The number of an item of a list; write_numbers writes a name and then the numbers of all items. */
typedef double (*NumberOf)(const Ldavis* vis, int64_t item);

static void write_numbers(FILE* out, const char* name, const Ldavis* vis, int64_t count, NumberOf number_of) {
  fprintf(out, "\"%s\": [", name);
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0) fputs(", ", out);
    write_real(out, number_of(vis, i));
  }
  fputc(']', out);
}

static double number_of_topic(const Ldavis* vis, int64_t topic) {
  (void)vis;
  return (double)topic + 1;
}
static double cluster_of_topic(const Ldavis* vis, int64_t topic) {
  (void)vis, (void)topic;
  return 1;
}
static double percent_of_topic(const Ldavis* vis, int64_t topic) {
  return 100 * vis->topic_tokens[topic] / vis->total;
}
static double model_number_of_topic(const Ldavis* vis, int64_t topic) {
  return (double)vis->order[topic] + 1;
}

static void write_places(FILE* out, const Ldavis* vis) {
  double* places = allocate(2 * (size_t)vis->topics, sizeof *places);
  check(vtemper_model_topic_map(vis->model, "divergence", places, 2 * vis->topics));
  fputs("\"mdsDat\": {", out);
  for (int axis = 0; axis < 2; ++axis) {
    fprintf(out, "\"%s\": [", axis == 0 ? "x" : "y");
    for (int64_t k = 0; k < vis->topics; ++k) {
      if (k > 0) fputs(", ", out);
      write_real(out, places[2 * vis->order[k] + axis]);
    }
    fputs("], ", out);
  }
  write_numbers(out, "topics", vis, vis->topics, number_of_topic);
  fputs(", ", out);
  write_numbers(out, "cluster", vis, vis->topics, cluster_of_topic);
  fputs(", ", out);
  write_numbers(out, "Freq", vis, vis->topics, percent_of_topic);
  fputs("},\n", out);
  free(places);
}

/* Values for row i of tinfo. The first rows, which belong to no topic, are ranked by decreasing numbers. */
static double row_tokens(const Ldavis* vis, int64_t i) {
  const double all = vis->word_tokens[vis->term[i]];
  return vis->of_term[i] < 0 ? floor(all) : tokens_of(vis, vis->of_term[i], vis->term[i]);
}
static double row_total(const Ldavis* vis, int64_t i) {
  const double all = vis->word_tokens[vis->term[i]];
  return vis->of_term[i] < 0 ? floor(all) : all;
}
static double row_log_probability(const Ldavis* vis, int64_t i) {
  if (vis->of_term[i] < 0) return (double)(vis->terms - i);
  return rounded(log(vis->probabilities[vis->of_term[i] * vis->words + vis->term[i]]));
}
static double row_log_lift(const Ldavis* vis, int64_t i) {
  if (vis->of_term[i] < 0) return (double)(vis->terms - i);
  return rounded(log_lift(vis, vis->of_term[i], vis->term[i]));
}

static void write_terms(FILE* out, const Ldavis* vis) {
  fputs("\"tinfo\": {\"Term\": [", out);
  for (int64_t i = 0; i < vis->rows; ++i) {
    if (i > 0) fputs(", ", out);
    write_word(out, vis, vis->term[i]);
  }
  fputs("], \"Category\": [", out);
  for (int64_t i = 0; i < vis->rows; ++i) {
    if (i > 0) fputs(", ", out);
    if (vis->of_term[i] < 0) {
      fputs("\"Default\"", out);
    } else {
      fprintf(out, "\"Topic%" PRId64 "\"", vis->of_term[i] + 1);
    }
  }
  fputs("], ", out);
  write_numbers(out, "Freq", vis, vis->rows, row_tokens);
  fputs(", ", out);
  write_numbers(out, "Total", vis, vis->rows, row_total);
  fputs(", ", out);
  write_numbers(out, "logprob", vis, vis->rows, row_log_probability);
  fputs(", ", out);
  write_numbers(out, "loglift", vis, vis->rows, row_log_lift);
  fputs("},\n", out);
}

/* Cells of the table: every word of tinfo with every topic that has at least half a token of it. */
typedef struct Cell {
  int64_t word, topic;
} Cell;

static Cell* table_cells(const Ldavis* vis, int64_t* count) {
  char* shown = allocate((size_t)vis->words, 1);
  memset(shown, 0, (size_t)vis->words);
  for (int64_t i = 0; i < vis->rows; ++i) shown[vis->term[i]] = 1;
  Cell* cells = NULL;
  *count = 0;
  for (int64_t v = 0; v < vis->words; ++v) {
    for (int64_t k = 0; k < vis->topics && shown[v]; ++k) {
      if (tokens_of(vis, k, v) < 0.5) continue;
      if ((*count & (*count - 1)) == 0) cells = reallocate(cells, *count ? 2 * (size_t)*count : 1, sizeof *cells);
      cells[(*count)++] = (Cell){v, k};
    }
  }
  free(shown);
  return cells;
}

static void write_table(FILE* out, const Ldavis* vis) {
  int64_t count;
  Cell* cells = table_cells(vis, &count);
  fputs("\"token.table\": {\"Topic\": [", out);
  for (int64_t i = 0; i < count; ++i) fprintf(out, "%s%" PRId64, i > 0 ? ", " : "", cells[i].topic + 1);
  fputs("], \"Freq\": [", out);
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0) fputs(", ", out);
    write_real(out, round(tokens_of(vis, cells[i].topic, cells[i].word)) / vis->word_tokens[cells[i].word]);
  }
  fputs("], \"Term\": [", out);
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0) fputs(", ", out);
    write_word(out, vis, cells[i].word);
  }
  fputs("]},\n", out);
  free(cells);
}

/* Orders topics by decreasing tokens. */
static void order_topics(Ldavis* vis, const double* tokens) {
  Scored* sorted = allocate((size_t)vis->topics, sizeof *sorted);
  for (int64_t k = 0; k < vis->topics; ++k) sorted[k] = (Scored){k, tokens[k]};
  qsort(sorted, (size_t)vis->topics, sizeof *sorted, higher_first);
  vtemper_quantity info;
  if (!parameter_find(vis->model, "topics", &info)) fail("the model has no topics");
  double* values = parameter_values(vis->model, &info);
  for (int64_t k = 0; k < vis->topics; ++k) {
    vis->order[k] = sorted[k].index;
    vis->topic_tokens[k] = sorted[k].score;
    vis->total += sorted[k].score;
    memcpy(vis->probabilities + k * vis->words, values + sorted[k].index * vis->words,
           (size_t)vis->words * sizeof *values);
  }
  for (int64_t v = 0; v < vis->words; ++v) {
    vis->word_tokens[v] = 0;
    for (int64_t k = 0; k < vis->topics; ++k) vis->word_tokens[v] += tokens_of(vis, k, v);
  }
  free(values);
  free(sorted);
}

void ldavis_write(FILE* out, const vtemper_model* model, const double* tokens, const LdavisSettings* settings) {
  vtemper_quantity info;
  if (!parameter_find(model, "tokens", &info)) fail("a %s model has no topics", vtemper_model_kind(model));
  Ldavis vis = {.model = model, .topics = info.shape[0], .words = model_columns(model)};
  vis.terms = settings->terms < vis.words ? settings->terms : vis.words;
  vis.probabilities = allocate((size_t)vis.topics * (size_t)vis.words, sizeof *vis.probabilities);
  vis.topic_tokens = allocate((size_t)vis.topics, sizeof *vis.topic_tokens);
  vis.word_tokens = allocate((size_t)vis.words, sizeof *vis.word_tokens);
  vis.order = allocate((size_t)vis.topics, sizeof *vis.order);
  order_topics(&vis, tokens);
  if (!(vis.total > 0)) fail("the documents have no words of the model, so there is nothing to show");
  add_salient_words(&vis);
  for (int64_t k = 0; k < vis.topics; ++k) add_words_of_topic(&vis, k, settings->lambda_step);
  fputs("{", out);
  write_places(out, &vis);
  write_terms(out, &vis);
  write_table(out, &vis);
  char step[NUMBER_LENGTH];
  fprintf(out, "\"R\": %" PRId64 ", \"lambda.step\": %s, \"plot.opts\": {\"xlab\": \"PC1\", \"ylab\": \"PC2\"}, ",
          vis.terms, format_real(step, settings->lambda_step));
  write_numbers(out, "topic.order", &vis, vis.topics, model_number_of_topic);
  fputs("}\n", out);
  free(vis.of_term);
  free(vis.term);
  free(vis.order);
  free(vis.word_tokens);
  free(vis.topic_tokens);
  free(vis.probabilities);
}
