// Containers that are truncated, damaged, foreign or made to deceive are all refused as FORMAT.

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "storage/container.h"
#include "support/refusal.h"
#include "support/sanitizer.h"
#include "unit/storage/bytes.h"

using namespace vtemper;

namespace {

constexpr const char* format = "vtemper.test";

void open(const std::string& buffer) {
  // A copy of its own, so that a sanitizer sees a read beyond the end.
  const std::vector<char> exact(buffer.begin(), buffer.end());
  const ContainerReader reader =
      ContainerReader::open_buffer(exact.data(), static_cast<int64_t>(exact.size()), format, "file.vt");
  reader.verify_payload();
}

std::string refused(const std::string& buffer) {
  const std::string message = refusal(VTEMPER_ERROR_FORMAT, [&] { open(buffer); });
  assert_text(message.substr(0, 7), "file.vt");
  return message;
}

std::string small_container() {
  ContainerWriter writer(format);
  writer.text("kind", "lda");
  writer.keep("doubles", std::vector<double>{1, 2, 3});
  writer.keep("bytes", std::string("ab"));
  std::string out(static_cast<size_t>(writer.size()), '\0');
  writer.write(out.data());
  return out;
}

void test_truncated(void**) {
  const std::string whole = small_container();
  open(whole);
  for (size_t length = 0; length < whole.size(); ++length) refused(whole.substr(0, length));
  assert_text(refused(""), "file.vt is empty");
  assert_text(refused(whole.substr(0, 5)), "file.vt is not a vtemper.test file: it has 5 bytes");
  assert_text(refused(whole.substr(0, 100)), "file.vt is truncated within its header");
  assert_text(refused(whole.substr(0, whole.size() - 1)), "file.vt is truncated: 1 bytes are missing");
}

void test_too_long(void**) {
  assert_text(refused(small_container() + "x"), "file.vt is damaged: 1 bytes follow its last array");
  refused(small_container() + small_container());
}

void test_flipped_bits(void**) {
  const std::string whole = small_container();
  for (size_t byte = 0; byte < whole.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = whole;
      flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << bit));
      refused(flipped);
    }
  }
}

void test_zeroed_and_exchanged_bytes(void**) {
  const std::string whole = small_container();
  for (size_t byte = 0; byte + 1 < whole.size(); ++byte) {
    for (const char other : {'\0', ' ', '"', '{', '9', '\xff'}) {
      std::string changed = whole;
      changed[byte] = other;
      if (changed != whole) refused(changed);
    }
    std::string exchanged = whole;
    std::swap(exchanged[byte], exchanged[byte + 1]);
    if (exchanged != whole) refused(exchanged);
    std::string removed = whole;
    refused(removed.erase(byte, 1));
  }
}

void test_foreign(void**) {
  assert_text(refused("This is a text, not a container."), "file.vt is not a vtemper.test file");
  refused(std::string(1000, '\0'));
  refused(std::string(1000, '\xff'));
  refused("\x1f\x8b\x08 and so on, a gzip file or so");
  // A safetensors file of another program.
  assert_text(refused(bytes::container(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "x")),
              "file.vt is not a vtemper.test file: it says no format");
  assert_text(refused(bytes::container(R"({"__metadata__":{"format":"pt"}})", "")),
              "file.vt is not a vtemper.test file: its format is \"pt\"");
  assert_text(refused(bytes::container(R"({"__metadata__":{"format":"vtemper.test","format_version":"2"}})", "")),
              "file.vt has format version \"2\"; this library reads version 1");
  assert_text(refused(bytes::container(R"({"__metadata__":{"format":"vtemper.test","format_version":"1"}})", "")),
              "file.vt is damaged: its header has no hash");
}

