// Topics of more than 2^31 and of more than 2^32 numbers, in files of which only a few pages are touched: every word
// has its own row, even if the index of the row needs more than 32 bits. And everything that a model does with its
// topics, compared with a small model that has only the used words; with VTEMPER_MANY_PARAMETERS=FOLDER for 2^31
// numbers and more, which takes 30 GB in that folder for some minutes.

#include <stdlib.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "evaluation/evaluate.h"
#include "models/lda/topics.h"
#include "storage/container.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr double eta = 0.1;
constexpr int64_t int_max = INT32_MAX, two_to_31 = int64_t{1} << 31, two_to_32 = int64_t{1} << 32;

/// A folder that is empty again when the test ends.
class Folder {
 public:
  explicit Folder(const std::string& within) : path_(within + "/vtemper-many-XXXXXX") {
    assert_non_null(mkdtemp(path_.data()));
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { rmdir(path_.c_str()); }
  const std::string& path() const { return path_; }
  /// Whether the folder is on a disk, where unwritten blocks take no memory and no time, with room for twice as much.
  bool has_room(int64_t bytes) const {
    constexpr auto memory = 0x01021994;  // tmpfs
    struct statfs kind;
    struct statvfs disk;
    return statfs(path_.c_str(), &kind) == 0 && kind.f_type != memory && statvfs(path_.c_str(), &disk) == 0 &&
           static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize) > 2.0 * static_cast<double>(bytes);
  }

 private:
  std::string path_;
};

// ---- Places ----

struct Size {
  int64_t topics, words;
};

/// Words at both ends, in the middle, around the rows whose places are 2^31 and 2^32, and those that a place of
/// 32 bits would mistake for them.
std::vector<int32_t> far_words(const Size& size, int64_t stride) {
  std::set<int64_t> words = {0, 1, size.words / 2, size.words - 2, size.words - 1};
  for (const int64_t place : {two_to_31, two_to_32}) {
    const int64_t at = place / stride;
    for (const int64_t word : {at - 1, at, at + 1, size.words - 1 - at, size.words - at}) {
      if (word >= 0 && word < size.words) words.insert(word);
    }
  }
  return {words.begin(), words.end()};
}

double statistic(int64_t i, int64_t topic) {
  return static_cast<double>(1 + i + topic % 7);
}

void check_rows(const Size& size) {
  const Folder folder("/tmp");
  const int64_t stride = kernels::padded(size.topics);
  assert_true(size.topics * size.words > int_max);
  if (!folder.has_room(stride * size.words * static_cast<int64_t>(sizeof(float)))) _skip(__FILE__, __LINE__);
  Topics<float> topics(size.topics, size.words, {eta}, folder.path());
  topics.make_room_as(topics);  // of zeros: nothing is drawn
  assert_int_equal(topics.row_length(), stride);

  const std::vector<int32_t> words = far_words(size, stride);
  const auto count = static_cast<int64_t>(words.size());
  Array<float> statistics(static_cast<size_t>(count * stride));
  std::vector<double> sums(static_cast<size_t>(size.topics));
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t k = 0; k < size.topics; ++k) {
      statistics[static_cast<size_t>(i * stride + k)] = static_cast<float>(statistic(i, k));
      sums[static_cast<size_t>(k)] += statistic(i, k);
    }
  }
  constexpr double rho = 0.25, scale = 3;
  Array<float> rows(static_cast<size_t>(count * topics.copy_length()));
  const auto copy_of = [&](int64_t i) { return rows.data() + i * topics.copy_length(); };
  for (int64_t i = 0; i < count; ++i) topics.copy(words[static_cast<size_t>(i)], copy_of(i));
  Topics<float>::Update update{words.data(), count, {statistics.data(), topics.row_length(), topics.parted()}};
  update.copies = rows.data();
  topics.blend(update, sums.data(), {scale, rho}, 2);

  const std::vector<int64_t> some_topics = {0, 1, size.topics / 2, size.topics - 1};
  Topics<float>::Normalizer normalizer;
  topics.normalizer(true, normalizer);
  Array<float> likelihood(static_cast<size_t>(stride));
  Spare spare;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t word = words[static_cast<size_t>(i)];
    for (const int64_t k : some_topics) {
      check_close("lambda", topics.lambda(k, word, spare), rho * (eta + scale * statistic(i, k)), 1e-6L);
      const double total = rho * (eta * static_cast<double>(size.words) + scale * sums[static_cast<size_t>(k)]);
      check_close("total", topics.total(k), total, 1e-12L);
    }
    topics.word(word, normalizer, 1, likelihood.data(), nullptr);
    for (const int64_t k : some_topics) {
      const double expected =
          topics.lambda(k, word, spare) / topics.total(k) / (topics.lambda(0, word, spare) / topics.total(0));
      check_close("likelihood",
                  static_cast<double>(likelihood[static_cast<size_t>(k)]) / static_cast<double>(likelihood[0]),
                  expected, 1e-5L);
    }
    double row_sum = 0;
    for (int64_t k = 0; k < size.topics; ++k) row_sum += topics.lambda(k, word, spare) - rho * eta;
    topics.copy(word, copy_of(i));
    check_close("sum of a row", topics.row_sum(copy_of(i)) * (1 - rho), row_sum, 1e-5L);
    // Rows beside it, and those that it would be mistaken for, hold nothing.
    for (const int64_t apart : {int64_t{1}, two_to_31 / stride, two_to_32 / stride}) {
      for (const int64_t other : {word - apart, word + apart}) {
        if (other < 0 || other >= size.words || std::binary_search(words.begin(), words.end(), other)) continue;
        for (const int64_t k : some_topics) check_close("prior", topics.lambda(k, other, spare), rho * eta, 1e-12L);
      }
    }
  }
  std::printf("%lld topics of %lld words: %.3g numbers\n", static_cast<long long>(size.topics),
              static_cast<long long>(size.words), static_cast<double>(size.topics) * static_cast<double>(size.words));
}

