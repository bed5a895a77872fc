#pragma once
// The ranks of a group, each with a part of one corpus, as this process sees them: its collective operations.
//
// Ranks work independently between collective calls. Whatever can fail on one rank alone (memory, its rows,
// cancellation by its caller) happens in apart(), at whose end all ranks learn of it, so that none goes on to a sum
// that another one never reaches; or, where it is little, anywhere in telling() before an apart().

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <vtemper/vtemper.h>

#include "support/options.h"

namespace vtemper {

class Group {
 public:
  /// What the host connects the ranks by.
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

  /// Numbers that rank 0 tells all others at the end of a section.
  using Told = std::array<int64_t, 3>;
  /// A section of work between collective calls: its name, and a number that must be the same on all ranks, such as
  /// the step.
  struct Section {
    const char* name;
    int64_t number;
  };

  /// Does work that calls nothing of the group, then learns whether it failed on another rank. Returns the result of
  /// rank 0. Where the work failed its error is thrown; on the other ranks Error(PEER) with the lowest failing rank
  /// and its message, or Error(CANCELLED). Error(STATE) on all ranks that are not in the same section.
  template <class Work>
  Told apart(Section section, const Work& work) {
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

  /// Work of all ranks that calls the group, and whose last such call is apart(). Where it fails on one of them
  /// outside of apart(), the others hear of it in the next one that they come to, as if it had failed there. So what
  /// fails must lie before an apart(), not between one and an exchange.
  template <class Work>
  void telling(const Work& work) {
    is_told_ = false;
    try {
      work();
    } catch (...) {
      if (!is_told_ && !lost_ && ranks_ > 1) tell_failure({nullptr, 0});
      throw;
    }
  }

  /// Error(status) on all ranks alike, with the rank and both values, where a value is not the same as on rank 0.
  struct Shared {
    std::string name;  ///< such as "option seed"
    std::string value;
  };
  void require_equal(Section section, vtemper_status status, const std::vector<Shared>& values);

  /// Sends out [bytes to each rank] and receives in [bytes from each]; all [ranks].
  void exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes);
  /// Error(PEER) where a rank was lost in an earlier call.
  void require_connected() const;
  /// Refuses an exchange that gave back other bytes than this rank sent to itself, or impossible ones.
  void require_sound(bool is_sound);
  /// The same numbers of every rank, in the order of ranks: [ranks x count].
  std::vector<double> gather(const double* own, int64_t count);
  /// A count of every rank. Their sum stays a whole number in double.
  std::vector<int64_t> gather_count(int64_t own);
  /// Bytes of every rank, any number of them.
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
  bool lost_ = false;
  bool is_told_ = false;  ///< all ranks know why the call fails that is under way

  void reduce_to_largest(int64_t* values, int64_t count);
  [[noreturn]] void lose(const char* function, int answer);
  /// The lowest rank that failed; on this one with the exception in flight, if `failed`. A section without a name is
  /// any.
  Failure first_failure(Section section, Told& told, bool failed);
  void tell_failure(Section section) noexcept;
  Told meet(Section section, Told told);
  std::string text_of(int from, std::string_view own);
};

/// Options that all ranks are to give alike: those of the table but for what holds for one machine.
std::vector<Group::Shared> shared_options(const OptionTable& table, const Options& options);

}  // namespace vtemper
