#include "word_splitter.h"

#include <algorithm>
#include <new>
#include <unordered_set>

#include <libstemmer.h>
#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "failure.h"

namespace {

constexpr size_t piece_bytes = 65536, max_piece_bytes = 1 << 20;
constexpr int32_t max_letters = 64, max_article = 2;
/// Combining marks that are kept of a run. A word with more of them is dropped in any case: it is longer than
/// max_letters.
constexpr int32_t max_marks = 2 * max_letters;

/// Languages that libstemmer 2.2 knows. It tells neither these codes nor whether it lacks a stemmer or memory.
constexpr std::string_view languages_with_stemmer =
    "ar ca da de el en es eu fi fr ga hi hu hy id it lt ne nl no pt ro ru sr sv ta tr yi";

/// Languages with elision, where a token may be two words: l'homme, dell'arte.
constexpr std::string_view languages_with_elision[] = {"fr", "it", "ca", "oc"};

void check_icu(UErrorCode status, const char* what) {
  if (U_FAILURE(status)) fail("ICU cannot %s: %s", what, u_errorName(status));
}

const icu::Normalizer2& normalizer() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* instance = icu::Normalizer2::getNFKCInstance(status);
  check_icu(status, "normalise text");
  return *instance;
}

/// Characters that normalisation may have to reorder: combining marks and what it decomposes to them.
bool is_mark(const icu::Normalizer2& decomposer, UChar32 point) {
  return !decomposer.hasBoundaryBefore(point);
}

/// Without what exceeds max_marks in runs of combining marks: ICU takes time in the square of a run's length to
/// reorder it.
icu::UnicodeString with_short_runs_of_marks(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const decomposer = icu::Normalizer2::getNFKDInstance(status);
  check_icu(status, "normalise text");
  icu::UnicodeString result;
  int32_t copied = 0;  // so much of the text is in the result or was dropped
  // A run that is too long covers one of these places, so that ordinary text need not be searched completely.
  for (int32_t place = max_marks; place < text.length(); place += max_marks) {
    if (!is_mark(*decomposer, text.char32At(place))) continue;
    int32_t begin = text.getChar32Start(place), end = begin;
    while (begin > 0 && is_mark(*decomposer, text.char32At(begin - 1))) begin = text.moveIndex32(begin, -1);
    while (end < text.length() && is_mark(*decomposer, text.char32At(end))) end = text.moveIndex32(end, 1);
    const int32_t kept_end = text.moveIndex32(begin, max_marks);
    if (kept_end < end) {
      result.append(text, copied, kept_end - copied);
      copied = end;
    }
    place = end;
  }
  return copied == 0 ? text : result.append(text, copied, text.length() - copied);
}

/// The text must have short runs of marks.
icu::UnicodeString normalized(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  if (normalizer().isNormalized(text, status) && U_SUCCESS(status)) return text;
  status = U_ZERO_ERROR;
  icu::UnicodeString result = normalizer().normalize(text, status);
  check_icu(status, "normalise text");
  return result;
}

/// Soft hyphens and the like carry no meaning; the two joiners do, because they distinguish words in some scripts.
bool is_ignored(UChar32 point) {
  constexpr UChar32 non_joiner = 0x200C, joiner = 0x200D;
  return u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) && point != non_joiner && point != joiner;
}

/// The word must have short runs of marks.
icu::UnicodeString fold(const icu::UnicodeString& word, const icu::Locale& locale) {
  icu::UnicodeString lower = word;
  lower.toLower(locale);
  lower = normalized(lower);
  icu::UnicodeString result;
  for (int32_t i = 0; i < lower.length(); i = lower.moveIndex32(i, 1)) {
    const UChar32 point = lower.char32At(i);
    constexpr UChar32 apostrophes[] = {0x2019, 0x02BC, 0x2018};
    const bool is_apostrophe =
        std::find(std::begin(apostrophes), std::end(apostrophes), point) != std::end(apostrophes);
    if (!is_ignored(point)) result.append(is_apostrophe ? UChar32{'\''} : point);
  }
  return result;
}

std::string utf8_of(const icu::UnicodeString& text) {
  std::string result;
  text.toUTF8String(result);
  return result;
}

icu::Locale locale_of(const std::string& language) {
  return language.empty() ? icu::Locale::getRoot() : icu::Locale(language.c_str());
}

