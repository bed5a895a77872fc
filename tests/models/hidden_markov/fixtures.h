#pragma once
// Tiny hidden Markov models and sequences: random but identical on every machine, in the forms used by the library
// and by plain_hmm.h.

#include <cinttypes>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "data/data.h"
#include "data/typed_array.h"
#include "evaluation/evaluate.h"
#include "inference/optimizer.h"
#include "models/conjugate_model.h"
#include "models/hidden_markov/hidden_markov.h"
#include "models/hidden_markov/plain_hmm.h"
#include "support/check.h"
#include "support/cmocka.h"
#include "support/option_texts.h"
#include "support/parameter.h"
#include "support/random.h"
#include "support/text.h"

namespace fixtures {

using vtemper::options_of;
using vtemper::Texts;
using vtemper::test::parameter;
using vtemper::test::Random;

using plain::Number;
using plain::Rows;
using plain::Sequence;
using plain::Vector;
using SequenceList = std::vector<Sequence>;

/// SequenceList in which every symbol mostly follows the one before; lengths from 1 up, some of them 0.
inline SequenceList random_sequences(size_t count, int64_t longest, int64_t symbols, uint64_t seed,
                                     bool with_empty = false) {
  Random random(seed);
  SequenceList sequences(count);
  for (size_t n = 0; n < count; ++n) {
    const int64_t length = n == 1 ? 1 : n == 2 && with_empty ? 0 : 1 + random.below(longest);
    int64_t symbol = random.below(symbols);
    for (int64_t t = 0; t < length; ++t) {
      sequences[n].push_back(static_cast<int32_t>(symbol));
      symbol = random.uniform() < 0.7 ? (symbol + 1) % symbols : random.below(symbols);
    }
  }
  return sequences;
}

inline std::shared_ptr<vtemper::Data> data_of(const SequenceList& sequences, int64_t symbols) {
  std::vector<int64_t> offsets{0};
  Sequence all;
  for (const Sequence& sequence : sequences) {
    all.insert(all.end(), sequence.begin(), sequence.end());
    offsets.push_back(static_cast<int64_t>(all.size()));
  }
  vtemper::SequenceArrays arrays;
  arrays.rows = static_cast<int64_t>(sequences.size());
  arrays.columns = symbols;
  arrays.offsets = vtemper::typed_array(offsets.data());
  arrays.symbols = vtemper::typed_array(all.data());
  return vtemper::data_from_sequences(arrays, nullptr);
}

inline std::shared_ptr<vtemper::ConjugateModel> model_of(const Texts& texts) {
  const vtemper::ModelKind& kind = vtemper::hidden_markov_kind;
  return as_conjugate(kind.create(vtemper::OptionValues(kind.options(), options_of(texts), kind.name)));
}

inline Rows rows_of(const std::vector<double>& flat, size_t states, size_t symbols) {
  Rows rows = plain::zeros(states, symbols);
  size_t i = 0;
  for (Number& value : rows.initial) value = flat[i++];
  for (Vector& row : rows.transition) {
    for (Number& value : row) value = flat[i++];
  }
  for (Vector& row : rows.emission) {
    for (Number& value : row) value = flat[i++];
  }
  return rows;
}

inline std::vector<double> flat_parameters(const vtemper::Model& model) {
  std::vector<double> all;
  for (const char* name : {"initial", "transition", "emission"}) {
    const std::vector<double> part = parameter(model, name);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

inline void set_parameters(vtemper::ConjugateModel& model, const std::vector<double>& flat) {
  const double* in = flat.data();
  for (const char* name : {"initial", "transition", "emission"}) {
    model.write_parameter(name, in);
    in += parameter(model, name).size();
  }
}

/// Dirichlet parameters between 0.02 and 4.
inline std::vector<double> random_parameters(size_t states, size_t symbols, uint64_t seed) {
  Random random(seed);
  std::vector<double> flat(states * (1 + states + symbols));
  for (double& value : flat) value = 0.02 + 4 * random.uniform() * random.uniform();
  return flat;
}

inline Rows priors_of(size_t states, size_t symbols) {
  Rows rows = plain::zeros(states, symbols);
  const Number of_states = Number(1) / Number(states), of_symbols = Number(1) / 2;
  rows.initial.assign(states, of_states);
  rows.transition.assign(states, Vector(states, of_states));
  rows.emission.assign(states, Vector(symbols, of_symbols));
  return rows;
}

/// One local step over all rows.
struct Step {
  vtemper::LocalSums sums;
  std::vector<double> statistics;
  std::unique_ptr<vtemper::ConjugateFit> work;
  Step(vtemper::ConjugateModel& model, const vtemper::Data& data, const vtemper::LocalTemperature& temperature,
       int threads = 1)
      : work(model.begin_fit(&data, data.rows())) {
    vtemper::LocalSettings settings;
    settings.threads = threads;
    settings.bound = true;
    sums = work->local_step({&data, nullptr, 0, data.rows()}, temperature, settings);
    statistics.resize(static_cast<size_t>(work->statistics_length()));
    work->write_statistics(statistics.data());
  }
};

inline vtemper::LocalTemperature at(double s) {
  vtemper::LocalTemperature temperature;
  temperature.inverse = s;
  return temperature;
}

}  // namespace fixtures
