// Arbitrary bytes as raw text of any form that the command reads: lines, tables, JSON Lines; in any encoding, with
// words of any script, stop words, stems and phrases. Refused with a message, or converted to a corpus that can be
// read to the end, whose column names are words, and which the same recipe makes from the same text again. The first
// six bytes choose form and recipe.
//
// A refusal ends the command; here its exit is an exception, so that nothing is leaked.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <vtemper/vtemper.h>

#include "fuzz/input.h"
#include "fuzz/memory_file.h"
#include "text_corpus.h"

namespace {

int64_t accepted = 0;

struct Exit {
  int status;
};

}  // namespace

// Replaces the C library's functions (linker option --wrap) during a call.
static bool is_inside = false;
extern "C" [[noreturn]] void __real_exit(int status);
extern "C" [[noreturn]] void __wrap_exit(int status);
extern "C" void __wrap_exit(int status) {
  if (!is_inside) __real_exit(status);
  throw Exit{status};
}

namespace {

/// Messages of refusals are discarded, but there must be one.
class Messages {
 public:
  Messages() : kept_(dup(2)), file_(memfd_create("messages", MFD_CLOEXEC)) {
    if (kept_ < 0 || file_ < 0) std::abort();
    redirect(file_);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages() {
    redirect(kept_);
    close(kept_);
    close(file_);
  }
  std::string said() const {
    std::fflush(stderr);
    std::string text(4096, '\0');
    const ssize_t length = pread(file_, text.data(), text.size(), 0);
    text.resize(length > 0 ? static_cast<size_t>(length) : 0);
    return text;
  }

 private:
  int kept_, file_;
  static void redirect(int file) {
    std::fflush(stderr);
    if (dup2(file, 2) < 0) std::abort();
  }
};

/// NULL if it is refused.
vtemper_data* learn(const TextRequest& request) {
  const Messages messages;
  vtemper_data* data = nullptr;
  int status = 0;
  is_inside = true;
  try {
    data = text_corpus_learn(&request);
  } catch (const Exit& exit) {
    status = exit.status;
  }
  is_inside = false;
  const std::string said = messages.said();
  if (data == nullptr && (status < 1 || status > 2 || said.size() < 15)) std::abort();
  for (const char c : said) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < ' ' && c != '\n') || byte == 127) std::abort();  // terminal control characters
  }
  return data;
}

uint64_t hash_of(uint64_t hash, const void* bytes, size_t size) {
  const auto* from = static_cast<const unsigned char*>(bytes);
  for (size_t i = 0; i < size; ++i) hash = (hash ^ from[i]) * 1099511628211u;
  return hash;
}

/// Reads everything.
uint64_t content_of(const vtemper_data* data) {
  uint64_t hash = 14695981039346656037u;
  int64_t rows = 0, columns = 0;
  if (vtemper_data_rows(data, &rows) != VTEMPER_OK || vtemper_data_columns(data, &columns) != VTEMPER_OK)
    std::abort();
  std::vector<int64_t> places(static_cast<size_t>(columns));
  std::vector<double> counts(places.size());
  for (int64_t row = 0; row < rows; ++row) {
    int64_t length = 0;
    if (vtemper_data_row(data, row, places.data(), counts.data(), columns, &length) != VTEMPER_OK) std::abort();
    hash = hash_of(hash, places.data(), static_cast<size_t>(length) * sizeof(int64_t));
    hash = hash_of(hash, counts.data(), static_cast<size_t>(length) * sizeof(double));
    const char* text = nullptr;
    if (vtemper_data_row_text(data, "text", row, &text) == VTEMPER_OK) hash = hash_of(hash, text, std::strlen(text));
  }
  for (int64_t column = 0; column < columns; ++column) {
    const char* word = nullptr;
    if (vtemper_data_name(data, column, &word) != VTEMPER_OK || *word == '\0') std::abort();
    hash = hash_of(hash, word, std::strlen(word) + 1);
  }
  return hash;
}

}  // namespace

/// A word with many combining marks out of order: more than are kept.
static std::string word_with_marks() {
  std::string word = "a";
  for (int i = 0; i < 100; ++i) word += "\xcc\x81\xcc\xa3\xcc\x95";
  return word;
}

