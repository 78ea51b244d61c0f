#include "core/metrics/detail/global_matches.h"

namespace vantage::metrics_detail {
namespace {

// How well each pair of identities goes together over the whole sequence, 0 to 1.
ScoreMatrix global_alignment(const Sequence& sequence) {
  ScoreMatrix potential(sequence.true_identities, sequence.given_identities);
  for (const Frame& frame : sequence.frames) {
    const ScoreMatrix& s = frame.similarity;
    std::vector<double> row_sum(static_cast<size_t>(s.rows), 0),
        column_sum(static_cast<size_t>(s.columns), 0);
    for (int i = 0; i < s.rows; ++i)
      for (int j = 0; j < s.columns; ++j)
        row_sum[static_cast<size_t>(i)] += s.at(i, j), column_sum[static_cast<size_t>(j)] += s.at(i, j);
    for (int i = 0; i < s.rows; ++i)
      for (int j = 0; j < s.columns; ++j) {
        const double rest = row_sum[static_cast<size_t>(i)] + column_sum[static_cast<size_t>(j)] - s.at(i, j);
        if (rest > kEpsilon)
          potential.at(frame.truth[static_cast<size_t>(i)], frame.given[static_cast<size_t>(j)]) +=
              s.at(i, j) / rest;
      }
  }
  for (int i = 0; i < potential.rows; ++i)
    for (int j = 0; j < potential.columns; ++j) {
      const auto lengths = static_cast<double>(sequence.true_lengths[static_cast<size_t>(i)] +
                                               sequence.given_lengths[static_cast<size_t>(j)]);
      potential.at(i, j) = ratio(potential.at(i, j), lengths - potential.at(i, j));
    }
  return potential;
}

}  // namespace

std::vector<int> identity_pairs(const Sequence& sequence, double min_similarity) {
  ScoreMatrix common(sequence.true_identities, sequence.given_identities);
  for (const Frame& frame : sequence.frames)
    for (int i = 0; i < frame.similarity.rows; ++i)
      for (int j = 0; j < frame.similarity.columns; ++j)
        if (reaches(frame.similarity.at(i, j), min_similarity))
          common.at(frame.truth[static_cast<size_t>(i)], frame.given[static_cast<size_t>(j)]) += 1;
  return assign_maximum(common);
}

std::vector<std::vector<int>> hota_matches(const Sequence& sequence) {
  const ScoreMatrix alignment = global_alignment(sequence);
  std::vector<std::vector<int>> matches;
  for (const Frame& frame : sequence.frames) {
    ScoreMatrix score = frame.similarity;
    for (int i = 0; i < score.rows; ++i)
      for (int j = 0; j < score.columns; ++j)
        score.at(i, j) *=
            alignment.at(frame.truth[static_cast<size_t>(i)], frame.given[static_cast<size_t>(j)]);
    matches.push_back(assign_maximum(score));
  }
  return matches;
}

PairMatches count_pairs(const Sequence& sequence, const std::vector<std::vector<int>>& matches) {
  PairMatches pairs;
  for (size_t f = 0; f < sequence.frames.size(); ++f) {
    const Frame& frame = sequence.frames[f];
    for (int i = 0; i < frame.similarity.rows; ++i) {
      const int j = matches[f][static_cast<size_t>(i)];
      if (j < 0 || !reaches(frame.similarity.at(i, j), hota_alpha(0))) continue;
      auto& counts = pairs[{frame.truth[static_cast<size_t>(i)], frame.given[static_cast<size_t>(j)]}];
      for (int a = 0; a < HotaMetrics::kAlphas; ++a)
        counts[static_cast<size_t>(a)] += reaches(frame.similarity.at(i, j), hota_alpha(a));
    }
  }
  return pairs;
}

double pair_association(const Sequence& sequence, const std::pair<int, int>& pair, int64_t matched) {
  const int64_t all = sequence.true_lengths[static_cast<size_t>(pair.first)] +
                      sequence.given_lengths[static_cast<size_t>(pair.second)] - matched;
  return ratio(static_cast<double>(matched), static_cast<double>(all));
}

}  // namespace vantage::metrics_detail
