#include "component_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpus.h"
#include "failure.h"
#include "markup.h"
#include "numbers.h"
#include "output_file.h"
#include "parameter.h"

enum { MEANS_SHOWN = 6, ACROSS = 6, MOST_POINTS = 60 };
static const double picture_gap = 16;

/* Components by decreasing size: the weight or, if components add up instead of competing, the root mean square of
 * the mean. */
typedef struct Components {
  int64_t count, columns;
  double *sizes, *means;
  bool by_weight;        /* components compete, and their sizes are weights */
  bool of_ones;          /* the means are probabilities of a one */
  double* covariances;   /* NULL if not per component */
  double* probabilities; /* activation probabilities; NULL if components compete */
  int64_t* order;
} Components;

static double* root_mean_squares(const Components* components) {
  double* sizes = allocate((size_t)components->count, sizeof *sizes);
  for (int64_t k = 0; k < components->count; ++k) {
    const double* mean = components->means + k * components->columns;
    double sum = 0;
    for (int64_t j = 0; j < components->columns; ++j) sum += mean[j] * mean[j];
    sizes[k] = sqrt(sum / (double)components->columns);
  }
  return sizes;
}

static bool components_read(const vtemper_model* model, Components* components) {
  vtemper_quantity weights, means, covariances, activations;
  *components = (Components){.of_ones = parameter_find(model, "probabilities", &means)};
  if (!components->of_ones && !parameter_find(model, "mean", &means)) return false;
  if (means.rank != 2) return false;
  const bool has_covariances = parameter_find(model, "covariance", &covariances);
  const bool adds_up = parameter_find(model, "activation_probability", &activations);
  components->by_weight = (has_covariances || components->of_ones) && parameter_find(model, "weights", &weights);
  if (!components->by_weight && !adds_up) return false;
  components->count = means.shape[0];
  components->columns = means.shape[1];
  components->means = parameter_values(model, &means);
  if (components->by_weight) {
    components->sizes = parameter_values(model, &weights);
    if (has_covariances) components->covariances = parameter_values(model, &covariances);
  } else {
    components->sizes = root_mean_squares(components);
    components->probabilities = parameter_values(model, &activations);
  }
  components->order = allocate((size_t)components->count, sizeof *components->order);
  for (int64_t i = 0; i < components->count; ++i) {
    int64_t place = i;
    for (; place > 0 && components->sizes[components->order[place - 1]] < components->sizes[i]; --place) {
      components->order[place] = components->order[place - 1];
    }
    components->order[place] = i;
  }
  return true;
}

static void components_free(Components* components) {
  free(components->sizes);
  free(components->means);
  free(components->covariances);
  free(components->probabilities);
  free(components->order);
}

/* Square root of the mean variance over the columns. */
static double spread_of(const Components* components, int64_t component) {
  const int64_t columns = components->columns;
  double sum = 0;
  for (int64_t j = 0; j < columns; ++j) {
    sum += components->covariances[(component * columns + j) * columns + j];
  }
  return sqrt(sum / (double)columns);
}

void component_table_print(const vtemper_model* model) {
  Components components;
  if (!components_read(model, &components)) return;
  if (components.of_ones) {
    printf("\ncomponents by weight\n");
    printf("  %9s %8s  %s\n", "component", "weight", "probability of a one in each column");
  } else if (components.by_weight) {
    printf("\ncomponents by weight (spread: root of the mean variance of the columns)\n");
    printf("  %9s %8s %10s  %s\n", "component", "weight", "spread", "mean");
  } else {
    printf("\ncomponents by size (root mean square of the mean; share: of the rows, as far as it is learned)\n");
    printf("  %9s %8s %10s  %s\n", "component", "share", "size", "mean");
  }
  for (int64_t i = 0; i < components.count; ++i) {
    const int64_t k = components.order[i];
    printf("  %9" PRId64 " %8.4f ", k, components.by_weight ? components.sizes[k] : components.probabilities[k]);
    if (!components.of_ones)
      printf("%10.4g ", components.by_weight ? spread_of(&components, k) : components.sizes[k]);
    for (int64_t j = 0; j < components.columns && j < MEANS_SHOWN; ++j) {
      printf(" %.4g", components.means[k * components.columns + j]);
    }
    puts(components.columns > MEANS_SHOWN ? " ..." : "");
  }
  component_faults_print(stdout, model);
  components_free(&components);
}

