// A corpus whose rows are spread over the ranks of a group.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/counts_builder.h"
#include "data/row_numbers.h"
#include "data/sequences_builder.h"
#include "data/spread.h"
#include "data/typed_array.h"

namespace vtemper {
namespace {

constexpr const char* call = "vtemper_data_spread";

void require_equal_columns(const Data& own, Group& group) {
  group.require_equal({call, 0}, VTEMPER_ERROR_DATA,
                      {{"the version of vtemper", number_text(int64_t{VTEMPER_VERSION_NUMBER})},
                       {"the form of the data", own.form_name()},
                       {"whether the columns have names", own.names ? "true" : "false"}});
  if (!own.names && !own.is<Dense>()) return;
  group.require_equal({call, 4}, VTEMPER_ERROR_DATA, {{"the number of columns", number_text(own.columns())}});
  if (!own.names) return;
  std::vector<Group::Shared> names;
  group.run_locally({call, 1}, [&] {
    for (const std::string& name : *own.names) {
      names.push_back({message("the name of column ", static_cast<int64_t>(names.size())), name});
    }
    return Group::Told{};
  });
  group.require_equal({call, 2}, VTEMPER_ERROR_DATA, names);
}

void require_unspread(const Data& own) {
  if (own.group) throw Error(VTEMPER_ERROR_STATE, "the data are already spread over a group");
  if (own.part.rows > 0) {
    throw Error(
        VTEMPER_ERROR_STATE,
        message("the data are a part of a corpus of ", own.part.rows, " rows already (vtemper_data_set_part); ",
                "where rows are spread over a group, their places follow from the ranks"));
  }
}

/// Without names, the number of columns of counts and sequences is determined by the last column that occurs, on any
/// rank.
void take_columns_of_all(Data& own, Group& group) {
  const std::vector<int64_t> columns = group.gather_count(own.columns());
  const int64_t most = *std::max_element(columns.begin(), columns.end());
  std::visit([most](auto& rows) { rows.columns = most; }, own.observations);
}

// Rows are sent as arrays of numbers: for each row its weight, the count of the numbers that follow, and these
// (row_numbers.h).

void add_row(const Data& data, int64_t row, double share, std::vector<double>& out) {
  out.push_back(share * data.weight(row));
  const size_t length = out.size();
  out.push_back(0);
  add_row_numbers(data, row, out);
  out[length] = static_cast<double>(out.size() - length - 1);
}

/// Reassembles rows. They come from other machines, so anything that add_row cannot have written is refused.
class Rows {
 public:
  explicit Rows(const Data& like) : like_(like) {}

  void add(const std::vector<char>& bytes) {
    const auto* next = reinterpret_cast<const double*>(bytes.data());
    const double* end = next + bytes.size() / sizeof(double);
    while (next < end) {
      require(end - next >= 2 && next[0] >= 0 && std::isfinite(next[0]));
      weights_.push_back(next[0]);
      const int64_t length = whole(next[1], end - next - 2);
      next += 2;
      add_row(next, length);
      next += length;
    }
  }

  DataPointer finish(bool weighted) {
    const auto finished = [&](const auto& like) { return finish(like); };
    auto data = std::make_shared<Data>(std::visit(finished, like_.observations));
    data->names = like_.names;
    if (weighted) data->weights = own_weights(std::move(weights_));
    return data;
  }

 private:
  const Data& like_;
  std::vector<double> weights_, values_;
  CountsBuilder counts_;
  SequencesBuilder sequences_;

  Observations finish(const Counts& like) { return counts_.finish(like.columns); }
  Observations finish(const Sequences& like) { return sequences_.finish(like.columns); }
  Observations finish(const Dense& like) {
    Dense dense;
    dense.rows = static_cast<int64_t>(weights_.size());
    dense.columns = like.columns;
    dense.values = typed_array(values_.data());
    dense.row_stride = dense.columns;
    dense.column_stride = 1;
    return data_from_dense(dense, true)->observations;
  }

  static void require(bool is_sound) {
    if (!is_sound) throw Error(VTEMPER_ERROR_PEER, "the rows that another rank of the group sent are damaged");
  }

  /// An integer from 0 to `most`.
  static int64_t whole(double number, int64_t most) {
    require(number >= 0 && number <= static_cast<double>(most) && number == std::floor(number));
    return static_cast<int64_t>(number);
  }

  int32_t column(double number) const { return static_cast<int32_t>(whole(number, like_.columns() - 1)); }

