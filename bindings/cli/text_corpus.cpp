#include "text_corpus.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <new>

#include "corpus.h"
#include "documents.h"
#include "failure.h"
#include "new_recipe.h"
#include "numbers.h"
#include "outside_text.h"
#include "phrases.h"
#include "scratch_bytes.h"
#include "stop_words.h"
#include "text_recipe.h"
#include "token_stream.h"
#include "word_splitter.h"

namespace {

constexpr int64_t min_phrase_count = 5;

std::string text_or_empty(const char* text) {
  return text == nullptr ? "" : text;
}

std::string number(int64_t value) {
  char text[NUMBER_LENGTH];
  return format_count(text, value);
}

/// A number and what it counts; by default `several` is `one` with an s.
std::string counted(int64_t count, const std::string& one, const std::string& several = "") {
  return number(count) + " " + (count == 1 ? one : several.empty() ? one + "s" : several);
}

std::string files_left_out(const DocumentsRead& read) {
  return counted(read.files_left_out,
                 "file is not text and was left out: ", "files are not text and were left out; the first is ") +
         read.first_left_out;
}

DocumentOptions document_options(const TextRequest& request) {
  return {text_or_empty(request.column),      text_or_empty(request.field),    text_or_empty(request.id_column),
          text_or_empty(request.date_column), text_or_empty(request.encoding), request.lines};
}

/// Visits every document of the request; exits at the first whose name cannot be kept.
DocumentsRead read_documents(const TextRequest& request, const std::function<void(Document&)>& visit) {
  return each_document(request.path, document_options(request), [&](Document& document) {
    // Texts are UTF-8 by now, and so are names of tables; names of files can be anything.
    if (!is_utf8(document.name.c_str())) {
      fail("the name of the file %s in %s is not UTF-8: rename it", document.name.c_str(), request.path);
    }
    visit(document);
  });
}

/// Names and dates of the documents; kept only if any is not empty.
struct DocumentTexts {
  std::vector<std::string> names, dates, texts;
  bool has_names = false, has_dates = false, keeps_texts = false;
  size_t text_length = 0;  ///< maximum bytes kept of a text; 0: all
  size_t count = 0;
  void add(const Document& document) {
    add(document.name, names, has_names);
    add(document.date, dates, has_dates);
    if (keeps_texts) texts.push_back(beginning(document.text));
    ++count;
  }
  /// At most that many bytes, without splitting a character.
  std::string beginning(const std::string& text) const {
    return text_length == 0 ? text : text.substr(0, beginning_length(text.c_str(), text_length));
  }

