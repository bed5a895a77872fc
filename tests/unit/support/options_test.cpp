// Options against a table: every type, every range, and every refusal with its complete message.

#include "support/options.h"

#include <limits>

#include "support/refusal.h"

using namespace vtemper;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const OptionTable& table() {
  static const OptionTable entries = {
      {"topics", VTEMPER_OPTION_INTEGER, "10", 1, 1000, "", ""},
      {"seed", VTEMPER_OPTION_INTEGER, "0", -9.3e18, 9.3e18, "", ""},
      {"alpha", VTEMPER_OPTION_REALS, "auto", 0.001, 1e6, "", ""},
      {"eta", VTEMPER_OPTION_REALS, "0.5", 0, infinity, "", ""},
      {"tolerance", VTEMPER_OPTION_REAL, "0.001", 0, 1, "", ""},
      {"batch_size", VTEMPER_OPTION_INTEGER, "auto", 0, 100, "", ""},
      {"precision", VTEMPER_OPTION_CHOICE, "float", 0, 0, "float double", ""},
      {"method", VTEMPER_OPTION_CHOICE, "vi", 0, 0, "vi svi annealing", ""},
      {"learn_alpha", VTEMPER_OPTION_BOOLEAN, "false", 0, 0, "", ""},
      {"shift", VTEMPER_OPTION_REAL, "0", -infinity, infinity, "", ""},
      {"folder", VTEMPER_OPTION_TEXT, "", 0, 0, "", ""},
  };
  return entries;
}

Options options_of(std::initializer_list<std::pair<const char*, const char*>> texts) {
  Options options;
  for (const auto& [name, text] : texts) options.set(name, text);
  return options;
}

OptionValues values_of(std::initializer_list<std::pair<const char*, const char*>> texts) {
  return OptionValues(table(), options_of(texts), "lda");
}

std::string refusal_of(const char* name, const char* text) {
  return refusal(VTEMPER_ERROR_OPTION, [&] { values_of({{name, text}}); });
}

void test_defaults(void**) {
  const OptionValues values = values_of({});
  assert_int_equal(values.integer("topics"), 10);
  assert_true(values.is_auto("alpha"));
  assert_true(values.reals("eta") == std::vector<double>{0.5});
  assert_true(values.real("tolerance") == 0.001);
  assert_text(values.text("precision"), "float");
  assert_false(values.boolean("learn_alpha"));
  assert_false(values.given("topics"));
  assert_false(values.given("nothing"));
  assert_int_equal(values.all().size(), table().size());
}

/// Texts, as they come from files too.
void test_texts(void**) {
  assert_text(values_of({}).text("folder"), "");
  assert_text(values_of({{"folder", " /a path/caf\xc3\xa9 "}}).text("folder"), "/a path/caf\xc3\xa9");
  assert_text(values_of({{"folder", "1,2"}}).text("folder"), "1,2");
  assert_contains(refusal_of("folder", "\xff"), "it must be a text in UTF-8");
  Options options;
  options.set("folder", std::string("/tmp\0/other", 11));
  assert_contains(refusal(VTEMPER_ERROR_OPTION, [&] { OptionValues(table(), options, "lda"); }),
                  "option folder of lda");
}

void test_given(void**) {
  const OptionValues values = values_of({{"topics", " 25 "},
                                         {"alpha", "0.1, 2.5 ,3e2"},
                                         {"tolerance", "1"},
                                         {"batch-size", "auto"},
                                         {"method", "svi"},
                                         {"learn-alpha", "true"},
                                         {"seed", "-9223372036854775808"}});
  assert_int_equal(values.integer("topics"), 25);
  assert_text(values.text("topics"), "25");
  assert_true(values.reals("alpha") == (std::vector<double>{0.1, 2.5, 300}));
  assert_true(values.real("tolerance") == 1);
  assert_true(values.is_auto("batch_size"));
  assert_text(values.text("batch-size"), "auto");
  assert_text(values.text("method"), "svi");
  assert_true(values.boolean("learn_alpha"));
  assert_true(values.integer("seed") == INT64_MIN);
  assert_true(values.given("topics") && values.given("batch_size") && values.given("learn_alpha"));
  assert_false(values.given("eta"));
}

void test_whole_reals(void**) {
  assert_int_equal(values_of({{"topics", "1e+02"}}).integer("topics"), 100);
  assert_int_equal(values_of({{"topics", "100.0"}}).integer("topics"), 100);
  assert_text(refusal_of("topics", "1.5"),
              "option topics of lda is \"1.5\"; it must be a whole number from 1 to 1000");
  refusal_of("seed", "1e18x");
  refusal_of("seed", "1e17");  // beyond 2^53 a double is no count
  refusal_of("seed", "nan");
  refusal_of("seed", "9223372036854775808");
}

void test_presets(void**) {
  const Options presets = options_of({{"topics", "7"}, {"method", "annealing"}});
  const OptionValues values(table(), options_of({{"topics", "8"}}), "lda", presets);
  assert_int_equal(values.integer("topics"), 8);
  assert_text(values.text("method"), "annealing");
  assert_true(values.given("topics"));
  assert_false(values.given("method"));
}

/// Values that are recreated from the texts of others are the same, as after a checkpoint.
void test_made_again(void**) {
  const OptionValues values = values_of({{"topics", "1e2"}, {"alpha", "1,2"}, {"method", "svi"}});
  Options stored;
  for (const auto& [name, text] : values.all()) stored.set(name, text);
  const OptionValues again(table(), stored, "lda");
  assert_true(again.all() == values.all());
  assert_int_equal(again.integer("topics"), 100);
}

