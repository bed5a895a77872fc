#pragma once
/* Files written by the library: Ctrl-C is deferred until they are complete, so that no temporary file remains. */

#include <vtemper/vtemper.h>

/** Both exit if the file cannot be written. */
void save_model_file(const vtemper_model* model, const char* path);
void save_data_file(const vtemper_data* data, const char* path);

vtemper_status save_optimizer_file(const vtemper_optimizer* optimizer, const char* path);
