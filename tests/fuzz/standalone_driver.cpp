// Runs a fuzz target without a fuzzer: on each file named (or in a folder named), on the target's own seeds, and on
// mutations of them that are the same at every run.
//
//   driver [-m mutations] [-s seed of the mutations] [-a] files or folders     (default: 2000 mutations of each
//   input) -a: the target must accept each of these files driver -w folder          writes the target's own seeds
//   there, for a fuzzer to begin with
//
// An input that ends the process, takes ten seconds of CPU time (a minute with a sanitizer) or makes the process use
// more than two gigabytes of memory is left in the file failing_input.

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);
/// Inputs that a target creates itself; not every target has any.
__attribute__((weak)) std::vector<std::string> fuzz_seeds();
/// Number of inputs accepted so far, if the target counts them: a run in which none is accepted has tested nothing.
__attribute__((weak)) int64_t fuzz_accepted();
/// Provided by the sanitizers, if the program is built with one: they do not end it by a signal.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using Input = std::string;

constexpr long max_kilobytes = 2 << 20;
long max_seconds = 10;  // six times as many with a sanitizer

Input current;

void keep_input() {
  std::ofstream("failing_input", std::ios::binary) << current;
  std::fputs("the input that failed is in the file failing_input\n", stderr);
}

void keep_input_and_end(int signal) {
  keep_input();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void end_of_time(int) {
  keep_input();
  std::fputs("it takes more of the processor than it may\n", stderr);
  _exit(1);
}

void run(const Input& input) {
  current = input;
  const itimerval timer = {{0, 0}, {max_seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(current.data()), current.size());
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  if (used.ru_maxrss < max_kilobytes) return;
  keep_input();
  std::fputs("it takes more than two gigabytes of memory\n", stderr);
  _exit(1);
}

/// Some of what fuzzers do: bits, bytes, numbers and pieces changed, removed, repeated and exchanged with other
/// files.
Input mutated(Input input, const std::vector<Input>& all, std::mt19937_64& random) {
  const auto below = [&](size_t size) { return size == 0 ? size_t{0} : static_cast<size_t>(random() % size); };
  const int changes = 1 << below(4);
  for (int change = 0; change < changes; ++change) {
    const size_t at = below(input.size());
    const size_t length = std::min(input.size() - at, size_t{1} << below(7));
    switch (input.empty() ? 3 : below(9)) {
      case 0:
        input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 1:
        input[at] = static_cast<char>(random());
        break;
      case 2:
        input.erase(at, length);
        break;
      case 3:
        input.insert(at, std::string(1 + below(8), static_cast<char>(random())));
        break;
      case 4:
        input.insert(below(input.size()), input.substr(at, length));
        break;
      case 5:
        input.resize(at);
        break;
      case 6: {  // numbers at the limits
        const char* const numbers[] = {"0",   "-1", "64", "2147483648", "9223372036854775807", "18446744073709551616",
                                       "1e9", "nan"};
        input.replace(at, std::min(length, size_t{4}), numbers[below(std::size(numbers))]);
        break;
      }
      case 7: {
        const char* const symbols[] = {"\"", "{", "}", "[", "]", ",", ":", "\\u", "\n", " ", "\xff", "\xed\xa0\x80"};
        input.replace(at, 1, symbols[below(std::size(symbols))]);
        break;
      }
      default: {
        const Input& other = all[below(all.size())];
        const size_t from = below(other.size());
        input.replace(at, length, other.substr(from, length));
      }
    }
  }
  return input;
}

/// The files must be accepted as they are: otherwise their mutations would test little.
int refused_files(const std::vector<Input>& files) {
  int refused = 0;
  for (const Input& file : files) {
    const int64_t before = fuzz_accepted();
    run(file);
    if (fuzz_accepted() > before) continue;
    ++refused;
    std::fprintf(stderr, "the target refuses a file of %zu bytes: \"%.60s\"\n", file.size(), file.c_str());
  }
  return refused;
}

void add_file(const std::filesystem::path& path, std::vector<Input>& inputs) {
  std::ifstream file(path, std::ios::binary);
  inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

int write_seeds(const std::filesystem::path& folder) {
  size_t number = 0;
  for (const Input& input : fuzz_seeds != nullptr ? fuzz_seeds() : std::vector<Input>()) {
    std::ofstream file(folder / ("seed" + std::to_string(number++)), std::ios::binary);
    if (!(file << input).flush()) return 1;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  int mutations = 2000;
  uint64_t seed = 1;
  bool files_are_valid = false;
  std::vector<Input> inputs;
  for (int i = 1; i < count; ++i) {
    const std::filesystem::path path = arguments[i];
    if (std::strcmp(arguments[i], "-w") == 0 && i + 1 < count) {
      return write_seeds(arguments[i + 1]);
    } else if (std::strcmp(arguments[i], "-m") == 0 && i + 1 < count) {
      mutations = std::atoi(arguments[++i]);
    } else if (std::strcmp(arguments[i], "-s") == 0 && i + 1 < count) {
      seed = std::strtoull(arguments[++i], nullptr, 10);
    } else if (std::strcmp(arguments[i], "-a") == 0) {
      files_are_valid = true;
    } else if (std::filesystem::is_directory(path)) {
      std::vector<std::filesystem::path> files;
      for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const auto& file : files) add_file(file, inputs);
    } else if (std::filesystem::exists(path)) {
      add_file(path, inputs);
    } else {
      std::fprintf(stderr, "there is no file %s\n", arguments[i]);
      return 2;
    }
  }
  const std::vector<Input> files = inputs;
  if (fuzz_seeds != nullptr) {
    for (Input& input : fuzz_seeds()) inputs.push_back(std::move(input));
  }
  if (inputs.empty()) inputs.emplace_back();

  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, keep_input_and_end);
  std::signal(SIGPROF, end_of_time);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(keep_input);
    max_seconds *= 6;
  }
  if (files_are_valid && refused_files(files) > 0) return 1;
  std::mt19937_64 random(seed);
  for (const Input& input : inputs) {
    run(input);
    for (int i = 0; i < mutations; ++i) run(mutated(input, inputs, random));
  }
  std::printf("%zu executions: %zu inputs and %d mutations of each\n",
              inputs.size() * (static_cast<size_t>(mutations) + 1), inputs.size(), mutations);
  if (fuzz_accepted == nullptr) return 0;
  const int64_t accepted = fuzz_accepted();
  std::printf("%lld of them were accepted and used\n", static_cast<long long>(accepted));
  if (accepted < static_cast<int64_t>(inputs.size() / 10 + 1)) {
    std::fputs("that is too few: nothing was tested\n", stderr);
    return 1;
  }
  return 0;
}
