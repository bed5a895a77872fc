#include "text_recipe.h"

#include <nlohmann/json.hpp>

#include "failure.h"

namespace {

constexpr int recipe_version = 1;

using Json = nlohmann::json;

bool is_text_list(const Json& list) {
  if (!list.is_array()) return false;
  for (const Json& item : list) {
    if (!item.is_string()) return false;
  }
  return true;
}

bool read_phrases(const Json& rounds, std::vector<PhraseRound>& phrases) {
  if (!rounds.is_array()) return false;
  for (const Json& pairs : rounds) {
    if (!pairs.is_array()) return false;
    PhraseRound& round = phrases.emplace_back();
    for (const Json& pair : pairs) {
      if (!is_text_list(pair) || pair.size() != 2) return false;
      round.emplace_back(pair[0], pair[1]);
    }
  }
  return true;
}

}  // namespace

std::string recipe_text(const TextRecipe& recipe) {
  Json phrases = Json::array();
  for (const PhraseRound& round : recipe.phrases) {
    Json pairs = Json::array();
    for (const auto& [first, second] : round) pairs.push_back({first, second});
    phrases.push_back(std::move(pairs));
  }
  return Json{{"version", recipe_version},       {"language", recipe.language}, {"normal_form", "NFKC"},
              {"stop_words", recipe.stop_words}, {"stems", recipe.stems},       {"min_length", recipe.min_length},
              {"phrases", std::move(phrases)}}
      .dump();
}

TextRecipe recipe_parse(const std::string& text, const std::string& owner) {
  const Json note = Json::parse(text, nullptr, false);
  TextRecipe recipe;
  const bool whole = note.is_object() && note.contains("version") && note["version"].is_number_integer() &&
                     note.contains("language") && note["language"].is_string() && note.contains("stop_words") &&
                     is_text_list(note["stop_words"]) && note.contains("stems") && note["stems"].is_boolean() &&
                     note.contains("min_length") && note["min_length"].is_number_integer() &&
                     note.contains("phrases") && read_phrases(note["phrases"], recipe.phrases);
  if (!whole) fail("%s: the note of how its words were made is damaged", owner.c_str());
  if (note["version"] != recipe_version) {
    fail("%s: its words were made by a newer vtemper; this one does not know how", owner.c_str());
  }
  recipe.language = note["language"];
  recipe.stop_words = note["stop_words"].get<std::vector<std::string>>();
  recipe.stems = note["stems"];
  recipe.min_length = note["min_length"];
  return recipe;
}
