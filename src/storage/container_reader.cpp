#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "storage/container.h"
#include "storage/layout.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

using Json = nlohmann::json;

/// Takes the header apart as it is parsed: two levels of objects and one of arrays, nothing deeper, nothing else.
class HeaderHandler : public nlohmann::json_sax<Json> {
 public:
  struct Entry {
    std::string dtype;
    std::vector<int64_t> shape, offsets;
    bool has_shape = false;
  };
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, Entry, std::less<>> entries;
  std::string trouble;

  bool start_object(size_t) override {
    if (in_array_ || depth_ >= 2) return refuse("it is nested too deeply");
    if (depth_++ == 0) return true;
    if (object_ == "__metadata__") {
      if (seen_metadata_) return refuse("it has __metadata__ twice");
      return seen_metadata_ = true;
    }
    if (!entries.emplace(object_, Entry{}).second) return refuse("it names " + object_ + " twice");
    return true;
  }
  bool key(std::string& name) override {
    (depth_ == 1 ? object_ : member_) = name;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(size_t) override {
    if (depth_ != 2 || in_array_ || object_ == "__metadata__") return refuse("it has an array where none belongs");
    if (member_ == "shape") entries[object_].has_shape = true;
    return in_array_ = true;
  }
  bool end_array() override {
    in_array_ = false;
    return true;
  }
  bool string(std::string& value) override {
    if (depth_ == 2 && !in_array_ && object_ == "__metadata__") {
      return texts.emplace(member_, value).second || refuse("it has the text " + member_ + " twice");
    }
    if (depth_ == 2 && !in_array_ && member_ == "dtype") {
      entries[object_].dtype = value;
      return true;
    }
    return refuse("it has a text where none belongs");
  }
  bool number_unsigned(uint64_t value) override {
    constexpr size_t most_dimensions = 8;
    if (!in_array_ || (member_ != "shape" && member_ != "data_offsets"))
      return refuse("it has a number where none belongs");
    if (value > INT64_MAX) return refuse("it has a number beyond 64 bits");
    std::vector<int64_t>& list = member_ == "shape" ? entries[object_].shape : entries[object_].offsets;
    if (list.size() == most_dimensions) return refuse("an array has too many dimensions");
    list.push_back(static_cast<int64_t>(value));
    return true;
  }
  bool number_integer(int64_t) override { return refuse("it has a negative number"); }
  bool number_float(double, const std::string&) override { return refuse("it has a number that is not whole"); }
  bool boolean(bool) override { return refuse("it has a truth value"); }
  bool null() override { return refuse("it has a null"); }
  bool binary(Json::binary_t&) override { return refuse("it has binary data"); }
  bool parse_error(size_t, const std::string&, const Json::exception&) override { return refuse("it is not JSON"); }

 private:
  int depth_ = 0;
  bool in_array_ = false;
  bool seen_metadata_ = false;
  std::string object_, member_;

  bool refuse(const std::string& why) {
    trouble = why;
    return false;
  }
};

/// Number of elements, or nothing where it overflows.
std::optional<int64_t> product(const std::vector<int64_t>& shape) {
  int64_t total = 1;
  for (const int64_t extent : shape) {
    if (__builtin_mul_overflow(total, extent, &total)) return std::nullopt;
  }
  return total;
}

uint64_t little_endian(const uint8_t* bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof value; ++i) value |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return value;
}

struct MappedFile {
  std::shared_ptr<const void> bytes;  ///< NULL when the file is empty
  int64_t size;
};

MappedFile map_file(const std::string& path) {
  const auto refuse = [&](int code) {
    throw Error(VTEMPER_ERROR_IO, sentence("cannot read ", path, ": ", std::generic_category().message(code)));
  };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(errno);
  struct stat status;
  const int found = fstat(descriptor, &status);
  void* address = nullptr;
  int code = found != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : S_ISREG(status.st_mode) ? 0 : EINVAL;
  if (code == 0 && status.st_size > 0) {
    address = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED) code = errno;
  }
  close(descriptor);
  if (code != 0) refuse(code);
  const size_t size = static_cast<size_t>(status.st_size);
  if (size == 0) return {nullptr, 0};
  return {
      std::shared_ptr<const void>(address, [size](const void* mapped) { munmap(const_cast<void*>(mapped), size); }),
      status.st_size};
}

}  // namespace

ContainerReader ContainerReader::open_file(const std::string& path, std::string_view format, Verify verify) {
  const MappedFile file = map_file(path);
  ContainerReader reader;
  reader.name_ = path;
  reader.owner_ = file.bytes;
  reader.parse(file.bytes.get(), file.size, format);
  if (verify == Verify::everything) reader.verify_payload();
  return reader;
}

ContainerReader ContainerReader::open_buffer(const void* buffer, int64_t size, std::string_view format,
                                             const std::string& name) {
  ContainerReader reader;
  reader.name_ = name;
  reader.parse(buffer, size, format);
  reader.verify_payload();
  return reader;
}

