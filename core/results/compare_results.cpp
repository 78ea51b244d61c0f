#include "core/results/compare_results.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "core/base/assignment.h"
#include "core/results/compare_trackers.h"
#include "core/results/frame_lines.h"
#include "core/results/results_reader.h"
#include "core/tracks/counting/rules.h"

namespace vantage {
namespace {

double apart_m(const FloorPerson& a, const FloorPerson& b) {
  return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

// The frame's people are known.
bool knows(const StoredFrame& frame) {
  return frame.people_count >= 0;
}

// Reads in pieces, to be stoppable between them, without the colours of clothes, which are not needed here.
Result<StoredResults> read(const std::filesystem::path& folder, const StopSource& stop) {
  VANTAGE_ASSIGN(ResultsReader reader, ResultsReader::open(results_file(folder)));
  StoredResults results = reader.header();
  for (;;) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    VANTAGE_ASSIGN(std::vector<StoredFrame> frames, reader.next());
    if (frames.empty()) return results;
    for (StoredFrame& frame : frames)
      for (FloorPerson& person : frame.people) person.colors = {};
    std::move(frames.begin(), frames.end(), std::back_inserter(results.frames));
  }
}

DifferenceKind kind_of(const PersonOfTwo& one) {
  if (!one.second) return DifferenceKind::only_first;
  return one.first ? DifferenceKind::apart : DifferenceKind::only_second;
}

ResultsDifference difference_of(int64_t frame, const PersonOfTwo& one) {
  ResultsDifference made;
  made.kind = kind_of(one);
  made.first_frame = made.last_frame = frame;
  made.x_m = one.any().x_m, made.y_m = one.any().y_m;
  if (one.first) made.first_id = one.first->id;
  if (one.second) made.second_id = one.second->id;
  made.apart_m = one.apart_m;
  return made;
}

// Joins differences of successive frames to lasting ones: the same kind and the same IDs or, without IDs,
// near the position in the frame before.
class DifferenceSpans {
 public:
  explicit DifferenceSpans(const CompareResultsOptions& options) : options_(options) {}

  void add(int64_t frame, int64_t compared, const std::vector<PersonOfTwo>& people) {
    std::erase_if(open_, [&](const Open& one) { return compared - one.seen > options_.bridged_frames; });
    for (const PersonOfTwo& one : people)
      if (one.differs) add_person(difference_of(frame, one), compared);
  }
  std::vector<ResultsDifference> take() { return std::move(all_); }

 private:
  struct Open {
    size_t index;     // in all_
    int64_t seen;     // index of the last compared frame with it
    double x_m, y_m;  // in that frame
  };
  // Differences without IDs are matched by position.
  bool continues(const Open& open, const ResultsDifference& now, int64_t compared) const {
    const ResultsDifference& before = all_[open.index];
    if (open.seen == compared || before.kind != now.kind) return false;
    bool known = true;
    for (const auto id : {&ResultsDifference::first_id, &ResultsDifference::second_id}) {
      const bool both = before.*id > 0 && now.*id > 0;
      if (both && before.*id != now.*id) return false;
      known &= both || before.*id == now.*id;
    }
    known &= now.first_id > 0 || now.second_id > 0;
    return known || std::hypot(open.x_m - now.x_m, open.y_m - now.y_m) < options_.reach_m;
  }
  void add_person(const ResultsDifference& now, int64_t compared) {
    const auto found = std::find_if(open_.begin(), open_.end(),
                                    [&](const Open& open) { return continues(open, now, compared); });
    if (found == open_.end()) {
      open_.push_back({all_.size(), compared, now.x_m, now.y_m});
      return all_.push_back(now);
    }
    ResultsDifference& one = all_[found->index];
    one.first_id = std::max(one.first_id, now.first_id),
    one.second_id = std::max(one.second_id, now.second_id);
    one.last_frame = now.last_frame, one.apart_m = std::max(one.apart_m, now.apart_m);
    found->seen = compared, found->x_m = now.x_m, found->y_m = now.y_m;
  }

