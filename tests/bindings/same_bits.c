/* same_bits CORPUS METHOD MODEL: the C half of same_bits_test.sh. */
#include <stdio.h>
#include <stdlib.h>

#include <vtemper/vtemper.h>

static void check(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  fprintf(stderr, "%s\n", vtemper_last_error());
  exit(1);
}

int main(int count, char** arguments) {
  vtemper_options* of_model;
  vtemper_options* of_run;
  vtemper_data* data;
  vtemper_model* model;
  vtemper_optimizer* optimizer;
  if (count != 4) return 2;
  check(vtemper_data_read(arguments[1], NULL, &data));
  check(vtemper_options_create(&of_model));
  check(vtemper_options_set_integer(of_model, "topics", 4));
  check(vtemper_options_set_real(of_model, "alpha", 0.2));
  check(vtemper_options_create(&of_run));
  check(vtemper_options_set_text(of_run, "method", arguments[2]));
  check(vtemper_options_set_integer(of_run, "seed", 11));
  check(vtemper_options_set_integer(of_run, "max_passes", 5));
  check(vtemper_model_create("lda", of_model, &model));
  check(vtemper_optimizer_create(model, data, of_run, &optimizer));
  check(vtemper_optimizer_run(optimizer, NULL));
  check(vtemper_model_save(model, arguments[3]));
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  vtemper_options_destroy(of_run);
  vtemper_options_destroy(of_model);
  return 0;
}
