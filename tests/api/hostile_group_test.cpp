// A group whose functions break the header's rules, or deliver what a broken machine might send: numbers that nobody
// sent, nothing, impossible lengths and columns, infinite sums, calls of the library from within. Every call returns,
// with OK or a message, and nothing outside the arrays is read or written (which the sanitizers check). Prints the
// number of calls.

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <vtemper/vtemper.h>

#include "support/cmocka.h"
#include "support/valgrind.h"

namespace {

constexpr int64_t columns = 12, topics = 3;
long calls = 0, refused = 0;

/// Counts, dense rows or sequences of five rows.
vtemper_data* rows_of(int form) {
  const int64_t offsets[] = {0, 2, 4, 6, 8, 10};
  const int32_t indices[] = {0, 3, 1, 4, 2, 5, 6, 9, 7, 11};
  const double values[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 4};
  std::vector<double> dense(5 * 4);
  for (size_t i = 0; i < dense.size(); ++i) dense[i] = std::sin(static_cast<double>(i));
  vtemper_data* data = nullptr;
  const vtemper_status status =
      form == 0
          ? vtemper_data_from_counts(VTEMPER_BY_ROWS, 5, columns, offsets, VTEMPER_INT64, indices, VTEMPER_INT32,
                                     values, VTEMPER_DOUBLE, 0, VTEMPER_COPY, nullptr, nullptr, &data)
      : form == 1
          ? vtemper_data_from_dense(5, 4, dense.data(), VTEMPER_DOUBLE, 4, 1, VTEMPER_COPY, nullptr, nullptr, &data)
          : vtemper_data_from_sequences(5, columns, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, 0, VTEMPER_COPY,
                                        nullptr, nullptr, &data);
  assert_int_equal(status, VTEMPER_OK);
  return data;
}

/// What the only other rank, which does not exist, seems to send.
struct Peer {
  enum Way { as_own, zeros, ones, huge, not_a_number, any_bytes, half, ways };
  int way_of_exchange = as_own, way_of_reduce = as_own;
  int64_t begins_at = 0;  ///< the first exchange that is wrong
  int64_t exchanges = 0;
  uint32_t state = 1;
  vtemper_optimizer* optimizer = nullptr;  ///< called from within the functions
  vtemper_data* data = nullptr;
};

uint32_t random_of(Peer& peer) {
  peer.state = peer.state * 1664525u + 1013904223u;
  return peer.state >> 8;
}

void fill(Peer& peer, void* out, size_t bytes, int way) {
  const double numbers[] = {0, 1, 1e300, std::nan("")};
  char* to = static_cast<char*>(out);
  for (size_t i = 0; i < bytes; ++i) to[i] = static_cast<char>(random_of(peer));
  if (way == Peer::any_bytes || way == Peer::half) return;
  for (size_t i = 0; i + sizeof(double) <= bytes; i += sizeof(double)) {
    std::memcpy(to + i, &numbers[way - Peer::zeros], sizeof(double));
  }
}

int reduce(void* values, int64_t count, vtemper_element, vtemper_reduction, void* user) {
  Peer& peer = *static_cast<Peer*>(user);
  if (peer.optimizer != nullptr) {
    vtemper_report report{};
    report.struct_size = sizeof report;
    ++calls;
    assert_int_equal(vtemper_optimizer_step(peer.optimizer, 1, &report), VTEMPER_ERROR_STATE);
  }
  if (peer.way_of_reduce == Peer::any_bytes) fill(peer, values, static_cast<size_t>(count) * 8, Peer::any_bytes);
  // What rank 0 reports (3 numbers after the ranks' positions): impossible times and counts.
  if (peer.way_of_reduce == Peer::huge && count == 6) {
    for (int i = 3; i < 6; ++i) static_cast<int64_t*>(values)[i] = std::numeric_limits<int64_t>::max();
  }
  return 0;
}

int exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes, void* user) {
  Peer& peer = *static_cast<Peer*>(user);
  const bool wrong = peer.exchanges++ >= peer.begins_at;
  const auto* from = static_cast<const char*>(out);
  auto* to = static_cast<char*>(in);
  for (int rank = 0; rank < 2; ++rank) {
    const auto bytes = static_cast<size_t>(in_bytes[rank]);
    const auto sent = static_cast<size_t>(out_bytes[rank]);
    std::memset(to, 0, bytes);
    std::memcpy(to, from, bytes < sent ? bytes : sent);
    const bool is_peer = rank == 1 || peer.way_of_exchange == Peer::half;  // half: rank 0's share is wrong as well
    if (wrong && is_peer && peer.way_of_exchange != Peer::as_own) fill(peer, to, bytes, peer.way_of_exchange);
    to += bytes;
    from += sent;
  }
  return 0;
}

