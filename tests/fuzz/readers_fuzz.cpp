// Arbitrary bytes as a file of any format: refused with an Error, or they give data that can be read to the end.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "data/data.h"
#include "fuzz/memory_file.h"
#include "support/error.h"

using namespace vtemper;

namespace {

int64_t accepted = 0;

/// Whether the file can be converted, which must hold for every file that can be read.
bool converts(const std::string& path, const char* format) {
  static const std::string out = memory_folder() + "vtemper_readers_fuzz_" + std::to_string(getpid());
  try {
    data_convert(path, format, {}, out);
    unlink(out.c_str());
    return true;
  } catch (const Error&) {
    return false;
  }
}

void read_to_the_end(const std::string& path, const char* format) {
  DataPointer data;
  bool is_converted = false;
  try {
    is_converted = converts(path, format);
    data = data_read(path, format);
    data_verify(*data);
    ++accepted;
  } catch (const Error&) {
    if (is_converted) std::abort();
    return;
  } catch (const std::bad_alloc&) {
    return;
  }
  if (!is_converted) std::abort();
  // Data that were accepted and verified are sound.
  const double total = data_total(*data);
  if (data->is<Sequences>() && total != static_cast<double>(data->sequences().entries)) std::abort();
  if (data->is<Dense>()) return;  // values of any sign; their sum may leave the range
  if (!(total >= 0) || data->columns() > max_columns) std::abort();
}

}  // namespace

/// Declared sizes without data, at the limits of their types; the other seeds are files.
std::vector<std::string> fuzz_seeds() {
  const char* const npy[] = {"(1000000000000, 0)", "(0, 1000000000000)", "(9223372036854775807, 2)", "(0, 0)"};
  std::vector<std::string> seeds;
  for (const char* shape : npy) {
    std::string header = std::string("{'descr': '<f8', 'fortran_order': False, 'shape': ") + shape + ", }";
    header.resize(117, ' ');
    seeds.push_back(std::string("\x09\x93NUMPY\x01\x00\x76\x00", 11) + header + "\n");
  }
  seeds.push_back(std::string("\x0a\0\0\x08\x02\x7f\xff\xff\xff\0\0\0\0", 13));
  seeds.push_back(std::string("\x0a\0\0\x08\x03\x7f\xff\xff\xff\0\0\0\0\x7f\xff\xff\xff", 17));
  seeds.push_back(
      "\x01"
      "2147483647\n2147483647\n0\n");
  seeds.push_back(
      "\x01"
      "0\n0\n0\n");
  seeds.push_back(
      "\x02"
      "0\n1 2147483646:1\n");
  seeds.push_back(
      "\x04"
      "%%MatrixMarket matrix coordinate integer general\n2147483647 2147483647 0\n");
  seeds.push_back(
      "\x06"
      "2147483646\n\n");
  seeds.push_back(
      "\x08"
      "\tx\ty\na\t1.5\t\n\"b\"\tNA\t-2\n");
  seeds.push_back(
      "\x08"
      "\"\";\"x\";\"y\"\n\"1\";1,5;2\n\"2\";1,234;\n");
  seeds.push_back(
      "\x08"
      "\"x\",\"y\"\n\"1\",1.5,2\n\"2\",NA,3\n");
  seeds.push_back(
      "\x08"
      ",0,1\n0,1.5,2\n1,2.5,3\n");
  return seeds;
}

int64_t fuzz_accepted() {
  return accepted;
}

/// The first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size == 0) return 0;
  constexpr const char* formats[] = {"auto",          "docword", "ldac",      "svmlight",
                                     "matrix_market", "mapped",  "sequences", "labelled_sequences",
                                     "csv",           "npy",     "idx",       "word_sequences"};
  const MemoryFile file(bytes + 1, size - 1);
  read_to_the_end(file.path(), formats[bytes[0] % (sizeof formats / sizeof formats[0])]);
  return 0;
}
