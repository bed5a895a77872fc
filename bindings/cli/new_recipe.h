#pragma once
// The recipe of a corpus that is made anew: its language and its stop words.

#include <deque>
#include <string>

#include "documents.h"
#include "text_corpus.h"
#include "text_recipe.h"

/// The language that the first documents are in. English is supposed where Latin letters do not tell.
std::string language_of(const std::deque<Document>& documents);

/// The recipe as it is asked for, in that language; phrases are still to be learned.
TextRecipe new_recipe(const TextRequest& request, const std::string& language);
