#include "inference/row_constraint.h"

#include <algorithm>
#include <cmath>

namespace vtemper {

namespace {

/// Largest inner step relative to rho: without the constraint U increases below 2, and does not overshoot below 1.
constexpr double longest_step = 0.5;

/// k sum_i d'(f_i - reference_i) slope_i over the statistics of parameter j.
double pull_of(const RowConstraint& constraint, int64_t j, const RowStart& row, const double* statistics,
               const double* slopes, int64_t count) {
  double pull = 0;
  for (int64_t i = j; i < count; i += row.values.length) {
    pull += constraint.magnitude * constraint.distance.derivative(statistics[i] - row.reference[i]) * slopes[i];
  }
  return pull;
}

}  // namespace

void RowScratch::shape(bool single, int64_t parameters, int64_t statistics) {
  reference.resize(static_cast<size_t>(statistics));
  step.resize(static_cast<size_t>(parameters));
  for (RowPlace* place : {&here, &next}) {
    place->parameters.resize(single, parameters);
    place->statistics.resize(static_cast<size_t>(statistics));
    place->slopes.resize(static_cast<size_t>(statistics));
    place->value.resize(static_cast<size_t>(parameters));
    place->gradient.resize(static_cast<size_t>(parameters));
  }
}

void row_objective(const RowConstraint& constraint, const RowStart& row, RowPlace& place) {
  const RealArray y = place.parameters.array();
  const auto count = static_cast<int64_t>(place.statistics.size());
  constraint.model.row_statistics(constraint.statistic, y, place.statistics.data(), place.slopes.data());
  for (int64_t j = 0; j < y.length; ++j) {
    const double way = y.at(j) - row.values.at(j);
    double held = 0;
    for (int64_t i = j; i < count; i += y.length) {
      held += constraint.distance.value(place.statistics[static_cast<size_t>(i)] - row.reference[i]);
    }
    place.value[static_cast<size_t>(j)] =
        (row.gradient.at(j) - way / (2 * constraint.rate)) * way - constraint.magnitude * held;
    place.gradient[static_cast<size_t>(j)] =
        row.gradient.at(j) - way / constraint.rate -
        pull_of(constraint, j, row, place.statistics.data(), place.slopes.data(), count);
  }
}

void climb_row(const RowConstraint& constraint, const RowStart& row, RowScratch& scratch) {
  const RealArray here = scratch.here.parameters.array();
  const RealArray next = scratch.next.parameters.array();
  const double longest = longest_step * constraint.rate;
  scratch.step.fill(longest);
  row_objective(constraint, row, scratch.here);
  for (int64_t n = 0; n < constraint.inner_steps; ++n) {
    for (int64_t j = 0; j < here.length; ++j) {
      const auto place = static_cast<size_t>(j);
      next.set(j, here.at(j) + scratch.step[place] * scratch.here.gradient[place]);
    }
    row_objective(constraint, row, scratch.next);
    for (int64_t j = 0; j < here.length; ++j) {
      const auto place = static_cast<size_t>(j);
      if (!(scratch.next.value[place] >= scratch.here.value[place])) {
        scratch.step[place] /= 2;
        continue;
      }
      here.set(j, next.at(j));
      scratch.here.value[place] = scratch.next.value[place];
      scratch.here.gradient[place] = scratch.next.gradient[place];
      scratch.step[place] = std::min(2 * scratch.step[place], longest);
    }
  }
}

double constrain_row(const RowConstraint& constraint, RowStart row, RandomStream& random, double* statistics,
                     RowScratch& scratch) {
  RowPlace& here = scratch.here;
  const auto count = static_cast<int64_t>(here.statistics.size());
  constraint.model.row_statistics(constraint.statistic, row.values, here.statistics.data(), here.slopes.data());
  std::copy_n(here.statistics.data(), count, statistics);
  if (row.reference == nullptr) row.reference = statistics;
  const bool climbs = constraint.inner_steps > 0;
  if (climbs) {
    const RealArray y = here.parameters.array();
    for (int64_t j = 0; j < y.length; ++j) {
      y.set(j, row.values.at(j) + (constraint.noise > 0 ? constraint.noise * random.normal() : 0));
    }
    climb_row(constraint, row, scratch);
  }
  double change = 0;
  for (int64_t j = 0; j < row.values.length; ++j) {
    const double pull =
        climbs ? row.gradient.at(j) - (here.parameters.array().at(j) - row.values.at(j)) / constraint.rate
               : pull_of(constraint, j, row, statistics, here.slopes.data(), count);
    row.gradient.subtract(j, pull);
    change += std::abs(pull);
  }
  return change;
}

}  // namespace vtemper
