#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "storage/container.h"
#include "storage/layout.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

using Hash = std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)>;

std::string hash_of(const std::vector<Piece>& pieces) {
  const Hash state(XXH3_createState(), XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (const Piece& piece : pieces) XXH3_64bits_update(state.get(), piece.data, static_cast<size_t>(piece.size));
  return hash_text(XXH3_64bits_digest(state.get()));
}

}  // namespace

ContainerWriter::ContainerWriter(std::string format) : format_(std::move(format)) {}

void ContainerWriter::text(const std::string& name, const std::string& value) {
  texts_[name] = value;
}

void ContainerWriter::tensor(const std::string& name, Element element, std::vector<int64_t> shape, const void* data) {
  tensors_.push_back({name, {element, std::move(shape), data}, nullptr});
}

void ContainerWriter::keep(const std::string& name, std::vector<double> values) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(values));
  tensors_.push_back({name, {Element::f64, {static_cast<int64_t>(kept->size())}, kept->data()}, kept});
}

void ContainerWriter::keep(const std::string& name, std::vector<int64_t> values) {
  const auto kept = std::make_shared<const std::vector<int64_t>>(std::move(values));
  tensors_.push_back({name, {Element::i64, {static_cast<int64_t>(kept->size())}, kept->data()}, kept});
}

void ContainerWriter::keep(const std::string& name, std::string bytes) {
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  tensors_.push_back({name, {Element::u8, {static_cast<int64_t>(kept->size())}, kept->data()}, kept});
}

/// Larger elements first: sizes are then multiples of the alignment that follows, without holes.
std::vector<const ContainerWriter::Named*> ContainerWriter::in_order() const {
  std::vector<const Named*> order;
  for (const Named& named : tensors_) order.push_back(&named);
  std::stable_sort(order.begin(), order.end(), [](const Named* a, const Named* b) {
    return element_size(a->tensor.element) > element_size(b->tensor.element);
  });
  return order;
}

std::string ContainerWriter::header_with(const std::string& payload_hash) const {
  nlohmann::ordered_json header;
  auto& metadata = header["__metadata__"];
  metadata["format"] = format_;
  metadata["format_version"] = format_version;
  metadata["payload_hash"] = payload_hash;
  metadata[header_hash_name] = std::string(hash_digits, '0');
  for (const auto& [name, value] : texts_) metadata[name] = value;
  int64_t offset = 0;
  for (const Named* named : in_order()) {
    auto& entry = header[named->name];
    entry["dtype"] = element_name(named->tensor.element);
    entry["shape"] = named->tensor.shape;
    entry["data_offsets"] = {offset, offset + named->tensor.bytes()};
    offset += named->tensor.bytes();
  }
  std::string text = header.dump();
  const size_t begin = sizeof(uint64_t);
  text.resize((begin + text.size() + payload_alignment - 1) / payload_alignment * payload_alignment - begin, ' ');
  if (text.size() > static_cast<size_t>(longest_header)) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED, sentence("the header of a ", format_, " file would take ", text.size(),
                                                    " bytes; at most ", longest_header, " are allowed"));
  }
  const std::string hash = hash_text(XXH3_64bits(text.data(), text.size()));
  text.replace(header_hash_position(text).value(), hash_digits, hash);
  return text;
}

std::vector<Piece> ContainerWriter::pieces(std::string& header) const {
  std::vector<Piece> payload;
  for (const Named* named : in_order()) payload.push_back({named->tensor.data, named->tensor.bytes()});
  const std::string text = header_with(hash_of(payload));
  header.resize(sizeof(uint64_t));
  const uint64_t length = text.size();
  for (size_t i = 0; i < sizeof length; ++i) header[i] = static_cast<char>(length >> (8 * i) & 0xFF);
  header += text;
  payload.insert(payload.begin(), {header.data(), static_cast<int64_t>(header.size())});
  return payload;
}

int64_t ContainerWriter::size() const {
  int64_t total = static_cast<int64_t>(sizeof(uint64_t) + header_with(std::string(hash_digits, '0')).size());
  for (const Named& named : tensors_) total += named.tensor.bytes();
  return total;
}

void ContainerWriter::write(void* buffer) const {
  std::string header;
  char* out = static_cast<char*>(buffer);
  for (const Piece& piece : pieces(header)) {
    if (piece.size > 0) std::memcpy(out, piece.data, static_cast<size_t>(piece.size));
    out += piece.size;
  }
}

void ContainerWriter::write_file(const std::string& path) const {
  std::string header;
  write_file_atomically(path, pieces(header));
}

}  // namespace vtemper