void test_unknown_names(void**) {
  assert_text(refusal_of("alhpa", "1"), "lda has no option \"alhpa\"; did you mean alpha?");
  assert_text(refusal_of("batchsize", "1"), "lda has no option \"batchsize\"; did you mean batch_size?");
  assert_text(refusal_of("ALPHA", "1"),
              "lda has no option \"ALPHA\"; it has topics, seed, alpha, eta, tolerance, "
              "batch_size, precision, method, learn_alpha, shift or "
              "folder");
  assert_text(refusal_of("", "1").substr(0, 28), "lda has no option \"\"; it has");
  assert_contains(refusal_of(std::string(5000, 'x').c_str(), "1"), "...\"; it has topics");
}

void test_nearest_names(void**) {
  assert_text(nearest_names("beta", {"eta", "zeta", "alpha", "theta"}), "; did you mean eta, zeta or theta?");
  assert_text(nearest_names("eta1", {"alpha", "eta"}), "; did you mean eta?");
  assert_text(nearest_names("max-pases", {"max_passes"}), "; did you mean max_passes?");
  assert_text(nearest_names("iterations", {"local_iterations", "topics"}), "; did you mean local_iterations?");
  assert_text(nearest_names("xyzzy", {"alpha", "eta"}), "");
  assert_text(nearest_names("", {"alpha", "eta"}), "");
  assert_text(nearest_names("alpha", {}), "");
}

void test_refused_values(void**) {
  assert_text(refusal_of("topics", "five"),
              "option topics of lda is \"five\"; it must be a whole number from 1 to 1000");
  assert_text(refusal_of("topics", "0"), "option topics of lda is \"0\"; it must be a whole number from 1 to 1000");
  assert_text(refusal_of("topics", "1001"),
              "option topics of lda is \"1001\"; it must be a whole number from 1 to 1000");
  assert_text(refusal_of("topics", "auto"),
              "option topics of lda is \"auto\"; it must be a whole number from 1 to 1000");
  assert_text(refusal_of("topics", ""), "option topics of lda is \"\"; it must be a whole number from 1 to 1000");
  assert_text(refusal_of("batch_size", "many"),
              "option batch_size of lda is \"many\"; it must be a whole number from 0 to 100, or auto");
  assert_text(refusal_of("tolerance", "1.5"), "option tolerance of lda is \"1.5\"; it must be a number from 0 to 1");
  assert_text(refusal_of("tolerance", "nan"), "option tolerance of lda is \"nan\"; it must be a number from 0 to 1");
  assert_text(refusal_of("tolerance", "0,5"), "option tolerance of lda is \"0,5\"; it must be a number from 0 to 1");
  assert_text(refusal_of("shift", "inf"), "option shift of lda is \"inf\"; it must be a number");
  assert_text(refusal_of("eta", "-1"),
              "option eta of lda is \"-1\"; it must be a number, or numbers separated by commas, of at least 0");
  assert_text(refusal_of("eta", "inf"),
              "option eta of lda is \"inf\"; it must be a number, or numbers separated by commas, of at least 0");
  assert_text(refusal_of("alpha", "1,0,1"),
              "element 1 of option alpha of lda is \"0\"; it must be a number, or numbers separated "
              "by commas, from 0.001 to 1e+06, or auto");
  assert_contains(refusal_of("alpha", "1,2,"), "element 2 of option alpha of lda is \"\"");
  assert_contains(refusal_of("alpha", "1,auto"), "element 1 of option alpha of lda is \"auto\"");
  assert_text(refusal_of("precision", "half"), "option precision of lda is \"half\"; it must be float or double");
  assert_text(refusal_of("method", "svy"), "option method of lda is \"svy\"; it must be vi, svi or annealing");
  assert_text(refusal_of("method", "vi svi"), "option method of lda is \"vi svi\"; it must be vi, svi or annealing");
  assert_text(refusal_of("method", ""), "option method of lda is \"\"; it must be vi, svi or annealing");
  assert_text(refusal_of("learn_alpha", "yes"), "option learn_alpha of lda is \"yes\"; it must be true or false");
  assert_contains(refusal_of("topics", std::string(5000, '9').c_str()), "999...\"; it must be");
}

void test_access(void**) {
  const OptionValues values = values_of({});
  assert_text(refusal(VTEMPER_ERROR_OPTION, [&] { values.text("topic"); }),
              "there is no option \"topic\"; did you mean topics?");
  refusal(VTEMPER_ERROR_INTERNAL, [&] { values.integer("batch_size"); });
  refusal(VTEMPER_ERROR_INTERNAL, [&] { values.reals("alpha"); });
  refusal(VTEMPER_ERROR_INTERNAL, [&] { values.real("precision"); });
  refusal(VTEMPER_ERROR_INTERNAL, [&] { values.boolean("topics"); });
}

void test_set(void**) {
  Options options = options_of({{"batch-size", "5"}, {"batch_size", "6"}, {"a", "1"}});
  assert_int_equal(options.all().size(), 2);
  assert_text(*options.find("batch-size"), "6");
  assert_text(*options.find("batch_size"), "6");
  assert_null(options.find("b"));
}

void test_merge(void**) {
  OptionTable merged = {{"topics", VTEMPER_OPTION_INTEGER, "3", 1, 5, "", "first"}};
  merge(merged, table());
  assert_int_equal(merged.size(), table().size());
  assert_string_equal(merged[0].default_text, "3");
  merge(merged, merged);
  assert_int_equal(merged.size(), table().size());
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_given),
      cmocka_unit_test(test_whole_reals),
      cmocka_unit_test(test_presets),
      cmocka_unit_test(test_made_again),
      cmocka_unit_test(test_unknown_names),
      cmocka_unit_test(test_nearest_names),
      cmocka_unit_test(test_refused_values),
      cmocka_unit_test(test_access),
      cmocka_unit_test(test_set),
      cmocka_unit_test(test_merge),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
