#include "library_file.h"

#include "failure.h"
#include "interrupt.h"

void save_model_file(const vtemper_model* model, const char* path) {
  interrupt_hold();
  const vtemper_status status = vtemper_model_save(model, path);
  interrupt_release();
  check(status);
}

void save_data_file(const vtemper_data* data, const char* path) {
  interrupt_hold();
  const vtemper_status status = vtemper_data_write(data, path);
  interrupt_release();
  check(status);
}

vtemper_status save_optimizer_file(const vtemper_optimizer* optimizer, const char* path) {
  interrupt_hold();
  const vtemper_status status = vtemper_optimizer_save(optimizer, path);
  interrupt_release();
  return status;
}