void rows_of_many_words(void**) {
  check_rows({16, (int64_t{1} << 27) + 9});
}

void rows_of_many_topics(void**) {
  check_rows({int64_t{1} << 16, (int64_t{1} << 16) + 9});
}

// ---- Models ----

constexpr int64_t documents = 40;

/// Documents that use few of many words.
std::shared_ptr<Data> documents_of(const std::vector<int32_t>& words, int64_t columns) {
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<double> values;
  Random random(7);
  for (int64_t row = 0; row < documents; ++row) {
    for (size_t i = 0; i < words.size(); ++i) {
      if (random.uniform() < (static_cast<int64_t>(i) % 4 == row % 4 ? 0.2 : 0.8)) continue;
      indices.push_back(words[i]);
      values.push_back(static_cast<double>(1 + random.below(5)));
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  CountsArrays arrays{};
  arrays.layout = VTEMPER_BY_ROWS;
  arrays.rows = documents;
  arrays.columns = columns;
  arrays.offsets = {offsets.data(), VTEMPER_INT64};
  arrays.indices = {indices.data(), VTEMPER_INT32};
  arrays.values = {values.data(), VTEMPER_DOUBLE};
  return data_from_counts(arrays, nullptr);
}

/// A model of many words, and one of those that are used and a last one that has the mass of all others.
class Pair {
 public:
  Pair(const Size& size, const std::string& folder)
      : size_(size),
        words_(far_words(size, kernels::padded(size.topics))),
        used_(static_cast<int64_t>(words_.size())),
        rows_(documents_of(words_, size.words)),
        large(model_in(folder)),
        small_(model_in("")) {
    std::vector<int32_t> places(words_.size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int32_t>(i);
    rows_of_small_ = documents_of(places, used_ + 1);
    large->initialize(*rows_, 3);
    small_->initialize(*rows_of_small_, 3);
    lambda_.resize(static_cast<size_t>(size.topics * (used_ + 1)));
    std::vector<double> totals(static_cast<size_t>(size.topics));
    large->words()->word_totals(totals.data());
    for (int64_t k = 0; k < size.topics; ++k) lambda(k, used_) = totals[static_cast<size_t>(k)];
    for (int64_t i = 0; i < used_; ++i) {
      const std::vector<double> weights = weights_of(*large, i);
      for (int64_t k = 0; k < size.topics; ++k) {
        lambda(k, i) = weights[static_cast<size_t>(k)];
        lambda(k, used_) -= lambda(k, i);
        assert_true(lambda(k, i) > 0.3 && lambda(k, i) < 2);  // a draw of Gamma(100, 1/100)
      }
    }
    small_->write_parameter("lambda", lambda_.data());
  }

  void step(double rho, double inverse_temperature) {
    LocalSettings settings;
    settings.threads = 2;
    settings.bound = true;
    constexpr double scale = 5;
    const std::unique_ptr<ConjugateFit> fit = large->begin_fit(nullptr, documents);
    const std::unique_ptr<ConjugateFit> fit_of_small = small_->begin_fit(nullptr, documents);
    const LocalSums sums = fit->local_step({rows_.get(), nullptr, 0, documents}, at(inverse_temperature), settings);
    const LocalSums of_small =
        fit_of_small->local_step({rows_of_small_.get(), nullptr, 0, documents}, at(inverse_temperature), settings);
    check_close("bound", sums.bound, of_small.bound, 1e-4L);
    check_close("likelihood", sums.expected_log_likelihood, of_small.expected_log_likelihood, 1e-4L);
    GlobalStep global;
    global.scale = scale;
    global.rho = rho;
    fit->prepare_step(global);
    fit_of_small->prepare_step(global);
    fit->global_step(global);
    fit_of_small->global_step(global);
    const double others = eta * static_cast<double>(size_.words - used_);
    for (int64_t k = 0; k < size_.topics; ++k) lambda(k, used_) += rho * (others - lambda(k, used_));
    for (int64_t i = 0; i < used_; ++i) {
      const std::vector<double> expected = weights_of(*small_, i);
      for (int64_t k = 0; k < size_.topics; ++k) lambda(k, i) = expected[static_cast<size_t>(k)];
    }
    check(*large);
    small_->write_parameter("lambda", lambda_.data());
  }

  /// Lambda of the used words, totals, and words that are not used.
  void check(const ConjugateModel& model) const {
    std::vector<double> totals(static_cast<size_t>(size_.topics)), expected(totals.size());
    model.words()->word_totals(totals.data());
    for (int64_t i = 0; i < used_; ++i) {
      const std::vector<double> weights = weights_of(model, i);
      for (int64_t k = 0; k < size_.topics; ++k) {
        check_close("lambda", weights[static_cast<size_t>(k)], lambda(k, i), 2e-4L, 1e-3L);
        expected[static_cast<size_t>(k)] += lambda(k, i);
      }
    }
    for (int64_t k = 0; k < size_.topics; ++k) {
      check_close("total", totals[static_cast<size_t>(k)], expected[static_cast<size_t>(k)] + lambda(k, used_),
                  1e-4L);
    }
  }

  void check_inference(const ConjugateModel& model) const {
    const OptionValues evaluate(evaluate_options(), Options{}, "evaluate");
    const auto proportions = [&](const ConjugateModel& of, const Data& data) {
      std::vector<double> out(static_cast<size_t>(documents * size_.topics));
      of.infer(data, "proportions", evaluate, {out.data(), size_.topics, 1});
      return out;
    };
    const std::vector<double> one = proportions(model, *rows_), other = proportions(*small_, *rows_of_small_);
    for (size_t i = 0; i < one.size(); ++i) check_close("proportion", one[i], other[i], 1e-3L, 0.1L);
  }

 private:
  Size size_;
  std::vector<int32_t> words_;
  int64_t used_;
  std::shared_ptr<Data> rows_, rows_of_small_;

 public:
  std::shared_ptr<ConjugateModel> large;

 private:
  std::shared_ptr<ConjugateModel> small_;
  std::vector<double> lambda_;  ///< [K x used + 1]

  double& lambda(int64_t topic, int64_t place) { return lambda_[static_cast<size_t>(topic * (used_ + 1) + place)]; }
  double lambda(int64_t topic, int64_t place) const { return const_cast<Pair*>(this)->lambda(topic, place); }
  std::shared_ptr<ConjugateModel> model_in(const std::string& folder) const {
    return make_model({{"topics", number_text(size_.topics)},
                       {"eta", number_text(eta)},
                       {"parameters_folder", folder},
                       {"local_iterations", "1000"},
                       {"local_tolerance", "1e-6"}});
  }
  std::vector<double> weights_of(const ConjugateModel& model, int64_t place) const {
    std::vector<double> out(static_cast<size_t>(size_.topics));
    const int64_t column = model.columns() == size_.words ? words_[static_cast<size_t>(place)] : place;
    model.words()->word_weights(column, 0, size_.topics, out.data());
    return out;
  }
};

void check_model(const Size& size, const std::string& within) {
  const Folder folder(within);
  const std::string path = folder.path() + "/model";
  Pair pair(size, folder.path());
  pair.check_inference(*pair.large);
  pair.step(0.3, 0.5);
  pair.step(0.4, 1);
  pair.step(1 - 1e-9, 1);  // the scale of the stored rows falls so low that all are multiplied
  pair.step(0.4, 1);
  pair.step(1, 1);  // all rows of words that are not used become zero
  pair.check_inference(*pair.large);
  ContainerWriter writer("test");
  save_model(*pair.large, writer);
  writer.write_file(path);
  const std::shared_ptr<ConjugateModel> loaded =
      as_conjugate(load_model(ContainerReader::open_file(path, "test", Verify::everything)));
  pair.check(*loaded);
  pair.check_inference(*loaded);
  pair.large = loaded;
  pair.step(0.4, 1);  // in a file of its own
  assert_int_equal(unlink(path.c_str()), 0);
  std::printf("a model of %lld topics of %lld words: %.3g numbers\n", static_cast<long long>(size.topics),
              static_cast<long long>(size.words), static_cast<double>(size.topics) * static_cast<double>(size.words));
}

void models(void**) {
  check_model({16, 5000}, "/tmp");
  check_model({700, 300}, "/tmp");
  const char* folder = std::getenv("VTEMPER_MANY_PARAMETERS");
  if (folder == nullptr) return;
  check_model({16, (int64_t{1} << 27) + 9}, folder);
  check_model({65600, 32800}, folder);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(rows_of_many_words), cmocka_unit_test(rows_of_many_topics),
                              cmocka_unit_test(models)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
