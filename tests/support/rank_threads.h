#pragma once
// A group whose ranks are threads of one process, connected by the public interface alone. A rank that ends or throws
// leaves the group, and the others learn that it is lost, as if its process had died.

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <vtemper/vtemper.h>

namespace vtemper::test {

/// The state that the ranks share.
class RankThreads {
 public:
  explicit RankThreads(int ranks) : ranks_(ranks), posts_(static_cast<size_t>(ranks)) {}

  /// Runs `rank(number)` on a thread for each rank.
  void run(const std::function<void(int)>& rank) {
    std::vector<std::thread> threads;
    for (int number = 0; number < ranks_; ++number) {
      threads.emplace_back([this, &rank, number] {
        rank(number);
        leave();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  /// The group as rank `number` sees it; NULL if it is refused.
  vtemper_group* connect(int number) {
    auto* seat = new Seat{this, number, 0};
    vtemper_group* group = nullptr;
    const vtemper_status status = vtemper_group_create(
        number, ranks_, reduce, exchange, [](void* user) { delete static_cast<Seat*>(user); }, seat, &group);
    if (status != VTEMPER_OK) delete seat;
    return group;
  }

  /// Makes rank `number` lose the others at its call number `calls`, of either function: from then on the functions
  /// return `answer`.
  void lose_at(int number, int64_t calls, int answer) {
    loser_ = number;
    last_call_ = calls;
    answer_ = answer;
  }

  /// Bytes that all ranks have sent to others.
  int64_t bytes() const { return bytes_; }
  /// Whether this thread is in one of the group's functions, where a failure would be the test's own.
  static inline thread_local bool in_call = false;
  /// Number of calls made by rank 0.
  int64_t calls() const { return calls_of_rank_0_; }

 private:
  struct Seat {
    RankThreads* all;
    int number;
    int64_t calls;
  };
  struct InCall {
    InCall() { in_call = true; }
    InCall(const InCall&) = delete;
    InCall& operator=(const InCall&) = delete;
    ~InCall() { in_call = false; }
  };
  struct Post {
    const void* out = nullptr;
    const int64_t* out_bytes = nullptr;
  };

  const int ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Post> posts_;
  int waiting_ = 0, gone_ = 0;
  int64_t turn_ = 0, bytes_ = 0, calls_of_rank_0_ = 0;
  bool broken_ = false;
  int loser_ = -1, answer_ = 0;
  int64_t last_call_ = 0;

  void leave() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++gone_;
    changed_.notify_all();
  }

  /// Waits for all ranks; false if one is gone.
  bool meet() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (broken_ || gone_ > 0) {
      broken_ = true;
      changed_.notify_all();
      return false;
    }
    const int64_t turn = turn_;
    if (++waiting_ == ranks_) {
      waiting_ = 0;
      ++turn_;
      changed_.notify_all();
      return true;
    }
    changed_.wait(lock, [&] { return turn_ != turn || gone_ > 0 || broken_; });
    if (turn_ != turn) return true;
    broken_ = true;
    changed_.notify_all();
    return false;
  }

  /// Counts the call; true if the rank has lost the others by now.
  bool loses(Seat& seat) {
    ++seat.calls;
    if (seat.number == 0) calls_of_rank_0_ = seat.calls;
    if (seat.number != loser_ || seat.calls < last_call_) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    broken_ = true;
    changed_.notify_all();
    return true;
  }

  template <class T>
  static void combine(T* into, const T* more, int64_t count, vtemper_reduction how) {
    for (int64_t i = 0; i < count; ++i) {
      into[i] = how == VTEMPER_SUM   ? into[i] + more[i]
                : how == VTEMPER_MIN ? std::min(into[i], more[i])
                                     : std::max(into[i], more[i]);
    }
  }

  template <class T>
  int reduce_values(Seat& seat, T* values, int64_t count, vtemper_reduction how) {
    posts_[static_cast<size_t>(seat.number)].out = values;
    if (!meet()) return 1;
    std::vector<T> result(static_cast<const T*>(posts_[0].out), static_cast<const T*>(posts_[0].out) + count);
    for (int rank = 1; rank < ranks_; ++rank) {
      combine(result.data(), static_cast<const T*>(posts_[static_cast<size_t>(rank)].out), count, how);
    }
    if (!meet()) return 1;
    std::copy(result.begin(), result.end(), values);
    return 0;
  }

  static int reduce(void* values, int64_t count, vtemper_element type, vtemper_reduction how, void* user) {
    const InCall here;
    Seat& seat = *static_cast<Seat*>(user);
    if (seat.all->loses(seat)) return seat.all->answer_;
    switch (type) {
      case VTEMPER_INT32:
        return seat.all->reduce_values(seat, static_cast<int32_t*>(values), count, how);
      case VTEMPER_INT64:
        return seat.all->reduce_values(seat, static_cast<int64_t*>(values), count, how);
      case VTEMPER_FLOAT:
        return seat.all->reduce_values(seat, static_cast<float*>(values), count, how);
      default:
        return seat.all->reduce_values(seat, static_cast<double*>(values), count, how);
    }
  }

  static int exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes, void* user) {
    const InCall here;
    Seat& seat = *static_cast<Seat*>(user);
    RankThreads& all = *seat.all;
    if (all.loses(seat)) return all.answer_;
    all.posts_[static_cast<size_t>(seat.number)] = {out, out_bytes};
    if (!all.meet()) return 1;
    char* next = static_cast<char*>(in);
    int64_t sent = 0;
    for (int rank = 0; rank < all.ranks_; ++rank) {
      const Post& post = all.posts_[static_cast<size_t>(rank)];
      int64_t first = 0;
      for (int before = 0; before < seat.number; ++before) first += post.out_bytes[before];
      if (post.out_bytes[seat.number] != in_bytes[rank]) return 2;  // sent and expected sizes differ
      if (in_bytes[rank] > 0) {
        std::memcpy(next, static_cast<const char*>(post.out) + first, static_cast<size_t>(in_bytes[rank]));
      }
      next += in_bytes[rank];
      if (rank != seat.number) sent += out_bytes[rank];
    }
    if (!all.meet()) return 1;
    const std::lock_guard<std::mutex> lock(all.mutex_);
    all.bytes_ += sent;
    return 0;
  }
};

}  // namespace vtemper::test
