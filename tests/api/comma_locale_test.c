/* Numbers in text do not depend on the locale. Skipped if the machine neither has nor can make a locale with a
 * decimal comma. */
#include <locale.h>

#include "fixtures.h"

static void test_numbers(void** state) {
  (void)state;
  const char* text = NULL;
  vtemper_options* options = options_of("topics", "4", "precision", "double", "alpha", "0.5", NULL);
  OK(vtemper_options_set_real(options, "eta", 0.125));
  OK(vtemper_options_get_text(options, "eta", &text));
  assert_string_equal(text, "0.125");
  vtemper_model *model = lda_of(options), *loaded = NULL;
  OK(vtemper_model_option(model, "alpha", &text));
  assert_string_equal(text, "0.5");
  vtemper_model* refused = NULL;
  options = options_of("alpha", "0,5 x", NULL);
  REFUSED(VTEMPER_ERROR_OPTION, "alpha", vtemper_model_create("lda", options, &refused));
  vtemper_options_destroy(options);

  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer =
      optimizer_of(model, data, options_of("method", "annealing", "temperature_start", "2.5", NULL));
  OK(vtemper_optimizer_step(optimizer, 3, NULL));
  int64_t size = 0;
  char* bytes = model_bytes_of(model, &size);
  OK(vtemper_model_load_buffer(bytes, size, &loaded));
  const topics a = model_topics(model), b = model_topics(loaded);
  assert_same_bits(&a, &b);
  free(bytes);
  bytes = checkpoint_of(optimizer, &size);
  vtemper_optimizer* resumed = NULL;
  OK(vtemper_optimizer_load_buffer(bytes, size, data, &resumed));
  OK(vtemper_optimizer_option(resumed, "temperature_start", &text));
  assert_string_equal(text, "2.5");
  vtemper_data *first = NULL, *second = NULL;
  REFUSED(VTEMPER_ERROR_ARGUMENT, "-0.25", vtemper_data_split(data, -0.25, 1, &first, &second));
  free(bytes);
  vtemper_optimizer_destroy(resumed);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(loaded);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

/** Chooses a locale with a decimal comma: one of the machine, or one made for the test. */
static int choose_comma_locale(char* folder) {
  const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (setlocale(LC_ALL, names[i]) != NULL && strcmp(localeconv()->decimal_point, ",") == 0) return 1;
  }
  char command[256];
  if (mkdtemp(folder) == NULL) return 0;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1", folder, folder);
  const int made = system(command);
  setenv("LOCPATH", folder, 1);
  const int chosen = made == 0 && setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) == 0 && chosen && strcmp(localeconv()->decimal_point, ",") == 0;
}

int main(void) {
  char folder[] = "/tmp/vtemper-locale-XXXXXX";
  if (!choose_comma_locale(folder)) {
    puts("no locale with a decimal comma on this machine");
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
