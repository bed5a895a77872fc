/* vtemper export: a model for other programs. */

#include <stdlib.h>

#include "command.h"
#include "failure.h"
#include "ldavis.h"
#include "model_data.h"
#include "output_file.h"
#include "proportions.h"
#include "topic_faults.h"

static const Flag flags[] = {
    {"output", 'o', "FILE.json", "where the JSON goes (required)"},
    {"format", 0, "NAME", "of the data: docword, ldac, svmlight, ...; most are recognised"},
    {"transpose", 0, NULL, "exchanges rows and columns of the data, such as genes x cells, words x documents"},
    {"terms", 0, "N", "words shown per topic; default 30"},
    {"lambda-step", 0, "STEP", "step of the weights of relevance to choose from; default 0.01"},
    {"quiet", 'q', NULL, "no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static int run(const Arguments* arguments) {
  const char* path = argument_required(arguments, "output");
  const LdavisSettings settings = {
      .terms = argument_integer(arguments, "terms", 1, 1000, 30),
      .lambda_step = argument_real(arguments, "lambda-step", 0.001, 1, 0.01),
  };
  output_check(path, false);
  vtemper_model* model = model_operand(arguments);
  TopicFaults topics = topic_faults_find(model);
  if (topics.topics == 0) fail("a %s model has no topics", vtemper_model_kind(model));
  vtemper_data* data = model_data_read(arguments, arguments->operands[1], model, arguments->operands[0], false);
  double* tokens = allocate((size_t)topics.topics, sizeof *tokens);
  topic_tokens_of(model, data, topics.topics, tokens);
  OutputFile output;
  output_open(&output, path);
  ldavis_write(output.stream, model, tokens, &settings);
  output_close(&output);
  free(tokens);
  topic_faults_free(&topics);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command export_command = {
    .name = "export",
    .usage = "MODEL DATA -o FILE.json [--format NAME] [--terms N] [--lambda-step STEP]",
    .description = "writes topics for LDAvis",
    .notes =
        "The JSON that LDAvis and pyLDAvis draw; DATA are the documents whose tokens are counted, usually\n"
        "those that were fitted. For tables: vtemper get MODEL topics -o FILE.csv|FILE.npy and\n"
        "vtemper infer MODEL DATA -o FILE.csv|FILE.npy (proportions of the documents).",
    .min_operands = 2,
    .max_operands = 2,
    .flags = flags,
    .run = run,
};
