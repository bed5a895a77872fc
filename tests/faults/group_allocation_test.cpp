// Allocations that fail on one rank of a group: it reports the failure, and the others get it in the same call,
// instead of waiting in a sum that the failed rank never reaches. Ranks are threads, of which one fails.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "support/cmocka.h"

#include "support/rank_threads.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
constexpr bool own_malloc = false;
#else
constexpr bool own_malloc = true;
#endif

namespace {

/// For this thread: whether allocations are counted, and the number of the one that fails, from 1; 0: none.
thread_local bool counted = false;
thread_local bool is_counting = true;  ///< in calls of this part of the test
thread_local bool goes_on = false;     ///< all calls after that one fail as well
thread_local int64_t calls = 0, fails_at = 0;

bool fails() {
  if (!counted || vtemper::test::RankThreads::in_call) return false;
  ++calls;
  if (fails_at == 0 || calls < fails_at || (calls > fails_at && !goes_on)) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)

// Every library's calls come here, those of operator new included (faults/failing_memory.h, for one thread).
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* block);

void* malloc(size_t size) noexcept {
  return fails() ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) noexcept {
  return fails() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, size_t size) noexcept {
  return fails() ? nullptr : __libc_realloc(block, size);
}
void* memalign(size_t alignment, size_t size) noexcept {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return memalign(alignment, size);
}
int posix_memalign(void** block, size_t alignment, size_t size) noexcept {
  void* const fresh = memalign(alignment, size);
  if (fresh == nullptr) return ENOMEM;
  *block = fresh;
  return 0;
}
void free(void* block) noexcept {
  __libc_free(block);
}
}

#endif

namespace {

using vtemper::test::RankThreads;

constexpr int ranks = 3, failing_rank = 1;
constexpr int64_t rows_of_rank = 30, columns = 20;

struct Rank {
  vtemper_group* group = nullptr;
  vtemper_data* own = nullptr;
  vtemper_data* data = nullptr;
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  vtemper_optimizer* resumed = nullptr;
  vtemper_report report{};
  vtemper_status status = VTEMPER_OK;
  std::string message;
  const char* call = "none";
  int64_t allocations = 0;

  Rank() {
    report.struct_size = sizeof report;
    message.reserve(4096);
  }
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;
  ~Rank() {
    vtemper_optimizer_destroy(resumed);
    vtemper_optimizer_destroy(optimizer);
    vtemper_model_destroy(model);
    vtemper_data_destroy(data);
    vtemper_data_destroy(own);
    vtemper_group_destroy(group);
  }

