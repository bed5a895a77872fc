#pragma once
/* The JSON input of LDAvis and pyLDAvis (Sievert and Shirley 2014). */

#include <stdint.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

/** Size of the output. */
typedef struct LdavisSettings {
  int64_t terms;      /**< R: words shown per topic */
  double lambda_step; /**< step between the relevance weights */
} LdavisSettings;

/** Writes the JSON.
 *  @param tokens  [topics] tokens of each topic in the documents */
void ldavis_write(FILE* out, const vtemper_model* model, const double* tokens, const LdavisSettings* settings);