void component_faults_print(FILE* stream, const vtemper_model* model) {
  vtemper_quantity rows, unused_flags, duplicate_of;
  const bool has_rows = parameter_find(model, "rows", &rows);
  if (!has_rows && !parameter_find(model, "unused", &unused_flags)) return;
  if (!parameter_find(model, "duplicate_of", &duplicate_of)) return;
  double* held = parameter_values(model, has_rows ? &rows : &unused_flags);
  double* earlier = parameter_values(model, &duplicate_of);
  const int64_t count = duplicate_of.shape[0];
  int64_t unused = 0, duplicates = 0;
  for (int64_t k = 0; k < count; ++k) {
    unused += has_rows ? held[k] < 0.5 : held[k] > 0;
    duplicates += earlier[k] >= 0;
  }
  if (unused > 0) {
    fprintf(stream, "%" PRId64 " of %" PRId64 " components unused (%s)\n", unused, count,
            has_rows ? "less than half a row" : "means shorter than their uncertainty");
  }
  if (duplicates > 0) {
    fprintf(stream,
            "%" PRId64 " of %" PRId64
            " components repeat an earlier one: they merged, which a lower "
            "--temperature-start may prevent\n",
            duplicates, count);
  }
  free(held);
  free(earlier);
}

/* Rows and columns of an image; 0 and 0 if the means are not images. */
static void image_shape(const char* text, int64_t columns, int64_t* height, int64_t* width) {
  *height = *width = 0;
  if (text) {
    char end;
    if (sscanf(text, "%" SCNd64 "x%" SCNd64 "%c", height, width, &end) != 2 || *height < 1 || *width < 1 ||
        *height > columns || *width != columns / *height || *height * *width != columns) {
      fail_usage("--shape is %s; it must be ROWSxCOLUMNS of %" PRId64 " %s in all", text, columns,
                 plural(columns == 1, "column", "columns"));
    }
    return;
  }
  const int64_t root = (int64_t)llround(sqrt((double)columns));
  if (root >= 4 && root * root == columns) *height = *width = root;
}

typedef struct Frame {
  double left, top, width, height;
} Frame;

static void draw_image(FILE* stream, const double* values, int64_t height, int64_t width, double low, double high,
                       Frame frame) {
  fprintf(stream, "<g shape-rendering=\"crispEdges\">\n");
  for (int64_t i = 0; i < height; ++i) {
    for (int64_t j = 0; j < width; ++j) {
      const double share = high > low ? (values[i * width + j] - low) / (high - low) : 0;
      const int grey = (int)lround(255 * share);
      fprintf(stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%02x%02x%02x\"/>\n",
              frame.left + (double)j * frame.width / (double)width,
              frame.top + (double)i * frame.height / (double)height, frame.width / (double)width + 0.05,
              frame.height / (double)height + 0.05, (unsigned)grey, (unsigned)grey, (unsigned)grey);
    }
  }
  fprintf(stream, "</g>\n");
}

/* A curve over the columns, with an axis on the left and the name and value of every column at its point. */
static void draw_profile(FILE* stream, const vtemper_model* model, const double* values, int64_t columns, double low,
                         double high, Frame frame) {
  char number[NUMBER_LENGTH];
  fprintf(stream, "<path fill=\"none\" stroke=\"#7a828c\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", frame.left, frame.top,
          frame.top + frame.height, frame.left + frame.width);
  fprintf(stream, "<polyline fill=\"none\" stroke=\"#4477aa\" stroke-width=\"1.5\" points=\"");
  for (int round = 0; round < 2; ++round) {
    for (int64_t j = 0; j < columns; ++j) {
      const double across = columns > 1 ? (double)j / (double)(columns - 1) : 0.5;
      const double up = high > low ? (values[j] - low) / (high - low) : 0.5;
      const double x = frame.left + across * frame.width, y = frame.top + (1 - up) * frame.height;
      if (round == 0) {
        fprintf(stream, "%.2f,%.2f ", x, y);
        continue;
      }
      const char* name;
      check(vtemper_model_name(model, j, &name));
      fprintf(stream, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2\" fill=\"#4477aa\"><title>", x, y);
      if (*name) {
        markup_text(stream, name);
      } else {
        fprintf(stream, "column %" PRId64, j);
      }
      fprintf(stream, ": %s</title></circle>\n", format_real(number, values[j]));
    }
    if (round == 0) fprintf(stream, "\"/>\n");
    if (columns > MOST_POINTS) break;
  }
}