/// Headers with every hash right.
void test_deceiving_arrays(void**) {
  const auto refused_arrays = [](const std::string& arrays, const std::string& payload) {
    return refused(bytes::with_arrays(arrays, payload));
  };
  const std::string eight(8, 'x'), sixty_four(64, 'x'), many(1000, 'x');
  open(bytes::with_arrays("", ""));
  open(bytes::with_arrays(R"("a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})", eight));
  open(bytes::with_arrays(R"("a":{"shape":[],"data_offsets":[0,8],"dtype":"I64"})", eight));
  open(bytes::with_arrays(
      R"("z":{"dtype":"F64","shape":[0],"data_offsets":[8,8]},"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})",
      eight));

  // Sizes.
  assert_contains(refused_arrays(R"("a":{"dtype":"F64","shape":[2],"data_offsets":[0,8]})", eight),
                  "a shape that does not fit");
  assert_contains(
      refused_arrays(R"("a":{"dtype":"F32","shape":[3037000500,3037000500,4],"data_offsets":[0,8]})", eight),
      "larger than any memory");
  assert_contains(refused_arrays(R"("a":{"dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8]})", eight),
                  "larger than any memory");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]})", ""),
                  "larger than any memory");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[0,4294967296,4294967296],"data_offsets":[0,0]})", ""),
                  "larger than any memory");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[-8],"data_offsets":[0,8]})", eight), "a whole number");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[-0,8],"data_offsets":[0,8]})", eight),
                  "a whole number");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[8.0],"data_offsets":[0,8]})", eight),
                  "']' is missing");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[8e0],"data_offsets":[0,8]})", eight),
                  "']' is missing");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[08],"data_offsets":[0,8]})", eight), "a whole number");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[+8],"data_offsets":[0,8]})", eight), "a whole number");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":["8"],"data_offsets":[0,8]})", eight),
                  "a whole number");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,8]})", eight),
                  "a whole number");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,8],"data_offsets":[0,8]})", eight),
                  "more than 8 numbers");

  // Places.
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[8],"data_offsets":[8,0]})", eight), "has no place");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[8],"data_offsets":[8]})", eight), "has no place");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[8],"data_offsets":[0,8,8]})", eight),
                  "more than 2 numbers");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[8],"data_offsets":[-8,0]})", eight), "a whole number");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[8],"data_offsets":[64,72]})", sixty_four + eight),
                  "begins at byte 64, not at 0");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[16],"data_offsets":[0,16]})", eight),
                  "is truncated: 8 bytes are missing");
  assert_contains(
      refused_arrays(R"("a":{"dtype":"U8","shape":[9223372036854775807],"data_offsets":[0,9223372036854775807]})",
                     eight),
      "is truncated");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]})", eight),
                  "4 bytes follow its last array");
  assert_contains(
      refused_arrays(
          R"("a":{"dtype":"U8","shape":[64],"data_offsets":[0,64]},"b":{"dtype":"U8","shape":[64],"data_offsets":[0,64]})",
          sixty_four),
      "\"b\" begins at byte 0, not at 64");
  assert_contains(
      refused_arrays(
          R"("a":{"dtype":"U8","shape":[72],"data_offsets":[0,72]},"b":{"dtype":"U8","shape":[64],"data_offsets":[64,128]})",
          sixty_four + sixty_four),
      "\"b\" begins at byte 64, not at 72");
  assert_contains(
      refused_arrays(
          R"("a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})",
          eight),
      "\"b\" is not aligned to 64 bytes");
  assert_contains(
      refused_arrays(
          R"("a":{"dtype":"U8","shape":[1000],"data_offsets":[0,1000]},"z":{"dtype":"U8","shape":[0],"data_offsets":[3,3]})",
          many),
      "begins at byte 3");

  // Names and types.
  const std::string array = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  assert_contains(refused_arrays("\"a\":" + array + ",\"a\":" + array, ""), "the array \"a\" is repeated");
  assert_contains(refused_arrays("\"a\":" + array + ",\"\\u0061\":" + array, ""), "the array \"a\" is repeated");
  assert_contains(refused_arrays(R"("a":{"dtype":"F16","shape":[0],"data_offsets":[0,0]})", ""),
                  "the unknown element type \"F16\"");
  assert_contains(refused_arrays(R"("a":{"dtype":"f64","shape":[0],"data_offsets":[0,0]})", ""),
                  "the unknown element type \"f64\"");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[0]})", ""),
                  "lacks its element type, its shape or its place");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[0],"shape":[0],"data_offsets":[0,0]})", ""),
                  "says \"shape\" twice");
  assert_contains(refused_arrays(R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"more":1})", ""),
                  "says \"more\", which is unknown");
  assert_contains(refused_arrays(R"("a":{})", ""), "lacks its element type");
  assert_contains(refused_arrays(R"("__metadata__":{})", ""), "its texts are repeated");
  assert_contains(refused_arrays(R"("text.a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})", "\xff"),
                  "is not text");
  assert_contains(refused_arrays(R"("text.a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})", eight),
                  "is not text");
  assert_contains(refused_arrays(R"("text.format":{"dtype":"U8","shape":[8],"data_offsets":[0,8]})", eight),
                  "the text \"format\" is repeated");
}

