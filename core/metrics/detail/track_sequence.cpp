#include "core/metrics/detail/track_sequence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace vantage::metrics_detail {
namespace {

constexpr double kMaxOrder = 10;  // beyond, powers of small distances are lost

double similarity(const TrackRow& a, const TrackRow& b, const EvaluationOptions& options) {
  if (options.space == TrackSpace::image) return box_overlap(a, b);
  return std::max(0.0, 1 - std::hypot(a.x_m - b.x_m, a.y_m - b.y_m) / (2 * options.threshold));
}

using RowsByFrame = std::map<int64_t, std::vector<const TrackRow*>>;

Result<RowsByFrame> by_frame(const std::vector<TrackRow>& rows, bool skip_ignored, const char* name) {
  RowsByFrame frames;
  std::set<std::pair<int64_t, int64_t>> seen;
  for (const TrackRow& row : rows) {
    const std::string where =
        std::string(name) + ", frame " + std::to_string(row.frame) + ", id " + std::to_string(row.id);
    for (const double v :
         {row.left_px, row.top_px, row.width_px, row.height_px, row.x_m, row.y_m, row.height_m})
      if (!std::isfinite(v)) return fail(ErrorKind::bad_data, "a value is not a number", where);
    if (skip_ignored && row.confidence == 0) continue;
    if (!seen.emplace(row.frame, row.id).second)
      return fail(ErrorKind::bad_data, "the identity appears twice in one frame", where,
                  "Each identity may appear once a frame.");
    frames[row.frame].push_back(&row);
  }
  return frames;
}

class Numbering {
 public:
  int operator()(int64_t id) {
    const auto [number, is_new] = numbers_.try_emplace(id, static_cast<int>(numbers_.size()));
    if (is_new) ids_.push_back(id);
    return number->second;
  }
  const std::vector<int64_t>& ids() const { return ids_; }
  int count() const { return static_cast<int>(numbers_.size()); }

 private:
  std::map<int64_t, int> numbers_;
  std::vector<int64_t> ids_;
};

Sequence sequence_of(const RowsByFrame& truth, const RowsByFrame& given, const EvaluationOptions& options) {
  std::set<int64_t> numbers;
  for (const auto& [frame, rows] : truth) numbers.insert(frame);
  for (const auto& [frame, rows] : given) numbers.insert(frame);
  static const std::vector<const TrackRow*> kNone;
  const auto rows_of = [](const RowsByFrame& rows, int64_t frame) -> const std::vector<const TrackRow*>& {
    const auto found = rows.find(frame);
    return found == rows.end() ? kNone : found->second;
  };
  Sequence sequence;
  Numbering true_number, given_number;
  for (const int64_t number : numbers) {
    const auto &t = rows_of(truth, number), &g = rows_of(given, number);
    Frame frame;
    frame.number = number;
    frame.true_rows = t, frame.given_rows = g;
    for (const TrackRow* row : t) frame.truth.push_back(true_number(row->id));
    for (const TrackRow* row : g) frame.given.push_back(given_number(row->id));
    frame.similarity = ScoreMatrix(static_cast<int>(t.size()), static_cast<int>(g.size()));
    for (size_t i = 0; i < t.size(); ++i)
      for (size_t j = 0; j < g.size(); ++j)
        frame.similarity.at(static_cast<int>(i), static_cast<int>(j)) = similarity(*t[i], *g[j], options);
    sequence.frames.push_back(std::move(frame));
  }
  sequence.true_identities = true_number.count();
  sequence.given_identities = given_number.count();
  sequence.true_ids = true_number.ids();
  sequence.given_ids = given_number.ids();
  sequence.true_lengths.assign(static_cast<size_t>(sequence.true_identities), 0);
  sequence.given_lengths.assign(static_cast<size_t>(sequence.given_identities), 0);
  for (const Frame& frame : sequence.frames) {
    for (const int id : frame.truth) ++sequence.true_lengths[id];
    for (const int id : frame.given) ++sequence.given_lengths[id];
  }
  return sequence;
}

}  // namespace

double box_overlap(const TrackRow& a, const TrackRow& b) {
  const double width =
      std::min(a.left_px + a.width_px, b.left_px + b.width_px) - std::max(a.left_px, b.left_px);
  const double height =
      std::min(a.top_px + a.height_px, b.top_px + b.height_px) - std::max(a.top_px, b.top_px);
  if (width <= 0 || height <= 0) return 0;
  const double common = width * height;
  const double both = a.width_px * a.height_px + b.width_px * b.height_px - common;
  return both > 0 ? common / both : 0;
}

