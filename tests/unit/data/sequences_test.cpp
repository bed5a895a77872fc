// Sequences of symbols: arrays of all types, owners, readers, edits, the mapped file, and what is refused.

#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

using Rows = std::vector<std::vector<int32_t>>;

const Rows example = {{2, 0, 1}, {3}, {}, {1, 1, 1, 0}};

template <class Offset, class Symbol>
struct SequenceStore {
  std::vector<Offset> offsets;
  std::vector<Symbol> symbols;
  int64_t columns;
  int64_t base;

  SequenceStore(const Rows& rows, int64_t alphabet, int64_t index_base) : columns(alphabet), base(index_base) {
    offsets.push_back(static_cast<Offset>(base));
    for (const auto& row : rows) {
      for (const int32_t symbol : row) symbols.push_back(static_cast<Symbol>(symbol + base));
      offsets.push_back(static_cast<Offset>(symbols.size()) + static_cast<Offset>(base));
    }
  }
  SequenceArrays view() const {
    SequenceArrays arrays;
    arrays.rows = static_cast<int64_t>(offsets.size()) - 1;
    arrays.columns = columns;
    arrays.offsets = typed_array(offsets.data());
    arrays.symbols = typed_array(symbols.data());
    arrays.index_base = base;
    return arrays;
  }
};

using PlainStore = SequenceStore<int64_t, int32_t>;

Rows rows_of(const Data& data) {
  assert_int_equal(data.form(), VTEMPER_SEQUENCES);
  Rows rows;
  for (int64_t row = 0; row < data.rows(); ++row) {
    const int64_t length = data.sequences().row_length(row);
    std::vector<int32_t> symbols(static_cast<size_t>(length));
    data.sequences().read_row(row, length, symbols.data());
    rows.push_back(symbols);
  }
  return rows;
}

template <class Offset, class Symbol>
void check_types() {
  for (const int64_t base : {int64_t{0}, int64_t{1}}) {
    const SequenceStore<Offset, Symbol> store(example, 4, base);
    int releases = 0;
    std::shared_ptr<const void> owner(&releases, [](int* count) { ++*count; });
    DataPointer borrowed = data_from_sequences(store.view(), owner);
    const DataPointer copied = data_from_sequences(store.view(), nullptr);
    owner.reset();
    assert_true(borrowed->sequences().symbols.data == store.symbols.data());
    assert_true(copied->sequences().symbols.data != store.symbols.data());
    for (const Data* data : {borrowed.get(), copied.get()}) {
      assert_true(rows_of(*data) == example);
      assert_int_equal(data->rows(), 4);
      assert_int_equal(data->columns(), 4);
      assert_int_equal(data->entries(), 8);
      assert_true(data_total(*data) == 8);
    }
    assert_int_equal(releases, 0);
    borrowed.reset();
    assert_int_equal(releases, 1);
  }
}

void test_types_and_owners(void**) {
  check_types<int32_t, int32_t>();
  check_types<int32_t, int64_t>();
  check_types<int64_t, int32_t>();
  check_types<int64_t, int64_t>();
}

void test_nothing(void**) {
  const PlainStore empty({}, 0, 0);
  SequenceArrays arrays = empty.view();
  arrays.symbols.data = nullptr;
  const DataPointer data = data_from_sequences(arrays, nullptr);
  assert_int_equal(data->rows(), 0);
  assert_true(data_total(*data) == 0);
}