void test_deceiving_json(void**) {
  const auto refused_json = [](const std::string& json) { return refused(bytes::container(json, "")); };
  const std::string metadata = bytes::metadata();
  open(bytes::container("{ \n\t\r" + metadata + " } ", ""));
  refused_json("");
  refused_json(" {" + metadata + "}");
  refused_json("[" + metadata + "]");
  refused_json("{" + metadata + "}}");
  refused_json("{" + metadata + "} {}");
  refused_json("{" + metadata + ",}");
  refused_json("{," + metadata + "}");
  refused_json("{" + metadata);
  refused_json("{" + metadata + "]");
  refused_json("{'a':1}");
  refused_json("{" + metadata + ",\"a\"}");
  refused_json("{" + metadata + ",\"a\":}");
  refused_json("{" + metadata + ",\"a\":null}");
  refused_json("{" + metadata + ",\"a\":true}");
  refused_json("{" + metadata + ",\"a\":[]}");
  refused_json("{" + metadata + ",\"a\":1}");
  refused_json("{" + metadata + ",\"a\":\"b\"}");
  refused_json("{\"__metadata__\":[]}");
  refused_json("{\"__metadata__\":{\"a\":1}}");
  refused_json("{\"__metadata__\":{\"a\":{}}}");
  assert_contains(refused_json("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}"), "the text \"a\" is repeated");
  assert_contains(refused_json("{\"\xff\":1}"), "not valid UTF-8");
  for (const char* text :
       {"\\x", "\\u12", "\\u12g4", "\\ud800", "\\ud800\\u0041", "\\udc00", "\\ud800x", "\n", "\\"}) {
    refused_json(std::string("{\"__metadata__\":{\"a\":\"") + text + "\"}}");
    refused_json(std::string("{\"__metadata__\":{\"a\":\"") + text);
  }
  // Deep nesting, up to the maximum size of a header: neither recursion nor memory.
  for (const char* bracket : {"[", "{\"a\":", "{", "[[", "{\"__metadata__\":"}) {
    std::string deep = "{\"a\":";
    while (deep.size() < 1000000) deep += bracket;
    refused_json(deep);
  }
}

void test_escapes(void**) {
  const std::string escaped =
      bytes::replaced(bytes::metadata(), "{", R"({"a\u00e4\ud83d\ude00\"\\\/\b\f\n\r\t\u0000":"\u20AC",)");
  const std::string buffer = bytes::container("{" + escaped + "}", "");
  const ContainerReader reader =
      ContainerReader::open_buffer(buffer.data(), static_cast<int64_t>(buffer.size()), format);
  const std::string name("a\xc3\xa4\xf0\x9f\x98\x80\"\\/\b\f\n\r\t\0", 16);
  assert_text(reader.text(name), "\xe2\x82\xac");
}

