// WarpLDA, a peer with O(1) operations a token: Chen, Li, Zhu, Chen: WarpLDA, a cache efficient O(1) algorithm for
// latent Dirichlet allocation. Proc. VLDB Endowment 9 (2016), algorithm 2. Run by warp_lda.py.
//
//   warp_lda_bench <topics> <alpha> <beta> <proposals> <seed> <seconds> <looks> <folder> < documents
//
// documents: LDA-C, lines "<entries> <word>:<count> ...". After each share of the seconds (of the processor, without
// reading) writes <folder>/<look>.counts, the tokens of every word in every topic as 32-bit integers, word by word,
// and prints "<look> <seconds> <sweeps>".

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace {

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// xorshift64* (Vigna 2016): draws are most of a sampler's arithmetic.
struct Random {
  uint64_t state;
  uint64_t bits() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717ULL;
  }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Below a size that fits 32 bits.
  int32_t below(int64_t size) { return static_cast<int32_t>(((bits() >> 32) * static_cast<uint64_t>(size)) >> 32); }
};

/// Counts of topics of a word or document: cleared by visiting what was counted.
struct TopicCounts {
  std::vector<int32_t> of_topic;
  explicit TopicCounts(int64_t topics) : of_topic(static_cast<size_t>(topics)) {}
  int32_t& operator[](int32_t topic) { return of_topic[static_cast<size_t>(topic)]; }
};

struct Corpus {
  std::vector<int64_t> document_end, word_end;
  std::vector<int32_t> places;  ///< tokens word by word: their places in the order of the documents
};

struct Sampler {
  int64_t topics, proposals;
  double alpha, beta;
  Random random;
  const Corpus* corpus;
  std::vector<int32_t> assigned;  ///< topic of each token, document by document
  std::vector<int32_t> proposed;  ///< `proposals` topics a token
  std::vector<int64_t> totals;    ///< tokens of each topic, as they were before the phase
  std::vector<int32_t> seen;      ///< topics of the tokens under visit

  double smoothed_total(int32_t topic) const {
    return static_cast<double>(totals[static_cast<size_t>(topic)]) +
           beta * static_cast<double>(corpus->word_end.size());
  }

  /// A word or a document in turn: `count` tokens, `place(i)` where they are. Its tokens go through the proposals of
  /// the other phase, accepted by (C_t + prior) / (C_s + prior) times what is left of the targets' ratio, and get
  /// proposals prop. to C_k + prior anew: the topic of a token of its own drawn at random, or any topic.
  template <class Place>
  void visit(int64_t count, const Place& place, double prior, TopicCounts& counts) {
    seen.clear();
    for (int64_t i = 0; i < count; ++i) {
      seen.push_back(assigned[place(i)]);
      ++counts[seen.back()];
    }
    for (int64_t i = 0; i < count; ++i) {
      const size_t token = place(i);
      int32_t now = assigned[token];
      for (int64_t m = 0; m < proposals; ++m) {
        const int32_t next = proposed[token * static_cast<size_t>(proposals) + static_cast<size_t>(m)];
        if (next == now) continue;
        // The counts are those before the visit (delayed updates).
        const double ratio = (static_cast<double>(counts[next]) + prior) * smoothed_total(now) /
                             ((static_cast<double>(counts[now]) + prior) * smoothed_total(next));
        if (ratio >= 1 || random.uniform() < ratio) now = next;
      }
      assigned[token] = now;
    }
    for (const int32_t topic : seen) counts[topic] = 0;
    const double own = static_cast<double>(count);
    const double of_counts = own / (own + prior * static_cast<double>(topics));
    seen.clear();
    for (int64_t i = 0; i < count; ++i) seen.push_back(assigned[place(i)]);
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t m = 0; m < proposals; ++m) {
        const bool own_topic = random.uniform() < of_counts;
        proposed[place(i) * static_cast<size_t>(proposals) + static_cast<size_t>(m)] =
            own_topic ? seen[static_cast<size_t>(random.below(count))] : random.below(topics);
      }
    }
  }

  void recount() {
    totals.assign(totals.size(), 0);
    for (const int32_t topic : assigned) ++totals[static_cast<size_t>(topic)];
  }

  void sweep(TopicCounts& counts) {
    int64_t begin = 0;
    for (const int64_t end : corpus->word_end) {
      const int32_t* places = corpus->places.data() + begin;
      visit(
          end - begin, [&](int64_t i) { return static_cast<size_t>(places[i]); }, beta, counts);
      begin = end;
    }
    recount();
    begin = 0;
    for (const int64_t end : corpus->document_end) {
      visit(
          end - begin, [&](int64_t i) { return static_cast<size_t>(begin + i); }, alpha, counts);
      begin = end;
    }
    recount();
  }
};

