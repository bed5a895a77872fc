// Groups of many ranks, threads of this process, that take steps of LDA (svi); what each sends is counted. Run by
// many_ranks.py.
//
//   many_ranks_bench <corpus> <exchange> <ranks> <topics> <rows a rank and step> <steps>
//
// Of the corpus, in any format, the first rows are taken, as many as the steps have. Prints a line for each rank:
// bytes that the library tells of, bytes and messages that were seen, of all steps together; then the seconds of the
// processor and the most MB that the process had.

#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vtemper/vtemper.h>

namespace {

void call(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  std::fprintf(stderr, "%s\n", vtemper_last_error());
  std::exit(1);
}

/// What the ranks share. A reduction costs as much as all their numbers together, not that for each of them.
class Ranks {
 public:
  explicit Ranks(int count) : count_(count), posts_(static_cast<size_t>(count)) {}
  int count() const { return count_; }

  struct Rank {
    Ranks* all;
    int number;
    int64_t bytes = 0, messages = 0;
    std::vector<int64_t> places;  ///< of what it gives to each rank
  };

  /// Waits for all; the last one does `work` before any goes on.
  template <class Work>
  void meet(const Work& work) {
    std::unique_lock<std::mutex> lock(mutex_);
    const int64_t turn = turn_;
    if (++waiting_ == count_) {
      work();
      waiting_ = 0;
      ++turn_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return turn_ != turn; });
  }

  static int reduce(void* values, int64_t count, vtemper_element type, vtemper_reduction how, void* user) {
    const Rank& rank = *static_cast<Rank*>(user);
    switch (type) {
      case VTEMPER_INT32:
        return rank.all->reduce_values(rank, static_cast<int32_t*>(values), count, how);
      case VTEMPER_INT64:
        return rank.all->reduce_values(rank, static_cast<int64_t*>(values), count, how);
      case VTEMPER_FLOAT:
        return rank.all->reduce_values(rank, static_cast<float*>(values), count, how);
      default:
        return rank.all->reduce_values(rank, static_cast<double*>(values), count, how);
    }
  }

  static int exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes, void* user) {
    Rank& rank = *static_cast<Rank*>(user);
    Ranks& all = *rank.all;
    rank.places.resize(static_cast<size_t>(all.count_));
    int64_t place = 0;
    for (int to = 0; to < all.count_; ++to) {
      rank.places[static_cast<size_t>(to)] = place;
      place += out_bytes[to];
      if (to == rank.number || out_bytes[to] == 0) continue;
      rank.bytes += out_bytes[to];
      ++rank.messages;
    }
    all.posts_[static_cast<size_t>(rank.number)] = {static_cast<const char*>(out), rank.places.data()};
    all.meet([] {});
    char* next = static_cast<char*>(in);
    for (int from = 0; from < all.count_; ++from) {
      const Post& post = all.posts_[static_cast<size_t>(from)];
      if (in_bytes[from] > 0) {
        std::memcpy(next, post.out + post.places[rank.number], static_cast<size_t>(in_bytes[from]));
      }
      next += in_bytes[from];
    }
    all.meet([] {});
    return 0;
  }

 private:
  struct Post {
    const char* out = nullptr;
    const int64_t* places = nullptr;
  };

  template <class Number>
  int reduce_values(const Rank& rank, Number* values, int64_t count, vtemper_reduction how) {
    posts_[static_cast<size_t>(rank.number)].out = reinterpret_cast<const char*>(values);
    const auto bytes = static_cast<size_t>(count) * sizeof(Number);
    meet([&] {
      result_.resize(bytes);
      auto* const result = reinterpret_cast<Number*>(result_.data());
      std::memcpy(result, posts_[0].out, bytes);
      for (size_t other = 1; other < posts_.size(); ++other) {
        const auto* const more = reinterpret_cast<const Number*>(posts_[other].out);
        for (int64_t i = 0; i < count; ++i) {
          result[i] = how == VTEMPER_SUM   ? result[i] + more[i]
                      : how == VTEMPER_MIN ? std::min(result[i], more[i])
                                           : std::max(result[i], more[i]);
        }
      }
    });
    std::memcpy(values, result_.data(), bytes);
    meet([] {});
    return 0;
  }

  const int count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Post> posts_;
  std::vector<char> result_;
  int waiting_ = 0;
  int64_t turn_ = 0;
};

