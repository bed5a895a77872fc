#include "plain_message.h"

#include <stdio.h>
#include <string.h>

/* Wording in the library's messages, which address C callers, and its replacement in the command. */
static const struct {
  const char* library;
  const char* command;
} phrases[] = {
    {" (see vtemper_data_from_counts)", ""},
    {" (see vtemper_data_from_dense)", ""},
    {" (see vtemper_data_from_sequences)",
     " (a file of them is read with --format sequences; tr , ' ' replaces commas by the blanks between symbols)"},
    {"; vtemper_data_align brings the columns into the model's order", ""},
    {"is not a vtemper.model file: its format is \"vtemper.corpus\"", "holds data, but a model is needed here"},
    {"is not a vtemper.corpus file: its format is \"vtemper.model\"", "is a model, but data are needed here"},
    {"is not a vtemper.model file: its format is \"vtemper.checkpoint\"",
     "is a checkpoint, but a model is needed here (fit --resume accepts checkpoints)"},
    {"is not a vtemper.corpus file: its format is \"vtemper.checkpoint\"",
     "is a checkpoint, but data are needed here"},
    {"is not a vtemper.checkpoint file: its format is \"vtemper.model\"",
     "is a model, but a checkpoint is needed here (fit --checkpoint writes them)"},
    {"is not a vtemper.checkpoint file: its format is \"vtemper.corpus\"",
     "holds data, but a checkpoint is needed here"},
    {"argument observed is NULL; measure", "DATA is missing: measure"},
    {" does not use heldout, which must be NULL", " does not use held-out data: leave --heldout out"},
    {"; give one of docword", "; name it with --format: docword"},
    {": the data that a model is fitted to must have a column for every symbol, even if it does not occur there",
     "; fit with --vocabulary FILE, which names all symbols, one per line, also those that do not occur"},
    {", which is not among the reference names",
     ", which is not a name of the model or of --vocabulary; fit with --vocabulary FILE, which names all symbols, "
     "one "
     "per line"},
    {"data is given, but the checkpoint was written by an optimizer whose rows were fed: load it with data NULL and "
     "feed it the rows that follow",
     "the checkpoint was written by a program that feeds rows to its fit, and only such a program can continue it"},
    {" is truncated", " is damaged: it is truncated"},
    {"is not a vtemper.model file", "is not a vtemper model"},
    {"is not a vtemper.checkpoint file", "is not a vtemper checkpoint"},
    {"is not a vtemper.corpus file", "is not vtemper data"},
    {" holds the count -", " is damaged: it holds the count -"},
};

const char* plain_message(const char* message) {
  static char plain[4096];
  snprintf(plain, sizeof plain, "%s", message);
  for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; ++i) {
    const char* found = strstr(plain, phrases[i].library);
    if (!found) continue;
    char changed[sizeof plain];
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(found - plain), plain, phrases[i].command,
             found + strlen(phrases[i].library));
    memcpy(plain, changed, sizeof plain);
  }
  return plain;
}