void test_refusals(void**) {
  const auto refuse = [](const PlainStore& store, const std::vector<std::string>& pieces) {
    assert_refused(VTEMPER_ERROR_DATA, pieces, [&] { data_from_sequences(store.view(), nullptr); });
  };
  refuse(PlainStore(example, 3, 0), {"row 1, position 0", "symbol 3", "between 0 and 2"});
  refuse(PlainStore(example, 3, 1), {"row 1, position 0", "symbol 4", "between 1 and 3"});
  refuse(PlainStore({{0}, {0, -2}}, 3, 0), {"row 1, position 1", "symbol -2"});
  PlainStore store(example, 4, 0);
  store.offsets[2] = 2;
  refuse(store, {"offsets decrease at row 1", "from 3 to 2"});
  store.offsets[0] = 1;
  refuse(store, {"offsets[0] is 1"});
  store = PlainStore(example, 4, 0);
  store.offsets.back() = INT64_MAX;
  refuse(store, {"at most"});

  const auto refuse_argument = [](const SequenceArrays& arrays, const std::string& piece) {
    assert_refused(VTEMPER_ERROR_ARGUMENT, {piece}, [&] { data_from_sequences(arrays, nullptr); });
  };
  const PlainStore good(example, 4, 0);
  SequenceArrays arrays = good.view();
  arrays.columns = max_columns + 1;
  refuse_argument(arrays, "argument alphabet is 2147483648");
  arrays = good.view();
  arrays.symbols.data = nullptr;
  refuse_argument(arrays, "argument symbols is NULL");
  arrays = good.view();
  arrays.offsets.data = nullptr;
  refuse_argument(arrays, "argument offsets is NULL");
  arrays = good.view();
  arrays.index_base = 2;
  refuse_argument(arrays, "index_base is 2");
  arrays = good.view();
  arrays.rows = -1;
  refuse_argument(arrays, "argument rows is -1");
}

void test_changed_arrays_are_noticed(void**) {
  PlainStore store(example, 4, 0);
  const DataPointer data = data_from_sequences(store.view(), std::shared_ptr<const void>(&store, [](const void*) {}));
  store.symbols[1] = 4;
  assert_refused(VTEMPER_ERROR_DATA, {"row 0, position 1", "symbol 4", "4 symbols"}, [&] { rows_of(*data); });
  store.symbols[1] = 0;
  // Offsets that change between the query of the length and the reading of the row.
  const int64_t length = data->sequences().row_length(0);
  std::vector<int32_t> symbols(static_cast<size_t>(length));
  ++store.offsets[1];
  assert_refused(VTEMPER_ERROR_DATA, {"row 0 was changed while it was read"},
                 [&] { data->sequences().read_row(0, length, symbols.data()); });
}

void test_edits(void**) {
  const PlainStore store(example, 4, 0);
  const DataPointer data = data_from_sequences(store.view(), nullptr);
  data_set_weights(*data, {1, 2, 3, 4});
  const int64_t chosen[] = {3, 0, 3};
  const DataPointer selected = data_select(*data, chosen, 3);
  assert_true(rows_of(*selected) == (Rows{example[3], example[0], example[3]}));
  assert_true(selected->weight(0) == 4 && selected->weight(1) == 1);
  const DataPair parts = data_split(*data, 0.25, 5);
  assert_int_equal(parts.first->rows(), 3);
  assert_int_equal(parts.second->rows(), 1);
  assert_int_equal(parts.first->columns(), 4);

  data_set_names(*data, {"a", "b", "c", "d"});
  const Aligned aligned = data_align(*data, {"d", "x", "c", "b", "a"});
  assert_true(rows_of(*aligned.data) == (Rows{{2, 4, 3}, {0}, {}, {3, 3, 3, 4}}));
  assert_int_equal(aligned.data->columns(), 5);
  assert_true(aligned.unknown_tokens == 0 && aligned.data->weight(3) == 4);
  assert_refused(VTEMPER_ERROR_DATA, {"row 1, position 0", "'d'"}, [&] { data_align(*data, {"a", "b", "c"}); });
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, {"sequences cannot be split"}, [&] { data_split_counts(*data, 0.5, 1); });
}