using Texts = std::vector<std::pair<const char*, std::string>>;

vtemper_options* options_of(const Texts& texts) {
  vtemper_options* options = nullptr;
  call(vtemper_options_create(&options));
  for (const auto& [name, text] : texts) call(vtemper_options_set(options, name, text.c_str()));
  return options;
}

struct Sent {
  int64_t told = 0, bytes = 0, messages = 0;
};

Sent steps_of_rank(Ranks& ranks, int number, const vtemper_data* rows, const Texts& of_model, const Texts& of_run,
                   int64_t steps) {
  Ranks::Rank rank{&ranks, number, 0, 0, {}};
  int64_t count = 0;
  call(vtemper_data_rows(rows, &count));
  const int64_t first = count * number / ranks.count(), end = count * (number + 1) / ranks.count();
  vtemper_data *own = nullptr, *spread = nullptr;
  vtemper_group* group = nullptr;
  call(vtemper_data_slice(rows, first, end - first, &own));
  call(vtemper_group_create(number, ranks.count(), Ranks::reduce, Ranks::exchange, nullptr, &rank, &group));
  call(vtemper_data_spread(own, group, &spread));
  vtemper_options *model_options = options_of(of_model), *run_options = options_of(of_run);
  vtemper_model* model = nullptr;
  vtemper_optimizer* run = nullptr;
  call(vtemper_model_create("lda", model_options, &model));
  call(vtemper_optimizer_create(model, spread, run_options, &run));
  const int64_t bytes = rank.bytes, messages = rank.messages;
  vtemper_report report{};
  report.struct_size = sizeof report;
  call(vtemper_optimizer_step(run, steps, &report));
  const Sent sent = {report.bytes_sent, rank.bytes - bytes, rank.messages - messages};
  ranks.meet([] {});
  vtemper_optimizer_destroy(run);
  vtemper_model_destroy(model);
  vtemper_options_destroy(model_options);
  vtemper_options_destroy(run_options);
  vtemper_data_destroy(spread);
  vtemper_data_destroy(own);
  vtemper_group_destroy(group);
  return sent;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::fprintf(stderr, "usage: many_ranks_bench <corpus> <exchange> <ranks> <topics> <rows> <steps>\n");
    return 2;
  }
  const int64_t number = std::atoll(arguments[3]), rows_of_step = number * std::atoll(arguments[5]);
  const int64_t steps = std::atoll(arguments[6]);
  vtemper_data *corpus = nullptr, *rows = nullptr;
  call(vtemper_data_read(arguments[1], nullptr, &corpus));
  int64_t all = 0;
  call(vtemper_data_rows(corpus, &all));
  call(vtemper_data_slice(corpus, 0, std::min(all, rows_of_step * steps), &rows));
  const Texts of_model = {{"topics", arguments[4]}};
  const Texts of_run = {{"method", "svi"},
                        {"seed", "1"},
                        {"threads", "1"},
                        {"report_every", "1000000"},
                        {"max_passes", "100"},
                        {"exchange", arguments[2]},
                        {"batch_size", std::to_string(rows_of_step)}};
  Ranks ranks(static_cast<int>(number));
  std::vector<Sent> sent(static_cast<size_t>(number));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks.count(); ++rank) {
    threads.emplace_back(
        [&, rank] { sent[static_cast<size_t>(rank)] = steps_of_rank(ranks, rank, rows, of_model, of_run, steps); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Sent& of_rank : sent) {
    std::printf("%lld %lld %lld\n", static_cast<long long>(of_rank.told), static_cast<long long>(of_rank.bytes),
                static_cast<long long>(of_rank.messages));
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  std::printf("%.1f %.0f\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
              static_cast<double>(usage.ru_maxrss) / 1024);
  vtemper_data_destroy(rows);
  vtemper_data_destroy(corpus);
  return 0;
}
