// Cost of a step of LDA against the sizes of vocabulary and corpus, and its memory.
//
//   size_bench [folder = TMPDIR or /tmp] [largest number of documents = 10000000] [topics = 100]
//
// Writes synthetic corpora (documents of 30 tokens, drawn from 5,000 words by Zipf's law whatever the vocabulary, so
// that a step has the same words) as mapped files into a folder of its own, which is removed at the end: the
// largest has 10^7 documents and about 2.2 GB. Steps of svi, 1,000 documents, one thread, alternate between all
// corpora; every document takes exactly 10 updates, about the number at the default tolerance, since documents of a
// larger corpus or vocabulary would converge in another number. A turn has ten steps that fill the caches again and
// forty that are timed, four by four, in CPU time; the least and the median are printed. Memory is that of a process
// of its own without the mapped file (RssAnon of /proc/self/status), at its end. Then 10^6 generated documents are
// fed.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "bench/corpus_file.h"

#include <vtemper/vtemper.h>

namespace {

constexpr int64_t tokens_of_document = 30;
constexpr int64_t frequent_words = 5000;
constexpr int64_t batch = 1000;

void call(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  std::fprintf(stderr, "%s\n", vtemper_last_error());
  std::exit(1);
}

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// MB of anonymous memory.
double own_megabytes() {
  std::ifstream status("/proc/self/status");
  std::string name;
  while (status >> name) {
    double kilobytes = 0;
    if (name == "RssAnon:" && status >> kilobytes) return kilobytes / 1024;
  }
  return std::nan("");
}

/// Documents of distinct words, ascending, from a vocabulary in which the frequent ones are spread evenly.
class Documents {
 public:
  explicit Documents(int64_t vocabulary) : step_(vocabulary / frequent_words), cumulative_(frequent_words) {
    double total = 0;
    for (int64_t rank = 0; rank < frequent_words; ++rank) {
      total += 1.0 / static_cast<double>(rank + 3);
      cumulative_[static_cast<std::size_t>(rank)] = total;
    }
  }

  /// Appends a document's words and counts.
  void next(std::vector<int32_t>& words, std::vector<int32_t>& counts) {
    int64_t ranks[tokens_of_document];
    for (int64_t& rank : ranks) {
      const double value = uniform() * cumulative_.back();
      rank = std::lower_bound(cumulative_.begin(), cumulative_.end(), value) - cumulative_.begin();
    }
    std::sort(ranks, ranks + tokens_of_document);
    for (int64_t i = 0; i < tokens_of_document; ++i) {
      if (i > 0 && ranks[i] == ranks[i - 1]) {
        ++counts.back();
      } else {
        words.push_back(static_cast<int32_t>(ranks[i] * step_));
        counts.push_back(1);
      }
    }
  }

 private:
  int64_t step_;
  std::vector<double> cumulative_;
  uint64_t state_ = 1;

  double uniform() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state_ >> 11) + 0.5) * 0x1p-53;
  }
};

/// Beyond 100,000 documents they repeat, which is quicker to write and costs a step the same.
void write_corpus(const std::string& path, int64_t rows, int64_t vocabulary) {
  const int64_t distinct = std::min<int64_t>(rows, 100000);
  std::vector<int32_t> words, counts;
  std::vector<int64_t> ends;
  Documents documents(vocabulary);
  for (int64_t row = 0; row < distinct; ++row) {
    documents.next(words, counts);
    ends.push_back(static_cast<int64_t>(words.size()));
  }
  const int64_t entries = ends.back();
  vtemper::test::CorpusFile file(path, rows, vocabulary, rows / distinct * entries);
  std::vector<int64_t> offsets = {0};
  file.write_offsets(0, offsets.data(), 1);
  offsets.resize(ends.size());
  for (int64_t repeat = 0; repeat < rows / distinct; ++repeat) {
    for (std::size_t row = 0; row < ends.size(); ++row) offsets[row] = ends[row] + repeat * entries;
    file.write_offsets(1 + repeat * distinct, offsets.data(), distinct);
    file.write_entries(repeat * entries, words.data(), counts.data(), entries);
  }
}

struct Fit {
  vtemper_data* data = nullptr;
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  std::vector<double> seconds;  ///< of a step
  double open = 0, start = 0;   ///< seconds

  /// Without a path rows are to be fed.
  Fit(const std::string& path, int topics, double rows_total) {
    double begin = processor_seconds();
    if (!path.empty()) call(vtemper_data_read(path.c_str(), "mapped", &data));
    open = processor_seconds() - begin;
    vtemper_options* options = nullptr;
    call(vtemper_options_create(&options));
    call(vtemper_options_set(options, "topics", std::to_string(topics).c_str()));
    call(vtemper_options_set(options, "local_iterations", "10"));
    call(vtemper_options_set(options, "local_tolerance", "0"));
    call(vtemper_options_set(options, "local_sparsity", "0"));
    call(vtemper_model_create("lda", options, &model));
    vtemper_options_destroy(options);
    call(vtemper_options_create(&options));
    call(vtemper_options_set(options, "method", "svi"));
    call(vtemper_options_set(options, "threads", "1"));
    if (data != nullptr) {
      call(vtemper_options_set(options, "batch_size", std::to_string(batch).c_str()));
      call(vtemper_model_initialize(model, data, 1));
    } else {
      call(vtemper_options_set(options, "rows_total", std::to_string(rows_total).c_str()));
    }
    begin = processor_seconds();
    if (data != nullptr) call(vtemper_optimizer_create(model, data, options, &optimizer));
    start = processor_seconds() - begin;
    feed_options = options;
  }
  Fit(const Fit&) = delete;
  Fit& operator=(const Fit&) = delete;
  ~Fit() {
    vtemper_optimizer_destroy(optimizer);
    vtemper_model_destroy(model);
    vtemper_data_destroy(data);
    vtemper_options_destroy(feed_options);
  }

