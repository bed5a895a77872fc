#include "group/group.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>

#include <xxhash.h>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr int64_t nothing = std::numeric_limits<int64_t>::min();
/// Maximum length of a message that ranks send one another; longer ones are truncated.
constexpr size_t max_bytes = 2048;
/// Maximum length of the part of a value that is told.
constexpr int64_t max_part = 200;

/// Neither `nothing` nor its negative, so that the maximum and the minimum can be computed by two max-reductions.
int64_t hash_of(std::string_view text) {
  return static_cast<int64_t>(XXH3_64bits(text.data(), text.size()) >> 2);
}

int64_t hash_of(const Group::Shared& value) {
  return hash_of(value.name + '\0' + value.value);
}

/// The buffer of a text that one rank sends to all: it takes the text, the others have zeros. All on the stack.
struct Letters {
  int64_t numbers[max_bytes] = {};
  char text[max_bytes + 1] = {};

  void take(std::string_view own) {
    for (size_t i = 0; i < std::min(own.size(), max_bytes); ++i) numbers[i] = static_cast<unsigned char>(own[i]);
  }
  void write() {
    for (size_t i = 0; i < max_bytes; ++i) text[i] = static_cast<char>(numbers[i]);
  }
};

/// The part of a long value that is told: the surroundings of its first difference from another.
class ToldPart {
 public:
  /// `longest`: the length of the longer of the two values.
  ToldPart(int64_t difference, int64_t longest)
      : begin_(longest <= max_part ? 0 : std::max<int64_t>(0, difference - max_part / 2)) {}

  /// Cut between characters.
  std::string_view of(std::string_view value) const {
    size_t begin = std::min(static_cast<size_t>(begin_), value.size());
    size_t end = std::min(begin + max_part, value.size());
    const auto is_within = [&](size_t place, size_t cut) {
      return place < value.size() && cut < 3 && (static_cast<unsigned char>(value[place]) & 0xc0) == 0x80;
    };
    for (size_t cut = 0; begin > 0 && is_within(begin, cut); ++cut) ++begin;
    for (size_t cut = 0; end > begin && is_within(end, cut); ++cut) --end;
    return value.substr(begin, end - begin);
  }
  /// With marks where something of the value, whose length this is, was left out.
  std::string told(const char* text, int64_t length) const {
    return message(begin_ > 0 ? "..." : "", text, length - begin_ > max_part ? "..." : "");
  }

 private:
  int64_t begin_;
};

/// On the stack, so that a rank without free memory can still report that.
struct Described {
  vtemper_status status = VTEMPER_OK;
  char message[max_bytes] = {};

  void set(vtemper_status its_status, const char* text) {
    status = its_status;
    std::strncpy(message, text, max_bytes - 1);
  }
};

/// Status and message of the exception in flight.
void describe_exception(Described& described) {
  try {
    throw;
  } catch (const Error& error) {
    described.set(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    described.set(VTEMPER_ERROR_MEMORY, "out of memory");
  } catch (const std::length_error&) {
    described.set(VTEMPER_ERROR_MEMORY, "out of memory: an array would be larger than the address space");
  } catch (const std::exception& exception) {
    described.set(VTEMPER_ERROR_INTERNAL, exception.what());
  } catch (...) {
    described.set(VTEMPER_ERROR_INTERNAL, "an unknown exception");
  }
}

}  // namespace

Group::Group(int rank, int ranks, const Connection& connection)
    : rank_(rank), ranks_(ranks), connection_(connection) {}

void Group::require_connected() const {
  if (!lost_) return;
  throw Error(VTEMPER_ERROR_PEER,
              message("the group of ", ranks_, " ranks has lost one of them in an earlier call, so ",
                      "nothing can be summed over it any more; resume from a checkpoint with a ", "new group"));
}

void Group::lose(const char* function, int answer) {
  lost_ = true;
  throw Error(VTEMPER_ERROR_PEER, message("the group of ", ranks_, " ranks has lost one of them: its ", function,
                                          " function returned ", answer, " on rank ", rank_));
}

void Group::require_sound(bool is_sound, const char* function) {
  if (is_sound) return;
  lost_ = true;
  throw Error(VTEMPER_ERROR_PEER, message("on rank ", rank_, " the ", function, " function of the group of ", ranks_,
                                          " ranks did not deliver the bytes that were sent"));
}

