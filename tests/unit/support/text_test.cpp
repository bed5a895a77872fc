// Numbers and text: round trips under any locale, texts that are not numbers, UTF-8, edit distances.

#include "support/text.h"

#include <unistd.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "support/refusal.h"

using namespace vtemper;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

void check_round_trips() {
  std::vector<double> values = {
      0.0,      -0.0,     1, 0.1, 1.0 / 3, 1e22, 1e23, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
      infinity, -infinity};
  uint64_t bits = 0x9e3779b97f4a7c15;
  for (int i = 0; i < 20000; ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isnan(value)) values.push_back(value);
  }
  for (const double value : values) {
    const std::string text = number_text(value);
    const auto back = parse_real(text);
    if (!back || !same_bits(*back, value)) fail_with("%s does not come back", text.c_str());
  }
  assert_text(number_text(0.5), "0.5");
  assert_text(number_text(-1e-300), "-1e-300");
  assert_text(number_text(0.1), "0.1");
  assert_text(number_text(3.0), "3");
  assert_true(parse_real("0.5") == 0.5);
  assert_false(parse_real("0,5").has_value());
}

void test_round_trips(void**) {
  check_round_trips();
}

/// A locale with a decimal comma that the machine has or that is made for the test; false where there is none.
bool set_comma_locale(const std::string& folder) {
  const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE", "fr_FR"};
  for (const char* name : names) {
    if (std::setlocale(LC_ALL, name) != nullptr && std::strcmp(std::localeconv()->decimal_point, ",") == 0)
      return true;
  }
  const std::string make = "localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8' >/dev/null 2>&1";
  static_cast<void>(std::system(make.c_str()));
  setenv("LOCPATH", folder.c_str(), 1);
  return std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr && std::strcmp(std::localeconv()->decimal_point, ",") == 0;
}

void test_comma_locale(void**) {
  char folder[] = "/tmp/vtemper-locale-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const bool found = set_comma_locale(folder);
  if (found) check_round_trips();
  std::setlocale(LC_ALL, "C");
  unsetenv("LOCPATH");
  assert_int_equal(std::system(("rm -rf '" + std::string(folder) + "'").c_str()), 0);
  if (!found) _skip(__FILE__, __LINE__);
}

void test_reals(void**) {
  assert_true(parse_real(" 2.5\t") == 2.5);
  assert_true(parse_real("+2.5") == 2.5);
  assert_true(parse_real("-.5e1") == -5);
  assert_true(parse_real("inf") == infinity);
  assert_true(parse_real("-inf") == -infinity);
  assert_true(std::isnan(parse_real("nan").value()));
  assert_text(number_text(nan_value), "nan");
  assert_text(number_text(-nan_value), "nan");
  assert_text(number_text(infinity), "inf");
  assert_text(number_text(-infinity), "-inf");
  for (const char* text : {"",
                           " ",
                           "+",
                           "-",
                           "+-1",
                           "++1",
                           "--1",
                           "1 2",
                           "1x",
                           "x",
                           "0x10",
                           "1e",
                           "1e+",
                           ".",
                           "1..2",
                           "1,5",
                           "1e400",
                           "-1e400",
                           "1\n",
                           "\xc2\xa0"
                           "1"}) {
    if (parse_real(text)) fail_with("\"%s\" is read as a number", text);
  }
  assert_false(parse_real(std::string_view("1\0", 2)).has_value());
  // Too small is zero, of the right sign.
  assert_true(same_bits(parse_real("1e-400").value(), 0.0));
  assert_true(same_bits(parse_real("-1e-400").value(), -0.0));
}

void test_integers(void**) {
  assert_true(parse_integer("9223372036854775807") == INT64_MAX);
  assert_true(parse_integer("-9223372036854775808") == INT64_MIN);
  assert_true(parse_integer(" +7 ") == 7);
  for (const char* text :
       {"", "9223372036854775808", "-9223372036854775809", "1.0", "1e3", "0x1", "+-1", "1 1", "seven"}) {
    if (parse_integer(text)) fail_with("\"%s\" is read as an integer", text);
  }
  assert_text(number_text(INT64_MIN), "-9223372036854775808");
  assert_text(number_text(UINT64_MAX), "18446744073709551615");
}

void test_messages(void**) {
  assert_text(message("row ", 3, " has ", 0.5, " of ", int64_t{-1}, " and ", UINT64_MAX, std::string("."),
                      std::string_view("!")),
              "row 3 has 0.5 of -1 and 18446744073709551615.!");
  assert_text(counted(1, "row") + ", " + counted(0, "row") + ", " + counted(2, "entry", "entries"),
              "1 row, 0 rows, 2 entries");
  assert_text(there_are(1, "name") + "; " + there_are(3, "name"), "there is 1 name; there are 3 names");
  assert_text(quoted("a b"), "\"a b\"");
  assert_text(quoted(std::string_view("a\0b\t\x1b\x7f\u00e9", 8)), "\"a?b???\u00e9\"");
  assert_text(quoted(std::string(100, 'x')), "\"" + std::string(100, 'x') + "\"");
  assert_text(quoted(std::string(101, 'x')), "\"" + std::string(100, 'x') + "...\"");
  // Truncated between characters: byte 100 is in the middle of one.
  std::string umlauts = "x";
  for (int i = 0; i < 60; ++i) umlauts += "\xc3\xa4";
  assert_true(is_valid_utf8(quoted(umlauts)));
  assert_int_equal(quoted(umlauts).size(), 99 + 5);
  // Bytes that are not valid text are handled.
  assert_true(quoted(std::string(500, '\x80')).size() < 110);
}

void test_utf8(void**) {
  for (const char* text : {"", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xf4\x8f\xbf\xbf", "\xe0\xa0\x80", "\xf0\x90\x80\x80"}) {
    if (!is_valid_utf8(text)) fail_with("\"%s\" is refused", text);
  }
  for (const char* text :
       {"\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xe2\x82", "\xf0\x9f\x98", "a\xc3"}) {
    if (is_valid_utf8(text)) fail_with("invalid UTF-8 of %zu bytes is accepted", std::strlen(text));
  }
  assert_true(is_valid_utf8(std::string_view("a\0b", 3)));
}

void test_lower_case(void**) {
  assert_string_equal(lower_case("@AZ[`az{ 09").c_str(), "@az[`az{ 09");
  assert_string_equal(lower_case("\xc3\x84").c_str(), "\xc3\x84");
}

void test_edit_distance(void**) {
  assert_int_equal(edit_distance("", ""), 0);
  assert_int_equal(edit_distance("", "abc"), 3);
  assert_int_equal(edit_distance("abc", ""), 3);
  assert_int_equal(edit_distance("kitten", "sitting"), 3);
  assert_int_equal(edit_distance("alhpa", "alpha"), 2);
  assert_int_equal(edit_distance("eta", "beta"), 1);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trips),   cmocka_unit_test(test_comma_locale), cmocka_unit_test(test_reals),
      cmocka_unit_test(test_integers),      cmocka_unit_test(test_messages),     cmocka_unit_test(test_utf8),
      cmocka_unit_test(test_edit_distance), cmocka_unit_test(test_lower_case),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
