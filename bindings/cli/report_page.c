#include "report_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "markup.h"
#include "numbers.h"
#include "panel.h"
#include "report_topics.h"

/* Colours are named once, for light and for dark screens; the pictures use them as well. */
static const char style[] =
    ":root{color-scheme:light dark;--page:#fbfbfa;--card:#ffffff;--ink:#1d2329;--soft:#5c6670;--line:#dfe3e7;"
    "--blue:#2f6fb3;--red:#c2452d;--bar:#bcd4ec;--dot:#2f6fb3;--warn:#9a5b00;--warn-page:#fdf1dc}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#15181c;--card:#1d2126;--ink:#e6e9ec;--soft:#9aa4ae;"
    "--line:#343a41;--blue:#6aa9e9;--red:#f0836c;--bar:#2d4d6e;--dot:#6aa9e9;--warn:#f0c27a;--warn-page:#3a2e18}}\n"
    "*{box-sizing:border-box}html{scroll-behavior:smooth}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,'DejaVu Sans',Verdana,Arial,"
    "sans-serif}\n"
    "main{max-width:1180px;margin:0 auto;padding:32px 24px 64px}\n"
    "h1{font-size:26px;line-height:1.25;margin:0;overflow-wrap:anywhere}h2{font-size:18px;margin:40px 0 12px}\n"
    "p{margin:4px 0 0}.soft{color:var(--soft)}a{color:inherit}\n"
    ".facts{display:flex;flex-wrap:wrap;gap:10px;margin:20px 0 0;padding:0}\n"
    ".facts div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 14px}\n"
    ".facts dt{color:var(--soft);font-size:12.5px}.facts dd{margin:0;font-weight:600;overflow-wrap:anywhere}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px}\n"
    ".curves,.topics{display:grid;gap:14px}.curves{grid-template-columns:repeat(auto-fit,minmax(330px,1fr))}\n"
    ".topics{grid-template-columns:repeat(auto-fill,minmax(250px,1fr))}\n"
    "svg{display:block;width:100%;height:auto}svg text{font:12px system-ui,'DejaVu Sans',Verdana,Arial,sans-serif;"
    "fill:var(--soft)}\n"
    "svg .panel-title{font-size:13.5px;font-weight:600;fill:var(--ink)}svg path{fill:none}\n"
    ".panel-grid{stroke:var(--line)}.panel-axis{stroke:var(--soft)}\n"
    ".panel-curve{fill:none;stroke:var(--blue);stroke-width:2;stroke-linejoin:round}.panel-curve.second{"
    "stroke:var(--red)}\n"
    ".panel-dot{fill:var(--blue)}.panel-dot.second{fill:var(--red)}\n"
    ".warn{color:var(--warn);background:var(--warn-page);border-radius:8px;padding:8px 14px;margin:8px 0 0;"
    "overflow-wrap:anywhere}\n"
    ".topic h3{display:flex;align-items:baseline;gap:8px;margin:0 0 8px;font-size:15px}\n"
    ".topic h3 span{margin-left:auto;font-weight:400;color:var(--soft);font-size:13px}\n"
    ".topic:target{outline:2px solid var(--blue)}\n"
    ".word{position:relative;display:flex;gap:8px;padding:1px 6px;margin:2px 0;font-size:13.5px}\n"
    ".word i{position:absolute;left:0;top:0;bottom:0;background:var(--bar);border-radius:3px}\n"
    ".word bdi,.word b{position:relative}.word bdi{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}\n"
    ".word "
    "b{margin-left:auto;white-space:nowrap;font-weight:400;color:var(--soft);font-variant-numeric:tabular-nums}\n"
    ".badge{font-size:12px;color:var(--warn);background:var(--warn-page);border-radius:5px;padding:1px 7px;"
    "font-weight:400}\n"
    ".scores{margin:8px 0 0;color:var(--soft);font-size:12.5px}\n"
    ".bubble{fill:var(--dot);fill-opacity:.28;stroke:var(--dot)}a:hover .bubble{fill-opacity:.6}\n"
    "svg .number{fill:var(--ink);font-size:11px}svg .name{font-size:10.5px}.size{fill:var(--dot)}a:hover "
    ".size{fill:var(--red)}\n"
    "footer{margin-top:48px;color:var(--soft);font-size:13px}\n"
    "@media print{body{background:#fff}.card,.topic{break-inside:avoid}}\n";

static void write_fact(FILE* out, const char* label, const char* value) {
  fputs("<div><dt>", out);
  markup_text(out, label);
  fputs("</dt><dd>", out);
  markup_text(out, value);
  fputs("</dd></div>\n", out);
}

