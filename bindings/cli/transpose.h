#pragma once
/* Exchanges rows and columns, for tables of genes x cells or words x documents, where that is asked for. */

#include <vtemper/vtemper.h>

#include "command.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As corpus_read, with rows and columns exchanged, also their names; the vocabulary names the columns of the result.
 * Exits for sequences, and for rows that cannot be columns: with weights, with the same name, or none. */
vtemper_data* read_transposed(const char* path, const char* format, const char* vocabulary);

/** The data of the file as the arguments say: --format, and --transpose if the command has it.
 * @param vocabulary  as for corpus_read */
vtemper_data* read_as_asked(const Arguments* arguments, const char* path, const char* vocabulary);

/** The same for data whose rows the ranks divide, by ranks_read. Exits if --transpose is given to several ranks, each
 * of which would read a part of the columns. Collective. */
vtemper_data* divide_as_asked(const Arguments* arguments, const char* path, const char* vocabulary);

#ifdef __cplusplus
}
#endif
