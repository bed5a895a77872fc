// LDA with topics that are divided over the ranks of a group (option exchange sharded, README.md section 9).

#include <algorithm>
#include <utility>

#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

template <class Real>
void Lda<Real>::divide(const std::shared_ptr<Group>& group) {
  if (!may_divide()) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                settings_.learn_eta
                    ? "learn_eta reads all topics repeatedly; with exchange sharded, which divides them over the "
                      "ranks, eta cannot be learned"
                    : "option eta has a value for each word and topic, which every rank would have to hold; with "
                      "exchange sharded, which divides the topics over the ranks, eta must be one value");
  }
  group_ = group;
}

template <class Real>
std::unique_ptr<Model> Lda<Real>::share_of(const std::shared_ptr<Group>& group) const {
  auto share = std::make_unique<Lda<Real>>(settings_, options_);
  share->divide(group);
  if (!topics_) return share;
  share->topics_ =
      std::make_unique<Topics<Real>>(settings_.topics, columns(), settings_.eta, settings_.parameters_folder, group);
  share->topics_->copy_from(*topics_);
  share->fresh_ = fresh_;
  share->share_alpha();
  share->columns_ = columns_;
  share->names_ = names_;
  return share;
}

template <class Real>
std::unique_ptr<Model> Lda<Real>::gathered(const std::string& folder) const {
  std::unique_ptr<Lda<Real>> whole;
  group_->run_locally({"gathering the topics", columns()}, [&] {
    require_initialized();
    if (group_->rank() > 0) return Group::Told{};
    whole = std::make_unique<Lda<Real>>(settings_, options_);
    whole->topics_ = std::make_unique<Topics<Real>>(settings_.topics, columns(), settings_.eta, folder);
    whole->topics_->make_room_as(*topics_);
    whole->columns_ = columns_;
    whole->names_ = names_;
    whole->share_alpha();
    return Group::Told{};
  });
  topics_->gather(whole ? whole->topics_.get() : nullptr);
  group_->run_locally({"the gathered topics", columns()}, [&] {
    topics_->require_lent();
    return Group::Told{};
  });
  return whole;
}

template <class Real>
void Lda<Real>::find_rows(const Batch& batch, const Data* also) const {
  topics_->require_kept();
  topics_->share()->find(batch, also);
  topics_->make_room_for_borrowed();
}

template <class Real>
void Lda<Real>::require_undivided(const char* what) const {
  if (!group_) return;
  throw Error(
      VTEMPER_ERROR_STATE,
      message(what, ", but the topics are divided over ", group_->ranks(),
              " ranks (option exchange sharded), and this one has a share of them; vtemper_model_save, which ",
              "all ranks call, writes a file that holds them all"));
}

/// Calls that process documents must borrow the rows of their words first; in a step the optimizer does that.
template <class Real>
void Lda<Real>::require_here(int32_t word) const {
  if (topics_->is_here(word)) return;
  throw Error(VTEMPER_ERROR_INTERNAL, message("the row of word ", word, " was not borrowed from its rank"));
}

template <class Real>
void Lda<Real>::require_here(int64_t first_slot, const LdaWork<Real>& work) const {
  if (!group_) return;
  topics_->require_lent();
  for (int64_t slot = first_slot; slot < work.slots; ++slot) require_here(work.words[static_cast<size_t>(slot)]);
}

template <class Real>
void Lda<Real>::require_here(const Data& data) const {
  if (!group_) return;
  for (int64_t row = 0; row < data.rows(); ++row) {
    data.counts().visit_row(row, [&](int32_t word, double) { require_here(word); });
  }
}

/// The top words over the words of all ranks, in the same order on all ranks. Collective.
template <class Real>
void Lda<Real>::unite_top_words(LdaWork<Real>& work) const {
  const int64_t top = words_compared(columns());
  const auto size = static_cast<size_t>(settings_.topics * top);
  std::vector<double> own;  // values, then words
  group_->run_locally({"the top words", top}, [&] {
    find_top_words(work);
    own.assign(work.top_values.begin(), work.top_values.end());
    own.insert(own.end(), work.top_columns.begin(), work.top_columns.end());
    return Group::Told{};
  });
  const std::vector<double> all = group_->gather(own.data(), static_cast<int64_t>(own.size()));
  std::vector<std::pair<double, double>> words;  // -value, word
  for (size_t k = 0; k < static_cast<size_t>(settings_.topics); ++k) {
    words.clear();
    const size_t first = k * static_cast<size_t>(top);
    for (size_t of_rank = 0; of_rank < all.size(); of_rank += own.size()) {
      for (size_t i = of_rank + first; i < of_rank + first + static_cast<size_t>(top); ++i) {
        words.emplace_back(-all[i], all[i + size]);
      }
    }
    std::sort(words.begin(), words.end());
    for (size_t i = 0; i < static_cast<size_t>(top); ++i) {
      work.top_values[first + i] = -words[i].first;
      work.top_columns[first + i] = static_cast<int32_t>(words[i].second);
    }
  }
}

template <class Real>
int64_t Lda<Real>::duplicate_components() const {
  std::unique_ptr<LdaWork<Real>> work;
  group_->run_locally({"duplicate topics", 0}, [&] {
    work = std::make_unique<LdaWork<Real>>(columns());
    return Group::Told{};
  });
  return duplicate_components(*work);
}

}  // namespace vtemper

#include "models/lda/instances.inc"
