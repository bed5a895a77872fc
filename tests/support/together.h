#pragma once
// A program that contains several tests runs the one under whose name it is started (tests/CMakeLists.txt).

#include <cstdio>
#include <initializer_list>
#include <string_view>

struct NamedTest {
  std::string_view name;
  int (*main)();
};

inline int run_named(std::string_view path, std::initializer_list<NamedTest> tests) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const NamedTest& test : tests) {
    if (test.name == name) return test.main();
  }
  std::fputs("Start this program by a link named after one of its tests.\n", stderr);
  return 2;
}