/* What the picture shows, and its units. */
static void draw_heading(FILE* stream, const vtemper_model* model, const Components* components, bool images,
                         double low, double high) {
  char least[NUMBER_LENGTH], most[NUMBER_LENGTH];
  const char *first, *last;
  snprintf(least, sizeof least, "%.4g", low);
  snprintf(most, sizeof most, "%.4g", high);
  check(vtemper_model_name(model, 0, &first));
  check(vtemper_model_name(model, components->columns - 1, &last));
  fprintf(stream, "<text x=\"%.0f\" y=\"22\" font-size=\"15\" font-weight=\"bold\">%s of the components</text>\n",
          picture_gap, components->of_ones ? "Probabilities of a one" : "Means");
  fprintf(stream, "<text x=\"%.0f\" y=\"40\">%s</text>\n<text x=\"%.0f\" y=\"55\">", picture_gap,
          components->by_weight ? "component: weight (share of the rows)"
                                : "component: size (root mean square of its mean)",
          picture_gap);
  if (images) {
    fprintf(stream, "black is %s, white %s</text>\n", least, most);
    return;
  }
  fputs("across: columns", stream);
  if (*first) {
    fputs(" from ", stream);
    markup_text(stream, first);
    fputs(" to ", stream);
    markup_text(stream, last);
  }
  fprintf(stream, "; up: from %s to %s</text>\n", least, most);
}

void component_picture(const vtemper_model* model, const char* path, const char* shape) {
  Components components;
  if (!components_read(model, &components)) fail("%s models have no components to draw", vtemper_model_kind(model));
  int64_t height, width;
  image_shape(shape, components.columns, &height, &width);
  double low = components.of_ones ? 0 : INFINITY, high = components.of_ones ? 1 : -INFINITY;
  for (int64_t i = 0; i < components.count * components.columns; ++i) {
    low = fmin(low, components.means[i]);
    high = fmax(high, components.means[i]);
  }
  const double side = 112, gap = picture_gap, label = 16, heading = 60;
  const double aspect = height > 0 ? (double)height / (double)width : 0.6;
  const int64_t across = components.count < ACROSS ? components.count : ACROSS;
  const int64_t down = (components.count + ACROSS - 1) / ACROSS;
  OutputFile file;
  output_open(&file, path);
  fprintf(file.stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
          "font-size=\"11\" role=\"img\">\n<title>%s of the components, by %s</title>\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          fmax(340, gap + (double)across * (side + gap)),
          heading + gap + (double)down * (aspect * side + label + gap),
          components.of_ones ? "Probabilities of a one" : "Means", components.by_weight ? "weight" : "size");
  draw_heading(file.stream, model, &components, height > 0, low, high);
  for (int64_t i = 0; i < components.count; ++i) {
    const int64_t k = components.order[i];
    const double* values = components.means + k * components.columns;
    const Frame frame = {.left = gap + (double)(i % ACROSS) * (side + gap),
                         .top = heading + gap + (double)(i / ACROSS) * (aspect * side + label + gap),
                         .width = side,
                         .height = aspect * side};
    if (height > 0) {
      draw_image(file.stream, values, height, width, low, high, frame);
    } else {
      draw_profile(file.stream, model, values, components.columns, low, high, frame);
    }
    fprintf(file.stream, "<text x=\"%.1f\" y=\"%.1f\">%" PRId64 ": %.3f</text>\n", frame.left,
            frame.top + frame.height + 12, k, components.sizes[k]);
  }
  fprintf(file.stream, "</svg>\n");
  output_close(&file);
  components_free(&components);
}
