#include "report_topics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "markup.h"
#include "parameter.h"
#include "topic_faults.h"
#include "topic_map.h"
#include "topic_shares.h"

enum { WORDS_OF_TOOLTIP = 6, SCORES = 3, MOST_NAMED = 60, LETTERS_OF_NAME = 14 };

/* What the sections are written from. */
typedef struct TopicsPart {
  const Report* report;
  int64_t topics, columns, words;
  TopicShare* shares;  /**< [topics] largest first */
  int64_t* ranked;     /**< [topics x words] by topic */
  int64_t* names;      /**< [topics] the most relevant word of each: the likeliest one often is that of many */
  double* probability; /**< likewise */
  TopicFaults faults;
  double* scores[SCORES]; /**< [topics] coherence, diversity, exclusivity; NULL where not measured */
} TopicsPart;

static const char* const score_names[SCORES] = {"coherence_npmi", "topic_diversity", "exclusivity"};
static const char* const score_labels[SCORES] = {"coherence", "diversity", "exclusivity"};

static void write_word(FILE* out, const TopicsPart* part, int64_t column) {
  const char* name;
  check(vtemper_model_name(part->report->model, column, &name));
  if (*name) {
    markup_text(out, name);
  } else {
    fprintf(out, "#%" PRId64, column);
  }
}

/* Words of a topic as the title of an element. */
static void write_tooltip(FILE* out, const TopicsPart* part, const TopicShare* share) {
  fprintf(out, "<title>topic %" PRId64 ", %.2f %%:", share->topic, 100 * share->share);
  for (int64_t j = 0; j < part->words && j < WORDS_OF_TOOLTIP; ++j) {
    fputc(' ', out);
    write_word(out, part, part->ranked[share->topic * part->words + j]);
  }
  fputs("</title>", out);
}

static double mean_of(const double* scores, int64_t count) {
  double sum = 0, present = 0;
  for (int64_t k = 0; k < count; ++k) {
    if (isnan(scores[k])) continue;
    sum += scores[k];
    ++present;
  }
  return present > 0 ? sum / present : NAN;
}

static void write_overview(FILE* out, const TopicsPart* part) {
  fprintf(out, "<h2>Topics</h2>\n<p class=\"soft\">");
  const char* separator = "";
  for (int i = 0; i < SCORES; ++i) {
    if (!part->scores[i]) continue;
    fprintf(out, "%s%s %.3f", separator, score_labels[i], mean_of(part->scores[i], part->topics));
    separator = " \xc2\xb7 ";
  }
  fputs(", by the topics' ten likeliest words", out);
  if (part->report->data) {
    fputs("; coherence (NPMI) in the documents of ", out);
    markup_text(out, part->report->data_title);
  } else {
    fputs("; coherence needs documents: --data CORPUS", out);
  }
  fputs(".</p>\n", out);
  if (part->faults.unused + part->faults.duplicates == 0) return;
  fputs("<div class=\"warn\">", out);
  char* text = NULL;
  size_t length;
  FILE* stream = open_memstream(&text, &length);
  if (!stream) fail("memory for a text cannot be had");
  topic_faults_print(stream, &part->faults);
  if (fclose(stream) != 0) fail("memory for a text cannot be had");
  for (char* line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    fputs("<p>", out);
    markup_text(out, line);
    fputs("</p>", out);
  }
  free(text);
  fputs("</div>\n", out);
}

