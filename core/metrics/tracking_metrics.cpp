#include "core/metrics/tracking_metrics.h"

#include <fmt/core.h>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "core/base/assignment.h"
#include "core/metrics/detail/clear_count.h"
#include "core/metrics/detail/track_sequence.h"
#include "core/metrics/set_distance.h"

namespace vantage {
namespace {

using namespace metrics_detail;

ClearMetrics clear_mot(const Sequence& sequence, double min_similarity, PlaceMetrics* places) {
  ClearCount count(sequence, min_similarity, places);
  for (const Frame& frame : sequence.frames) count.add(frame);
  return std::move(count).finish();
}

IdentityMetrics identity_metrics(const Sequence& sequence, double min_similarity) {
  IdentityMetrics m;
  const std::vector<int> pairs = identity_pairs(sequence, min_similarity);
  for (const Frame& frame : sequence.frames)
    for (int i = 0; i < frame.similarity.rows; ++i)
      for (int j = 0; j < frame.similarity.columns; ++j)
        m.true_positives +=
            pairs[frame.truth[i]] == frame.given[j] && reaches(frame.similarity.at(i, j), min_similarity);
  int64_t truth = 0, given = 0;
  for (const int64_t n : sequence.true_lengths) truth += n;
  for (const int64_t n : sequence.given_lengths) given += n;
  m.false_negatives = truth - m.true_positives;
  m.false_positives = given - m.true_positives;
  m.precision = ratio(static_cast<double>(m.true_positives), static_cast<double>(given));
  m.recall = ratio(static_cast<double>(m.true_positives), static_cast<double>(truth));
  m.idf1 = ratio(2.0 * static_cast<double>(m.true_positives), static_cast<double>(truth + given));
  return m;
}

struct HotaCounts {
  int64_t tp = 0, fp = 0, fn = 0;
  double similarity_sum = 0;
};

void count_matches(const Frame& frame, const std::vector<int>& match, double alpha, HotaCounts* counts) {
  int64_t n = 0;
  for (int i = 0; i < frame.similarity.rows; ++i) {
    const int j = match[i];
    if (j < 0 || !reaches(frame.similarity.at(i, j), alpha)) continue;
    ++n;
    counts->similarity_sum += frame.similarity.at(i, j);
  }
  counts->tp += n;
  counts->fn += frame.similarity.rows - n;
  counts->fp += frame.similarity.columns - n;
}

HotaMetrics hota_metrics(const Sequence& sequence) {
  const std::vector<std::vector<int>> matches = hota_matches(sequence);
  const PairMatches pairs = count_pairs(sequence, matches);
  HotaMetrics m;
  for (int a = 0; a < HotaMetrics::kAlphas; ++a) {
    HotaCounts c;
    for (size_t f = 0; f < matches.size(); ++f)
      count_matches(sequence.frames[f], matches[f], hota_alpha(a), &c);
    HotaMetrics::AtAlpha& at = m.at_alpha[a];
    const auto tp = static_cast<double>(c.tp);
    at.alpha = hota_alpha(a);
    at.det_a = ratio(tp, static_cast<double>(c.tp + c.fp + c.fn));
    for (const auto& [pair, counts] : pairs) {
      const int64_t n = counts[a];
      at.ass_a += static_cast<double>(n) * pair_association(sequence, pair, n);
    }
    at.ass_a = ratio(at.ass_a, tp);
    at.loc_a =
        c.tp > 0 ? c.similarity_sum / tp : 1;  // TrackEval's convention: perfect where nothing was matched
    at.hota = std::sqrt(at.det_a * at.ass_a);
    m.hota += at.hota / HotaMetrics::kAlphas;
    m.det_a += at.det_a / HotaMetrics::kAlphas;
    m.ass_a += at.ass_a / HotaMetrics::kAlphas;
    m.loc_a += at.loc_a / HotaMetrics::kAlphas;
  }
  return m;
}

SetMetrics set_metrics(const Sequence& sequence, const EvaluationOptions& options) {
  const SetDistanceOptions how = set_options(options);
  SetMetrics m{how.cutoff_m, how.order};
  for (const Frame& frame : sequence.frames) {
    const SetDistance one = set_distance(floor_points(frame.true_rows), floor_points(frame.given_rows), how);
    m.ospa_m += one.ospa_m, m.gospa_m += one.gospa_m;
    m.localisation += one.localisation, m.missed += one.missed, m.false_found += one.false_found;
  }
  const auto frames = static_cast<double>(sequence.frames.size());
  for (double* sum : {&m.ospa_m, &m.gospa_m, &m.localisation, &m.missed, &m.false_found})
    *sum = ratio(*sum, frames);
  return m;
}

// TrackEval's preparation of MOT16 and MOT17.
constexpr int kPedestrian = 1;
bool is_distractor(int label) {
  return label == 2 || label == 7 || label == 8 || label == 12;
}

// The rows of `given`, all of one frame, that lie on a distractor.
std::vector<const TrackRow*> on_distractors(const std::vector<const TrackRow*>& truth,
                                            const std::vector<const TrackRow*>& given) {
  constexpr double kSame = 0.5, kRounding = 1e-9;
  ScoreMatrix scores(static_cast<int>(truth.size()), static_cast<int>(given.size()));
  for (int i = 0; i < scores.rows; ++i)
    for (int j = 0; j < scores.columns; ++j) {
      const double iou = box_overlap(*truth[i], *given[j]);
      scores.at(i, j) = iou >= kSame - kRounding ? iou : 0;
    }
  std::vector<const TrackRow*> found;
  const std::vector<int> matches = assign_maximum(scores);
  for (size_t i = 0; i < matches.size(); ++i)
    if (matches[i] >= 0 && is_distractor(truth[i]->label) && scores.at(static_cast<int>(i), matches[i]) > 0)
      found.push_back(given[matches[i]]);
  return found;
}

bool states_classes(const std::vector<TrackRow>& truth) {
  return std::any_of(truth.begin(), truth.end(), [](const TrackRow& row) { return row.label > 0; });
}

std::vector<TrackRow> without_distractors(const std::vector<TrackRow>& given,
                                          const std::vector<TrackRow>& truth) {
  std::map<int64_t, std::pair<std::vector<const TrackRow*>, std::vector<const TrackRow*>>> frames;
  for (const TrackRow& row : truth) frames[row.frame].first.push_back(&row);
  for (const TrackRow& row : given) frames[row.frame].second.push_back(&row);
  std::set<const TrackRow*> left_out;
  for (const auto& [frame, rows] : frames)
    for (const TrackRow* row : on_distractors(rows.first, rows.second)) left_out.insert(row);
  std::vector<TrackRow> kept;
  for (const TrackRow& row : given)
    if (!left_out.contains(&row)) kept.push_back(row);
  return kept;
}

std::vector<TrackRow> pedestrians(std::vector<TrackRow> truth) {
  std::erase_if(truth, [](const TrackRow& row) { return row.label != kPedestrian; });
  return truth;
}

// Class and visibility in place of the positions of other files.
void read_classes(std::vector<TrackRow>* rows) {
  const auto is_class = [](const TrackRow& row) {
    return row.x_m >= 1 && row.x_m <= 13 && row.x_m == std::floor(row.x_m) && row.y_m >= 0 && row.y_m <= 1;
  };
  if (!std::all_of(rows->begin(), rows->end(), is_class)) return;
  for (TrackRow& row : *rows) {
    row.label = static_cast<int>(row.x_m);
    row.x_m = row.y_m = -1;
  }
}

Result<TrackingMetrics> evaluate_prepared(const std::vector<TrackRow>& truth,
                                          const std::vector<TrackRow>& given,
                                          const EvaluationOptions& options) {
  VANTAGE_ASSIGN(const Sequence sequence, make_sequence(truth, given, options));
  const double min = min_similarity(options);
  TrackingMetrics m;
  m.frames = static_cast<int64_t>(sequence.frames.size());
  m.true_identities = sequence.true_identities;
  m.given_identities = sequence.given_identities;
  for (const int64_t n : sequence.true_lengths) m.true_rows += n;
  for (const int64_t n : sequence.given_lengths) m.given_rows += n;
  m.clear = clear_mot(sequence, min, &m.places);
  if (options.space == TrackSpace::image) m.places.floor_error_m = 0;
  m.identity = identity_metrics(sequence, min);
  m.hota = hota_metrics(sequence);
  if (options.space == TrackSpace::world) m.sets = set_metrics(sequence, options);
  return m;
}

// Boxes without positions have -1 in their place, positions without boxes likewise: compared, they would all
// agree, or none would.
Status check_comparable(const std::vector<TrackRow>& rows, const std::string& what, TrackSpace space) {
  const auto lacks = [&](const TrackRow& row) {
    return space == TrackSpace::image ? !(row.width_px > 0 && row.height_px > 0)
                                      : row.x_m == -1 && row.y_m == -1;
  };
  if (rows.empty() || !std::all_of(rows.begin(), rows.end(), lacks)) return {};
  return space == TrackSpace::image
             ? fail(ErrorKind::bad_data, what + " holds no boxes, only positions on the floor", "",
                    "Compare positions: --space world.")
             : fail(ErrorKind::bad_data, what + " holds no positions on the floor, only boxes", "",
                    "Compare boxes: --space image.");
}

}  // namespace

Result<TrackingMetrics> evaluate_tracks(const std::vector<TrackRow>& truth,
                                        const std::vector<TrackRow>& given,
                                        const EvaluationOptions& options) {
  VANTAGE_TRY(check_comparable(truth, "the ground truth", options.space));
  VANTAGE_TRY(check_comparable(given, "the result", options.space));
  if (options.space == TrackSpace::image && states_classes(truth))
    return evaluate_prepared(pedestrians(truth), without_distractors(given, truth), options);
  return evaluate_prepared(truth, given, options);
}

std::string mot_csv_row(const TrackRow& row) {
  const std::string height = row.height_m > 0 ? fmt::format(",{:.4f}", row.height_m) : std::string();
  return fmt::format("{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.3f},{:.4f},{:.4f},{:.4f}{}\n", row.frame, row.id,
                     row.left_px, row.top_px, row.width_px, row.height_px, row.confidence, row.x_m, row.y_m,
                     row.z_m, height);
}

namespace {

// Names of columns: a first line whose first field begins with a letter.
bool is_header(std::string_view line) {
  const size_t at = line.find_first_not_of(" \t\"#");
  return at != std::string_view::npos && std::isalpha(static_cast<unsigned char>(line[at])) != 0 &&
         !line.substr(at).starts_with("nan") && !line.substr(at).starts_with("inf");
}

}  // namespace

Result<std::vector<TrackRow>> read_mot_csv(std::string_view text, const std::string& where,
                                           int64_t first_line) {
  std::vector<TrackRow> rows;
  bool nine_columns = true;
  int64_t line_number = first_line - 1;
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorKind::bad_data, what, where + ", line " + std::to_string(line_number),
                "Rows are frame,id,left,top,width,height,confidence,x,y,z.");
  };
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty() || (line_number == 1 && is_header(line))) continue;
    std::array<double, 11> fields{0, 0, 0, 0, 0, 0, 1, -1, -1, -1, 0};
    size_t count = 0;
    for (size_t p = 0; p <= line.size() && count < fields.size(); ++count) {
      while (p < line.size() && line[p] == ' ') ++p;
      const auto parsed = std::from_chars(line.data() + p, line.data() + line.size(), fields[count]);
      size_t stop = static_cast<size_t>(parsed.ptr - line.data());
      while (stop < line.size() && line[stop] == ' ') ++stop;
      if (parsed.ec != std::errc() && count + 1 == fields.size()) break;  // another tool's own column
      if (parsed.ec != std::errc() || (stop < line.size() && line[stop] != ','))
        return wrong("column " + std::to_string(count + 1) + " is not a number");
      p = stop + 1;
    }
    if (count < 6) return wrong("has " + std::to_string(count) + " columns, at least 6 are needed");
    nine_columns = nine_columns && count == 9;
    constexpr double kLargest = 1e15;  // the largest number that a double counts to one by one
    if (!(std::abs(fields[0]) < kLargest && std::abs(fields[1]) < kLargest))
      return wrong("has no frame number or no id that can be counted");
    rows.push_back({std::llround(fields[0]), std::llround(fields[1]), fields[2], fields[3], fields[4],
                    fields[5], fields[6], fields[7], fields[8], fields[9], std::max(0.0, fields[10])});
  }
  if (nine_columns) read_classes(&rows);
  return rows;
}

}  // namespace vantage
