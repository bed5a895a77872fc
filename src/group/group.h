#pragma once
// The ranks of a group, each with a part of one corpus, as this process sees them: its collective operations.
//
// Ranks work independently between collective calls. Everything that can fail on one rank alone (memory, its rows,
// cancellation by its caller) happens in run_locally(), at whose end all ranks learn of the failure, so that none
// continues to a sum that another one never reaches. Small pieces of work may instead fail anywhere in
// propagate_failures() before a run_locally().

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <vtemper/vtemper.h>

#include "support/options.h"

namespace vtemper {

class Group {
 public:
  /// The host's communication functions.
  struct Connection {
    vtemper_reduce reduce = nullptr;
    vtemper_exchange exchange = nullptr;
    void* user = nullptr;
  };
  Group(int rank, int ranks, const Connection& connection);

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  int64_t bytes_sent() const { return bytes_sent_; }
  double seconds_waiting() const { return seconds_waiting_; }

  /// Numbers that rank 0 broadcasts at the end of a section.
  using Told = std::array<int64_t, 3>;
  /// A section of work between collective calls: its name, and a number that must be the same on all ranks, such as
  /// the step.
  struct Section {
    const char* name;
    int64_t number;
  };

  /// Does work that makes no calls of the group, then learns whether it failed on another rank. Returns the result of
  /// rank 0. A rank whose work failed throws its own error; the other ranks throw Error(PEER) with the lowest failing
  /// rank and its message, or Error(CANCELLED). Error(STATE) on all ranks if they are not in the same section.
  template <class Work>
  Told run_locally(Section section, const Work& work) {
    require_connected();
    Told told{};
    try {
      told = work();
    } catch (...) {
      tell_failure(section);
      throw;
    }
    return meet(section, told);
  }

  /// Does work that makes collective calls, the last of which is run_locally(). If it fails on one rank outside
  /// run_locally(), the others get the error at their next run_locally(), as if it had failed there. So work that can
  /// fail must precede a run_locally(), with no exchange in between.
  template <class Work>
  void propagate_failures(const Work& work) {
    is_told_ = false;
    try {
      work();
    } catch (...) {
      if (!is_told_ && !lost_ && ranks_ > 1) tell_failure({nullptr, 0});
      throw;
    }
  }

  /// A value that must be the same on all ranks. require_equal throws Error(status) on all ranks, with the rank and
  /// both values (of long ones the part around their first difference), if a value differs from that of rank 0.
  struct Shared {
    std::string name;  ///< such as "option seed"
    std::string value;
  };
  void require_equal(Section section, vtemper_status status, const std::vector<Shared>& values);

  /// Sends `out`, out_bytes[r] bytes to each rank r in turn, and receives `in`, in_bytes[r] bytes from each.
  void exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes);
  /// Error(PEER) if a rank was lost in an earlier call.
  void require_connected() const;
  /// Refuses a call of the host's function that delivered impossible values, or other bytes than this rank sent to
  /// itself.
  void require_sound(bool is_sound, const char* function = "exchange");
  /// The numbers of all ranks, which give equally many, in the order of ranks: [ranks x count].
  std::vector<double> gather(const double* own, int64_t count);
  /// One count per rank. Their sum is exact in double.
  std::vector<int64_t> gather_count(int64_t own);
  /// The bytes of all ranks, which may give different numbers of them.
  std::vector<std::vector<char>> gather(const std::vector<char>& own);

 private:
  struct Failure {
    int rank = -1;  ///< -1: none
    vtemper_status status = VTEMPER_OK;
    std::string message;
  };
  int rank_, ranks_;
  Connection connection_;
  int64_t bytes_sent_ = 0;
  double seconds_waiting_ = 0;
  std::atomic<bool> busy_{false};  ///< a thread is in one of the host's functions
  bool lost_ = false;
  bool is_told_ = false;  ///< all ranks know why the current call fails

  /// Calls a function of the host. Error(STATE) if another thread is in one, which the host's functions need not
  /// allow.
  template <class Call>
  void communicate(const char* function, const Call& call);
  void reduce_to_largest(int64_t* values, int64_t count);
  /// Refuses a value, hashed on this rank as `hash`, that differs on some rank. All ranks call it.
  [[noreturn]] void refuse_different(vtemper_status status, const Shared& own, int64_t hash);
  [[noreturn]] void lose(const char* function, int answer);
  /// The lowest rank that failed; on this rank, if `failed`, with the exception in flight. A section without a name
  /// matches any section.
  Failure first_failure(Section section, Told& told, bool failed);
  void tell_failure(Section section) noexcept;
  Told meet(Section section, Told told);
  std::string text_of(int from, std::string_view own);
};

/// Options that must be the same on all ranks: those of the table except for settings of one machine (threads).
std::vector<Group::Shared> shared_options(const OptionTable& table, const Options& options);

}  // namespace vtemper
