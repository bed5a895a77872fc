#include "data/readers/raw_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "data/typed_array.h"

namespace vtemper {
namespace {

/// Integers as stored in the file.
uint64_t bits_of(const unsigned char* bytes, const RawType& type) {
  uint64_t bits = 0;
  for (int i = 0; i < type.bytes; ++i) {
    const int place = type.big_endian ? i : type.bytes - 1 - i;
    bits = bits << 8 | bytes[place];
  }
  return bits;
}

/// The number with the bits of an IEEE 754 half: a sign, 5 bits of exponent, 10 of fraction.
double half_of(uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = static_cast<double>(bits & 1023);
  double size = 0;
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return bits >> 15 & 1 ? -size : size;
}

double number_of(const unsigned char* bytes, const RawType& type) {
  const uint64_t bits = bits_of(bytes, type);
  switch (type.kind) {
    case RawType::Kind::natural:
      return static_cast<double>(bits);
    case RawType::Kind::whole: {
      const int unused = 64 - 8 * type.bytes;
      return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
    }
    case RawType::Kind::real:
      break;
  }
  if (type.bytes == 2) return half_of(bits);
  if (type.bytes == 4) {
    const uint32_t float_bits = static_cast<uint32_t>(bits);
    float value = 0;
    std::memcpy(&value, &float_bits, sizeof value);
    return static_cast<double>(value);
  }
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Calls push(value) for each number.
template <class Real, class Push>
void each_number(Scanner& scanner, const RawType& type, int64_t rows, int64_t columns, const Push& push) {
  const int64_t count = size_product(scanner, rows, columns);
  constexpr int64_t max_empty_rows = 100000000;
  if (count == 0 && rows > max_empty_rows) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(scanner.path(), " declares ", rows, " rows of no values; the maximum is ", max_empty_rows));
  }
  constexpr int64_t at_once = 1024;
  unsigned char bytes[at_once * 8];
  for (int64_t done = 0; done < count; done += at_once) {
    const int64_t wanted = std::min(at_once, count - done);
    const int64_t read = scanner.bytes(bytes, wanted * type.bytes);
    if (read < wanted * type.bytes) {
      throw Error(VTEMPER_ERROR_FORMAT,
                  message(scanner.path(), " declares ", counted(rows, "row"), " of ", counted(columns, "value"),
                          ", but ends after ", counted(done + read / type.bytes, "value")));
    }
    for (int64_t i = 0; i < wanted; ++i) push(static_cast<Real>(number_of(bytes + i * type.bytes, type)));
  }
  if (!scanner.at_end()) {
    throw Error(VTEMPER_ERROR_FORMAT, message(scanner.path(), " goes on after the ", counted(rows, "row"), " of ",
                                              counted(columns, "value"), " that it announces"));
  }
}

template <class Real>
void read_as(Scanner& scanner, const RawType& type, int64_t rows, int64_t columns, bool by_columns,
             DataBuilder& data) {
  if (!by_columns) {
    DenseBuilder<Real>& values = data.dense<Real>(columns, scanner.path());
    each_number<Real>(scanner, type, rows, columns, [&](Real value) { values.push(value); });
    return data.end(rows, columns);
  }
  const auto values = std::make_shared<Buffer<Real>>();
  each_number<Real>(scanner, type, rows, columns, [&](Real value) { values->push(value); });
  take_columns(scanner, values, rows, columns, data);
}

}  // namespace

int64_t size_product(const Scanner& scanner, int64_t a, int64_t b) {
  int64_t product = 0;
  int64_t bytes = 0;
  if (a >= 0 && b >= 0 && !__builtin_mul_overflow(a, b, &product) && !__builtin_mul_overflow(product, 8, &bytes)) {
    return product;
  }
  throw Error(VTEMPER_ERROR_FORMAT,
              message(scanner.path(), " declares ", a, " times ", b, " values, which is more than can be addressed"));
}

void read_raw_numbers(Scanner& scanner, const RawType& type, int64_t rows, int64_t columns, bool by_columns,
                      DataBuilder& data) {
  const bool fits_float = type.kind == RawType::Kind::real ? type.bytes <= 4 : type.bytes <= 2;
  if (fits_float) {
    read_as<float>(scanner, type, rows, columns, by_columns, data);
  } else {
    read_as<double>(scanner, type, rows, columns, by_columns, data);
  }
}

}  // namespace vtemper