sb_stemmer* new_stemmer(const std::string& language) {
  sb_stemmer* const stemmer = sb_stemmer_new(language.c_str(), "UTF_8");
  if (stemmer != nullptr) return stemmer;
  if (language.size() == 2 && languages_with_stemmer.find(language) != languages_with_stemmer.npos)
    throw std::bad_alloc();
  fail_usage("there is no stemmer for the language \"%s\"; there is one for %s", language.c_str(),
             languages_with_stemmer.data());
}

/// Minimum length of a meaningful word, by script.
int32_t min_letters(UChar32 first) {
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(first, &status)) {
    case USCRIPT_LATIN:
    case USCRIPT_CYRILLIC:
    case USCRIPT_GREEK:
    case USCRIPT_ARMENIAN:
    case USCRIPT_GEORGIAN:
      return 3;
    case USCRIPT_HAN:
      return 1;
    default:
      return 2;
  }
}

/// The result for a word of the text: word numbers in the pool.
struct Result {
  size_t begin, end;
  LeftOut left_out;
};

}  // namespace

std::string folded(const std::string& word, const std::string& language) {
  return utf8_of(fold(with_short_runs_of_marks(icu::UnicodeString::fromUTF8(word)), locale_of(language)));
}

std::string language_alone(const std::string& language) {
  return locale_of(language).getLanguage();
}

void check_language(const std::string& language) {
  if (language.empty() || *icu::Locale(language.c_str()).getISO3Language() != '\0') return;
  fail_usage("there is no language \"%s\"; give its code, such as en, de, fr, ru, zh, ja or th, or none",
             language.c_str());
}

struct WordSplitter::Tools {
  icu::Locale locale;
  std::unique_ptr<icu::BreakIterator> boundaries;
  sb_stemmer* stemmer = nullptr;
  std::unordered_set<std::string> stop_words;
  size_t longest_stop_word = 0;  ///< in bytes
  int64_t min_length = 0;
  bool elides = false;
  size_t max_cached = 0;
  std::unordered_map<std::u16string, Result> cache;
  std::vector<uint32_t> pool;
  ~Tools() {
    if (stemmer != nullptr) sb_stemmer_delete(stemmer);
  }
};

WordSplitter::WordSplitter(const TextRecipe& recipe, size_t max_cached) : tools_(std::make_unique<Tools>()) {
  tools_->max_cached = max_cached;
  check_language(recipe.language);
  tools_->locale = locale_of(recipe.language);
  UErrorCode status = U_ZERO_ERROR;
  tools_->boundaries.reset(icu::BreakIterator::createWordInstance(tools_->locale, status));
  check_icu(status, "find words");
  const std::string language = language_alone(recipe.language);
  if (recipe.stems) {
    tools_->stemmer = new_stemmer(language);
  }
  tools_->stop_words.insert(recipe.stop_words.begin(), recipe.stop_words.end());
  for (const std::string& word : recipe.stop_words) {
    tools_->longest_stop_word = std::max(tools_->longest_stop_word, word.size());
  }
  tools_->min_length = recipe.min_length;
  tools_->elides = std::find(std::begin(languages_with_elision), std::end(languages_with_elision), language) !=
                   std::end(languages_with_elision);
  static const std::string gap;
  words_.push_back(&gap);
}

WordSplitter::~WordSplitter() = default;

uint32_t WordSplitter::number_of(const std::string& word) {
  const auto [place, is_new] = number_of_word_.emplace(word, static_cast<uint32_t>(words_.size()));
  if (is_new) {
    if (words_.size() >= INT32_MAX) fail("the text has more than %d different words", INT32_MAX);
    words_.push_back(&place->first);
  }
  return place->second;
}

void WordSplitter::split(std::string_view text, std::vector<uint32_t>& words) {
  // Pieces end at blanks, so that no word is split, except in texts without blanks.
  while (!text.empty()) {
    size_t end = text.size();
    if (end > piece_bytes) {
      end = text.substr(0, max_piece_bytes + 1).find_first_of(" \n\t", piece_bytes);
      if (end == text.npos) {
        end = std::min(text.size(), max_piece_bytes);
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
      }
    }
    split_piece(text.substr(0, end), words);
    text.remove_prefix(end);
  }
}