  const CompareResultsOptions& options_;
  std::vector<ResultsDifference> all_;
  std::vector<Open> open_;
};

// Pairs the IDs of the two runs; a change of a pair is a difference.
class IdentityPairs {
 public:
  void add(int64_t frame, const std::vector<PersonOfTwo>& people, std::vector<ResultsDifference>* to) {
    for (const PersonOfTwo& one : people) {
      if (!one.first || !one.second || one.first->id <= 0 || one.second->id <= 0) continue;
      int64_t& second = second_of_[one.first->id];
      int64_t& first = first_of_[one.second->id];
      if ((second > 0 && second != one.second->id) || (first > 0 && first != one.first->id)) {
        ResultsDifference& made = to->emplace_back(difference_of(frame, one));
        made.kind = DifferenceKind::identity;
        made.second_id_before = second == one.second->id ? 0 : second;
        made.first_id_before = first == one.first->id ? 0 : first;
      }
      second = one.second->id, first = one.first->id;
    }
  }

 private:
  std::map<int64_t, int64_t> second_of_, first_of_;  // 0: not known yet
};

void add_compared(int64_t frame, std::vector<PersonOfTwo> people, ResultsComparison* to) {
  bool differs = false;
  for (const PersonOfTwo& one : people) {
    if (!one.differs) continue;
    differs = true;
    const DifferenceKind kind = kind_of(one);
    ++(kind == DifferenceKind::apart        ? to->apart
       : kind == DifferenceKind::only_first ? to->only_first
                                            : to->only_second);
  }
  ++to->frames;
  to->differing += differs;
  to->by_frame[frame] = {true, true, std::move(people)};
}

// Adds the frames that only one run has, or whose people only one run knows.
void add_known(const StoredResults& results, bool first, ResultsComparison* to) {
  for (const StoredFrame& frame : results.frames) {
    if (!knows(frame) || to->by_frame.contains(frame.frame)) continue;
    FrameOfTwo& alone = to->by_frame[frame.frame];
    (first ? alone.first : alone.second) = true;
    for (const FloorPerson& person : frame.people) {
      PersonOfTwo& one = alone.people.emplace_back();
      (first ? one.first : one.second) = person;
    }
  }
}

Result<std::vector<FloorEvent>> events_of(const StoredResults& results, const Project& project,
                                          const std::map<int64_t, FrameOfTwo>& compared) {
  VANTAGE_ASSIGN(const auto paths, follow_again(results, ComparedMethod::recorded, project));
  std::vector<int64_t> frames;
  for (const StoredFrame& frame : results.frames)
    if (compared.contains(frame.frame)) frames.push_back(frame.frame);  // frames of both runs come later
  return find_events({paths, frames, results.frame_rate}, project.rules, project.zones, project.lines);
}

// Two events are the same if the same rule raised them at nearly the same time; each matches at most one.
void add_events(const std::vector<FloorEvent>& events, const std::vector<FloorEvent>& others,
                DifferenceKind kind, double within_frames, std::vector<ResultsDifference>* to) {
  std::set<size_t> taken;
  for (const FloorEvent& event : events) {
    std::optional<size_t> nearest;
    double nearest_frames = within_frames;
    for (size_t i = 0; i < others.size(); ++i) {
      const auto frames = static_cast<double>(std::abs(others[i].raised_frame - event.raised_frame));
      if (others[i].rule == event.rule && frames <= nearest_frames && !taken.contains(i))
        nearest = i, nearest_frames = frames;
    }
    if (nearest) {
      taken.insert(*nearest);
      continue;
    }
    ResultsDifference& made = to->emplace_back();
    made.kind = kind, made.rule = event.rule;
    made.first_frame = made.last_frame = event.raised_frame;
    made.x_m = event.x_m, made.y_m = event.y_m;
    (kind == DifferenceKind::event_first ? made.first_id : made.second_id) = event.id;
  }
}

Status compare_events(const StoredResults& a, const StoredResults& b, const CompareResultsOptions& options,
                      ResultsComparison* to) {
  if (!options.project || options.project->rules.empty()) return {};
  VANTAGE_ASSIGN(const std::vector<FloorEvent> first, events_of(a, *options.project, to->by_frame));
  VANTAGE_ASSIGN(const std::vector<FloorEvent> second, events_of(b, *options.project, to->by_frame));
  const size_t before = to->differences.size();
  const double within = options.event_within_s * a.frame_rate;
  add_events(first, second, DifferenceKind::event_first, within, &to->differences);
  add_events(second, first, DifferenceKind::event_second, within, &to->differences);
  to->events = static_cast<int64_t>(to->differences.size() - before);
  return {};
}

std::string lasting_text(const ResultsDifference& one) {
  const auto frames = static_cast<long long>(one.last_frame - one.first_frame + 1);
  return frames == 1 ? std::string() : fmt::format(", {} frames", frames);
}

std::string apart_text(const ResultsDifference& one) {
  const std::string apart = fmt::format("{:.2f} m apart", one.apart_m);
  if (one.first_id <= 0 || one.second_id <= 0) return apart;
  return apart + fmt::format(" (IDs {} and {})", one.first_id, one.second_id);
}

std::string somebody(const std::string& run, int64_t id) {
  const std::string who = "only " + run + " has a person";
  return id > 0 ? who + fmt::format(" (ID {})", id) : who;
}

}  // namespace

std::string_view kind_name(DifferenceKind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"only_first", "only_second", "apart",
                                                      "identity",   "event_first", "event_second"};
  return kNames[static_cast<size_t>(kind)];
}

