#pragma once
/* Files that the library writes: Ctrl-C waits until they are whole, so that nothing is left beside them. */

#include <vtemper/vtemper.h>

/** Both end the command where the file cannot be written. */
void save_model_file(const vtemper_model* model, const char* path);
void save_data_file(const vtemper_data* data, const char* path);

/** vtemper_data_convert, which a signal ends. */
vtemper_status convert_data_file(const char* path, const char* format, const char* const* names, int64_t count,
                                 const char* out_path);

vtemper_status save_optimizer_file(const vtemper_optimizer* optimizer, const char* path);
