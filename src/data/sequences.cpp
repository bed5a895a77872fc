// Sequences from arrays: validated, then borrowed or copied; rows are read for all element types.

#include "data/array_sizes.h"
#include "data/sequences_builder.h"
#include "data/typed_array.h"
#include "storage/container.h"

namespace vtemper {
namespace {

/// The origin of the arrays decides which status a bad symbol has.
vtemper_status fault(const Sequences& sequences) {
  return sequences.source.empty() ? VTEMPER_ERROR_DATA : VTEMPER_ERROR_FORMAT;
}

std::string place(const Sequences& sequences) {
  return sequences.source.empty() ? std::string("the sequences") : sequences.source;
}

/// Returns the number of symbols.
template <class Offset>
int64_t check_offsets(const Offset* offsets, const SequenceArrays& arrays) {
  if (offsets[0] != arrays.index_base) {
    throw Error(VTEMPER_ERROR_DATA,
                message("offsets[0] is ", offsets[0], "; it must be index_base, ", arrays.index_base));
  }
  for (int64_t row = 0; row < arrays.rows; ++row) {
    if (offsets[row + 1] < offsets[row]) {
      throw Error(VTEMPER_ERROR_DATA,
                  message("the offsets decrease at row ", row, ": from ", offsets[row], " to ", offsets[row + 1]));
    }
  }
  const int64_t entries = static_cast<int64_t>(offsets[arrays.rows]) - arrays.index_base;
  constexpr int64_t max_entries = INT64_MAX / 8;  // so that the symbols' size in bytes does not overflow
  if (entries > max_entries) {
    throw Error(VTEMPER_ERROR_DATA,
                message("the offsets end with ", entries, " symbols; at most ", max_entries, " can be stored"));
  }
  return entries;
}

template <class Symbol>
void check_symbols(const Symbol* symbols, const SequenceArrays& arrays) {
  const int64_t base = arrays.index_base;
  for (int64_t row = 0; row < arrays.rows; ++row) {
    const int64_t begin = arrays.offsets.integer(row) - base;
    const int64_t end = arrays.offsets.integer(row + 1) - base;
    for (int64_t i = begin; i < end; ++i) {
      if (symbols[i] >= base && symbols[i] - base < arrays.columns) continue;
      throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", position ", i - begin, " is the symbol ", symbols[i],
                                              "; with index_base ", base, " and an alphabet of ", arrays.columns,
                                              " it must lie between ", base, " and ", arrays.columns - 1 + base));
    }
  }
}

/// Copies the arrays, with symbols from 0.
template <class Symbol>
Sequences copied(const SequenceArrays& arrays, const Symbol* symbols, int64_t entries) {
  SequencesBuilder builder;
  for (int64_t row = 0, i = 0; row < arrays.rows; ++row) {
    const int64_t end = std::min(arrays.offsets.integer(row + 1) - arrays.index_base, entries);
    for (; i < end; ++i) builder.add(static_cast<int32_t>(symbols[i] - arrays.index_base));
    builder.end_row();
  }
  return builder.finish(arrays.columns);
}

template <class Symbol>
void read_symbols(const Sequences& sequences, int64_t row, const Symbol* symbols, int64_t length, int32_t* out) {
  for (int64_t i = 0; i < length; ++i) {
    const auto symbol =
        static_cast<uint64_t>(static_cast<int64_t>(symbols[i])) - static_cast<uint64_t>(sequences.index_base);
    if (symbol >= static_cast<uint64_t>(sequences.columns)) {
      throw Error(fault(sequences),
                  message(place(sequences), ": row ", row, ", position ", i, " is the symbol ", symbols[i],
                          ", which is not in the alphabet of ", counted(sequences.columns, "symbol")));
    }
    out[i] = static_cast<int32_t>(symbol);
  }
}

/// Reads each offset only once, because another process may write to the mapped file.
ElementRange range_of(const Sequences& sequences, int64_t row) {
  const auto [begin, end] = sequences.offsets.two_integers(row);
  // Compared before any subtraction: the offsets of a damaged file can be arbitrary.
  const int64_t least = sequences.first_entry + sequences.index_base;
  if (begin < least || end < begin || end > least + sequences.entries) {
    throw Error(fault(sequences),
                message(place(sequences), ": row ", row, " has the offsets ", begin, " and ", end,
                        "; they must not decrease and must lie between ", least, " and ", least + sequences.entries));
  }
  return {begin - sequences.index_base, end - begin};
}

}  // namespace

int64_t Sequences::row_length(int64_t row) const {
  return range_of(*this, row).length;
}

void Sequences::read_row(int64_t row, int64_t length, int32_t* out) const {
  if (length == 0) return;
  const ElementRange range = range_of(*this, row);
  if (range.length != length) {
    throw Error(fault(*this), message(place(*this), ": row ", row, " was changed while it was read"));
  }
  Spare spare;
  with_integers(symbols, [&](const auto* typed) {
    read_symbols(*this, row, symbols.at(typed + range.begin, length, spare), length, out);
  });
}

Sequences SequencesBuilder::finish(int64_t columns) {
  using Arrays = std::pair<Buffer<int64_t>, Buffer<int32_t>>;
  const auto arrays = std::make_shared<const Arrays>(offsets_.take(), symbols_.take());
  Sequences sequences;
  sequences.rows = arrays->first.size() - 1;
  sequences.columns = columns;
  sequences.entries = arrays->second.size();
  sequences.offsets = typed_array(arrays->first.data());
  sequences.symbols = typed_array(arrays->second.data());
  sequences.owner = arrays;
  return sequences;
}

void SequencesBuilder::store(ContainerWriter& writer) {
  writer.tensor("offsets", Element::i64, {offsets_.size()}, offsets_.bytes());
  writer.tensor("symbols", Element::i32, {symbols_.size()}, symbols_.bytes());
}

DataPointer data_from_sequences(const SequenceArrays& arrays, std::shared_ptr<const void> owner) {
  check_array_sizes(arrays, "alphabet");
  const int64_t entries =
      with_integers(arrays.offsets, [&](const auto* offsets) { return check_offsets(offsets, arrays); });
  if (entries > 0 && arrays.symbols.data == nullptr) {
    throw Error(VTEMPER_ERROR_ARGUMENT, "argument symbols is NULL");
  }
  Sequences sequences;
  with_integers(arrays.symbols, [&](const auto* symbols) {
    if (entries > 0) check_symbols(symbols, arrays);
    if (owner == nullptr) sequences = copied(arrays, symbols, entries);
  });
  if (owner == nullptr) return std::make_shared<Data>(std::move(sequences));
  sequences.rows = arrays.rows;
  sequences.columns = arrays.columns;
  sequences.entries = entries;
  sequences.offsets = arrays.offsets;
  sequences.symbols = arrays.symbols;
  sequences.index_base = arrays.index_base;
  sequences.owner = std::move(owner);
  return std::make_shared<Data>(std::move(sequences));
}

}  // namespace vtemper