std::string difference_text(const ResultsDifference& one, const std::string& first,
                            const std::string& second) {
  const auto number = [](int64_t id) { return fmt::format("{}", id); };
  switch (one.kind) {
    case DifferenceKind::only_first:
      return somebody(first, one.first_id) + lasting_text(one);
    case DifferenceKind::only_second:
      return somebody(second, one.second_id) + lasting_text(one);
    case DifferenceKind::apart:
      return apart_text(one) + lasting_text(one);
    case DifferenceKind::event_first:
      return "only " + first + " has an event of " + one.rule;
    case DifferenceKind::event_second:
      return "only " + second + " has an event of " + one.rule;
    case DifferenceKind::identity:
      break;
  }
  const std::string now =
      "ID " + number(one.first_id) + " in " + first + " is " + number(one.second_id) + " in " + second;
  return one.second_id_before > 0 ? now + ", was " + number(one.second_id_before)
                                  : now + ", which was " + number(one.first_id_before) + " in " + first;
}

std::optional<size_t> next_difference(std::span<const ResultsDifference> all, int64_t frame,
                                      std::optional<size_t> chosen) {
  if (all.empty()) return std::nullopt;
  if (chosen && *chosen + 1 < all.size() && all[*chosen].first_frame == frame) return *chosen + 1;
  const auto later = std::find_if(all.begin(), all.end(),
                                  [&](const ResultsDifference& one) { return one.first_frame > frame; });
  return later == all.end() ? 0 : static_cast<size_t>(later - all.begin());
}

std::optional<size_t> previous_difference(std::span<const ResultsDifference> all, int64_t frame,
                                          std::optional<size_t> chosen) {
  if (all.empty()) return std::nullopt;
  if (chosen && *chosen > 0 && *chosen < all.size() && all[*chosen].first_frame == frame) return *chosen - 1;
  const auto earlier = std::find_if(all.rbegin(), all.rend(),
                                    [&](const ResultsDifference& one) { return one.first_frame < frame; });
  return earlier == all.rend() ? all.size() - 1 : static_cast<size_t>(all.rend() - earlier) - 1;
}

