#include "report_page.h"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "numbers.h"
#include "report_assets.h"
#include "report_parts.h"

using nlohmann::json;

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += static_cast<unsigned char>(letter) < ' ' || letter == 0x7f ? ' ' : letter;
    }
  }
  return out;
}

/// JSON that can be embedded in HTML: it cannot open or close a tag.
std::string within_page(const json& value) {
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string out;
  for (const char letter : text) {
    if (letter == '<') {
      out += "\\u003c";
    } else {
      out += letter;
    }
  }
  return out;
}

/// Adds commas between thousands of integers.
std::string readable(const char* value) {
  double number;
  char text[NUMBER_LENGTH];
  const bool is_count = parse_real(value, &number) && number == std::floor(number) && std::fabs(number) < 1e15;
  return is_count ? format_count(text, static_cast<int64_t>(number)) : value;
}

json facts_of(const Report& report) {
  json facts = json::array();
  facts.push_back({"model", vtemper_model_kind(report.model)});
  for (const char* name : {"topics", "components", "states", "latent", "layers", "hidden"}) {
    const char* value;
    const vtemper_status status = vtemper_model_option(report.model, name, &value);
    if (status == VTEMPER_ERROR_OPTION) continue;
    check(status);
    facts.push_back({name, readable(value)});
  }
  char text[NUMBER_LENGTH];
  facts.push_back({"columns", format_count(text, model_columns(report.model))});
  FitFact known[FIT_FACTS];
  const int count = fit_notes_facts(report.model, known);
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(known[i].label, "warning") != 0) facts.push_back({known[i].label, readable(known[i].value)});
  }
  if (report.trace.count > 0) {
    const double score = trace_last_score(&report.trace);
    if (std::isfinite(score)) facts.push_back({"held-out score", rounded(score, 5).dump()});
  }
  return facts;
}

json warnings_of(const Report& report) {
  json warnings = json::array();
  FitFact known[FIT_FACTS];
  const int count = fit_notes_facts(report.model, known);
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(known[i].label, "warning") == 0) warnings.push_back(known[i].value);
  }
  return warnings;
}

/// The objective is computed only if the method or option elbo_every requires it; the likelihood always.
json trace_of(const Report& report) {
  const Trace& trace = report.trace;
  json passes = json::array(), temperature = json::array(), objective = json::array(), predictive = json::array();
  int64_t objectives = 0;
  for (int64_t i = 0; i < trace.count; ++i) objectives += std::isfinite(trace.rows[i].objective) ? 1 : 0;
  for (int64_t i = 0; i < trace.count; ++i) {
    const TraceRow& row = trace.rows[i];
    passes.push_back(std::isfinite(row.passes) ? rounded(row.passes, 6) : json(row.iteration));
    temperature.push_back(rounded(row.temperature, 6));
    objective.push_back(rounded(objectives > 1 ? row.objective : row.expected_log_likelihood, 8));
    predictive.push_back(rounded(row.predictive, 7));
  }
  vtemper_data_form form;
  check(vtemper_model_kind_form(vtemper_model_kind(report.model), &form));
  return {{"passes", passes},
          {"temperature", temperature},
          {"objective", objective},
          {"objective_name", objectives > 1 ? "objective (ELBO)" : "expected log likelihood"},
          {"predictive", predictive},
          {"score_unit", form == VTEMPER_COUNTS      ? "nats per word"
                         : form == VTEMPER_SEQUENCES ? "nats per symbol"
                                                     : "nats per row"}};
}

/// The template with every {{name}} replaced by its text, verbatim.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  std::string out;
  size_t at = 0;
  for (size_t open = text.find("{{"); open != std::string::npos; open = text.find("{{", at)) {
    const size_t close = text.find("}}", open);
    const std::string name = text.substr(open + 2, close - open - 2);
    out += text.substr(at, open - at);
    for (const auto& [known, value] : values) {
      if (known == name) out += value;
    }
    at = close + 2;
  }
  return out + text.substr(at);
}

std::string page_of(const Report& report) {
  json page = {{"title", report.title},
               {"kind", vtemper_model_kind(report.model)},
               {"facts", facts_of(report)},
               {"warnings", warnings_of(report)},
               {"trace", trace_of(report)}};
  add_topics(page, report);
  page["sections"] = sections_of(report);
  return filled(report_page_html, {{"title", escaped(report.title)},
                                   {"version", vtemper_version()},
                                   {"style", report_page_css},
                                   {"script", report_page_js},
                                   {"data", within_page(page)}});
}

}  // namespace

void report_page_write(FILE* out, const Report* report) {
  try {
    const std::string page = page_of(*report);
    std::fwrite(page.data(), 1, page.size(), out);
  } catch (const std::bad_alloc&) {
    fail("not enough memory for the page");
  } catch (const std::exception& problem) {
    fail("the page cannot be made: %s", problem.what());
  }
}