template <class Call>
void Group::communicate(const char* function, const Call& call) {
  if (busy_.exchange(true)) {
    throw Error(VTEMPER_ERROR_STATE,
                message("the group of ", ranks_, " ranks is in a call of another thread; one group ",
                        "serves one call at a time"));
  }
  const auto start = std::chrono::steady_clock::now();
  const int answer = call();
  seconds_waiting_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  busy_ = false;
  if (answer != 0) lose(function, answer);
}

void Group::reduce_to_largest(int64_t* values, int64_t count) {
  require_connected();
  if (ranks_ == 1) return;
  communicate("reduce",
              [&] { return connection_.reduce(values, count, VTEMPER_INT64, VTEMPER_MAX, connection_.user); });
}

void Group::exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes) {
  require_connected();
  if (ranks_ == 1) {
    if (out_bytes[0] > 0) std::memcpy(in, out, static_cast<size_t>(out_bytes[0]));
    return;
  }
  communicate("exchange", [&] { return connection_.exchange(out, out_bytes, in, in_bytes, connection_.user); });
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank != rank_) bytes_sent_ += out_bytes[rank];
  }
}

/// Short enough for the stack, so that a rank without free memory can still report that.
std::string Group::text_of(int from, std::string_view own) {
  Letters letters = {};
  if (from == rank_) letters.take(own);
  reduce_to_largest(letters.numbers, max_bytes);
  letters.write();
  return letters.text;
}

Group::Failure Group::first_failure(Section section, Told& told, bool failed) {
  const auto number = static_cast<uint64_t>(section.number);
  const bool is_any = section.name == nullptr;
  const auto tag =
      is_any ? nothing
             : static_cast<int64_t>(XXH3_64bits_withSeed(section.name, std::strlen(section.name), number) >> 2);
  // Largest for the lowest rank that failed; the section, twice; the values broadcast by rank 0.
  int64_t word[3 + std::tuple_size_v<Told>];
  word[0] = failed ? ranks_ - rank_ : 0;
  word[1] = tag;
  word[2] = is_any ? nothing : -tag;
  for (size_t i = 0; i < told.size(); ++i) word[3 + i] = rank_ == 0 ? told[i] : nothing;
  reduce_to_largest(word, std::size(word));
  is_told_ = true;  // reset below if no rank failed
  if (word[1] != nothing && word[1] != -word[2]) {
    const std::string here = is_any ? std::string("a call that failed") : message(section.name, " ", section.number);
    throw Error(VTEMPER_ERROR_STATE,
                message("the ", ranks_, " ranks of the group are in different calls: rank ", rank_, " is in ", here,
                        "; all must make the same calls in the same order"));
  }
  for (size_t i = 0; i < told.size(); ++i) told[i] = word[3 + i];
  Failure failure;
  if (word[0] == 0) {
    is_told_ = false;
    return failure;
  }
  failure.rank = ranks_ - static_cast<int>(word[0]);
  const bool own = failed && failure.rank == rank_;
  Described described;
  if (own) describe_exception(described);
  int64_t status = own ? described.status : 0;
  reduce_to_largest(&status, 1);
  failure.status = static_cast<vtemper_status>(status);
  failure.message = text_of(failure.rank, described.message);
  return failure;
}

/// The caller throws the local error even if reporting it to the other ranks fails.
void Group::tell_failure(Section section) noexcept {
  try {
    Told told{};
    first_failure(section, told, true);
  } catch (...) {
  }
}

Group::Told Group::meet(Section section, Told told) {
  if (ranks_ == 1) return told;
  const Failure failure = first_failure(section, told, false);
  if (failure.rank < 0) return told;
  throw Error(failure.status == VTEMPER_CANCELLED ? VTEMPER_CANCELLED : VTEMPER_ERROR_PEER,
              message("rank ", failure.rank, " of ", ranks_, ": ", failure.message));
}