 private:
  void add(const std::string& text, std::vector<std::string>& texts_so_far, bool& has) const {
    if (text.empty() && !has) return;
    if (!has) texts_so_far.resize(count);
    has = true;
    texts_so_far.push_back(text);
  }
};

/// Counts in compressed row storage, borrowed by the library.
struct RowCounts {
  explicit RowCounts(const std::string& folder) : offsets(folder), columns(folder), values(folder) {
    offsets.push(0);
  }
  ScratchArray<int64_t> offsets;
  ScratchArray<int32_t> columns, values;
};

void release_counts(void* counts) {
  delete static_cast<RowCounts*>(counts);
}

void set_row_texts(vtemper_data* data, const char* field, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  check(vtemper_data_set_row_texts(data, field, pointers.data(), static_cast<int64_t>(pointers.size())));
}

vtemper_data* make_data(std::unique_ptr<RowCounts> counts, const std::vector<const char*>& vocabulary,
                        const TextRecipe& recipe, const DocumentTexts& texts) {
  vtemper_data* data = nullptr;
  const int64_t rows = counts->offsets.size() - 1;
  const auto columns = static_cast<int64_t>(vocabulary.size());
  const vtemper_status status = vtemper_data_from_counts(
      VTEMPER_BY_ROWS, rows, columns, counts->offsets.all(), VTEMPER_INT64, counts->columns.all(), VTEMPER_INT32,
      counts->values.all(), VTEMPER_INT32, 0, VTEMPER_BORROW, release_counts, counts.get(), &data);
  check(status);
  static_cast<void>(counts.release());  // owned by the data now
  check(vtemper_data_set_names(data, vocabulary.data(), columns));
  if (texts.has_names) set_row_texts(data, "name", texts.names);
  if (texts.has_dates) set_row_texts(data, "date", texts.dates);
  if (texts.keeps_texts) set_row_texts(data, "text", texts.texts);
  check(vtemper_data_set_note(data, recipe_note, recipe_text(recipe).c_str()));
  return data;
}

/// Adds a row given the columns of its words; negative ones are dropped. Columns ascend. Returns the number of
/// dropped words.
int64_t add_row(RowCounts& counts, const std::vector<uint32_t>& words, const std::vector<int32_t>& column_of,
                std::vector<int32_t>& work) {
  int64_t without = 0;
  work.clear();
  for (const uint32_t word : words) {
    if (word == word_gap) continue;
    const int32_t column = column_of[word];
    if (column >= 0) {
      work.push_back(column);
    } else {
      ++without;
    }
  }
  std::sort(work.begin(), work.end());
  for (size_t i = 0; i < work.size();) {
    const int32_t column = work[i];
    int32_t tokens = 0;
    for (; i < work.size() && work[i] == column; ++i) ++tokens;
    counts.columns.push(column);
    counts.values.push(tokens);
  }
  counts.offsets.push(counts.columns.size());
  return without;
}

// ---- A new corpus ----

/// State of the single pass over the text.
struct TextRead {
  explicit TextRead(const std::string& folder) : stream(folder) {}
  TextRecipe recipe;
  std::unique_ptr<WordSplitter> splitter;
  TokenStream stream;
  DocumentTexts texts;
  DocumentsRead documents;
  int64_t empty = 0;
  bool language_found = false;
};

/// Uses the recipe `given` or, if NULL, creates a new one.
void read_text(const TextRequest& request, const TextRecipe* given, TextRead& read) {
  constexpr size_t sample_bytes = 1 << 20, sample_documents = 10000;
  std::deque<Document> sample;  // documents for language detection, if needed
  size_t sampled = 0;
  std::vector<uint32_t> words;
  const auto start = [&](const std::string& language) {
    read.recipe = new_recipe(request, language);
    read.splitter = std::make_unique<WordSplitter>(read.recipe);
  };
  const auto add = [&](const Document& document) {
    words.clear();
    read.splitter->split(document.text, words);
    read.empty += words.empty();
    read.stream.add_document(words);
    read.texts.add(document);
  };
  const auto end_sample = [&] {
    if (!read.splitter) start(language_of(sample));
    for (const Document& document : sample) add(document);
    sample.clear();
  };
  if (given != nullptr) {
    read.recipe = *given;
    read.splitter = std::make_unique<WordSplitter>(read.recipe);
  } else if (request.language != nullptr) {
    start(std::strcmp(request.language, "none") == 0 ? "" : request.language);
  }
  read.language_found = given == nullptr && request.language == nullptr;
  read.documents = read_documents(request, [&](Document& document) {
    if (read.splitter) return add(document);
    sampled += document.text.size();
    sample.push_back(document);
    if (sampled >= sample_bytes || sample.size() >= sample_documents) end_sample();
  });
  end_sample();
}

/// Tokens and documents of a word.
struct WordCounts {
  int64_t tokens = 0, documents = 0, last_document = -1;
};

std::vector<WordCounts> count_words(const TextRead& read, const PhraseJoiner& joiner) {
  std::vector<WordCounts> counts(read.splitter->numbers());
  int64_t document = 0;
  read.stream.visit([&](std::vector<uint32_t>& words) {
    joiner.join(words);
    for (const uint32_t word : words) {
      if (word == word_gap) continue;
      WordCounts& own = counts[word];
      ++own.tokens;
      own.documents += own.last_document != document;
      own.last_document = document;
    }
    ++document;
  });
  return counts;
}

/// Words and their frequencies.
struct Tally {
  int64_t words = 0, tokens = 0;
  void add(const WordCounts& counts) {
    ++words;
    tokens += counts.tokens;
  }
};

/// The text and the words selected from it.
struct Choice {
  double share = 0;            ///< of the documents that may contain a word
  std::vector<uint32_t> kept;  ///< most frequent first
  Tally all, rare, common, beyond;
};

/// In few documents a word of --min-documents would be in a larger share than usual.
double allowed_share(const TextRequest& request, int64_t documents) {
  constexpr double usual = 0.2;
  if (request.max_share >= 0) return request.max_share;
  if (documents == 0) return usual;
  return std::max(usual,
                  std::min(1.0, 2 * static_cast<double>(request.min_documents) / static_cast<double>(documents)));
}

Choice choose_words(const TextRequest& request, const TextRead& read, const std::vector<WordCounts>& counts) {
  Choice choice;
  choice.share = allowed_share(request, read.stream.documents());
  const double most = choice.share * static_cast<double>(read.stream.documents());
  for (uint32_t word = 1; word < counts.size(); ++word) {
    const WordCounts& own = counts[word];
    if (own.tokens == 0) continue;  // all occurrences became part of phrases
    choice.all.add(own);
    if (own.documents < request.min_documents) {
      choice.rare.add(own);
    } else if (static_cast<double>(own.documents) > most) {
      choice.common.add(own);
    } else {
      choice.kept.push_back(word);
    }
  }
  std::sort(choice.kept.begin(), choice.kept.end(), [&](uint32_t a, uint32_t b) {
    if (counts[a].tokens != counts[b].tokens) return counts[a].tokens > counts[b].tokens;
    return read.splitter->word(a) < read.splitter->word(b);
  });
  const auto room = std::min(choice.kept.size(), static_cast<size_t>(request.max_vocabulary));
  for (size_t i = room; i < choice.kept.size(); ++i) choice.beyond.add(counts[choice.kept[i]]);
  choice.kept.resize(room);
  return choice;
}

std::string language_told(const TextRead& read) {
  const std::string& language = read.recipe.language;
  std::string text = language.empty() ? "no language" : "language " + language;
  if (read.language_found) text += " (detected; --language sets another)";
  if (stop_words_of(language_alone(language)).empty() && !language.empty())
    text += ", which has no list of stop words";
  return text;
}

void tell(const TextRequest& request, const TextRead& read, const Choice& choice) {
  const LeftOut& left_out = read.splitter->left_out();
  const std::string name = std::strcmp(request.path, "-") == 0 ? "the standard input" : request.path;
  std::string more;
  if (read.documents.files_left_out > 0) {
    more += "; " + files_left_out(read.documents);
  }
  if (read.documents.bytes_replaced > 0) {
    more += "; " + counted(read.documents.bytes_replaced, "byte that is invalid in the encoding was replaced",
                           "bytes that are invalid in the encoding were replaced");
  }
  outside_printf(stderr, "%s: %s (%s without a word), %s; %s%s\n", name.c_str(),
                 counted(read.stream.documents(), "document").c_str(), number(read.empty).c_str(),
                 counted(choice.all.words, "different word").c_str(), language_told(read).c_str(), more.c_str());
  std::string phrases;
  size_t pairs = 0;
  for (const PhraseRound& round : read.recipe.phrases) pairs += round.size();
  if (request.phrases) phrases = "; joined to phrases: " + counted(static_cast<int64_t>(pairs), "pair");
  fprintf(stderr,
          "dropped: %s, %s, %s short and %s; %s of fewer than %s, %s of more than %g %%, %s beyond the %s most "
          "frequent%s\n",
          counted(left_out.stop_words, "stop word").c_str(), counted(left_out.numbers, "number").c_str(),
          number(left_out.too_short).c_str(), counted(left_out.too_long, "long word").c_str(),
          counted(choice.rare.words, "word").c_str(), counted(request.min_documents, "document").c_str(),
          number(choice.common.words).c_str(), 100 * choice.share, number(choice.beyond.words).c_str(),
          number(request.max_vocabulary).c_str(), phrases.c_str());
}

[[noreturn]] void refuse_no_words(const TextRequest& request, const LeftOut& left_out) {
  if (left_out.stop_words + left_out.numbers + left_out.too_short + left_out.too_long == 0) {
    fail("%s has no words", request.path);
  }
  fail("%s has no words to count: %s, %s, %s short (--min-length) and %s long", request.path,
       counted(left_out.stop_words, "is a stop word", "are stop words").c_str(),
       counted(left_out.numbers, "number").c_str(), number(left_out.too_short).c_str(),
       number(left_out.too_long).c_str());
}

vtemper_data* learn(const TextRequest& request) {
  TextRead read(text_or_empty(request.scratch_folder));
  read.texts.keeps_texts = request.keep_texts;
  read.texts.text_length = static_cast<size_t>(request.text_length);
  read_text(request, nullptr, read);
  PhraseJoiner joiner;
  if (request.phrases) {
    const int64_t least = std::max(min_phrase_count, request.min_documents);
    read.recipe.phrases = learn_phrases(read.stream, *read.splitter, request.phrase_score, least, joiner);
  }
  const Choice choice = choose_words(request, read, count_words(read, joiner));
  const auto documents = static_cast<long long>(read.stream.documents());
  if (documents == 0) fail("%s is empty: it has no document", request.path);
  if (choice.all.words == 0) refuse_no_words(request, read.splitter->left_out());
  if (choice.kept.empty()) {
    fail(
        "no word of %s is in at least %lld (--min-documents) and in at most %g %% (--max-share) of its %lld "
        "document%s",
        request.path, static_cast<long long>(request.min_documents), 100 * choice.share, documents,
        documents == 1 ? "" : "s");
  }
  if (!request.quiet) tell(request, read, choice);
  std::vector<int32_t> column_of(read.splitter->numbers(), -1);
  std::vector<const char*> vocabulary;
  for (const uint32_t word : choice.kept) {
    column_of[word] = static_cast<int32_t>(vocabulary.size());
    vocabulary.push_back(read.splitter->word(word).c_str());
  }
  auto counts = std::make_unique<RowCounts>(text_or_empty(request.scratch_folder));
  std::vector<int32_t> work;
  read.stream.visit([&](std::vector<uint32_t>& words) {
    joiner.join(words);
    add_row(*counts, words, column_of, work);
  });
  return make_data(std::move(counts), vocabulary, read.recipe, read.texts);
}

// ---- A corpus with the words of a model ----

TextRecipe recipe_of_model(const vtemper_model* model, const char* model_path) {
  const char* note;
  check(vtemper_model_note(model, recipe_note, &note));
  if (*note == '\0') {
    fail("%s has no record of how its words were made: --text needs a model fitted to the output of convert --text",
         model_path);
  }
  return recipe_parse(note, model_path);
}

/// The model's words in order, and the column for each number of the splitter; -1: none.
std::vector<const char*> words_of_model(const vtemper_model* model, const char* model_path, WordSplitter& splitter,
                                        std::vector<int32_t>& column_of) {
  int64_t columns;
  check(vtemper_model_columns(model, &columns));
  std::vector<const char*> vocabulary;
  column_of.assign(splitter.numbers(), -1);
  for (int64_t column = 0; column < columns; ++column) {
    const char* name;
    check(vtemper_model_name(model, column, &name));
    if (*name == '\0') fail("%s has no names for its words, so text cannot be read for it", model_path);
    const uint32_t word = splitter.number_of(name);
    if (word >= column_of.size()) column_of.resize(word + size_t{1}, -1);
    column_of[word] = static_cast<int32_t>(column);
    vocabulary.push_back(name);
  }
  return vocabulary;
}

/// The model's words first, then new ones that satisfy the request, most frequent first.
vtemper_data* extend(const TextRequest& request, const vtemper_model* model, const char* model_path) {
  TextRead read(text_or_empty(request.scratch_folder));
  const TextRecipe recipe = recipe_of_model(model, model_path);
  read_text(request, &recipe, read);
  PhraseJoiner joiner;
  for (const PhraseRound& round : recipe.phrases) joiner.add_round(round, *read.splitter);
  std::vector<int32_t> column_of;
  std::vector<const char*> vocabulary = words_of_model(model, model_path, *read.splitter, column_of);
  const Choice choice = choose_words(request, read, count_words(read, joiner));
  column_of.resize(read.splitter->numbers(), -1);
  for (const uint32_t word : choice.kept) {
    if (column_of[word] >= 0) continue;
    column_of[word] = static_cast<int32_t>(vocabulary.size());
    vocabulary.push_back(read.splitter->word(word).c_str());
  }
  auto counts = std::make_unique<RowCounts>(text_or_empty(request.scratch_folder));
  std::vector<int32_t> work;
  read.stream.visit([&](std::vector<uint32_t>& words) {
    joiner.join(words);
    add_row(*counts, words, column_of, work);
  });
  return make_data(std::move(counts), vocabulary, recipe, read.texts);
}

vtemper_data* apply(const TextRequest& request, const vtemper_model* model, const char* model_path,
                    double* unknown_tokens) {
  const TextRecipe recipe = recipe_of_model(model, model_path);
  WordSplitter splitter(recipe);
  PhraseJoiner joiner;
  for (const PhraseRound& round : recipe.phrases) joiner.add_round(round, splitter);
  std::vector<int32_t> column_of;
  const std::vector<const char*> vocabulary = words_of_model(model, model_path, splitter, column_of);
  auto counts = std::make_unique<RowCounts>(text_or_empty(request.scratch_folder));
  DocumentTexts texts;
  texts.keeps_texts = request.keep_texts;
  texts.text_length = static_cast<size_t>(request.text_length);
  std::vector<uint32_t> words;
  std::vector<int32_t> work;
  int64_t unknown = 0;
  const DocumentsRead read = read_documents(request, [&](Document& document) {
    words.clear();
    splitter.split(document.text, words);
    joiner.join(words);
    column_of.resize(splitter.numbers(), -1);
    unknown += add_row(*counts, words, column_of, work);
    texts.add(document);
  });
  if (!request.quiet && read.files_left_out > 0) {
    outside_printf(stderr, "%s: %s\n", request.path, files_left_out(read).c_str());
  }
  *unknown_tokens = static_cast<double>(unknown);
  return make_data(std::move(counts), vocabulary, recipe, texts);
}

/// Runs C++ code for C callers: exceptions exit the command.
template <class Work>
vtemper_data* guarded(const char* path, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    fail("not enough memory for the words of %s", path);
  } catch (const std::exception& problem) {
    fail("%s cannot be read: %s", path, problem.what());
  }
}

}  // namespace

vtemper_data* text_corpus_learn(const TextRequest* request) {
  return guarded(request->path, [&] { return learn(*request); });
}

vtemper_data* text_corpus_apply(const TextRequest* request, const vtemper_model* model, const char* model_path,
                                double* unknown_tokens) {
  return guarded(request->path, [&] { return apply(*request, model, model_path, unknown_tokens); });
}

vtemper_data* text_corpus_extend(const TextRequest* request, const vtemper_model* model, const char* model_path) {
  return guarded(request->path, [&] { return extend(*request, model, model_path); });
}

void text_recipe_keep(vtemper_model* model, const vtemper_data* data) {
  for (const char* const name : {recipe_note, COLUMNS_NOTE}) {
    const char* note;
    check(vtemper_data_note(data, name, &note));
    if (*note != '\0') check(vtemper_model_set_note(model, name, note));
  }
}