  void add_row(const double* numbers, int64_t length) {
    if (like_.is<Counts>()) {
      require(length % 2 == 0);
      for (int64_t i = 0; i < length; i += 2) {
        require(numbers[i + 1] >= 0 && std::isfinite(numbers[i + 1]));
        counts_.add(column(numbers[i]), numbers[i + 1]);
      }
      counts_.end_row();
    } else if (like_.is<Dense>()) {
      require(length == like_.columns());
      require(std::none_of(numbers, numbers + length, [](double number) { return std::isinf(number); }));
      values_.insert(values_.end(), numbers, numbers + length);
    } else {
      for (int64_t i = 0; i < length; ++i) sequences_.add(column(numbers[i]));
      sequences_.end_row();
    }
  }
};

}  // namespace

DataPointer data_spread(const Data& own, std::shared_ptr<Group> group) {
  DataPointer spread;
  group->run_locally({call, -1}, [&] {
    require_unspread(own);
    spread = std::make_shared<Data>(own);
    return Group::Told{};
  });
  require_equal_columns(own, *group);
  if (!own.names && !own.is<Dense>()) take_columns_of_all(*spread, *group);
  const std::vector<int64_t> rows = group->gather_count(own.rows());
  const std::vector<int64_t> entries = group->gather_count(own.entries());
  const int64_t first = std::accumulate(rows.begin(), rows.begin() + group->rank(), int64_t{0});
  const int64_t total = std::accumulate(rows.begin(), rows.end(), int64_t{0});
  if (total == 0) {
    throw Error(VTEMPER_ERROR_DATA, message("none of the ", group->ranks(), " ranks of the group has a row"));
  }
  group->run_locally({call, 3}, [&] {
    data_set_part(*spread, first, total);
    return Group::Told{};
  });
  if (group->ranks() > 1) {
    // Rows are numbered by their positions in the corpus, even if one rank has all of it.
    const double row_length = std::accumulate(entries.begin(), entries.end(), 0.0) / static_cast<double>(total);
    spread->part = {first, total, nullptr, row_length};
    spread->first_row = spread->part.first;
    spread->numbered_rows = spread->part.rows;
  }
  spread->group = std::move(group);
  return spread;
}

DataPointer data_travel(const Data& spread, const std::vector<std::vector<int64_t>>& to) {
  Group& group = *spread.group;
  const auto ranks = static_cast<size_t>(group.ranks());
  std::vector<double> numbers;
  std::vector<int64_t> out_bytes(ranks), in_bytes(ranks);
  const std::vector<int64_t> of_a_size(ranks, sizeof(int64_t));
  group.run_locally({"rows for other ranks", 0}, [&] {
    for (size_t rank = 0; rank < ranks; ++rank) {
      const size_t before = numbers.size();
      for (const int64_t row : to[rank]) add_row(spread, row, 1, numbers);
      out_bytes[rank] = static_cast<int64_t>((numbers.size() - before) * sizeof(double));
    }
    return Group::Told{};
  });
  group.exchange(out_bytes.data(), of_a_size.data(), in_bytes.data(), of_a_size.data());
  std::vector<char> received;
  group.run_locally({"rows for other ranks", 1}, [&] {
    received.resize(static_cast<size_t>(std::accumulate(in_bytes.begin(), in_bytes.end(), int64_t{0})));
    return Group::Told{};
  });
  group.exchange(numbers.data(), out_bytes.data(), received.data(), in_bytes.data());
  DataPointer data;
  group.run_locally({"rows for other ranks", 2}, [&] {
    Rows rows(spread);
    rows.add(received);
    data = rows.finish(true);
    data->part.row_length = spread.corpus_row_length();
    return Group::Told{};
  });
  return data;
}

DataPointer data_sample(const Data& spread, int64_t max_rows) {
  Group& group = *spread.group;
  const int64_t all = spread.corpus_rows(), count = std::min(all, max_rows);
  const double share = static_cast<double>(all) / static_cast<double>(count);
  const double own_weights = spread.weights ? 1 : 0;
  const std::vector<double> have_weights = group.gather(&own_weights, 1);
  std::vector<char> bytes;
  group.run_locally({"a sample of the rows", 0}, [&] {
    std::vector<double> numbers;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = spread_row(i, all, count) - spread.part.first;
      if (row >= 0 && row < spread.rows()) add_row(spread, row, share, numbers);
    }
    const char* begin = reinterpret_cast<const char*>(numbers.data());
    bytes.assign(begin, begin + numbers.size() * sizeof(double));
    return Group::Told{};
  });
  const std::vector<std::vector<char>> parts = group.gather(bytes);
  DataPointer sample;
  group.run_locally({"a sample of the rows", 1}, [&] {
    Rows rows(spread);
    for (const std::vector<char>& part : parts) rows.add(part);
    const bool weighted =
        count < all || std::any_of(have_weights.begin(), have_weights.end(), [](double has) { return has > 0; });
    sample = rows.finish(weighted);
    return Group::Told{};
  });
  return sample;
}

}  // namespace vtemper
