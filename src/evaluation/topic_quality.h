#pragma once
// Topic quality as judged from the most probable words: coherence against a reference corpus, diversity, exclusivity.
// One score per topic; the score of a model is their mean.

#include <string_view>
#include <vector>

#include "models/model.h"

namespace vtemper {

/// "coherence_umass", "coherence_npmi", "topic_diversity" or "exclusivity".
bool is_topic_measure(std::string_view measure);
/// Whether the measure needs a reference corpus: the coherences.
bool needs_reference(std::string_view measure);

/// Scores of all components of a word model, in order; w_1 ... w_n are the n most probable words, best first.
///
/// coherence_umass (Mimno 2011): mean over the pairs l < m of log (D(w_m, w_l) + 1) / D(w_l), with D the number of
/// reference documents (rows, by weight) that contain the word or both; 1 is Mimno's smoothing. coherence_npmi (Bouma
/// 2009; Roeder 2015): mean over the pairs of log(p_lm / (p_l p_m)) / -log p_lm, with p the shares of the reference
/// documents; without smoothing: -1 for words that never occur together, 1 for words that occur in every document.
/// Pairs with a word that the reference does not contain are skipped; a topic without any other pair gets NaN.
/// topic_diversity (Dieng 2020): mean over the words of 1 / the number of topics that have it among their n; the mean
/// over the topics is the share of distinct words. exclusivity (Bischof and Airoldi 2012): mean over the words of
/// beta_kw / sum_j beta_jw.
///
/// Cost: one pass over all probabilities and, for coherence, one over the entries of the reference and the pairs of
/// top words in its documents; memory K n^2 and V. `reference` is ignored, and may be NULL, for measures that need
/// none.
std::vector<double> topic_quality(const Model& model, const Data* reference, std::string_view measure, int64_t n);

/// Mean over the topics with a score; Error(DATA) if no topic has one.
double mean_topic_quality(const std::vector<double>& scores);

}  // namespace vtemper