std::vector<PersonOfTwo> compare_people(const std::vector<FloorPerson>& first,
                                        const std::vector<FloorPerson>& second,
                                        const CompareResultsOptions& options) {
  ScoreMatrix scores(static_cast<int>(first.size()), static_cast<int>(second.size()));
  for (size_t a = 0; a < first.size(); ++a)
    for (size_t b = 0; b < second.size(); ++b)
      scores.at(static_cast<int>(a), static_cast<int>(b)) =
          std::max(0.0, options.reach_m - apart_m(first[a], second[b]));
  const std::vector<int> partners =
      first.empty() || second.empty() ? std::vector<int>(first.size(), -1) : assign_maximum(scores);
  std::vector<PersonOfTwo> people;
  std::vector<bool> taken(second.size());
  for (size_t a = 0; a < first.size(); ++a) {
    PersonOfTwo& one = people.emplace_back();
    one.first = first[a];
    const int partner = partners[a];
    if (partner >= 0 && scores.at(static_cast<int>(a), partner) > 0) {
      const auto b = static_cast<size_t>(partner);
      one.second = second[b], one.apart_m = apart_m(first[a], second[b]);
      taken[b] = true;
    }
    one.differs = !one.second || one.apart_m > options.beyond_m;
  }
  for (size_t b = 0; b < second.size(); ++b)
    if (!taken[b]) people.push_back({{}, second[b], 0, true});
  std::stable_partition(people.begin(), people.end(), [](const PersonOfTwo& one) { return one.differs; });
  return people;
}

Result<ResultsComparison> compare_results(const std::filesystem::path& first,
                                          const std::filesystem::path& second,
                                          const CompareResultsOptions& options) {
  VANTAGE_ASSIGN(const StoredResults a, read(first, options.stop));
  VANTAGE_ASSIGN(const StoredResults b, read(second, options.stop));
  ResultsComparison compared;
  DifferenceSpans spans(options);
  IdentityPairs identities;
  std::vector<ResultsDifference> changed;
  auto other = b.frames.begin();
  for (const StoredFrame& frame : a.frames) {
    if (options.stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    while (other != b.frames.end() && other->frame < frame.frame) ++other;
    if (other == b.frames.end()) break;
    if (other->frame != frame.frame || !knows(frame) || !knows(*other)) continue;
    std::vector<PersonOfTwo> people = compare_people(frame.people, other->people, options);
    spans.add(frame.frame, compared.frames, people);
    identities.add(frame.frame, people, &changed);
    add_compared(frame.frame, std::move(people), &compared);
  }
  if (compared.frames == 0)
    return fail(ErrorKind::invalid_argument, "the two have no frame in common in which people are known",
                first.string() + ", " + second.string(), "Analyse the same frames with both.");
  compared.differences = spans.take();
  compared.identities = static_cast<int64_t>(changed.size());
  compared.differences.insert(compared.differences.end(), changed.begin(), changed.end());
  VANTAGE_TRY(compare_events(a, b, options, &compared));
  add_known(a, true, &compared);
  add_known(b, false, &compared);
  std::stable_sort(compared.differences.begin(), compared.differences.end(),
                   [](const auto& x, const auto& y) { return x.first_frame < y.first_frame; });
  return compared;
}

Result<std::vector<ComparedFigure>> compare_by_truth(const std::filesystem::path& first,
                                                     const std::filesystem::path& second,
                                                     const GroundTruth& truth,
                                                     const BootstrapOptions& options) {
  VANTAGE_ASSIGN(JudgedTracks a, read_judged_tracks(first));
  VANTAGE_ASSIGN(JudgedTracks b, read_judged_tracks(second));
  std::vector<TrackRow> true_rows = truth.rows;
  std::set<int64_t> unknown = std::move(a.unknown_frames);
  unknown.merge(b.unknown_frames);
  for (std::vector<TrackRow>* rows : {&a.rows, &b.rows}) keep_annotated(truth, rows);
  for (std::vector<TrackRow>* rows : {&a.rows, &b.rows, &true_rows})
    std::erase_if(*rows, [&](const TrackRow& row) { return unknown.contains(row.frame); });
  if (true_rows.empty()) return std::vector<ComparedFigure>();
  const EvaluationOptions how{TrackSpace::world, kComparedWithin_m};
  VANTAGE_ASSIGN(const MatchedTracks of_a, MatchedTracks::make(true_rows, std::move(a.rows), how));
  VANTAGE_ASSIGN(const MatchedTracks of_b, MatchedTracks::make(std::move(true_rows), std::move(b.rows), how));
  return compare_figures(of_a.counts(), of_b.counts(), how.space, options);
}

}  // namespace vantage
