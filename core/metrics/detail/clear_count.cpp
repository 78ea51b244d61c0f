#include "core/metrics/detail/clear_count.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage::metrics_detail {
namespace {

// Sums first; the means are taken at the end.
void add_place(const TrackRow& truth, const TrackRow& given, PlaceMetrics* sums) {
  sums->floor_error_m += std::hypot(truth.x_m - given.x_m, truth.y_m - given.y_m);
  if (truth.height_m <= 0 || given.height_m <= 0) return;
  ++sums->heights;
  sums->height_error_m += std::abs(given.height_m - truth.height_m);
  sums->height_bias_m += given.height_m - truth.height_m;
}

}  // namespace

ClearCount::ClearCount(const Sequence& sequence, double min_similarity, PlaceMetrics* places)
    : sequence_(sequence),
      min_similarity_(min_similarity),
      places_(places),
      tracks_(static_cast<size_t>(sequence.true_identities)) {}

std::vector<ClearCount::Match> ClearCount::add(const Frame& frame) {
  const std::vector<Match> matches = matched(frame);
  follow(frame, matches);
  double similarity = 0;
  for (const auto& [i, j] : matches) {
    similarity += frame.similarity.at(i, j);
    add_place(*frame.true_rows[i], *frame.given_rows[j], places_);
  }
  const auto count = static_cast<int64_t>(matches.size());
  m_.true_positives += count;
  m_.false_negatives += frame.similarity.rows - count;
  m_.false_positives += frame.similarity.columns - count;
  similarity_sum_ += similarity;
  if (count > 0) modp_sum_ += similarity / static_cast<double>(count), ++frames_with_match_;
  return matches;
}

ClearMetrics ClearCount::finish() && {
  for (size_t i = 0; i < tracks_.size(); ++i) {
    const double share =
        ratio(static_cast<double>(tracks_[i].matched), static_cast<double>(sequence_.true_lengths[i]));
    m_.mostly_tracked += share > 0.8;
    m_.mostly_lost += share < 0.2;
    m_.fragments += std::max<int64_t>(tracks_[i].starts - 1, 0);
  }
  m_.partly_tracked = sequence_.true_identities - m_.mostly_tracked - m_.mostly_lost;
  const auto tp = static_cast<double>(m_.true_positives), fp = static_cast<double>(m_.false_positives);
  const double truth = tp + static_cast<double>(m_.false_negatives);
  m_.mota = ratio(tp - fp - static_cast<double>(m_.switches), truth);
  m_.moda = ratio(tp - fp, truth);
  m_.motp = ratio(similarity_sum_, tp);
  m_.modp = ratio(modp_sum_, static_cast<double>(frames_with_match_));
  m_.recall = ratio(tp, truth);
  m_.precision = ratio(tp, tp + fp);
  places_->floor_error_m = ratio(places_->floor_error_m, tp);
  places_->height_error_m = ratio(places_->height_error_m, static_cast<double>(places_->heights));
  places_->height_bias_m = ratio(places_->height_bias_m, static_cast<double>(places_->heights));
  return std::move(m_);
}

// The pairs that are alike enough, most alike together; who was matched in the frame before stays so.
std::vector<ClearCount::Match> ClearCount::matched(const Frame& frame) const {
  ScoreMatrix score = frame.similarity;
  for (int i = 0; i < score.rows; ++i)
    for (int j = 0; j < score.columns; ++j) {
      const bool kept = tracks_[frame.truth[i]].previous_frame == frame.given[j];
      score.at(i, j) = score.at(i, j) < min_similarity_ - kEpsilon ? 0 : score.at(i, j) + (kept ? 1000 : 0);
    }
  const std::vector<int> match = assign_maximum(score);
  std::vector<Match> matches;
  for (int i = 0; i < score.rows; ++i) {
    const int j = match[i];
    if (j < 0 || score.at(i, j) <= kEpsilon) continue;
    matches.push_back({i, j});
  }
  return matches;
}

// Switches and starts.
void ClearCount::follow(const Frame& frame, const std::vector<Match>& matches) {
  std::vector<char> was_tracked(tracks_.size());
  for (size_t i = 0; i < tracks_.size(); ++i) was_tracked[i] = tracks_[i].previous_frame >= 0;
  // A frame without truth or without given boxes says nothing about who follows whom: the memory of the
  // frame before stays, as in TrackEval.
  if (frame.similarity.rows > 0 && frame.similarity.columns > 0)
    for (TrueTrack& track : tracks_) track.previous_frame = -1;
  for (const auto& [i, j] : matches) {
    const int truth = frame.truth[i], given = frame.given[j];
    TrueTrack& track = tracks_[static_cast<size_t>(truth)];
    if (track.last_match >= 0 && track.last_match != given) {
      const auto id = [&](int number) { return sequence_.given_ids[number]; };
      m_.all_switches.push_back(
          {frame.number, sequence_.true_ids[static_cast<size_t>(truth)], id(track.last_match), id(given)});
      ++m_.switches;
    }
    track.last_match = track.previous_frame = given;
    ++track.matched;
    track.starts += !was_tracked[static_cast<size_t>(truth)];
  }
}

}  // namespace vantage::metrics_detail
