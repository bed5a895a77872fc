#include "models/hidden_markov/recursion.h"

#include <algorithm>

#include "support/interruption.h"

namespace vtemper {

void Recursion::reserve(int64_t symbols, int64_t sequences, int64_t longest, int64_t row) {
  const auto of_symbols = static_cast<size_t>(symbols), of_sequences = static_cast<size_t>(sequences);
  for (Array<int32_t>* array : {&own_rows_, &own_places_, &rows_, &places_}) array->reserve(of_symbols);
  for (Array<double>* array : {&forward_, &messages_}) array->reserve(of_symbols * static_cast<size_t>(row));
  for (Array<double>* array : {&inverse_scales_, &log_scales_}) array->reserve(of_symbols);
  for (Array<int64_t>* array : {&lengths_, &begins_}) array->reserve(of_sequences);
  for (Array<double>* array : {&log_normalizers_, &factors_}) array->reserve(of_sequences);
  usable_.reserve(of_sequences);
  numbers_.reserve(of_sequences);
  first_.reserve(of_sequences * static_cast<size_t>(row));
  steps_.reserve(static_cast<size_t>(longest) + 1);
  ones_.reserve(static_cast<size_t>(row));
}

void Recursion::add(const int32_t* rows_of_likelihoods, const int32_t* places, int64_t length) {
  if (count_ == 0) symbols_ = 0;
  const auto sequence = static_cast<size_t>(count_++);
  lengths_.resize(sequence + 1);
  begins_.resize(sequence + 1);
  lengths_[sequence] = length;
  begins_[sequence] = symbols_;
  symbols_ += length;
  own_rows_.resize(static_cast<size_t>(symbols_));
  own_places_.resize(static_cast<size_t>(symbols_));
  std::copy_n(rows_of_likelihoods, length, own_rows_.data() + begins_[sequence]);
  std::copy_n(places, length, own_places_.data() + begins_[sequence]);
}

void Recursion::pack() {
  steps_.resize(static_cast<size_t>(longest()) + 1);
  rows_.resize(static_cast<size_t>(symbols_));
  places_.resize(static_cast<size_t>(symbols_));
  size_t place = 0;
  int64_t active = count_;
  for (int64_t t = 0; t < longest(); ++t) {
    steps_[static_cast<size_t>(t)] = static_cast<int64_t>(place);
    while (lengths_[static_cast<size_t>(active - 1)] <= t) --active;
    for (int64_t r = 0; r < active; ++r, ++place) {
      const auto own = static_cast<size_t>(begins_[static_cast<size_t>(r)] + t);
      rows_[place] = own_rows_[own];
      places_[place] = own_places_[own];
    }
  }
  steps_[static_cast<size_t>(longest())] = symbols_;
}

void Recursion::forward(const Weights& weights) {
  if (count_ == 0) return;
  pack();
  const int64_t row = weights.row;
  forward_.resize(static_cast<size_t>(symbols_ * row));
  inverse_scales_.resize(static_cast<size_t>(symbols_));
  log_scales_.resize(static_cast<size_t>(symbols_));
  constexpr double one = 1;
  kernels::ForwardStep step = {};
  step.likelihoods = weights.likelihoods.data();
  step.row = row;
  for (int64_t t = 0; t < longest(); ++t) {
    if (t % steps_between_polls == steps_between_polls - 1) require_not_interrupted();
    step.previous = t == 0 ? &one : forward_.data() + begin(t - 1) * row;
    step.previous_step = t == 0 ? 0 : row;
    step.transition = t == 0 ? weights.initial.data() : weights.transition.data();
    step.states = t == 0 ? 1 : weights.states;
    step.symbols = rows_.data() + begin(t);
    step.count = active(t);
    step.out = forward_.data() + begin(t) * row;
    step.inverse_scales = inverse_scales_.data() + begin(t);
    recursion_kernels().forward_step(step);
  }
  kernels::instruction_set().double_precision.logarithm(inverse_scales_.data(), log_scales_.data(), symbols_);
  log_normalizers_.resize(static_cast<size_t>(count_));
  usable_.resize(static_cast<size_t>(count_));
  for (int64_t r = 0; r < count_; ++r) judge(r, row);
}

void Recursion::judge(int64_t sequence, int64_t row) {
  double total = 0;
  bool good = true;
  const int64_t length = lengths_[static_cast<size_t>(sequence)];
  for (int64_t t = 0; t < length; ++t) {
    const auto place = static_cast<size_t>(begin(t) + sequence);
    total -= log_scales_[place];
    good = good && inverse_scales_[place] <= largest_inverse_scale;
  }
  log_normalizers_[static_cast<size_t>(sequence)] = total;
  usable_[static_cast<size_t>(sequence)] = good ? 1 : 0;
  if (good) return;
  for (int64_t t = 0; t < length; ++t) {
    const int64_t place = begin(t) + sequence;
    std::fill_n(forward_.data() + place * row, row, 0.0);
    inverse_scales_[static_cast<size_t>(place)] = 0;
  }
}

void Recursion::backward(const Weights& weights, const double* factors, double* occupancies, double* first,
                         double* pairs) {
  if (count_ == 0) return;
  const int64_t row = weights.row;
  messages_.resize(static_cast<size_t>(symbols_ * row));
  factors_.resize(static_cast<size_t>(count_));
  ones_.resize(static_cast<size_t>(row));
  first_.resize(static_cast<size_t>(count_ * row));
  numbers_.resize(static_cast<size_t>(count_));
  ones_.fill(1);
  first_.fill(0);
  for (int64_t r = 0; r < count_; ++r) {
    numbers_[static_cast<size_t>(r)] = static_cast<int32_t>(r);
    factors_[static_cast<size_t>(r)] = usable(r) ? factors[r] : 0;
  }
  kernels::BackwardStep step = {};
  step.likelihoods = weights.likelihoods.data();
  step.row = row;
  for (int64_t t = longest() - 1; t >= 0; --t) {
    if (t % steps_between_polls == steps_between_polls - 1) require_not_interrupted();
    const int64_t going_on = t + 1 < longest() ? active(t + 1) : 0;
    const auto run = [&](int64_t from, int64_t to, const double* next, int64_t next_step, const double* matrix,
                         int64_t states) {
      const int64_t place = begin(t) + from;
      step.next = next;
      step.next_step = next_step;
      step.transposed = matrix;
      step.states = states;
      step.count = to - from;
      step.symbols = rows_.data() + place;
      step.inverse_scales = inverse_scales_.data() + place;
      step.forward = forward_.data() + place * row;
      step.places = t == 0 ? numbers_.data() + from : places_.data() + place;
      step.occupancies = t == 0 ? first_.data() : occupancies;
      step.out = t == 0 ? nullptr : messages_.data() + (begin(t - 1) + from) * row;
      recursion_kernels().backward_step(step);
    };
    double* here = messages_.data() + begin(t) * row;
    run(0, going_on, here, row, weights.transposed.data(), weights.states);
    run(going_on, active(t), factors_.data() + going_on, 1, ones_.data(), 1);
    std::fill(here + going_on * row, here + active(t) * row, 0.0);
  }
  for (int64_t r = 0; r < count_; ++r) {
    const double* own = first_.data() + r * row;
    double* occupancy = occupancies + places_[static_cast<size_t>(r)] * row;
    for (int64_t k = 0; k < row; ++k) {
      first[k] += own[k];
      occupancy[k] += own[k];
    }
  }
  constexpr int64_t at_once = 1024;
  for (int64_t place = 0; place < symbols_; place += at_once) {
    recursion_kernels().add_outer_products(forward_.data() + place * row, messages_.data() + place * row,
                                           std::min(at_once, symbols_ - place), weights.states, row, pairs);
    if (place > 0) require_not_interrupted();
  }
}

}  // namespace vtemper
