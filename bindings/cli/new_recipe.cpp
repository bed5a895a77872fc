#include "new_recipe.h"

#include <algorithm>

#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include "stop_words.h"
#include "text_file.h"
#include "word_splitter.h"

namespace {

bool begins_latin(const std::string& word) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(icu::UnicodeString::fromUTF8(word).char32At(0), &status) == USCRIPT_LATIN;
}

}  // namespace

std::string language_of(const std::deque<Document>& documents) {
  WordSplitter splitter({"", {}, false, 1, {}});
  std::vector<uint32_t> numbers;
  for (const Document& document : documents) splitter.split(document.text, numbers);
  std::vector<std::string> words;
  for (const uint32_t one : numbers) {
    if (one != word_gap) words.push_back(splitter.word(one));
  }
  const std::string language = language_of_words(words);
  if (!language.empty() || words.empty()) return language.empty() ? "en" : language;
  const auto latin = std::count_if(words.begin(), words.end(), begins_latin);
  return 2 * static_cast<size_t>(latin) > words.size() ? "en" : "";
}

TextRecipe new_recipe(const TextRequest& request, const std::string& language) {
  TextRecipe recipe;
  recipe.language = language;
  recipe.stems = request.stems;
  recipe.min_length = request.min_length;
  for (const std::string& word : stop_words_of(language_alone(language))) {
    recipe.stop_words.push_back(folded(word, language));
  }
  if (request.stop_words != nullptr) {
    TextFile file(request.stop_words, "", list_advice);
    for (std::string line; file.line(line);) {
      const size_t begin = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t");
      if (begin != std::string::npos)
        recipe.stop_words.push_back(folded(line.substr(begin, end + 1 - begin), language));
    }
  }
  std::sort(recipe.stop_words.begin(), recipe.stop_words.end());
  recipe.stop_words.erase(std::unique(recipe.stop_words.begin(), recipe.stop_words.end()), recipe.stop_words.end());
  return recipe;
}
