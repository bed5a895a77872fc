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

/* The library polls whether a signal is pending. */
static int has_waiting_signal(void* user) {
  (void)user;
  return interrupt_waits();
}

vtemper_status convert_data_file(const char* path, const char* format, const char* const* names, int64_t count,
                                 const char* out_path) {
  interrupt_hold();
  vtemper_set_interrupt(has_waiting_signal, NULL);
  const vtemper_status status = vtemper_data_convert(path, format, names, count, out_path);
  vtemper_set_interrupt(NULL, NULL);
  interrupt_release();
  return status;
}

vtemper_status save_optimizer_file(const vtemper_optimizer* optimizer, const char* path) {
  interrupt_hold();
  const vtemper_status status = vtemper_optimizer_save(optimizer, path);
  interrupt_release();
  return status;
}