void WordSplitter::split_piece(std::string_view piece, std::vector<uint32_t>& words) {
  Tools& tools = *tools_;
  const icu::UnicodeString text = normalized(with_short_runs_of_marks(
      icu::UnicodeString::fromUTF8(icu::StringPiece(piece.data(), static_cast<int32_t>(piece.size())))));
  tools.boundaries->setText(text);

  const auto gap = [&] {
    if (!words.empty() && words.back() != word_gap) words.push_back(word_gap);
  };
  // The number of one part of a word, or a gap.
  const auto number_of_part = [&](const icu::UnicodeString& part, LeftOut& left_out) -> uint32_t {
    std::string word = utf8_of(part);
    if (tools.stop_words.count(word) > 0) return ++left_out.stop_words, word_gap;
    const int32_t letters = part.countChar32();
    if (letters > max_letters) return ++left_out.too_long, word_gap;
    if (letters == 0 || letters < (tools.min_length > 0 ? tools.min_length : min_letters(part.char32At(0)))) {
      return ++left_out.too_short, word_gap;
    }
    if (tools.stemmer != nullptr) {
      const sb_symbol* stem = sb_stemmer_stem(tools.stemmer, reinterpret_cast<const sb_symbol*>(word.data()),
                                              static_cast<int>(word.size()));
      if (stem == nullptr) throw std::bad_alloc();
      word.assign(reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(tools.stemmer)));
      if (word.empty()) return ++left_out.too_short, word_gap;
    }
    return number_of(word);
  };
  const auto result_of = [&](const icu::UnicodeString& raw) {
    Result result{tools.pool.size(), 0, {}};
    icu::UnicodeString word = fold(raw, tools.locale);
    if (word.indexOf(u'\'') >= 0 && tools.stop_words.count(utf8_of(word)) == 0) {
      if (tools.elides) {
        int32_t begin = 0;  // of what is left after the articles
        for (int32_t at = word.indexOf(u'\''); at >= 0; at = word.indexOf(u'\'', at + 1)) {
          const int32_t length = at - begin;
          if (length > max_article && static_cast<size_t>(length) > tools.longest_stop_word) break;
          const icu::UnicodeString article(word, begin, length);
          if (length > max_article && tools.stop_words.count(utf8_of(article)) == 0) continue;  // aujourd'hui
          tools.pool.push_back(number_of_part(article, result.left_out));
          begin = at + 1;
        }
        word.remove(0, begin);
      } else if (word.endsWith(u"'s")) {
        word.truncate(word.length() - 2);
      }
    }
    tools.pool.push_back(number_of_part(word, result.left_out));
    result.end = tools.pool.size();
    return result;
  };

  int32_t begin = tools.boundaries->first();
  for (int32_t end = tools.boundaries->next(); end != icu::BreakIterator::DONE;
       begin = end, end = tools.boundaries->next()) {
    bool has_letter = false, has_digit = false, is_blank = true;
    for (int32_t i = begin; i < end; i = text.moveIndex32(i, 1)) {
      const UChar32 point = text.char32At(i);
      has_letter = has_letter || u_isUAlphabetic(point);
      has_digit = has_digit || u_isdigit(point);
      is_blank = is_blank && (u_isUWhiteSpace(point) || point == '-');
    }
    if (!has_letter) {
      left_out_.numbers += has_digit;
      if (!is_blank) gap();
      continue;
    }
    const std::u16string key(text.getBuffer() + begin, static_cast<size_t>(end - begin));
    const auto cached = tools.cache.find(key);
    const bool is_kept = cached != tools.cache.end() || tools.cache.size() < tools.max_cached;
    Result result{};
    if (cached != tools.cache.end()) {
      result = cached->second;
    } else {
      result = result_of(icu::UnicodeString(text, begin, end - begin));
      if (is_kept) tools.cache.emplace(key, result);
    }
    for (size_t i = result.begin; i < result.end; ++i) {
      if (tools.pool[i] == word_gap) {
        gap();
      } else {
        words.push_back(tools.pool[i]);
      }
    }
    left_out_.stop_words += result.left_out.stop_words;
    left_out_.too_short += result.left_out.too_short;
    left_out_.too_long += result.left_out.too_long;
    if (!is_kept) tools.pool.resize(result.begin);  // no longer needed
  }
}
