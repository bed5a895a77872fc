#include "data/row_texts_builder.h"

#include "data/mapped/mapped.h"
#include "storage/container.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

void RowTextsBuilder::add(std::string_view text) {
  const auto refuse = [&](const char* reason) {
    throw Error(VTEMPER_ERROR_DATA, message(source_, ": the ", field_, " of row ", offsets_.size() - 1, " ", reason));
  };
  if (!is_valid_utf8(text)) refuse("is not valid UTF-8");
  if (text.find('\0') != text.npos) refuse("has a zero byte");
  for (const char c : text) bytes_.push(c);
  bytes_.push('\0');
  offsets_.push(bytes_.size());
}

RowTexts RowTextsBuilder::finish() {
  std::vector<std::string> texts;
  for (int64_t row = 0; row + 1 < offsets_.size(); ++row) texts.emplace_back(bytes_.from(offsets_[row]));
  return RowTexts(texts, field_);
}

void RowTextsBuilder::store(ContainerWriter& writer) {
  writer.tensor(row_text_prefix + field_, Element::u8, {bytes_.size()}, bytes_.bytes());
  writer.tensor(row_text_offsets_prefix + field_, Element::i64, {offsets_.size()}, offsets_.bytes());
  writer.text(row_fields_text, field_);
}

}  // namespace vtemper