void test_readers(void**) {
  Folder folder;
  const char* plain = "2 0 1\n3\r\n 1\t1 1 0 \n\n";
  const char* labelled = "-1 2 0 1\nb 3\n'five'\n0 1 1 1 0";
  for (const std::string& path : {folder.write(plain, "a"), folder.write_compressed(plain, "b")}) {
    const DataPointer data = data_read(path, "sequences");
    assert_true(rows_of(*data) == (Rows{example[0], example[1], example[3]}));
    assert_int_equal(data->columns(), 4);
    assert_refused(VTEMPER_ERROR_FORMAT, {"cannot be recognised", "sequences"}, [&] { data_read(path, "auto"); });
  }
  const DataPointer data = data_read(folder.write(labelled), "labelled_sequences");
  assert_true(rows_of(*data) == example);
  assert_int_equal(data_read(folder.write(""), "sequences")->rows(), 0);
  const std::string long_label = std::string(300, 'x') + "42 1 0\n" + std::string(300000, 'y') + " 2\n";
  assert_true(rows_of(*data_read(folder.write(long_label), "labelled_sequences")) == (Rows{{1, 0}, {2}}));

  for (const std::string& path :
       {folder.write("b a\tc \r\na\n\n", "c"), folder.write_compressed("b a c\na\n", "d")}) {
    const DataPointer words = data_read(path, "word_sequences");
    assert_true(rows_of(*words) == (Rows{{0, 1, 2}, {1}}));
    assert_true(*words->names == (Names{"b", "a", "c"}));
  }
  const std::string three = folder.write("b a c\na\n"), converted = folder.write("", "e");
  data_convert(three, "word_sequences", {}, converted);
  assert_true(*data_read(converted, "auto")->names == (Names{"b", "a", "c"}));
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"names its symbols by its words"}, [&] {
    data_convert(three, "word_sequences", {"a", "b", "c"}, converted);
  });

  const auto refuse = [&](const char* text, const char* format, vtemper_status status,
                          const std::vector<std::string>& pieces) {
    const std::string path = folder.write(text);
    assert_refused(status, pieces, [&] { data_read(path, format); });
  };
  refuse("1 2\n\n3\n", "sequences", VTEMPER_ERROR_FORMAT, {"line 2", "empty"});
  refuse("1 2\n\n3\n", "labelled_sequences", VTEMPER_ERROR_FORMAT, {"line 2", "label"});
  refuse("1 2\n3 -4\n", "sequences", VTEMPER_ERROR_DATA, {"line 2", "row 1, position 1", "symbol -4"});
  refuse("1 2147483647\n", "sequences", VTEMPER_ERROR_DATA, {"position 1", "2147483647"});
  refuse("1 2.5\n", "sequences", VTEMPER_ERROR_FORMAT, {"\"2.5\" is not a symbol's number"});
  refuse("1 a 2\n", "labelled_sequences", VTEMPER_ERROR_FORMAT, {"\"a\" is not a symbol's number"});
  refuse("a b\n", "sequences", VTEMPER_ERROR_FORMAT, {"words as symbols are of format word_sequences"});
  refuse("a\n\nb\n", "word_sequences", VTEMPER_ERROR_FORMAT, {"line 2", "empty"});
  refuse("a\nb \xff\n", "word_sequences", VTEMPER_ERROR_FORMAT, {"line 2", "is not UTF-8"});
  const std::string letters(255, 'A');
  refuse(letters.c_str(), "word_sequences", VTEMPER_ERROR_FORMAT, {"line 1", "255 bytes", "separated by spaces"});
}

void test_mapped_file(void**) {
  Folder folder;
  for (const int64_t base : {int64_t{0}, int64_t{1}}) {
    const SequenceStore<int32_t, int64_t> store(example, 4, base);
    const DataPointer data = data_from_sequences(store.view(), nullptr);
    data_set_weights(*data, {1, 2, 3, 4});
    data_set_names(*data, {"a", "b", "c", "d"});
    const std::string path = folder.path("mapped");
    data_write(*data, path);
    const DataPointer mapped = data_read(path, "auto");
    data_verify(*mapped);
    assert_true(rows_of(*mapped) == example);
    assert_true(mapped->weight(2) == 3 && *mapped->names == *data->names);

    // A symbol beyond the alphabet, and one changed byte.
    std::string bytes = contents(path);
    const std::string begin("\2\0\0\0\0\0\0\0\1\0\0\0\3\0\0\0", 16);
    const size_t place = bytes.find(begin);
    assert_true(place != bytes.npos);
    bytes[place] = 9;
    const DataPointer damaged = data_read(folder.write(bytes, "damaged"), "auto");
    assert_refused(VTEMPER_ERROR_FORMAT, {"damaged"}, [&] { data_verify(*damaged); });
    assert_refused(VTEMPER_ERROR_FORMAT, {"damaged", "row 0, position 0", "symbol 9"}, [&] { rows_of(*damaged); });
    assert_refused(VTEMPER_ERROR_FORMAT, {"damaged"}, [&] { data_write(*damaged, folder.path("copy")); });
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_types_and_owners),
      cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_changed_arrays_are_noticed),
      cmocka_unit_test(test_edits),
      cmocka_unit_test(test_readers),
      cmocka_unit_test(test_mapped_file),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
