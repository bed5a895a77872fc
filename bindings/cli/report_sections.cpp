// Sections for model kinds without words: components, states, weights, reconstructions.

#include <string>

#include "report_shapes.h"

using nlohmann::json;

json sections_of(const Report& report) {
  static constexpr struct {
    const char* kind;
    void (*add)(json& sections, const Report& report);
  } pages[] = {{"gaussian_mixture", add_gaussian_mixture},         {"bernoulli_mixture", add_bernoulli_mixture},
               {"factorial_mixture", add_factorial_mixture},       {"hidden_markov", add_hidden_markov},
               {"sigmoid_belief_network", add_belief_network},     {"variational_autoencoder", add_autoencoder},
               {"deep_exponential_family", add_exponential_family}};
  json sections = json::array();
  const std::string kind = vtemper_model_kind(report.model);
  for (const auto& page : pages) {
    if (kind == page.kind) page.add(sections, report);
  }
  return sections;
}