Corpus read_documents() {
  Corpus corpus;
  std::vector<std::pair<int32_t, int32_t>> tokens;  // word, place
  long entries = 0;
  while (std::scanf("%ld", &entries) == 1) {
    for (long i = 0; i < entries; ++i) {
      int word = 0, count = 0;
      if (std::scanf(" %d:%d", &word, &count) != 2 || word < 0) std::exit(1);
      for (int n = 0; n < count; ++n) tokens.emplace_back(word, static_cast<int32_t>(tokens.size()));
    }
    corpus.document_end.push_back(static_cast<int64_t>(tokens.size()));
  }
  int32_t words = 0;
  for (const auto& token : tokens) words = token.first >= words ? token.first + 1 : words;
  corpus.word_end.assign(static_cast<size_t>(words), 0);
  for (const auto& token : tokens) ++corpus.word_end[static_cast<size_t>(token.first)];
  int64_t end = 0;
  std::vector<int64_t> next;
  for (int64_t& of_word : corpus.word_end) {
    next.push_back(end);
    end += of_word;
    of_word = end;
  }
  corpus.places.resize(tokens.size());
  for (const auto& [word, place] : tokens) {
    corpus.places[static_cast<size_t>(next[static_cast<size_t>(word)]++)] = place;
  }
  return corpus;
}

void write_counts(const Sampler& sampler, const std::string& path) {
  const size_t topics = static_cast<size_t>(sampler.topics);
  std::vector<int32_t> row(topics);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) std::exit(1);
  int64_t begin = 0;
  for (const int64_t end : sampler.corpus->word_end) {
    row.assign(topics, 0);
    for (int64_t i = begin; i < end; ++i) {
      const int32_t place = sampler.corpus->places[static_cast<size_t>(i)];
      ++row[static_cast<size_t>(sampler.assigned[static_cast<size_t>(place)])];
    }
    begin = end;
    if (std::fwrite(row.data(), sizeof(int32_t), topics, file) != topics) std::exit(1);
  }
  std::fclose(file);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 9) {
    std::fprintf(stderr, "usage: warp_lda_bench topics alpha beta proposals seed seconds looks folder < documents\n");
    return 2;
  }
  const Corpus corpus = read_documents();
  Sampler sampler{std::atol(arguments[1]),
                  std::atol(arguments[4]),
                  std::atof(arguments[2]),
                  std::atof(arguments[3]),
                  {0x9E3779B97F4A7C15ULL ^ static_cast<uint64_t>(std::atol(arguments[5]))},
                  &corpus,
                  {},
                  {},
                  {},
                  {}};
  const double seconds = std::atof(arguments[6]);
  const int looks = std::atoi(arguments[7]);
  double begin = processor_seconds();
  sampler.assigned.resize(corpus.places.size());
  for (int32_t& topic : sampler.assigned) topic = sampler.random.below(sampler.topics);
  sampler.proposed.resize(corpus.places.size() * static_cast<size_t>(sampler.proposals));
  for (int32_t& topic : sampler.proposed) topic = sampler.random.below(sampler.topics);
  sampler.totals.resize(static_cast<size_t>(sampler.topics));
  sampler.recount();
  TopicCounts counts(sampler.topics);
  int sweeps = 0;
  for (int look = 1; look <= looks; ++look) {
    while (processor_seconds() - begin < seconds * look / looks) {
      sampler.sweep(counts);
      ++sweeps;
    }
    const double now = processor_seconds();
    write_counts(sampler, std::string(arguments[8]) + "/" + std::to_string(look) + ".counts");
    std::printf("%d %.2f %d\n", look, now - begin, sweeps);
    std::fflush(stdout);
    begin += processor_seconds() - now;  // writing does not count
  }
  return 0;
}