/// Counts the call; a refusal must have a message.
bool did(vtemper_status status) {
  ++calls;
  if (status == VTEMPER_OK) return true;
  ++refused;
  assert_true(std::strlen(vtemper_last_error()) > 15);
  if (status == VTEMPER_ERROR_INTERNAL) std::printf("INTERNAL: %s\n", vtemper_last_error());
  // INTERNAL means that the ranks got different models, and nothing else.
  assert_true(status != VTEMPER_ERROR_INTERNAL || std::strstr(vtemper_last_error(), "differ") != nullptr);
  return false;
}

const char* const kinds[][2] = {{"lda", "topics"}, {"gaussian_mixture", "components"}, {"hidden_markov", "states"}};

/// Spreads, fits and scores; ends as soon as something is refused. `exchange_of_step`: the option exchange.
void use(const Peer& like, int form, const char* method, const char* exchange_of_step) {
  Peer peer = like;
  vtemper_data *own = rows_of(form), *spread = nullptr;
  vtemper_group* group = nullptr;
  assert_int_equal(vtemper_group_create(0, 2, reduce, exchange, nullptr, &peer, &group), VTEMPER_OK);
  vtemper_options *of_model = nullptr, *of_optimizer = nullptr;
  assert_int_equal(vtemper_options_create(&of_model), VTEMPER_OK);
  assert_int_equal(vtemper_options_create(&of_optimizer), VTEMPER_OK);
  assert_int_equal(vtemper_options_set(of_model, kinds[form][1], "3"), VTEMPER_OK);
  for (const auto& [name, text] :
       {std::pair("method", method), {"threads", "1"}, {"max_iterations", "6"}, {"exchange", exchange_of_step}}) {
    assert_int_equal(vtemper_options_set(of_optimizer, name, text), VTEMPER_OK);
  }
  if (std::strcmp(method, "svi") == 0) {
    assert_int_equal(vtemper_options_set(of_optimizer, "batch_size", "4"), VTEMPER_OK);
  }
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  assert_int_equal(vtemper_model_create(kinds[form][0], of_model, &model), VTEMPER_OK);
  if (did(vtemper_data_spread(own, group, &spread)) &&
      did(vtemper_optimizer_create(model, spread, of_optimizer, &optimizer))) {
    did(vtemper_optimizer_step(optimizer, 2, nullptr));
    int64_t size = 0;
    if (did(vtemper_optimizer_save_buffer(optimizer, nullptr, 0, &size))) {
      std::vector<char> bytes(static_cast<size_t>(size));
      vtemper_optimizer* again = nullptr;
      assert_true(did(vtemper_optimizer_save_buffer(optimizer, bytes.data(), size, &size)));
      did(vtemper_optimizer_load_buffer(bytes.data(), size, spread, &again));
      vtemper_optimizer_destroy(again);
    }
    double score = 0;
    did(vtemper_model_evaluate(model, spread, nullptr, "elbo", nullptr, &score));
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_options_destroy(of_model);
  vtemper_options_destroy(of_optimizer);
  vtemper_data_destroy(spread);
  vtemper_data_destroy(own);
  vtemper_group_destroy(group);
}

void use_in_all_ways(int form, const char* method, const char* exchange_of_step) {
  for (int way = 0; way < Peer::ways; ++way) {
    for (int64_t at = 0; at < (way == Peer::as_own ? 1 : 14); at += under_valgrind() ? 3 : 1) {
      for (uint32_t seed = 1; seed <= (way == Peer::any_bytes && !under_valgrind() ? 4u : 1u); ++seed) {
        Peer peer;
        peer.way_of_exchange = way;
        peer.begins_at = at;
        peer.state = seed;
        use(peer, form, method, exchange_of_step);
      }
    }
  }
  for (const int way : {Peer::any_bytes, Peer::huge}) {
    Peer peer;
    peer.way_of_reduce = way;
    use(peer, form, method, exchange_of_step);
  }
}

void test_wrong_bytes(void**) {
  for (int form = 0; form < 3; ++form) {
    for (const char* method : {"vi", "svi"}) use_in_all_ways(form, method, "auto");
  }
  use_in_all_ways(0, "svi", "sharded");
  std::printf("%ld calls of a group whose other rank sends what it should not, %ld of them refused\n", calls,
              refused);
  assert_true(calls > 300 && refused > 50 && refused < calls);
}

/// A fit of lda to rows that are spread over this process and the peer.
class SpreadFit {
 public:
  SpreadFit(Peer& peer, const char* exchange_of_step) : own_(rows_of(0)) {
    assert_int_equal(vtemper_group_create(0, 2, reduce, exchange, nullptr, &peer, &group_), VTEMPER_OK);
    assert_int_equal(vtemper_options_create(&of_model_), VTEMPER_OK);
    assert_int_equal(vtemper_options_create(&of_optimizer_), VTEMPER_OK);
    assert_int_equal(vtemper_options_set(of_model_, "topics", "3"), VTEMPER_OK);
    assert_int_equal(vtemper_options_set(of_optimizer_, "exchange", exchange_of_step), VTEMPER_OK);
    assert_int_equal(vtemper_model_create("lda", of_model_, &model_), VTEMPER_OK);
    assert_int_equal(vtemper_data_spread(own_, group_, &spread_), VTEMPER_OK);
    assert_int_equal(vtemper_optimizer_create(model_, spread_, of_optimizer_, &optimizer), VTEMPER_OK);
  }
  SpreadFit(const SpreadFit&) = delete;
  SpreadFit& operator=(const SpreadFit&) = delete;
  ~SpreadFit() {
    vtemper_optimizer_destroy(optimizer);
    vtemper_model_destroy(model_);
    vtemper_options_destroy(of_model_);
    vtemper_options_destroy(of_optimizer_);
    vtemper_data_destroy(spread_);
    vtemper_data_destroy(own_);
    vtemper_group_destroy(group_);
  }
  vtemper_optimizer* optimizer = nullptr;

 private:
  vtemper_data *own_, *spread_ = nullptr;
  vtemper_group* group_ = nullptr;
  vtemper_options *of_model_ = nullptr, *of_optimizer_ = nullptr;
  vtemper_model* model_ = nullptr;
};

/// A rank that returns what it is sent seems to borrow the rows that this one asked it for, which are not this one's.
void test_rows_of_another_rank(void**) {
  Peer peer;
  const SpreadFit fit(peer, "sharded");
  assert_int_equal(vtemper_optimizer_step(fit.optimizer, 1, nullptr), VTEMPER_ERROR_PEER);
  assert_non_null(std::strstr(vtemper_last_error(), "the exchange function of the group of 2 ranks did not deliver"));
}

/// An optimizer that is called from its own group's functions is busy.
void test_called_from_within(void**) {
  Peer peer;
  const SpreadFit fit(peer, "auto");
  peer.optimizer = fit.optimizer;
  assert_int_equal(vtemper_optimizer_step(fit.optimizer, 2, nullptr), VTEMPER_OK);
  peer.optimizer = nullptr;
}

/// A number of ranks that does not fit in memory.
void test_ranks_beyond_memory(void**) {
  Peer peer;
  vtemper_group* group = nullptr;
  for (const int32_t ranks : {(1 << 20) + 1, std::numeric_limits<int32_t>::max()}) {
    assert_int_equal(vtemper_group_create(0, ranks, reduce, exchange, nullptr, &peer, &group),
                     VTEMPER_ERROR_ARGUMENT);
    assert_non_null(std::strstr(vtemper_last_error(), "argument ranks is"));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(test_wrong_bytes), cmocka_unit_test(test_rows_of_another_rank),
                              cmocka_unit_test(test_called_from_within), cmocka_unit_test(test_ranks_beyond_memory)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
