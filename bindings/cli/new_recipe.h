#pragma once
// The recipe of a new corpus: its language and its stop words.

#include <deque>
#include <string>

#include "documents.h"
#include "text_corpus.h"
#include "text_recipe.h"

/// The language of the first documents. English is assumed if it cannot be determined for Latin script.
std::string language_of(const std::deque<Document>& documents);

/// The requested recipe for that language; phrases are not learned yet.
TextRecipe new_recipe(const TextRequest& request, const std::string& language);