void ContainerReader::parse(const void* bytes, int64_t size, std::string_view format) {
  const auto refuse = [&](const std::string& why) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(name_, " is not a usable ", format, " file: ", why));
  };
  constexpr int64_t begin = sizeof(uint64_t);
  const uint8_t* first = static_cast<const uint8_t*>(bytes);
  if (size < begin + 2) refuse(sentence("it has only ", size, " bytes"));
  const uint64_t length = little_endian(first);
  if (length > static_cast<uint64_t>(longest_header)) refuse("it does not begin like one");
  if (static_cast<int64_t>(length) > size - begin) refuse("its header is cut off");
  const std::string_view header(reinterpret_cast<const char*>(first) + begin, length);
  if (header.empty() || header[0] != '{') refuse("it does not begin like one");

  HeaderHandler handler;
  if (!Json::sax_parse(header.begin(), header.end(), &handler)) refuse("its header is damaged: " + handler.trouble);
  texts_ = std::move(handler.texts);
  if (!has_text("format") || text("format") != format) {
    refuse(has_text("format") ? "it is a " + text("format") + " file" : "it names no format");
  }
  if (!has_text("format_version") || text("format_version") != format_version)
    refuse("it has another format version");
  const std::optional<size_t> hash = header_hash_position(header);
  if (!hash || !has_text("payload_hash")) refuse("it has no hashes");
  std::string unhashed(header);
  unhashed.replace(*hash, hash_digits, hash_digits, '0');
  if (hash_text(XXH3_64bits(unhashed.data(), unhashed.size())) != header.substr(*hash, hash_digits)) {
    refuse("its header does not match its hash");
  }

  payload_ = first + begin + length;
  payload_size_ = size - begin - static_cast<int64_t>(length);
  std::vector<std::pair<int64_t, int64_t>> extents;
  for (auto& [name, entry] : handler.entries) {
    const std::optional<Element> element = element_named(entry.dtype);
    const std::optional<int64_t> count = product(entry.shape);
    int64_t wanted = 0;
    if (!element || !entry.has_shape || entry.offsets.size() != 2) refuse("its array " + name + " is incomplete");
    if (!count || __builtin_mul_overflow(*count, element_size(*element), &wanted) ||
        entry.offsets[0] > entry.offsets[1] || entry.offsets[1] > payload_size_ ||
        entry.offsets[1] - entry.offsets[0] != wanted) {
      refuse("its array " + name + " does not fit");
    }
    const uint8_t* data = payload_ + entry.offsets[0];
    if (wanted > 0 && reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(element_size(*element)) != 0 &&
        owner_) {
      refuse("its array " + name + " is not aligned");
    }
    tensors_[name] = {*element, std::move(entry.shape), data};
    extents.emplace_back(entry.offsets[0], entry.offsets[1]);
  }
  std::sort(extents.begin(), extents.end());
  int64_t end = 0;
  for (const auto& [from, to] : extents) {
    if (from != end) refuse("its arrays overlap or leave holes");
    end = to;
  }
  if (end != payload_size_)
    refuse(sentence("it has ", payload_size_, " bytes of arrays where ", end, " are described"));
}

void ContainerReader::verify_payload() const {
  const uint64_t hash = XXH3_64bits(payload_, static_cast<size_t>(payload_size_));
  if (hash_text(hash) != text("payload_hash")) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(name_, " is damaged: its arrays do not match their hash"));
  }
}

const std::string& ContainerReader::text(std::string_view name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) throw Error(VTEMPER_ERROR_FORMAT, sentence(name_, " lacks the text ", name));
  return found->second;
}

bool ContainerReader::has_text(std::string_view name) const {
  return texts_.find(name) != texts_.end();
}

bool ContainerReader::has_tensor(std::string_view name) const {
  return tensors_.find(name) != tensors_.end();
}

const Tensor& ContainerReader::tensor(std::string_view name, Element element, size_t rank) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw Error(VTEMPER_ERROR_FORMAT, sentence(name_, " lacks the array ", name));
  if (found->second.element != element || found->second.shape.size() != rank) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(name_, " has an array ", name, " of another type or shape"));
  }
  return found->second;
}

namespace {

/// Copies; a borrowed buffer need not be aligned.
template <class T>
std::vector<T> copied(const Tensor& tensor) {
  std::vector<T> values(static_cast<size_t>(tensor.count()));
  if (!values.empty()) std::memcpy(values.data(), tensor.data, values.size() * sizeof(T));
  return values;
}

}  // namespace

std::vector<double> ContainerReader::doubles(std::string_view name) const {
  return copied<double>(tensor(name, Element::f64, 1));
}

std::vector<int64_t> ContainerReader::integers(std::string_view name) const {
  return copied<int64_t>(tensor(name, Element::i64, 1));
}

bool looks_like_container(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  uint8_t begin[sizeof(uint64_t) + 2];
  const ssize_t got = read(descriptor, begin, sizeof begin);
  close(descriptor);
  return got == static_cast<ssize_t>(sizeof begin) && little_endian(begin) <= static_cast<uint64_t>(longest_header) &&
         begin[sizeof(uint64_t)] == '{' && begin[sizeof(uint64_t) + 1] == '"';
}

}  // namespace vtemper