/* Whole numbers get commas between thousands. */
static void write_number_fact(FILE* out, const char* label, const char* value) {
  double number;
  char text[NUMBER_LENGTH];
  const bool is_count = parse_real(value, &number) && number == floor(number) && fabs(number) < 1e15;
  write_fact(out, label, is_count ? format_count(text, (int64_t)number) : value);
}

static void write_facts(FILE* out, const Report* report) {
  fputs("<dl class=\"facts\">\n", out);
  const char* topics;
  char text[NUMBER_LENGTH];
  write_fact(out, "model", vtemper_model_kind(report->model));
  if (vtemper_model_option(report->model, "topics", &topics) == VTEMPER_OK) write_number_fact(out, "topics", topics);
  write_fact(out, "columns", format_count(text, model_columns(report->model)));
  FitFact facts[FIT_FACTS];
  const int count = fit_notes_facts(report->model, facts);
  for (int i = 0; i < count; ++i) write_number_fact(out, facts[i].label, facts[i].value);
  fputs("</dl>\n", out);
}

/* One curve against the passes, or against the iterations where passes are missing. */
static void write_curve(FILE* out, const Trace* trace, const char* title, const double* values, bool dots) {
  double* passes = allocate((size_t)trace->count, sizeof *passes);
  double last = NAN;
  for (int64_t i = 0; i < trace->count; ++i) {
    passes[i] = trace->rows[i].passes;
    if (isfinite(values[i])) last = values[i];
  }
  char note[NUMBER_LENGTH + 8], number[NUMBER_LENGTH];
  if (fabs(last) >= 1e4 && fabs(last) < 1e15) {
    snprintf(note, sizeof note, "last %s", format_count(number, llround(last)));
  } else {
    snprintf(note, sizeof note, "last %.5g", last);
  }
  const Panel panel = {.left = 80,
                       .right = 444,
                       .top = 40,
                       .bottom = 226,
                       .title = title,
                       .note = note,
                       .x_label = "passes over the data",
                       .x_ticks = 6,
                       .y_ticks = 5,
                       .dots = dots};
  const Series series = {passes, values, NULL, trace->count, ""};
  fputs("<div class=\"card\"><svg viewBox=\"0 0 460 272\" role=\"img\">\n", out);
  panel_draw(out, &panel, &series, 1);
  fputs("</svg></div>\n", out);
  free(passes);
}

typedef struct CurveChoice {
  const char* title;
  double (*value)(const TraceRow* row);
  bool dots;
} CurveChoice;

static double objective(const TraceRow* row) {
  return row->objective;
}
static double expected_log_likelihood(const TraceRow* row) {
  return row->expected_log_likelihood;
}
static double temperature(const TraceRow* row) {
  return row->temperature;
}
static double predictive(const TraceRow* row) {
  return row->predictive;
}

/* Draws the curve where it has values; whether it has. */
static bool write_choice(FILE* out, const Trace* trace, const CurveChoice* choice) {
  double* values = allocate((size_t)trace->count, sizeof *values);
  bool any = false;
  for (int64_t i = 0; i < trace->count; ++i) {
    values[i] = choice->value(&trace->rows[i]);
    any = any || isfinite(values[i]);
  }
  if (any) write_curve(out, trace, choice->title, values, choice->dots);
  free(values);
  return any;
}

static void write_curves(FILE* out, const Trace* trace) {
  fputs("<h2>Course of the fit</h2>\n", out);
  if (trace->count == 0) {
    fputs("<p class=\"soft\">The model holds no curve of its fit.</p>\n", out);
    return;
  }
  fputs("<div class=\"curves\">\n", out);
  /* The objective is computed where the method or option elbo_every asks for it. */
  const CurveChoice objectives[] = {{"objective (nats)", objective, false},
                                    {"expected log likelihood (nats)", expected_log_likelihood, false}};
  if (!write_choice(out, trace, &objectives[0])) write_choice(out, trace, &objectives[1]);
  write_choice(out, trace, &(CurveChoice){"temperature", temperature, false});
  if (!write_choice(out, trace, &(CurveChoice){"held-out score (nats per word)", predictive, true})) {
    fputs("<div class=\"card soft\">No held-out score: fit with --test DATA2 to see one here.</div>\n", out);
  }
  fputs("</div>\n", out);
}

void report_page_write(FILE* out, const Report* report) {
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
      out);
  markup_text(out, report->title);
  fprintf(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", style);
  markup_text(out, report->title);
  fputs("</h1>\n", out);
  write_facts(out, report);
  write_curves(out, &report->trace);
  report_topics_write(out, report);
  fputs("<footer>vtemper ", out);
  markup_text(out, vtemper_version());
  fputs("</footer>\n</main></body></html>\n", out);
}
