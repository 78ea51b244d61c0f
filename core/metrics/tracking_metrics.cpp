#include "core/metrics/tracking_metrics.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "core/base/assignment.h"
#include "core/base/formatted.h"

namespace vantage {
namespace {

constexpr double kEpsilon = 1e-12;  // similarities equal to a threshold count as reaching it

// One frame with identities numbered from 0 and the similarity of every pair.
struct Frame {
  int64_t number = 0;
  std::vector<int> truth, given;
  std::vector<const TrackRow*> true_rows, given_rows;  // in the same order
  ScoreMatrix similarity{0, 0};
};

struct Sequence {
  std::vector<Frame> frames;
  int true_identities = 0, given_identities = 0;
  std::vector<int64_t> true_ids, given_ids;          // as the rows have them
  std::vector<int64_t> true_lengths, given_lengths;  // frames of each identity
};

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

Sequence make_sequence(const RowsByFrame& truth, const RowsByFrame& given, const EvaluationOptions& options) {
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
    for (const int id : frame.truth) ++sequence.true_lengths[static_cast<size_t>(id)];
    for (const int id : frame.given) ++sequence.given_lengths[static_cast<size_t>(id)];
  }
  return sequence;
}

double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

// The state that CLEAR keeps of one true identity.
struct TrueTrack {
  int last_match = -1;      // given identity of the last match ever
  int previous_frame = -1;  // given identity matched in the frame before, -1: none
  int64_t matched = 0, starts = 0;
};

// Sums first; the means are taken at the end.
void add_place(const TrackRow& truth, const TrackRow& given, PlaceMetrics* sums) {
  sums->floor_error_m += std::hypot(truth.x_m - given.x_m, truth.y_m - given.y_m);
  if (truth.height_m <= 0 || given.height_m <= 0) return;
  ++sums->heights;
  sums->height_error_m += std::abs(given.height_m - truth.height_m);
  sums->height_bias_m += given.height_m - truth.height_m;
}

// CLEAR over the frames, one after the other.
class ClearCount {
 public:
  ClearCount(const Sequence& sequence, double min_similarity, PlaceMetrics* places)
      : sequence_(sequence),
        min_similarity_(min_similarity),
        places_(places),
        tracks_(static_cast<size_t>(sequence.true_identities)) {}

  void add(const Frame& frame) {
    const std::vector<Match> matches = matched(frame);
    follow(frame, matches);
    double similarity = 0;
    for (const auto& [i, j] : matches) {
      similarity += frame.similarity.at(i, j);
      add_place(*frame.true_rows[static_cast<size_t>(i)], *frame.given_rows[static_cast<size_t>(j)], places_);
    }
    const auto count = static_cast<int64_t>(matches.size());
    m_.true_positives += count;
    m_.false_negatives += frame.similarity.rows - count;
    m_.false_positives += frame.similarity.columns - count;
    similarity_sum_ += similarity;
    if (count > 0) modp_sum_ += similarity / static_cast<double>(count), ++frames_with_match_;
  }