  void step(int64_t steps) { call(vtemper_optimizer_step(optimizer, steps, nullptr)); }
  void feed(const vtemper_data* rows) {
    if (optimizer == nullptr) {
      call(vtemper_model_initialize(model, rows, 1));
      call(vtemper_optimizer_create(model, nullptr, feed_options, &optimizer));
    }
    call(vtemper_optimizer_feed(optimizer, rows, nullptr));
  }
  void sort_seconds() { std::sort(seconds.begin(), seconds.end()); }

 private:
  vtemper_options* feed_options = nullptr;
};

/// What the process that runs `function` uses in the end.
template <class Function>
double megabytes_of(Function function) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    const double megabytes = function();
    _exit(write(ends[1], &megabytes, sizeof megabytes) == sizeof megabytes ? 0 : 1);
  }
  double megabytes = std::nan("");
  if (read(ends[0], &megabytes, sizeof megabytes) != sizeof megabytes) std::fprintf(stderr, "a measurement failed\n");
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return megabytes;
}

struct Case {
  int64_t rows, vocabulary;
  std::string path;
};

/// In a process of its own, as its memory is asked for.
void feed_stream(int topics) {
  constexpr int64_t vocabulary = 50000;
  constexpr int64_t rows = 1000000;
  std::printf("fed, %lld documents made on the fly, V %lld: memory without the mapped file after",
              static_cast<long long>(rows), static_cast<long long>(vocabulary));
  Documents documents(vocabulary);
  Fit fit("", topics, static_cast<double>(rows));
  std::vector<int32_t> words, counts;
  for (int64_t row = 0; row < rows; row += batch) {
    std::vector<int64_t> offsets = {0};
    words.clear();
    counts.clear();
    for (int64_t i = 0; i < batch; ++i) {
      documents.next(words, counts);
      offsets.push_back(static_cast<int64_t>(words.size()));
    }
    vtemper_data* data = nullptr;
    call(vtemper_data_from_counts(VTEMPER_BY_ROWS, batch, vocabulary, offsets.data(), VTEMPER_INT64, words.data(),
                                  VTEMPER_INT32, counts.data(), VTEMPER_INT32, 0, VTEMPER_BORROW, nullptr, nullptr,
                                  &data));
    fit.feed(data);
    vtemper_data_destroy(data);
    const int64_t done = row + batch;
    if (done == 10 * batch || done == rows / 10 || done == rows)
      std::printf(" %lld: %.1f MB", static_cast<long long>(done), own_megabytes());
  }
  std::printf("\n\n");
}

}  // namespace

int main(int count, char** arguments) {
  const char* temporary = std::getenv("TMPDIR");
  std::string folder = std::string(count > 1              ? arguments[1]
                                   : temporary != nullptr ? temporary
                                                          : "/tmp") +
                       "/size_XXXXXX";
  const int64_t most = count > 2 ? std::atoll(arguments[2]) : 10000000;
  const int topics = count > 3 ? std::atoi(arguments[3]) : 100;
  if (mkdtemp(folder.data()) == nullptr) {
    std::fprintf(stderr, "no folder can be made at %s\n", folder.c_str());
    return 1;
  }
  // First, since a process begins with what its parent holds.
  megabytes_of([&] {
    feed_stream(topics);
    std::fflush(stdout);
    return own_megabytes();
  });
  std::vector<Case> cases = {{100000, 5000, ""}, {100000, 50000, ""}, {100000, 500000, ""}};
  for (int64_t rows = 10000; rows <= most; rows *= 10) cases.push_back({rows, 20000, ""});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].path = folder + "/" + std::to_string(i);
    write_corpus(cases[i].path, cases[i].rows, cases[i].vocabulary);
  }

  std::vector<double> megabytes;
  for (const Case& corpus : cases) {
    megabytes.push_back(megabytes_of([&] {
      Fit fit(corpus.path, topics, 0);
      fit.step(50);
      return own_megabytes();
    }));
  }
  std::vector<std::unique_ptr<Fit>> fits;
  for (const Case& corpus : cases) {
    fits.push_back(std::make_unique<Fit>(corpus.path, topics, 0));
    fits.back()->step(30);
  }
  for (int turn = 0; turn < 8; ++turn) {
    for (const auto& fit : fits) {
      fit->step(10);
      for (int i = 0; i < 10; ++i) {
        constexpr int steps = 4;
        const double begin = processor_seconds();
        fit->step(steps);
        fit->seconds.push_back((processor_seconds() - begin) / steps);
      }
    }
  }
  std::printf(
      "| documents | V | ms a step, least | median | ms to open | ms to make the optimizer | MB of memory | MB of "
      "lambda |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double lambda = static_cast<double>(cases[i].vocabulary * ((topics + 15) / 16 * 16)) * 4 / (1 << 20);
    fits[i]->sort_seconds();
    std::printf("| %lld | %lld | %.2f | %.2f | %.1f | %.1f | %.1f | %.1f |\n", static_cast<long long>(cases[i].rows),
                static_cast<long long>(cases[i].vocabulary), 1e3 * fits[i]->seconds.front(),
                1e3 * fits[i]->seconds[fits[i]->seconds.size() / 2], 1e3 * fits[i]->open, 1e3 * fits[i]->start,
                megabytes[i], lambda);
  }
  fits.clear();
  for (const Case& corpus : cases) unlink(corpus.path.c_str());
  rmdir(folder.c_str());
  return 0;
}