void Group::require_equal(Section section, vtemper_status status, const std::vector<Shared>& values) {
  if (ranks_ == 1) return;
  std::vector<int64_t> own, hashes;
  const Section counted = {section.name, section.number + static_cast<int64_t>(values.size())};
  run_locally(counted, [&] {
    for (const Shared& value : values) {
      own.push_back(hash_of(value));
      hashes.push_back(own.back());
      hashes.push_back(-own.back());
    }
    return Told{};
  });
  reduce_to_largest(hashes.data(), static_cast<int64_t>(hashes.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    if (hashes[2 * i] == -hashes[2 * i + 1]) continue;
    refuse_different(status, values[i], own[i]);
  }
}

/// Nothing may fail between the reductions, or the other ranks would wait for the next one. What decides about the
/// next one is a result of those before, which is the same on all ranks.
void Group::refuse_different(vtemper_status status, const Shared& own, int64_t hash) {
  is_told_ = true;
  int64_t of_rank_0 = rank_ == 0 ? hash : nothing;
  reduce_to_largest(&of_rank_0, 1);
  int64_t differs = hash != of_rank_0 ? ranks_ - rank_ : 0;
  reduce_to_largest(&differs, 1);
  require_sound(differs > 0 && differs < ranks_, "reduce");
  const int other = ranks_ - static_cast<int>(differs);
  const auto of_both = [&](int64_t number) {
    std::array<int64_t, 2> both = {rank_ == 0 ? number : nothing, rank_ == other ? number : nothing};
    reduce_to_largest(both.data(), 2);
    return both;
  };
  const std::string_view value = own.value;
  const std::array<int64_t, 2> lengths = of_both(static_cast<int64_t>(value.size()));
  int64_t same = 0, most = std::min(lengths[0], lengths[1]);  // limits of the length of the common beginning
  require_sound(most >= 0, "reduce");
  while (same < most) {
    const int64_t middle = most - (most - same) / 2;
    const std::array<int64_t, 2> beginnings = of_both(hash_of(value.substr(0, static_cast<size_t>(middle))));
    if (beginnings[0] == beginnings[1]) {
      same = middle;
    } else {
      most = middle - 1;
    }
  }
  const ToldPart part(same, std::max(lengths[0], lengths[1]));
  Letters first, second;
  if (rank_ == 0) first.take(part.of(value));
  if (rank_ == other) second.take(part.of(value));
  reduce_to_largest(first.numbers, max_part);
  reduce_to_largest(second.numbers, max_part);
  first.write();
  second.write();
  throw Error(status, message("the ranks of the group differ: ", own.name, " is ", part.told(first.text, lengths[0]),
                              " on rank 0 and ", part.told(second.text, lengths[1]), " on rank ", other));
}

std::vector<Group::Shared> shared_options(const OptionTable& table, const Options& options) {
  std::vector<Group::Shared> all;
  for (const OptionEntry& entry : table) {
    const std::string* text = options.find(entry.name);
    if (std::string_view(entry.name) == "threads") continue;
    all.push_back({std::string("option ") + entry.name, text != nullptr ? *text : std::string("not given")});
  }
  return all;
}

std::vector<double> Group::gather(const double* own, int64_t count) {
  std::vector<double> all, copies;
  std::vector<int64_t> bytes;
  run_locally({"gathering numbers", count}, [&] {
    all.resize(static_cast<size_t>(count * ranks_));
    for (int rank = 0; rank < ranks_; ++rank) copies.insert(copies.end(), own, own + count);
    bytes.assign(static_cast<size_t>(ranks_), count * static_cast<int64_t>(sizeof(double)));
    return Told{};
  });
  exchange(copies.data(), bytes.data(), all.data(), bytes.data());
  require_sound(std::memcmp(all.data() + rank_ * count, own, static_cast<size_t>(bytes[0])) == 0);
  return all;
}

std::vector<int64_t> Group::gather_count(int64_t own) {
  constexpr double most = 9007199254740992.0;  // 2^53: integers up to this are exact in double
  const auto number = static_cast<double>(own);
  std::vector<int64_t> counts;
  double total = 0;
  for (const double one : gather(&number, 1)) {
    require_sound(one >= 0 && one == std::floor(one) && (total += one) <= most);
    counts.push_back(static_cast<int64_t>(one));
  }
  return counts;
}

std::vector<std::vector<char>> Group::gather(const std::vector<char>& own) {
  const std::vector<int64_t> in_bytes = gather_count(static_cast<int64_t>(own.size()));
  const int64_t total = std::accumulate(in_bytes.begin(), in_bytes.end(), int64_t{0});
  std::vector<int64_t> out_bytes;
  std::vector<char> copies, all;
  run_locally({"gathering", total}, [&] {
    out_bytes.assign(static_cast<size_t>(ranks_), static_cast<int64_t>(own.size()));
    for (int rank = 0; rank < ranks_; ++rank) copies.insert(copies.end(), own.begin(), own.end());
    all.resize(static_cast<size_t>(total));
    return Told{};
  });
  exchange(copies.data(), out_bytes.data(), all.data(), in_bytes.data());
  std::vector<std::vector<char>> parts;
  auto from = all.begin();
  for (const int64_t length : in_bytes) {
    parts.emplace_back(from, from + length);
    from += length;
  }
  return parts;
}

}  // namespace vtemper
