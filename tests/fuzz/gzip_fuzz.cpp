// Text of any format as gzip members: one or several, complete, truncated, damaged, followed by other bytes, or a
// small file that expands to a large one. Complete members are read as the plain text is; everything else is refused
// with an Error or gives data that can be read to the end. The driver limits time and memory.

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "data/data.h"
#include "fuzz/input.h"
#include "fuzz/memory_file.h"
#include "support/error.h"

using namespace vtemper;

namespace {

constexpr size_t largest_text = size_t{1} << 19;  // twice what is read at a time
constexpr const char* formats[] = {
    "docword",        "ldac", "svmlight", "matrix_market", "sequences", "labelled_sequences",
    "word_sequences", "csv",  "npy",      "idx",           "auto"};

std::string member(const std::string& text) {
  z_stream stream = {};
  if (deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

int64_t accepted = 0;

/// The result of reading: data or a refusal.
struct Outcome {
  vtemper_status status;
  int64_t rows, columns, entries;
  double total;
  bool operator==(const Outcome& other) const {
    const bool same_total = total == other.total || (total != total && other.total != other.total);
    return status == other.status && rows == other.rows && columns == other.columns && entries == other.entries &&
           same_total;
  }
};

Outcome outcome_of(const std::string& bytes, const char* format) {
  const MemoryFile file(bytes.data(), bytes.size());
  try {
    const DataPointer data = data_read(file.path(), format);
    data_verify(*data);
    ++accepted;
    return {VTEMPER_OK, data->rows(), data->columns(), data->entries(), data_total(*data)};
  } catch (const Error& error) {
    if (error.status() == VTEMPER_ERROR_INTERNAL) std::abort();
    return {error.status(), 0, 0, 0, 0};
  } catch (const std::bad_alloc&) {
    return {VTEMPER_ERROR_MEMORY, 0, 0, 0, 0};
  }
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  const std::string texts[] = {
      "3\n2\n4\n1 1 2\n1 2 1\n3 1 5\n3 2 1\n",
      "2 0:1 1:2\n1 1:4\n",
      "1 1:2 2:1\n-1 2:3\n",
      "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n3 2 1\n",
      "0 1 2\n2 1\n",
      "a 0 1 2\nb 2 1\n",
      "x,y\n1,2\n3,nan\n",
      std::string("\x93NUMPY\x01\x00\x36\x00", 10) +
          "{'descr':'<f8','fortran_order':False,'shape':(1000000000000,0)}\n",
      std::string("\0\0\x08\x02\x7f\xff\xff\xff\0\0\0\0", 12),
  };
  std::vector<std::string> seeds;
  for (size_t format = 0; format < std::size(formats); ++format) {
    for (int form = 0; form < 6; ++form) {
      const std::string& text = texts[std::min(format, std::size(texts) - 1)];
      seeds.push_back(
          std::string{static_cast<char>(format), static_cast<char>(form), static_cast<char>(9 * form), 5} + text);
    }
  }
  return seeds;
}

int64_t fuzz_accepted() {
  return accepted;
}

/// Four bytes choose format, form, number of members or repeats, and place; the rest is the text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  Input input(bytes, size);
  const char* const format = formats[input.below(std::size(formats))];
  const size_t form = input.below(6), number = input.byte(), place = input.byte();
  std::string text = input.rest();
  if (form == 5) {  // a line or the whole text, again and again
    std::string part = number % 2 == 0 ? text : text.substr(text.rfind('\n', text.size() - 2) + 1);
    while (!part.empty() && part.size() < largest_text >> (number % 8)) part += part;
    text += part;
  }
  std::string file;
  if (form == 1) {  // several members
    const size_t pieces = 2 + number % 6, length = text.size() / pieces;
    for (size_t i = 0; i < pieces; ++i) {
      file += member(i + 1 < pieces ? text.substr(i * length, length) : text.substr(i * length));
    }
  } else {
    file = member(text);
  }
  if (form == 2) file.resize(file.size() - std::min(file.size(), 1 + number));                        // cut off
  if (form == 3) file[number % file.size()] = static_cast<char>(file[number % file.size()] ^ place);  // damaged
  if (form == 4) file += number % 2 == 0 ? text : file.substr(0, place % file.size());  // followed by something
  const Outcome read = outcome_of(file, format);
  // "auto" looks only at the first bytes, which differ in a text that is itself compressed.
  const bool comparable = format != std::string("auto") && text.compare(0, 1, "\x1f") != 0 && !text.empty();
  const bool is_whole = form == 0 || form == 1 || form == 5;
  if (comparable && is_whole && !(read == outcome_of(text, format))) std::abort();
  return 0;
}
