// NumPy's .npy (versions 1 to 3): the magic bytes, a version, the length of a header, a header that is a Python
// dictionary of descr, fortran_order and shape, then the values. The first dimension is the rows.

#include <algorithm>

#include "data/readers/formats.h"
#include "data/readers/raw_numbers.h"
#include "support/error.h"

namespace vtemper {
namespace {

/// Headers of arrays of numbers are far shorter; only records with many fields, which are not supported, have longer
/// ones.
constexpr int64_t longest_header = 65536;

[[noreturn]] void refuse(const Scanner& scanner, const std::string& reason) {
  throw Error(VTEMPER_ERROR_FORMAT, message(scanner.path(), " is not a .npy file of numbers: ", reason));
}

std::string header_of(Scanner& scanner) {
  unsigned char magic[8] = {};
  if (scanner.bytes(magic, 8) < 8 || magic[0] != 0x93 || std::string(magic + 1, magic + 6) != "NUMPY") {
    refuse(scanner, "it does not begin with the magic bytes");
  }
  const int version = magic[6];
  if (version < 1 || version > 3) refuse(scanner, message("its version is ", version, "; known versions are 1 to 3"));
  unsigned char length_bytes[4] = {};
  const int64_t size = version == 1 ? 2 : 4;
  if (scanner.bytes(length_bytes, size) < size) refuse(scanner, "it ends within the header");
  int64_t length = 0;
  for (int64_t i = size; i-- > 0;) length = length << 8 | length_bytes[i];
  if (length > longest_header) refuse(scanner, message("its header declares ", length, " bytes"));
  std::string header(static_cast<size_t>(length), ' ');
  if (scanner.bytes(header.data(), length) < length) refuse(scanner, "it ends within the header");
  return header;
}

/// The text after 'key': in the dictionary, without leading spaces.
std::string_view value_of(const Scanner& scanner, std::string_view header, const std::string& key) {
  size_t place = header.find("'" + key + "'");
  if (place == header.npos) refuse(scanner, message("its header lacks ", key));
  place = header.find(':', place);
  if (place != header.npos) place = header.find_first_not_of(' ', place + 1);
  if (place == header.npos) refuse(scanner, message("its header ends behind ", key));
  return header.substr(place);
}

RawType type_of(const Scanner& scanner, std::string_view text) {
  const size_t end = text.size() > 1 && text[0] == '\'' ? text.find('\'', 1) : text.npos;
  if (end == text.npos) refuse(scanner, "its values are records, not numbers");
  const std::string_view type = text.substr(1, end - 1);
  const auto unknown = [&] {
    refuse(scanner, message("its type is ", quoted(type),
                            "; known types are whole numbers of 1, 2, 4 and 8 bytes, reals of 2, 4 and 8, and bool"));
  };
  if (type.size() != 3 || std::string_view("<>|").find(type[0]) == std::string_view::npos) unknown();
  const char kind = type[1];
  const int bytes = type[2] - '0';
  const bool is_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  const bool is_known = kind == 'f' ? is_size && bytes != 1 : kind == 'b' ? bytes == 1 : is_size;
  if (!is_known || std::string_view("fiub").find(kind) == std::string_view::npos) unknown();
  return {kind == 'f'   ? RawType::Kind::real
          : kind == 'i' ? RawType::Kind::whole
                        : RawType::Kind::natural,
          bytes, type[0] == '>'};
}

std::vector<int64_t> shape_of(const Scanner& scanner, std::string_view text) {
  const size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == text.npos) refuse(scanner, "its shape is not in brackets");
  text = text.substr(1, end - 1);
  std::vector<int64_t> shape;
  while (!trimmed(text).empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const auto size = parse_integer(text.substr(0, comma));
    if (!size || *size < 0) refuse(scanner, message("its shape holds ", quoted(text.substr(0, comma))));
    shape.push_back(*size);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return shape;
}

}  // namespace

void read_npy(Scanner& scanner, DataBuilder& data) {
  const std::string header = header_of(scanner);
  const RawType type = type_of(scanner, value_of(scanner, header, "descr"));
  const std::string_view order = value_of(scanner, header, "fortran_order");
  const bool by_columns = order.substr(0, 4) == "True";
  if (!by_columns && order.substr(0, 5) != "False") refuse(scanner, "its fortran_order is neither True nor False");
  const std::vector<int64_t> shape = shape_of(scanner, value_of(scanner, header, "shape"));
  if (shape.empty()) refuse(scanner, "it holds a single value, not rows");
  if (by_columns && shape.size() > 2) {
    refuse(scanner, "arrays of more than two dimensions are read in C order only (fortran_order False)");
  }
  int64_t columns = 1;
  for (size_t i = 1; i < shape.size(); ++i) columns = size_product(scanner, columns, shape[i]);
  read_raw_numbers(scanner, type, shape[0], columns, by_columns, data);
}

}  // namespace vtemper