  ClearMetrics finish() && {
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

 private:
  struct Match {
    int truth, given;  // rows of the frame
  };

  // The pairs that are alike enough, most alike together; who was matched in the frame before stays so.
  std::vector<Match> matched(const Frame& frame) const {
    ScoreMatrix score = frame.similarity;
    for (int i = 0; i < score.rows; ++i)
      for (int j = 0; j < score.columns; ++j) {
        const bool kept = tracks_[static_cast<size_t>(frame.truth[static_cast<size_t>(i)])].previous_frame ==
                          frame.given[static_cast<size_t>(j)];
        score.at(i, j) = score.at(i, j) < min_similarity_ - kEpsilon ? 0 : score.at(i, j) + (kept ? 1000 : 0);
      }
    const std::vector<int> match = assign_maximum(score);
    std::vector<Match> matches;
    for (int i = 0; i < score.rows; ++i) {
      const int j = match[static_cast<size_t>(i)];
      if (j < 0 || score.at(i, j) <= kEpsilon) continue;
      matches.push_back({i, j});
    }
    return matches;
  }

  // Switches and starts.
  void follow(const Frame& frame, const std::vector<Match>& matches) {
    std::vector<char> was_tracked(tracks_.size());
    for (size_t i = 0; i < tracks_.size(); ++i) was_tracked[i] = tracks_[i].previous_frame >= 0;
    // A frame without truth or without given boxes says nothing about who follows whom: the memory of the
    // frame before stays, as in TrackEval.
    if (frame.similarity.rows > 0 && frame.similarity.columns > 0)
      for (TrueTrack& track : tracks_) track.previous_frame = -1;
    for (const auto& [i, j] : matches) {
      const int truth = frame.truth[static_cast<size_t>(i)], given = frame.given[static_cast<size_t>(j)];
      TrueTrack& track = tracks_[static_cast<size_t>(truth)];
      if (track.last_match >= 0 && track.last_match != given) {
        const auto id = [&](int number) { return sequence_.given_ids[static_cast<size_t>(number)]; };
        m_.all_switches.push_back(
            {frame.number, sequence_.true_ids[static_cast<size_t>(truth)], id(track.last_match), id(given)});
        ++m_.switches;
      }
      track.last_match = track.previous_frame = given;
      ++track.matched;
      track.starts += !was_tracked[static_cast<size_t>(truth)];
    }
  }

  const Sequence& sequence_;
  const double min_similarity_;
  PlaceMetrics* const places_;
  std::vector<TrueTrack> tracks_;
  ClearMetrics m_;
  double similarity_sum_ = 0, modp_sum_ = 0;
  int64_t frames_with_match_ = 0;
};

ClearMetrics clear_mot(const Sequence& sequence, double min_similarity, PlaceMetrics* places) {
  ClearCount count(sequence, min_similarity, places);
  for (const Frame& frame : sequence.frames) count.add(frame);
  return std::move(count).finish();
}

IdentityMetrics identity_metrics(const Sequence& sequence, double min_similarity) {
  ScoreMatrix common(sequence.true_identities, sequence.given_identities);
  for (const Frame& frame : sequence.frames)
    for (int i = 0; i < frame.similarity.rows; ++i)
      for (int j = 0; j < frame.similarity.columns; ++j)
        if (frame.similarity.at(i, j) >= min_similarity - kEpsilon)
          common.at(frame.truth[static_cast<size_t>(i)], frame.given[static_cast<size_t>(j)]) += 1;
  IdentityMetrics m;
  const std::vector<int> match = assign_maximum(common);
  for (int i = 0; i < common.rows; ++i)
    if (match[static_cast<size_t>(i)] >= 0)
      m.true_positives += static_cast<int64_t>(common.at(i, match[static_cast<size_t>(i)]));
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

struct HotaCounts {
  int64_t tp = 0, fp = 0, fn = 0;
  double similarity_sum = 0;
  std::map<std::pair<int, int>, int64_t> matches;  // frames in which a pair was matched
};

void count_matches(const Frame& frame, const std::vector<int>& match, double alpha, HotaCounts* counts) {
  int64_t n = 0;
  for (int i = 0; i < frame.similarity.rows; ++i) {
    const int j = match[static_cast<size_t>(i)];
    if (j < 0 || frame.similarity.at(i, j) < alpha - kEpsilon) continue;
    ++n;
    counts->similarity_sum += frame.similarity.at(i, j);
    ++counts->matches[{frame.truth[static_cast<size_t>(i)], frame.given[static_cast<size_t>(j)]}];
  }
  counts->tp += n;
  counts->fn += frame.similarity.rows - n;
  counts->fp += frame.similarity.columns - n;
}

HotaMetrics hota_metrics(const Sequence& sequence) {
  const ScoreMatrix alignment = global_alignment(sequence);
  std::array<HotaCounts, HotaMetrics::kAlphas> counts;
  const auto alpha_of = [](int a) { return 0.05 * (a + 1); };
  for (const Frame& frame : sequence.frames) {
    ScoreMatrix score = frame.similarity;
    for (int i = 0; i < score.rows; ++i)
      for (int j = 0; j < score.columns; ++j)
        score.at(i, j) *=
            alignment.at(frame.truth[static_cast<size_t>(i)], frame.given[static_cast<size_t>(j)]);
    const std::vector<int> match = assign_maximum(score);
    for (int a = 0; a < HotaMetrics::kAlphas; ++a)
      count_matches(frame, match, alpha_of(a), &counts[static_cast<size_t>(a)]);
  }
  HotaMetrics m;
  for (int a = 0; a < HotaMetrics::kAlphas; ++a) {
    const HotaCounts& c = counts[static_cast<size_t>(a)];
    HotaMetrics::AtAlpha& at = m.at_alpha[static_cast<size_t>(a)];
    const auto tp = static_cast<double>(c.tp);
    at.alpha = alpha_of(a);
    at.det_a = ratio(tp, static_cast<double>(c.tp + c.fp + c.fn));
    for (const auto& [pair, n] : c.matches) {
      const int64_t all = sequence.true_lengths[static_cast<size_t>(pair.first)] +
                          sequence.given_lengths[static_cast<size_t>(pair.second)] - n;
      at.ass_a += static_cast<double>(n) * static_cast<double>(n) / static_cast<double>(all);
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

}  // namespace

Result<TrackingMetrics> evaluate_tracks(const std::vector<TrackRow>& truth,
                                        const std::vector<TrackRow>& given,
                                        const EvaluationOptions& options) {
  if (!(options.threshold > 0) || (options.space == TrackSpace::image && options.threshold > 1))
    return fail(ErrorKind::invalid_argument, "the threshold is out of range", "threshold",
                options.space == TrackSpace::image ? "Give an overlap above 0 and at most 1."
                                                   : "Give metres above 0.");
  VANTAGE_ASSIGN(const RowsByFrame true_rows, by_frame(truth, true, "truth"));
  VANTAGE_ASSIGN(const RowsByFrame given_rows, by_frame(given, false, "result"));
  const Sequence sequence = make_sequence(true_rows, given_rows, options);
  const double min = options.space == TrackSpace::image ? options.threshold : 0.5;
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
  return m;
}

std::string mot_csv_row(const TrackRow& row) {
  const std::string height = row.height_m > 0 ? formatted(",%.4f", row.height_m) : std::string();
  return formatted("%lld,%lld,%.6g,%.6g,%.6g,%.6g,%.3f,%.4f,%.4f,%.4f%s\n", static_cast<long long>(row.frame),
                   static_cast<long long>(row.id), row.left_px, row.top_px, row.width_px, row.height_px,
                   row.confidence, row.x_m, row.y_m, row.z_m, height.c_str());
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
    constexpr double kLargest = 1e15;  // of what a double counts one by one
    if (!(std::abs(fields[0]) < kLargest && std::abs(fields[1]) < kLargest))
      return wrong("has no frame number or no id that can be counted");
    rows.push_back({std::llround(fields[0]), std::llround(fields[1]), fields[2], fields[3], fields[4],
                    fields[5], fields[6], fields[7], fields[8], fields[9], std::max(0.0, fields[10])});
  }
  return rows;
}

}  // namespace vantage