double min_similarity(const EvaluationOptions& options) {
  return options.space == TrackSpace::image ? options.threshold : 0.5;
}

std::vector<FloorPoint> floor_points(const std::vector<const TrackRow*>& rows) {
  std::vector<FloorPoint> points;
  for (const TrackRow* row : rows) points.push_back({row->x_m, row->y_m});
  return points;
}

SetDistanceOptions set_options(const EvaluationOptions& options) {
  return {options.cutoff_m > 0 ? options.cutoff_m : options.threshold, options.order};
}

Result<Sequence> make_sequence(const std::vector<TrackRow>& truth, const std::vector<TrackRow>& given,
                               const EvaluationOptions& options) {
  if (!(options.threshold > 0) || (options.space == TrackSpace::image && options.threshold > 1))
    return fail(ErrorKind::invalid_argument, "the threshold is out of range", "threshold",
                options.space == TrackSpace::image ? "Give an overlap above 0 and at most 1."
                                                   : "Give metres above 0.");
  if (!(options.cutoff_m >= 0) || !std::isfinite(options.cutoff_m))
    return fail(ErrorKind::invalid_argument, "the cut-off of OSPA and GOSPA is out of range", "cutoff",
                "Give metres above 0, or 0 for the threshold.");
  if (!(options.order >= 1 && options.order <= kMaxOrder))
    return fail(ErrorKind::invalid_argument, "the order of OSPA and GOSPA is out of range", "order",
                "Give a number from 1 to 10.");
  VANTAGE_ASSIGN(const RowsByFrame true_rows, by_frame(truth, true, "truth"));
  VANTAGE_ASSIGN(const RowsByFrame given_rows, by_frame(given, false, "result"));
  return sequence_of(true_rows, given_rows, options);
}

namespace {

// The match of each pair of identities over the whole sequence, 0 to 1.
ScoreMatrix global_alignment(const Sequence& sequence) {
  ScoreMatrix potential(sequence.true_identities, sequence.given_identities);
  for (const Frame& frame : sequence.frames) {
    const ScoreMatrix& s = frame.similarity;
    std::vector<double> row_sum(static_cast<size_t>(s.rows), 0),
        column_sum(static_cast<size_t>(s.columns), 0);
    for (int i = 0; i < s.rows; ++i)
      for (int j = 0; j < s.columns; ++j) row_sum[i] += s.at(i, j), column_sum[j] += s.at(i, j);
    for (int i = 0; i < s.rows; ++i)
      for (int j = 0; j < s.columns; ++j) {
        const double rest = row_sum[i] + column_sum[j] - s.at(i, j);
        if (rest > kEpsilon) potential.at(frame.truth[i], frame.given[j]) += s.at(i, j) / rest;
      }
  }
  for (int i = 0; i < potential.rows; ++i)
    for (int j = 0; j < potential.columns; ++j) {
      const auto lengths = static_cast<double>(sequence.true_lengths[i] + sequence.given_lengths[j]);
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
          common.at(frame.truth[i], frame.given[j]) += 1;
  return assign_maximum(common);
}

std::vector<std::vector<int>> hota_matches(const Sequence& sequence) {
  const ScoreMatrix alignment = global_alignment(sequence);
  std::vector<std::vector<int>> matches;
  for (const Frame& frame : sequence.frames) {
    ScoreMatrix score = frame.similarity;
    for (int i = 0; i < score.rows; ++i)
      for (int j = 0; j < score.columns; ++j) score.at(i, j) *= alignment.at(frame.truth[i], frame.given[j]);
    matches.push_back(assign_maximum(score));
  }
  return matches;
}

PairMatches count_pairs(const Sequence& sequence, const std::vector<std::vector<int>>& matches) {
  PairMatches pairs;
  for (size_t f = 0; f < sequence.frames.size(); ++f) {
    const Frame& frame = sequence.frames[f];
    for (int i = 0; i < frame.similarity.rows; ++i) {
      const int j = matches[f][i];
      if (j < 0 || !reaches(frame.similarity.at(i, j), hota_alpha(0))) continue;
      auto& counts = pairs[{frame.truth[i], frame.given[j]}];
      for (int a = 0; a < HotaMetrics::kAlphas; ++a)
        counts[a] += reaches(frame.similarity.at(i, j), hota_alpha(a));
    }
  }
  return pairs;
}

double pair_association(const Sequence& sequence, const std::pair<int, int>& pair, int64_t matched) {
  const int64_t all = sequence.true_lengths[pair.first] + sequence.given_lengths[pair.second] - matched;
  return ratio(static_cast<double>(matched), static_cast<double>(all));
}

}  // namespace vantage::metrics_detail