  /// A call of the library in which allocations count.
  template <class Call>
  bool did(const char* name, const Call& call_library) {
    call = name;
    counted = is_counting;
    status = call_library();
    counted = false;
    allocations = calls;
    if (status != VTEMPER_OK) message = vtemper_last_error();
    return status == VTEMPER_OK;
  }
};

vtemper_data* documents(int number) {
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> words;
  std::vector<double> counts;
  uint32_t state = static_cast<uint32_t>(number) * 2654435761u + 17u;
  for (int64_t row = 0; row < rows_of_rank; ++row) {
    for (int32_t word = 0; word < columns; ++word) {
      state = state * 1664525u + 1013904223u;
      if ((state >> 16) % 3 != 0) continue;
      words.push_back(word);
      counts.push_back(1 + (state >> 24) % 3);
    }
    offsets.push_back(static_cast<int64_t>(words.size()));
  }
  vtemper_data* data = nullptr;
  vtemper_data_from_counts(VTEMPER_BY_ROWS, rows_of_rank, columns, offsets.data(), VTEMPER_INT64, words.data(),
                           VTEMPER_INT32, counts.data(), VTEMPER_DOUBLE, 0, VTEMPER_COPY, nullptr, nullptr, &data);
  return data;
}

struct Fit {
  const char* exchange;
  const char* reproducible;
  bool is_used = false;  ///< count allocations when the fit is used, not in the fit itself
};

std::string file_of(const char* name) {
  const char* folder = getenv("TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/vtemper_group_allocation_" + std::to_string(getpid()) +
         "_" + name;
}

/// Scores, posteriors and files of a fit. All of them are collective if the topics are divided over the ranks;
/// otherwise each rank handles posteriors and files by itself, and rank 0 writes the file that all of them load.
bool use(Rank& rank, int number, const Fit& of, const vtemper_options* options) {
  const bool divided = std::string(of.exchange) == "sharded";
  const std::string model = file_of("model"), checkpoint = file_of("checkpoint");
  const auto evaluates = [&](const char* measure) {
    double score = 0;
    return rank.did(measure,
                    [&] { return vtemper_model_evaluate(rank.model, rank.data, nullptr, measure, options, &score); });
  };
  if (!evaluates("predictive") || !evaluates("elbo")) return false;
  std::vector<double> gamma(rows_of_rank * 4);
  if (divided) {
    if (!rank.did("infer", [&] {
          return vtemper_model_infer(rank.model, rank.data, "gamma", options, gamma.data(),
                                     static_cast<int64_t>(gamma.size()));
        }))
      return false;
    if (!rank.did("save model", [&] { return vtemper_model_save(rank.model, model.c_str()); })) return false;
    if (!rank.did("save", [&] { return vtemper_optimizer_save(rank.optimizer, checkpoint.c_str()); })) return false;
  } else if (number == 0) {
    vtemper_optimizer_save(rank.optimizer, checkpoint.c_str());
  }
  double score = 0;  // after this call the file exists
  const bool all_here = vtemper_model_evaluate(rank.model, rank.data, nullptr, "elbo", options, &score) == VTEMPER_OK;
  return all_here &&
         rank.did("load", [&] { return vtemper_optimizer_load(checkpoint.c_str(), rank.data, &rank.resumed); }) &&
         rank.did("go on", [&] { return vtemper_optimizer_step(rank.resumed, 1, &rank.report); });
}

/// A fit in which allocation `at` of one rank fails and, if `on`, all later ones of the call as well.
void fit(RankThreads& threads, Rank& rank, int number, const Fit& of, int64_t at, bool on) {
  rank.group = threads.connect(number);
  rank.own = documents(number);
  vtemper_options *of_model = nullptr, *of_steps = nullptr;
  vtemper_options_create(&of_model);
  vtemper_options_set(of_model, "topics", "4");
  vtemper_options_create(&of_steps);
  for (const auto& option : {std::pair{"method", "svi"}, std::pair{"batch_size", "24"}, std::pair{"threads", "1"},
                             std::pair{"exchange", of.exchange}, std::pair{"reproducible", of.reproducible}}) {
    vtemper_options_set(of_steps, option.first, option.second);
  }
  vtemper_model_create("lda", of_model, &rank.model);
  calls = 0;
  fails_at = number == failing_rank ? at : 0;
  goes_on = on;
  is_counting = !of.is_used;
  if (rank.did("spread", [&] { return vtemper_data_spread(rank.own, rank.group, &rank.data); }) &&
      rank.did("create",
               [&] { return vtemper_optimizer_create(rank.model, rank.data, of_steps, &rank.optimizer); }) &&
      rank.did("step", [&] { return vtemper_optimizer_step(rank.optimizer, 2, &rank.report); }) && of.is_used) {
    is_counting = true;
    vtemper_options* one_thread = nullptr;
    vtemper_options_create(&one_thread);
    vtemper_options_set(one_thread, "threads", "1");
    use(rank, number, of, one_thread);
    vtemper_options_destroy(one_thread);
  }
  fails_at = 0;
  vtemper_options_destroy(of_model);
  vtemper_options_destroy(of_steps);
}

/// Whether every single allocation fails, whatever the stride of a test.
bool every_one() {
  const char* wanted = getenv("VTEMPER_FAULTS");
  return wanted != nullptr && std::strcmp(wanted, "all") == 0;
}

/// Makes allocations 1, 1 + `stride` and so on fail.
void all_hear_of_it(const Fit& of, bool on, int64_t stride) {
  int64_t most = 0, fits = 0, refused = 0;
  int failures = 0;
  if (every_one()) stride = 1;
  for (int64_t at = 0; at <= most; at += at == 0 ? 1 : stride) {  // at 0 nothing fails and allocations are counted
    RankThreads threads(ranks);
    std::vector<Rank> all(ranks);
    threads.run([&](int number) { fit(threads, all[static_cast<size_t>(number)], number, of, at, on); });
    const Rank& failing = all[failing_rank];
    if (at == 0) {
      most = failing.allocations;
      assert_true(most > 50);
    } else {
      ++fits;
      refused += failing.status == VTEMPER_OK ? 0 : 1;
    }
    for (int number = 0; number < ranks; ++number) {
      const Rank& rank = all[static_cast<size_t>(number)];
      const bool as_expected =
          failing.status == VTEMPER_OK ? rank.status == VTEMPER_OK  // nothing failed, or it was not needed
          : number == failing_rank     ? rank.status == VTEMPER_ERROR_MEMORY
                                       : rank.status == VTEMPER_ERROR_PEER &&
                                         rank.message.find("rank 1 of 3: out of memory") != std::string::npos;
      if (as_expected && std::string(rank.call) == failing.call) continue;
      print_error("exchange %s, reproducible %s, allocation %d of %d%s: rank %d in %s, %s: %s\n", of.exchange,
                  of.reproducible, static_cast<int>(at), static_cast<int>(most), on ? " and all later ones" : "",
                  number, rank.call, vtemper_status_name(rank.status), rank.message.c_str());
      ++failures;
    }
  }
  print_message("exchange %s, reproducible %s%s: %d of %d allocations failed%s, %d fits were refused\n", of.exchange,
                of.reproducible, of.is_used ? ", used" : "", static_cast<int>(fits), static_cast<int>(most),
                on ? " with all later ones" : "", static_cast<int>(refused));
  assert_int_equal(failures, 0);
}

void one_allocation(void**) {
  all_hear_of_it({"sparse", "false"}, false, 1);
}

void all_from_one_on(void**) {
  all_hear_of_it({"sparse", "false"}, true, 7);
}

void sharded(void**) {
  all_hear_of_it({"sharded", "false"}, false, 7);
}

void reproducible(void**) {
  all_hear_of_it({"auto", "true"}, false, 7);
}

void scores_and_files(void**) {
  all_hear_of_it({"sparse", "false", true}, false, 13);
}

void scores_and_files_of_divided_topics(void**) {
  all_hear_of_it({"sharded", "false", true}, false, 13);
}

}  // namespace

int main() {
  if (!own_malloc) {
    puts("another malloc is in use (a sanitizer)");
    return 77;
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(one_allocation),   cmocka_unit_test(all_from_one_on),
      cmocka_unit_test(sharded),          cmocka_unit_test(reproducible),
      cmocka_unit_test(scores_and_files), cmocka_unit_test(scores_and_files_of_divided_topics)};
  const int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
  std::remove(file_of("model").c_str());
  std::remove(file_of("checkpoint").c_str());
  return failed;
}