/* A column for each topic, largest first. */
static void write_sizes(FILE* out, const TopicsPart* part) {
  const double width = 1100, height = 190, bottom = 162, top = 12;
  const double pitch = fmin(56, width / (double)part->topics), bar = fmax(0.75 * pitch, pitch - 6);
  const double largest = part->shares[0].share > 0 ? part->shares[0].share : 1;
  fprintf(out,
          "<h2>Sizes</h2>\n<div class=\"card\"><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
          "style=\"max-width:%.0fpx\">\n",
          fmax(320, pitch * (double)part->topics), height, fmax(320, pitch * (double)part->topics));
  for (int64_t i = 0; i < part->topics; ++i) {
    const TopicShare* share = &part->shares[i];
    const double tall = fmax(0.6, (bottom - top) * share->share / largest), x = pitch * (double)i;
    fprintf(out,
            "<a href=\"#t%" PRId64 "\"><rect class=\"size\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">",
            share->topic, x, bottom - tall, bar, tall);
    write_tooltip(out, part, share);
    fputs("</rect></a>\n", out);
    if (pitch >= 20) {
      fprintf(out, "<text x=\"%.2f\" y=\"%.1f\" text-anchor=\"middle\">%" PRId64 "</text>\n", x + bar / 2,
              bottom + 17, share->topic);
    }
  }
  fputs("</svg><p class=\"soft\">Share of the words, from ", out);
  fprintf(out, "%.2f %% (topic %" PRId64 ") to %.2f %% (topic %" PRId64 ").</p></div>\n", 100 * part->shares[0].share,
          part->shares[0].topic, 100 * part->shares[part->topics - 1].share, part->shares[part->topics - 1].topic);
}

/* Places of all topics, by topic. */
static double* map_places(const TopicsPart* part) {
  vtemper_quantity info;
  if (!parameter_find(part->report->model, "topics", &info)) fail("the model has no topics");
  double* values = parameter_values(part->report->model, &info);
  double* places = allocate(2 * (size_t)part->topics, sizeof *places);
  topic_map(values, part->topics, part->columns, JENSEN_SHANNON_DISTANCE, places);
  free(values);
  return places;
}

/* Bytes of the first characters of a text, so many at most. */
static int first_characters(const char* text, int count) {
  int length = 0;
  for (int i = 0; text[length] && i < count; ++i) {
    do ++length;
    while (((unsigned char)text[length] & 0xc0) == 0x80); /* the rest of a character of several bytes */
  }
  return length;
}

/* The name of a topic beneath its number, cut short where it is long. */
static void write_name(FILE* out, const TopicsPart* part, int64_t topic, double x, double y) {
  const char* name;
  check(vtemper_model_name(part->report->model, part->names[topic], &name));
  const int length = first_characters(name, LETTERS_OF_NAME);
  char* shown = *name ? text_of("%.*s%s", length, name, name[length] ? "\xe2\x80\xa6" : "")
                      : text_of("#%" PRId64, part->names[topic]);
  fprintf(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, y);
  markup_text(out, shown);
  fputs("</text>", out);
  free(shown);
}

/* Large topics first, so that small ones lie on top of them. */
static void write_map(FILE* out, const TopicsPart* part) {
  const double width = 1100, height = 620, margin = 46;
  double* places = map_places(part);
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int64_t k = 0; k < part->topics; ++k) {
    for (int axis = 0; axis < 2; ++axis) {
      low[axis] = fmin(low[axis], places[2 * k + axis]);
      high[axis] = fmax(high[axis], places[2 * k + axis]);
    }
  }
  const double across = high[0] - low[0], down = high[1] - low[1];
  const double scale = fmin(across > 1e-9 ? (width - 2 * margin) / across : INFINITY,
                            down > 1e-9 ? (height - 2 * margin) / down : INFINITY);
  const double used = isfinite(scale) ? scale : 0;
  fprintf(out, "<h2>Map</h2>\n<div class=\"card\"><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", width, height);
  for (int64_t i = 0; i < part->topics; ++i) {
    const TopicShare* share = &part->shares[i];
    const double x = width / 2 + used * (places[2 * share->topic] - (low[0] + high[0]) / 2);
    const double y = height / 2 - used * (places[2 * share->topic + 1] - (low[1] + high[1]) / 2);
    const double radius = fmax(3.5, fmin(44, 130 * sqrt(share->share)));
    fprintf(out, "<a href=\"#t%" PRId64 "\"><circle class=\"bubble\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\">",
            share->topic, x, y, radius);
    write_tooltip(out, part, share);
    fputs("</circle>", out);
    if (radius >= 8.5) {
      const bool named = part->topics <= MOST_NAMED;
      fprintf(out, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%" PRId64 "</text>", x,
              named ? y : y + 4, share->topic);
      if (named) write_name(out, part, share->topic, x, y + 12);
    }
    fputs("</a>\n", out);
  }
  fputs(
      "</svg><p class=\"soft\">Near topics have like words (classical scaling of Jensen-Shannon distances); areas "
      "are shares of the words.</p></div>\n",
      out);
  free(places);
}