/// The length of the header: beyond the file, beyond the limit, beyond any number.
void test_huge_lengths(void**) {
  for (const uint64_t length :
       {uint64_t{0}, uint64_t{1}, uint64_t{56}, uint64_t{1} << 20, (uint64_t{1} << 20) + 56, uint64_t{1} << 32,
        uint64_t{INT64_MAX}, uint64_t{1} << 63, UINT64_MAX, UINT64_MAX - 7}) {
    std::string buffer = small_container();
    std::memcpy(buffer.data(), &length, sizeof length);
    refused(buffer);
  }
  // A header of the declared length, which is too long.
  const std::string padded = "{" + bytes::metadata() + "}" + std::string(1 << 20, ' ');
  assert_text(refused(bytes::container(padded, "")), "file.vt is not a vtemper.test file");
}

/// Nothing in a small file makes the reader allocate much memory: these cases run with little.
void test_memory(void**) {
  if (test::has_sanitizer) _skip(__FILE__, __LINE__);
  rlimit old;
  assert_int_equal(getrlimit(RLIMIT_DATA, &old), 0);
  rlimit small = old;
  small.rlim_cur = rlim_t{64} << 20;
  assert_int_equal(setrlimit(RLIMIT_DATA, &small), 0);
  test_huge_lengths(nullptr);
  test_deceiving_arrays(nullptr);
  test_deceiving_json(nullptr);
  assert_int_equal(setrlimit(RLIMIT_DATA, &old), 0);
}

struct Folder {
  char path[32] = "/tmp/vtemper-damaged-XXXXXX";
  Folder() { assert_non_null(mkdtemp(path)); }
  ~Folder() { rmdir(path); }
  std::string file(const char* name) const { return std::string(path) + "/" + name; }
};

void write_bytes(const std::string& path, const std::string& content) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  assert_non_null(file);
  assert_int_equal(std::fwrite(content.data(), 1, content.size(), file), content.size());
  assert_int_equal(std::fclose(file), 0);
}

std::string refused_file(vtemper_status status, const std::string& path) {
  assert_false(looks_like_container(path));
  return refusal(status, [&] { ContainerReader::open_file(path, format, Verify::header); });
}

void test_files(void**) {
  const Folder folder;
  const std::string path = folder.file("file.vt");
  assert_text(refused_file(VTEMPER_ERROR_IO, path), path + " cannot be opened: No such file or directory");
  assert_text(refused_file(VTEMPER_ERROR_IO, folder.path),
              std::string(folder.path) + " cannot be read: Is a directory");
  assert_text(refused_file(VTEMPER_ERROR_IO, "/dev/zero"), "/dev/zero cannot be read: it is not a regular file");
  assert_int_equal(mkfifo(path.c_str(), 0600), 0);  // nobody writes to it: opening it must not wait
  assert_text(refused_file(VTEMPER_ERROR_IO, path), path + " cannot be read: it is not a regular file");
  assert_int_equal(unlink(path.c_str()), 0);
  write_bytes(path, "");
  assert_text(refused_file(VTEMPER_ERROR_FORMAT, path), path + " is empty");
  write_bytes(path, "3\n4\n5\n1 1 2\n");
  assert_text(refused_file(VTEMPER_ERROR_FORMAT, path), path + " is not a vtemper.test file");

  // A damaged payload is detected by full verification.
  std::string damaged = small_container();
  damaged.back() ^= 1;
  write_bytes(path, damaged);
  assert_true(looks_like_container(path));
  const ContainerReader reader = ContainerReader::open_file(path, format, Verify::header);
  const std::string message = path + " is damaged: the hash of its arrays does not match";
  assert_text(refusal(VTEMPER_ERROR_FORMAT, [&] { reader.verify_payload(); }), message);
  assert_text(refusal(VTEMPER_ERROR_FORMAT, [&] { ContainerReader::open_file(path, format, Verify::everything); }),
              message);
  assert_int_equal(unlink(path.c_str()), 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_truncated),      cmocka_unit_test(test_too_long),
      cmocka_unit_test(test_flipped_bits),   cmocka_unit_test(test_zeroed_and_exchanged_bytes),
      cmocka_unit_test(test_foreign),        cmocka_unit_test(test_deceiving_arrays),
      cmocka_unit_test(test_deceiving_json), cmocka_unit_test(test_escapes),
      cmocka_unit_test(test_huge_lengths),   cmocka_unit_test(test_memory),
      cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
