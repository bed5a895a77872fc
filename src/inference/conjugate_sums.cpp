// The sums of a local half: as one flat array for sums over machines; over ranks, of the whole half or chunk by
// chunk.

#include <algorithm>
#include <cmath>

#include "inference/conjugate_state.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

int64_t ConjugateState::statistics_length() const {
  return sums_length() + fit->statistics_length();
}

void ConjugateState::write_sums(double* out) const {
  sums.write(out);
  out += LocalSums::length;
  *out++ = cold_bound;
  std::copy(measurement.begin(), measurement.end(), out);
}

void ConjugateState::read_sums(const double* in) {
  sums = LocalSums::read(in);
  in += LocalSums::length;
  cold_bound = *in++;
  std::copy_n(in, measurement.size(), measurement.begin());
}

void ConjugateState::write_statistics(double* out) const {
  write_sums(out);
  fit_of_step().write_statistics(out + sums_length());
}

void ConjugateState::read_statistics(const double* in) {
  if (plan.iteration != clock.iteration) make_plan();
  check_statistics(in, statistics_length());
  read_sums(in);
  fit_of_step().read_statistics(in + sums_length());
}

/// The step has been taken, so the loss of a rank is ignored here; the next call of the group reports it.
double ConjugateState::settle_globals() noexcept {
  try {
    divided->settle();
    return divided->relative_change();
  } catch (const Error&) {
    return no_number;
  }
}

/// Before a step with divided globals: borrows their rows for the words of the step.
void ConjugateState::prepare_together(std::optional<Batch>& batch) {
  if (divided == nullptr) return;
  group->run_locally({"the words of step", clock.iteration}, [&] {
    prepare(*own_part.corpus);
    batch = next_batch(threads);
    divided->find_rows(*batch, nullptr);
    return Group::Told{};
  });
  divided->settle();
  divided->borrow_rows();
}

int64_t ConjugateState::summed_apart_length() const {
  const TableStatistics* table = fit->table_statistics();
  if (table == nullptr) return statistics_length();
  return sums_length() + table->rest_length() + (divided != nullptr ? 2 : in_pair ? 1 : 0);
}

void ConjugateState::reserve_sums() {
  rank_sum.reserve(*group);
  in_pair = group->ranks() == 2 && !chunks && divided == nullptr && run.options.used("exchange") == "sparse";
  sums_in_double.resize(static_cast<size_t>(summed_apart_length()));
  if (const TableStatistics* table = fit->table_statistics()) {
    if (divided != nullptr) {
      table_push.reserve(*group, table->table());
    } else if (in_pair) {
      table_pair.reserve(*group, table->table());
    } else {
      table_sum.reserve(table->table(), run.options.used("exchange") == "dense", chunks != nullptr);
    }
  }
  if (chunks) chunk_sums.shape(fields_of_chunks());
}

/// Every sum has its own grid; statistics have one for each index of the last dimension of their arrays, because
/// components are of similar size, but columns may be of any size.
std::vector<GridSum::Field> ConjugateState::fields_of_chunks() const {
  std::vector<GridSum::Field> fields(static_cast<size_t>(LocalSums::length) + 1, {1, 1});
  const auto measured = static_cast<int64_t>(measurement.size());
  fields.push_back({measured, measured});
  if (const TableStatistics* table = fit->table_statistics()) {
    fields.push_back({table->rest_length(), table->rest_length()});
    return fields;
  }
  for (const Quantity& quantity : fit->statistics()) {
    fields.push_back({quantity.size(), quantity.shape.empty() ? 1 : quantity.shape.back()});
  }
  return fields;
}

void ConjugateState::begin_chunks() {
  begin_local_half(*own_part.corpus);
  chunk_sums.clear();
  chunk_sums.begin(chunks->count());
  if (fit->table_statistics() != nullptr) table_sum.begin_chunks(chunks->count());
}

void ConjugateState::add_chunk(const Batch& chunk) {
  solve_rows(chunk, threads_worth(operations(*chunk.data, chunk.count), threads));
  write_sums(sums_in_double.data());
  if (const TableStatistics* table = fit_of_step().table_statistics()) {
    table->write_rest(sums_in_double.data() + sums_length());
    table_sum.add_chunk(*table);
  } else {
    fit_of_step().write_statistics(sums_in_double.data() + sums_length());
  }
  chunk_sums.add(0, sums_in_double.data(), chunk_sums.length());
}

void ConjugateState::take_sums() {
  TableStatistics* table = fit_of_step().table_statistics();
  if (table == nullptr) {
    write_statistics(sums_in_double.data());
    return;
  }
  write_sums(sums_in_double.data());
  table->write_rest(sums_in_double.data() + sums_length());
  if (in_pair) sums_in_double.back() = table_pair.take(*table);
  if (divided == nullptr) return;
  if (sums_table()) table_push.take(*divided, *table);
  bounds = plan.score ? global_bounds() : GlobalBounds{};
  double* const last = sums_in_double.data() + sums_in_double.size();
  last[-2] = bounds.cold;
  last[-1] = bounds.tempered;
}

void ConjugateState::sum_over_ranks() {
  rank_sum.sum(*group, sums_in_double.data(), static_cast<int64_t>(sums_in_double.size()));
  TableStatistics* table = fit_of_step().table_statistics();
  if (divided != nullptr) {
    if (sums_table()) table_push.sum(*divided, *table);
    if (plan.score) next_score.duplicate_components = divided->duplicate_components();
  } else if (table != nullptr && in_pair) {
    table_pair.sum(*group, sums_in_double.back(), *table);
  } else if (table != nullptr && sums_table()) {
    table_sum.sum(*group, rank_sum, *table);
  }
}

/// A candidate whose sums are invalid has failed, and the run continues.
void ConjugateState::give_sums() {
  const double* in = sums_in_double.data();
  try {
    check_statistics(in, static_cast<int64_t>(sums_in_double.size()));
    if (TableStatistics* table = fit_of_step().table_statistics()) {
      table->read_rest(in + sums_length());
      if (divided != nullptr) {
        bounds = {sums_in_double.rbegin()[1], sums_in_double.rbegin()[0]};
        if (sums_table()) table_push.give(*table);
      } else if (in_pair) {
        table_pair.give(*table);
      } else if (sums_table()) {
        table_sum.give(*table);
      }
    } else {
      fit_of_step().read_statistics(in + sums_length());
    }
    unusable_sums = false;
  } catch (const Error& error) {
    if (!in_trial || error.status() != VTEMPER_ERROR_DATA) throw;
    unusable_sums = true;
  }
  read_sums(in);
}

/// Error(DATA) for numbers that cannot be a sum.
void ConjugateState::check_statistics(const double* in, int64_t length) const {
  for (int64_t i = 0; i < length; ++i) {
    constexpr double max_rows = 9e15;  // exact integers in double
    if (i < 4 && !(in[i] >= 0 && in[i] <= max_rows)) {
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of the statistics is ", in[i],
                                              "; counts of rows and tokens lie in [0, ", max_rows, "]"));
    }
    if (i == LocalSums::length - 1 && in[i] < 0) {
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of the statistics is ", in[i],
                                              "; a sum of inverse temperatures is not negative"));
    }
    // Only the cold bound may be NaN.
    if (!std::isfinite(in[i]) && (i != LocalSums::length || plan.score)) {
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of the statistics is ", in[i]));
    }
  }
}

}  // namespace vtemper
