// A corpus whose rows are spread over the ranks of a group.

#include <algorithm>

#include "data/counts_builder.h"
#include "data/sequences_builder.h"
#include "data/typed_array.h"
#include "group/group.h"

namespace vtemper {
namespace {

constexpr const char* call = "vtemper_data_spread";

const char* form_name(const Data& data) {
  return data.counts ? "counts" : data.dense ? "dense rows" : "sequences";
}

void require_equal_columns(const Data& own, Group& group) {
  group.require_equal({call, 0}, VTEMPER_ERROR_DATA,
                      {{"the version of vtemper", number_text(int64_t{VTEMPER_VERSION_NUMBER})},
                       {"the form of the data", form_name(own)},
                       {"whether the columns have names", own.names ? "true" : "false"}});
  if (!own.names && !own.dense) return;
  group.require_equal({call, 4}, VTEMPER_ERROR_DATA, {{"the number of columns", number_text(own.columns())}});
  if (!own.names) return;
  std::vector<Group::Shared> names;
  group.apart({call, 1}, [&] {
    for (const std::string& name : *own.names) {
      names.push_back({sentence("the name of column ", static_cast<int64_t>(names.size())), name});
    }
    return Group::Told{};
  });
  group.require_equal({call, 2}, VTEMPER_ERROR_DATA, names);
}

void require_unspread(const Data& own) {
  if (own.group) throw Error(VTEMPER_ERROR_STATE, "the data are spread over a group already");
  if (own.part.rows > 0) {
    throw Error(
        VTEMPER_ERROR_STATE,
        sentence("the data are a part of a corpus of ", own.part.rows, " rows already (vtemper_data_set_part); ",
                 "where rows are spread over a group their places follow from the ranks"));
  }
}

/// Counts and symbols without names end at the last one that occurs: on all ranks at the last of any.
void take_columns_of_all(Data& own, Group& group) {
  const auto columns = static_cast<double>(own.columns());
  double most = 0;
  for (const double of_rank : group.gather(&columns, 1)) most = std::max(most, of_rank);
  if (own.counts) own.counts->columns = static_cast<int64_t>(most);
  if (own.sequences) own.sequences->columns = static_cast<int64_t>(most);
}

// Rows travel as numbers: of each its weight, how many numbers follow, and columns with values, values or symbols.

void add_row(const Data& data, int64_t row, double share, std::vector<double>& out) {
  out.push_back(share * data.weight(row));
  const size_t length = out.size();
  out.push_back(0);
  if (data.counts) {
    data.counts->visit_row(row, [&](int32_t column, double value) {
      out.push_back(column);
      out.push_back(value);
    });
  } else if (data.dense) {
    for (int64_t column = 0; column < data.columns(); ++column) out.push_back(data.dense->at(row, column));
  } else {
    std::vector<int32_t> symbols(static_cast<size_t>(data.sequences->row_length(row)));
    symbols.resize(static_cast<size_t>(data.sequences->read_row(row, symbols.data())));
    out.insert(out.end(), symbols.begin(), symbols.end());
  }
  out[length] = static_cast<double>(out.size() - length - 1);
}

/// Puts rows together again.
class Rows {
 public:
  explicit Rows(const Data& like) : like_(like) {}

  void add(const std::vector<char>& bytes) {
    const auto* next = reinterpret_cast<const double*>(bytes.data());
    const double* end = next + bytes.size() / sizeof(double);
    while (next < end) {
      weights_.push_back(*next++);
      const auto length = static_cast<int64_t>(*next++);
      add_row(next, length);
      next += length;
    }
  }

  DataPointer finish(bool weighted) {
    DataPointer data;
    const auto rows = static_cast<int64_t>(weights_.size());
    if (like_.dense) {
      Dense dense;
      dense.rows = rows;
      dense.columns = like_.columns();
      dense.values = typed_array(values_.data());
      dense.row_stride = dense.columns;
      dense.column_stride = 1;
      data = data_from_dense(dense, true);
    } else {
      data = std::make_shared<Data>();
      if (like_.counts) {
        data->counts = counts_.finish(like_.columns());
      } else {
        data->sequences = sequences_.finish(like_.columns());
      }
    }
    data->names = like_.names;
    if (weighted) data->weights = own_weights(std::move(weights_));
    return data;
  }

 private:
  const Data& like_;
  std::vector<double> weights_, values_;
  CountsBuilder counts_;
  SequencesBuilder sequences_;

  void add_row(const double* numbers, int64_t length) {
    if (like_.counts) {
      for (int64_t i = 0; i < length; i += 2) counts_.add(static_cast<int32_t>(numbers[i]), numbers[i + 1]);
      counts_.end_row();
    } else if (like_.dense) {
      values_.insert(values_.end(), numbers, numbers + length);
    } else {
      for (int64_t i = 0; i < length; ++i) sequences_.add(static_cast<int32_t>(numbers[i]));
      sequences_.end_row();
    }
  }
};

}  // namespace

DataPointer data_spread(const Data& own, std::shared_ptr<Group> group) {
  DataPointer spread;
  group->apart({call, -1}, [&] {
    require_unspread(own);
    own.require_whole();
    spread = std::make_shared<Data>(own);
    return Group::Told{};
  });
  require_equal_columns(own, *group);
  if (!own.names && !own.dense) take_columns_of_all(*spread, *group);
  const auto own_rows = static_cast<double>(own.rows());
  const std::vector<double> rows = group->gather(&own_rows, 1);
  double first = 0, total = 0;
  for (int rank = 0; rank < group->ranks(); ++rank) {
    if (rank < group->rank()) first += rows[static_cast<size_t>(rank)];
    total += rows[static_cast<size_t>(rank)];
  }
  if (!(total > 0)) {
    throw Error(VTEMPER_ERROR_DATA, sentence("none of the ", group->ranks(), " ranks of the group has a row"));
  }
  group->apart({call, 3}, [&] {
    data_set_part(*spread, static_cast<int64_t>(first), static_cast<int64_t>(total));
    return Group::Told{};
  });
  if (group->ranks() > 1) {
    // Numbers are places in the corpus, also where a rank has all of it.
    spread->part = {static_cast<int64_t>(first), static_cast<int64_t>(total), nullptr};
    spread->first_row = spread->part.first;
    spread->numbered_rows = spread->part.rows;
  }
  spread->group = std::move(group);
  return spread;
}

DataPointer data_sample(const Data& spread, int64_t most_rows) {
  Group& group = *spread.group;
  const int64_t all = spread.corpus_rows(), count = std::min(all, most_rows);
  const double share = static_cast<double>(all) / static_cast<double>(count);
  const double own_weights = spread.weights ? 1 : 0;
  const std::vector<double> have_weights = group.gather(&own_weights, 1);
  std::vector<char> bytes;
  group.apart({"a sample of the rows", 0}, [&] {
    spread.require_whole();
    std::vector<double> numbers;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = static_cast<int64_t>(static_cast<double>(i) * share) - spread.part.first;
      if (row >= 0 && row < spread.rows()) add_row(spread, row, share, numbers);
    }
    const char* begin = reinterpret_cast<const char*>(numbers.data());
    bytes.assign(begin, begin + numbers.size() * sizeof(double));
    return Group::Told{};
  });
  const std::vector<std::vector<char>> parts = group.gather(bytes);
  DataPointer sample;
  group.apart({"a sample of the rows", 1}, [&] {
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
