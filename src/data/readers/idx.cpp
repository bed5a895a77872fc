// IDX, the format of the MNIST images: two zeros, a type, the number of dimensions, the dimensions as big-endian
// 32-bit numbers, then the values. The first dimension is the rows; the others, flattened, are the columns.

#include "data/readers/formats.h"
#include "data/readers/raw_numbers.h"
#include "support/error.h"

namespace vtemper {
namespace {

RawType type_of(const Scanner& scanner, int code) {
  switch (code) {
    case 0x08:
      return {RawType::Kind::natural, 1, true};
    case 0x09:
      return {RawType::Kind::whole, 1, true};
    case 0x0b:
      return {RawType::Kind::whole, 2, true};
    case 0x0c:
      return {RawType::Kind::whole, 4, true};
    case 0x0d:
      return {RawType::Kind::real, 4, true};
    case 0x0e:
      return {RawType::Kind::real, 8, true};
    default:
      throw Error(VTEMPER_ERROR_FORMAT, message(scanner.path(), " is not an IDX file: its type is ", code,
                                                "; known types are 8, 9, 11, 12, 13 and 14"));
  }
}

}  // namespace

void read_idx(Scanner& scanner, DataBuilder& data) {
  unsigned char magic[4] = {};
  if (scanner.bytes(magic, 4) < 4 || magic[0] != 0 || magic[1] != 0) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(scanner.path(), " is not an IDX file: it does not begin with two zeros"));
  }
  const RawType type = type_of(scanner, magic[2]);
  const int dimensions = magic[3];
  if (dimensions < 1) throw Error(VTEMPER_ERROR_FORMAT, message(scanner.path(), " declares no dimensions"));
  int64_t rows = 0;
  int64_t columns = 1;
  for (int i = 0; i < dimensions; ++i) {
    unsigned char bytes[4] = {};
    if (scanner.bytes(bytes, 4) < 4) {
      throw Error(VTEMPER_ERROR_FORMAT, message(scanner.path(), " ends within its ", dimensions, " dimensions"));
    }
    const int64_t size = int64_t{bytes[0]} << 24 | int64_t{bytes[1]} << 16 | int64_t{bytes[2]} << 8 | bytes[3];
    if (i == 0) {
      rows = size;
    } else {
      columns = size_product(scanner, columns, size);
    }
  }
  read_raw_numbers(scanner, type, rows, columns, false, data);
}

}  // namespace vtemper
