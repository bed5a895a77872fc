#include "sweep_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "markup.h"
#include "numbers.h"
#include "output_file.h"
#include "panel.h"

static const struct {
  const char* name;  /**< name in the CSV */
  const char* head;  /**< heading of the table */
  const char* title; /**< title of the picture */
  int decimals;      /**< decimals in the table */
} measures[SWEEP_MEASURES] = {
    {"predictive", "held-out", "held-out log probability of a word (nats), higher is better", 4},
    {"coherence_npmi", "coherence", "coherence of the topics (NPMI of the ten likeliest words)", 4},
    {"topic_diversity", "diversity", "diversity (share of distinct words among the topics' ten)", 3},
    {"seconds", "seconds", "time of a fit (seconds)", 1},
};

SweepRow sweep_row(int64_t topics, const double* values, int64_t fits) {
  SweepRow row = {.topics = topics, .fits = fits};
  for (int m = 0; m < SWEEP_MEASURES; ++m) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < fits; ++i) sum += values[i * SWEEP_MEASURES + m];
    row.mean[m] = sum / (double)fits;
    for (int64_t i = 0; i < fits; ++i) squares += pow(values[i * SWEEP_MEASURES + m] - row.mean[m], 2);
    row.spread[m] = fits > 1 ? sqrt(squares / (double)(fits - 1)) : NAN;
  }
  return row;
}

void sweep_print_head(FILE* stream) {
  fprintf(stream, "topics");
  for (int m = 0; m < SWEEP_MEASURES; ++m) fprintf(stream, "  %19s", measures[m].head);
  fputc('\n', stream);
}

void sweep_print_row(FILE* stream, const SweepRow* row) {
  fprintf(stream, "%6" PRId64, row->topics);
  for (int m = 0; m < SWEEP_MEASURES; ++m) {
    if (isnan(row->mean[m])) {
      fprintf(stream, "  %9s", "-");
    } else {
      fprintf(stream, "  %9.*f", measures[m].decimals, row->mean[m]);
    }
    if (isnan(row->spread[m])) {
      fprintf(stream, "%10s", "");
    } else {
      fprintf(stream, " +- %-6.*f", measures[m].decimals, row->spread[m]);
    }
  }
  fputc('\n', stream);
}

void sweep_print_best(FILE* stream, const SweepRow* rows, int count) {
  const SweepRow *predictive = rows, *coherence = rows;
  for (int i = 1; i < count; ++i) {
    if (rows[i].mean[SWEEP_PREDICTIVE] > predictive->mean[SWEEP_PREDICTIVE]) predictive = &rows[i];
    const double best = coherence->mean[SWEEP_COHERENCE];
    if (rows[i].mean[SWEEP_COHERENCE] > best || isnan(best)) coherence = &rows[i];
  }
  fprintf(stream, "highest held-out score: %" PRId64 " %s", predictive->topics,
          plural(predictive->topics == 1, "topic", "topics"));
  if (!isnan(coherence->mean[SWEEP_COHERENCE]))
    fprintf(stream, "; highest coherence: %" PRId64 " %s", coherence->topics,
            plural(coherence->topics == 1, "topic", "topics"));
  fputc('\n', stream);
}

/* Empty where it is not defined; null in JSON. */
static void write_number(TableFile* table, double value) {
  if (isnan(value) && table->format != TABLE_JSON) {
    table_text(table, "");
  } else {
    table_real(table, value);
  }
}

void sweep_write_table(const char* path, TableFormat format, const SweepRow* rows, int count) {
  TableFile table = table_start(format);
  table_column(&table, "topics");
  table_column(&table, "fits");
  for (int m = 0; m < SWEEP_MEASURES; ++m) {
    char* spread = text_of("%s_spread", measures[m].name);
    table_column(&table, measures[m].name);
    table_column(&table, spread);
    free(spread);
  }
  table_open(&table, path);
  for (int i = 0; i < count; ++i) {
    table_integer(&table, rows[i].topics);
    table_integer(&table, rows[i].fits);
    for (int m = 0; m < SWEEP_MEASURES; ++m) {
      write_number(&table, rows[i].mean[m]);
      write_number(&table, rows[i].spread[m]);
    }
  }
  table_close(&table);
}

void sweep_write_picture(const char* path, const char* subtitle, const SweepRow* rows, int count) {
  const double width = 760, height_of_panel = 190, top = 96, gap = 52;
  const SweepMeasure shown[] = {SWEEP_PREDICTIVE, SWEEP_COHERENCE, SWEEP_SECONDS};
  const int panels = (int)(sizeof shown / sizeof shown[0]);
  const double height = top + panels * (height_of_panel + gap) + 10;
  OutputFile output;
  output_open(&output, path);
  FILE* out = output.stream;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
          "role=\"img\">\n"
          "<title>Held-out score, coherence and time by the number of topics</title>\n"
          "<style>text{font-family:'DejaVu Sans',Verdana,Arial,sans-serif;font-size:12.5px;fill:#4a515a}"
          ".title{font-size:19px;font-weight:bold;fill:#20262d}.panel-title{font-size:14px;fill:#20262d}"
          "path{fill:none}.panel-grid{stroke:#e3e6ea}.panel-axis{stroke:#7a828c}"
          ".panel-curve{fill:none;stroke:#2f6fb3;stroke-width:2.4;stroke-linejoin:round}"
          ".panel-spread{stroke:#2f6fb3;stroke-width:1.4}.panel-dot{fill:#2f6fb3}</style>\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
          "<text x=\"80\" y=\"34\" class=\"title\">Number of topics</text>\n<text x=\"80\" y=\"56\">",
          width, height, width, height);
  markup_text(out, subtitle);
  fputs("</text>\n", out);
  double* numbers = allocate(3 * (size_t)count, sizeof *numbers);
  for (int p = 0; p < panels; ++p) {
    const SweepMeasure measure = shown[p];
    for (int i = 0; i < count; ++i) {
      numbers[i] = (double)rows[i].topics;
      numbers[count + i] = rows[i].mean[measure];
      numbers[2 * count + i] = rows[i].spread[measure];
    }
    bool defined = false;
    for (int i = 0; i < count; ++i) defined = defined || !isnan(rows[i].mean[measure]);
    const double panel_top = top + p * (height_of_panel + gap);
    const Panel panel = {.left = 80,
                         .right = width - 24,
                         .top = panel_top,
                         .bottom = panel_top + height_of_panel - 24,
                         .title = measures[measure].title,
                         .note = defined ? "" : "not defined for these documents",
                         .x_label = p == panels - 1 ? "topics" : "",
                         .x_ticks = 10,
                         .y_ticks = 5,
                         .dots = 1};
    const Series series = {numbers, numbers + count, numbers + 2 * count, count, ""};
    panel_draw(out, &panel, &series, 1);
  }
  free(numbers);
  fputs("</svg>\n", out);
  output_close(&output);
}
