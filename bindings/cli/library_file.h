#pragma once
/* Files written by the library: Ctrl-C is deferred until they are complete, so that no temporary file remains. */

#include <vtemper/vtemper.h>

/** Both exit if the file cannot be written. */
void save_model_file(const vtemper_model* model, const char* path);
void save_data_file(const vtemper_data* data, const char* path);

/** vtemper_data_convert, except that a signal cancels it. */
vtemper_status convert_data_file(const char* path, const char* format, const char* const* names, int64_t count,
                                 const char* out_path);

vtemper_status save_optimizer_file(const vtemper_optimizer* optimizer, const char* path);
