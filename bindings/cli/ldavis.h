#pragma once
/* The JSON that LDAvis and pyLDAvis draw (Sievert and Shirley 2014). */

#include <stdint.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

/** How much goes into it. */
typedef struct LdavisSettings {
  int64_t terms;      /**< R: words shown of a topic */
  double lambda_step; /**< between the weights of relevance */
} LdavisSettings;

/** Writes the JSON.
 *  @param tokens  [topics] tokens of each topic in the documents */
void ldavis_write(FILE* out, const vtemper_model* model, const double* tokens, const LdavisSettings* settings);