static void write_topic(FILE* out, const TopicsPart* part, const TopicShare* share) {
  const int64_t k = share->topic;
  fprintf(out, "<div class=\"card topic\" id=\"t%" PRId64 "\"><h3>Topic %" PRId64, k, k);
  if (topic_is_unused(&part->faults, k)) fputs(" <em class=\"badge\">unused</em>", out);
  if (part->faults.duplicate_of[k] >= 0) {
    fprintf(out, " <a class=\"badge\" href=\"#t%" PRId64 "\">like %" PRId64 "</a>", part->faults.duplicate_of[k],
            part->faults.duplicate_of[k]);
  }
  fprintf(out, "<span>%.2f %%</span></h3>\n", 100 * share->share);
  const double largest = part->probability[k * part->words];
  for (int64_t j = 0; j < part->words; ++j) {
    const double probability = part->probability[k * part->words + j];
    fprintf(out, "<div class=\"word\"><i style=\"width:%.1f%%\"></i><bdi title=\"",
            largest > 0 ? 100 * probability / largest : 0);
    write_word(out, part, part->ranked[k * part->words + j]);
    fputs("\">", out);
    write_word(out, part, part->ranked[k * part->words + j]);
    fprintf(out, "</bdi><b>%.2f %%</b></div>\n", 100 * probability);
  }
  fputs("<p class=\"scores\">", out);
  const char* separator = "";
  for (int i = 0; i < SCORES; ++i) {
    if (!part->scores[i]) continue;
    if (isnan(part->scores[i][k])) {
      fprintf(out, "%s%s none", separator, score_labels[i]);
    } else {
      fprintf(out, "%s%s %.2f", separator, score_labels[i], part->scores[i][k]);
    }
    separator = " \xc2\xb7 ";
  }
  fputs("</p></div>\n", out);
}

void report_topics_write(FILE* out, const Report* report) {
  TopicsPart part = {.report = report, .columns = model_columns(report->model)};
  part.faults = topic_faults_find(report->model);
  if (part.faults.topics == 0) return;
  part.shares = topic_shares(report->model, &part.topics);
  part.words = report->words < part.columns ? report->words : part.columns;
  const size_t listed = (size_t)part.topics * (size_t)part.words;
  part.ranked = allocate(listed, sizeof *part.ranked);
  part.probability = allocate(listed, sizeof *part.probability);
  check(vtemper_model_rank_all_words(report->model, "probability", part.words, part.ranked, part.probability));
  for (int i = report->data ? 0 : 1; i < SCORES; ++i) {
    part.scores[i] = allocate((size_t)part.topics, sizeof *part.scores[i]);
    check(vtemper_model_evaluate_topics(report->model, i == 0 ? report->data : NULL, score_names[i], NULL,
                                        part.scores[i], part.topics));
  }
  part.names = topic_words(report->model, "relevance:0.3", part.topics, 1);
  write_overview(out, &part);
  write_sizes(out, &part);
  write_map(out, &part);
  fputs("<h2>Words</h2>\n<div class=\"topics\">\n", out);
  for (int64_t i = 0; i < part.topics; ++i) write_topic(out, &part, &part.shares[i]);
  fputs("</div>\n", out);
  for (int i = 0; i < SCORES; ++i) free(part.scores[i]);
  free(part.probability);
  free(part.names);
  free(part.ranked);
  free(part.shares);
  topic_faults_free(&part.faults);
}
