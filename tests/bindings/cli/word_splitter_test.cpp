// Words of a text where the splitter may keep few of those that it has processed: they are the same.

#include "word_splitter.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "support/cmocka.h"

namespace {

/// Words and "-" for gaps. The text is split a line at a time, as a document is.
std::vector<std::string> words_of(std::initializer_list<std::string_view> lines, const TextRecipe& recipe,
                                  size_t max_cached) {
  WordSplitter splitter(recipe, max_cached);
  std::vector<std::string> words;
  for (const std::string_view line : lines) {
    std::vector<uint32_t> numbers;
    splitter.split(line, numbers);
    for (const uint32_t number : numbers) {
      words.push_back(number == word_gap ? "-" : splitter.word(number));
    }
  }
  return words;
}

void test_cache_that_becomes_full(void**) {
  const TextRecipe recipe = {"", {}, false, 1, {}};
  const std::vector<std::string> wanted = {"apple", "pear", "apple", "plum", "fig", "pear", "apple", "plum", "fig"};
  for (size_t max_cached = 0; max_cached <= 5; ++max_cached) {
    assert_true(words_of({"apple pear", "apple plum fig pear", "apple plum fig"}, recipe, max_cached) == wanted);
  }
}

/// A word that is two, or two with a gap between, has more than one place.
void test_words_of_two_parts(void**) {
  const TextRecipe recipe = {"fr", {"est", "qu"}, false, 1, {}};
  const std::vector<std::string> wanted = {"l", "ours", "d", "ami", "l", "ours", "-", "elle", "elle", "d", "ami"};
  for (size_t max_cached = 0; max_cached <= 5; ++max_cached) {
    assert_true(words_of({"l'ours d'ami", "l'ours qu'elle", "qu'elle d'ami"}, recipe, max_cached) == wanted);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_cache_that_becomes_full),
      cmocka_unit_test(test_words_of_two_parts),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