std::vector<std::string> fuzz_seeds() {
  const std::string texts[] = {
      "the cat sat on the mat\nthe dog ran to the cat\n",
      "id,text\n1,\"the cat, the \"\"dog\"\"\"\n2,a cat\n",
      "id\ttext\nx\tder Hund und die Katze\ny\tdie Katze\n",
      "{\"text\": \"the cat \\ud83d\\ude00\", \"id\": 1}\n{\"text\": \"a cat\", \"id\": null}\n",
      "\xd0\xba\xd0\xbe\xd1\x88\xd0\xba\xd0\xb0 \xd0\xb8 "
      "\xd0\xba\xd0\xbe\xd1\x88\xd0\xba\xd0\xb0\n\xd0\xba\xd0\xbe\n",
      "\xe7\x8c\xab\xe3\x81\xa8\xe7\x8a\xac\n\xe7\x8c\xab\n\xe0\xb9\x81\xe0\xb8\xa1\xe0\xb8\xa7\n",
      "I\xcc\x87stanbul \xef\xac\x81nd e\xcc\x81te\xcc\x81 \xf0\x9d\x94\x98\nI\xcc\x87stanbul \xe2\x80\xae tac\n",
      std::string("a\0b \x1b[31mred\n\xff\xfe\xed\xa0\x80 red\n", 24),
      word_with_marks() + " the cat\nthe " + word_with_marks() + word_with_marks() + "'s cat\n",
  };
  std::vector<std::string> seeds;
  for (size_t text = 0; text < std::size(texts); ++text) {
    for (int recipe = 0; recipe < 6; ++recipe) {
      seeds.push_back(std::string{static_cast<char>(text + static_cast<size_t>(recipe)), static_cast<char>(recipe), 1,
                                  static_cast<char>(7 * recipe), 1, static_cast<char>(recipe)} +
                      texts[text]);
    }
  }
  return seeds;
}

int64_t fuzz_accepted() {
  return accepted;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  Input input(bytes, size);
  const char* const columns[] = {nullptr, nullptr, nullptr, "text", "id,text", "no such"};
  const char* const fields[] = {nullptr, nullptr, nullptr, "text", "id", "a.b"};
  const char* const encodings[] = {nullptr,        nullptr,  "utf-8",     "latin1",
                                   "windows-1252", "utf-16", "shift_jis", "none"};
  const char* const languages[] = {nullptr, "none", "en", "de", "ru", "tr", "fr", "xx"};
  TextRequest request = {};
  const size_t flags = input.byte(), words = input.byte();
  request.lines = flags % 3 == 0;
  request.column = request.lines ? nullptr : columns[input.below(std::size(columns))];
  request.field = request.lines || request.column ? nullptr : fields[input.below(std::size(fields))];
  request.encoding = encodings[input.below(std::size(encodings))];
  request.language = languages[input.below(std::size(languages))];
  request.stems = words % 2 == 1 && request.language != nullptr;
  request.phrases = words / 2 % 2 == 1;
  request.phrase_score = 0.1;
  request.min_length = static_cast<int64_t>(words / 4 % 4);
  request.min_documents = 1 + static_cast<int64_t>(words / 16 % 2);
  request.max_share = words / 32 % 2 == 1 ? 0.5 : 1;
  request.max_vocabulary = 1000;
  request.keep_texts = flags / 4 % 2 == 1;
  request.text_length = static_cast<int64_t>(flags / 8 % 8);
  request.quiet = flags / 64 % 2 == 1;
  const std::string text = input.rest();
  const size_t half = text.size() / 2;
  const std::string extra = input.ended() && flags / 128 == 1 ? text.substr(half) : std::string();
  const MemoryFile file(text.data(), text.size()), stop_words(extra.data(), extra.size());
  const std::string path = file.path(), stop_words_path = stop_words.path();
  request.path = path.c_str();
  if (!extra.empty()) request.stop_words = stop_words_path.c_str();
  vtemper_data* const data = learn(request);
  if (data == nullptr) return 0;
  ++accepted;
  vtemper_data* const again = learn(request);
  if (again == nullptr || content_of(data) != content_of(again)) std::abort();
  vtemper_data_destroy(data);
  vtemper_data_destroy(again);
  return 0;
}
