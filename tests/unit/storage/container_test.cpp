// Containers are read back as they were written, from files and buffers, and have the layout that readers of the
// format expect.

#include "storage/container.h"

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <regex>

#include "support/refusal.h"
#include "unit/storage/bytes.h"

using namespace vtemper;

namespace {

constexpr const char* format = "vtemper.test";

const std::vector<float> floats = {1.5f, -2, 0, 4, 5, 6};
const std::vector<int32_t> integers = {-1, 2147483647, 7};

ContainerWriter filled_writer() {
  ContainerWriter writer(format);
  writer.text("kind", "lda");
  writer.text("option.alpha", "");
  writer.text("quotes \"\\\n\x01", "caf\xc3\xa9 \xf0\x9f\x98\x80 \t\"\\/");
  writer.tensor("floats", Element::f32, {2, 3}, floats.data());
  writer.tensor("integers", Element::i32, {3}, integers.data());
  writer.tensor("nothing", Element::f64, {0, 5}, nullptr);
  writer.keep("doubles", std::vector<double>{0.1, -0.0, 1e300});
  writer.keep("whole", std::vector<int64_t>{INT64_MIN, 5});
  writer.keep("bytes", std::string("a\0b", 3));
  writer.keep("none", std::vector<double>{});
  return writer;
}

std::string written(const ContainerWriter& writer) {
  std::string out(static_cast<size_t>(writer.size()), 'x');
  writer.write(out.data());
  return out;
}

void check_filled(const ContainerReader& reader) {
  assert_text(reader.text("kind"), "lda");
  assert_text(reader.text("option.alpha"), "");
  assert_text(reader.text("quotes \"\\\n\x01"), "caf\xc3\xa9 \xf0\x9f\x98\x80 \t\"\\/");
  assert_text(reader.text("format"), format);
  assert_text(reader.text("format_version"), "1");
  assert_int_equal(reader.texts().size(), 7);

  const Tensor& first = reader.tensor("floats", Element::f32, 2);
  assert_true(first.shape == (std::vector<int64_t>{2, 3}));
  assert_int_equal(first.count(), 6);
  assert_int_equal(first.bytes(), 24);
  assert_memory_equal(first.data, floats.data(), 24);
  assert_memory_equal(reader.tensor("integers", Element::i32, 1).data, integers.data(), 12);
  assert_int_equal(reader.tensor("nothing", Element::f64, 2).count(), 0);
  const auto empty = reinterpret_cast<uintptr_t>(reader.tensor("none", Element::f64, 1).data);  // after 3 bytes
  assert_int_equal(empty % sizeof(double), 0);
  assert_memory_equal(reader.tensor("bytes", Element::u8, 1).data, "a\0b", 3);
  const std::vector<double> doubles = reader.doubles("doubles");
  assert_int_equal(doubles.size(), 3);
  assert_true(doubles[0] == 0.1 && std::signbit(doubles[1]) && doubles[2] == 1e300);
  assert_true(reader.integers("whole") == (std::vector<int64_t>{INT64_MIN, 5}));
  assert_true(reader.doubles("none").empty());
  assert_true(reader.has_tensor("bytes") && reader.has_text("kind"));
  assert_true(reader.has_tensor("bytes", Element::u8));
  assert_false(reader.has_tensor("bytes", Element::i32));
  assert_false(reader.has_tensor("kind") || reader.has_text("bytes") || reader.has_tensor("padding.24"));
}

void test_buffer(void**) {
  const std::string buffer = written(filled_writer());
  const ContainerReader reader =
      ContainerReader::open_buffer(buffer.data(), static_cast<int64_t>(buffer.size()), format);
  check_filled(reader);
  reader.verify_payload();
  assert_text(reader.name(), "the buffer");
}

/// Arrays are aligned for their element type wherever the buffer begins.
void test_unaligned_buffer(void**) {
  const std::string buffer = written(filled_writer());
  for (size_t shift = 0; shift < 9; ++shift) {
    std::string moved(shift + buffer.size(), '\0');
    std::memcpy(moved.data() + shift, buffer.data(), buffer.size());
    const ContainerReader reader =
        ContainerReader::open_buffer(moved.data() + shift, static_cast<int64_t>(buffer.size()), format);
    check_filled(reader);
    assert_int_equal(reinterpret_cast<uintptr_t>(reader.tensor("doubles", Element::f64, 1).data) % sizeof(double), 0);
  }
}

void test_file(void**) {
  char folder[] = "/tmp/vtemper-container-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const std::string path = std::string(folder) + "/file";
  filled_writer().write_file(path);
  assert_true(looks_like_container(path));
  {
    ContainerReader reader = ContainerReader::open_file(path, format, Verify::everything);
    check_filled(reader);
    assert_text(reader.name(), path);
    // Arrays are aligned to 64 bytes in a mapped file, and outlive reader and file through the owner.
    const Tensor& doubles = reader.tensor("doubles", Element::f64, 1);
    assert_int_equal(reinterpret_cast<uintptr_t>(doubles.data) % 64, 0);
    const double* values = static_cast<const double*>(doubles.data);
    const std::shared_ptr<const void> owner = reader.owner();
    assert_int_equal(unlink(path.c_str()), 0);
    reader = ContainerReader();
    assert_true(values[0] == 0.1);
  }
  assert_int_equal(rmdir(folder), 0);
}

/// The same contents are the same bytes; the file is the buffer.
void test_same_bytes(void**) {
  assert_true(written(filled_writer()) == written(filled_writer()));
  const ContainerWriter writer = filled_writer();
  const ContainerWriter copy = writer;
  assert_true(written(writer) == written(copy));
}

/// What readers of safetensors require: '{' first, arrays without gaps or overlaps up to the end of the file.
void test_layout(void**) {
  const std::string buffer = written(filled_writer());
  uint64_t length;
  std::memcpy(&length, buffer.data(), sizeof length);
  assert_int_equal((8 + length) % 64, 0);
  const std::string header = buffer.substr(8, length);
  assert_int_equal(header[0], '{');
  const std::regex offsets("\"data_offsets\":\\[([0-9]+),([0-9]+)\\]");
  int64_t end = 0;
  int arrays = 0;
  for (std::sregex_iterator at(header.begin(), header.end(), offsets), last; at != last; ++at, ++arrays) {
    assert_int_equal(std::stoll((*at)[1]), end);
    end = std::stoll((*at)[2]);
  }
  assert_int_equal(end, buffer.size() - 8 - length);
  assert_true(arrays > 7);
  assert_contains(header, "\"padding.24\":{\"dtype\":\"U8\",\"shape\":[40],\"data_offsets\":[24,64]}");
  assert_contains(header, "\"floats\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}");
}

/// Texts too long for the header, such as a list of a million numbers, are read back as well.
void test_long_texts(void**) {
  std::string numbers = "0.1";
  while (numbers.size() < 3000000) numbers += ",0.1";
  ContainerWriter writer(format);
  writer.text("option.eta", numbers);
  writer.text("short", std::string(1024, 's'));
  writer.text("longer", std::string(1025, 'l'));
  const std::string buffer = written(writer);
  const ContainerReader reader =
      ContainerReader::open_buffer(buffer.data(), static_cast<int64_t>(buffer.size()), format);
  assert_true(reader.text("option.eta") == numbers);
  assert_true(reader.text("short") == std::string(1024, 's'));
  assert_true(reader.text("longer") == std::string(1025, 'l'));
  assert_false(reader.has_tensor("text.longer"));
}

void test_empty(void**) {
  const std::string buffer = written(ContainerWriter(format));
  const ContainerReader reader =
      ContainerReader::open_buffer(buffer.data(), static_cast<int64_t>(buffer.size()), format);
  reader.verify_payload();
  assert_int_equal(reader.texts().size(), 4);
}

void test_refused_in_reader(void**) {
  const std::string buffer = written(filled_writer());
  const ContainerReader reader =
      ContainerReader::open_buffer(buffer.data(), static_cast<int64_t>(buffer.size()), format, "model.vt");
  const auto refused = [](const auto& call) { return refusal(VTEMPER_ERROR_FORMAT, call); };
  assert_text(refused([&] { reader.text("nobody"); }), "model.vt has no text \"nobody\"");
  assert_text(refused([&] { reader.doubles("nobody"); }), "model.vt has no array \"nobody\"");
  const std::string other = "model.vt holds an array \"floats\" of another type or number of dimensions";
  assert_text(refused([&] { reader.tensor("floats", Element::f32, 1); }), other);
  assert_text(refused([&] { reader.tensor("floats", Element::f64, 2); }), other);
  assert_text(refused([&] { reader.doubles("floats"); }), other);
  assert_text(refused([&] { reader.integers("floats"); }), other);
  assert_text(refused([&] {
                ContainerReader::open_buffer(buffer.data(), static_cast<int64_t>(buffer.size()), "vtemper.model",
                                             "x.vt");
              }),
              "x.vt is not a vtemper.model file: its format is \"vtemper.test\"");
}

void test_refused_in_writer(void**) {
  ContainerWriter writer = filled_writer();
  refusal(VTEMPER_ERROR_INTERNAL, [&] { writer.text("kind", "again"); });
  refusal(VTEMPER_ERROR_INTERNAL, [&] { writer.keep("doubles", std::vector<double>{1}); });
  refusal(VTEMPER_ERROR_INTERNAL, [&] { writer.keep("padding.0", std::vector<double>{1}); });
  refusal(VTEMPER_ERROR_INTERNAL, [&] { writer.tensor("negative", Element::u8, {-1}, nullptr); });
  refusal(VTEMPER_ERROR_ARGUMENT, [&] { writer.text("invalid", "\xff"); });
  for (int i = 0; i < 30000; ++i) writer.text("text " + std::to_string(i), std::string(30, 'x'));
  assert_contains(refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { written(writer); }), "the maximum is 1048576");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_buffer),
      cmocka_unit_test(test_unaligned_buffer),
      cmocka_unit_test(test_file),
      cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_layout),
      cmocka_unit_test(test_long_texts),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_refused_in_reader),
      cmocka_unit_test(test_refused_in_writer),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
