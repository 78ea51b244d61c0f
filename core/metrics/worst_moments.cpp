#include "core/metrics/worst_moments.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "core/metrics/detail/clear_count.h"

namespace vantage {
namespace {

using namespace metrics_detail;

// Errors joined to instants, frame after frame.
class MomentJoiner {
 public:
  explicit MomentJoiner(const std::set<MomentKind>& kinds) : kinds_(kinds) {}

  void begin_frame(int64_t number) {
    frame_ = number;
    ++index_;
  }
  // No one of the other side is there.
  void alone(MomentKind kind, const TrackRow& row) {
    if (!kinds_.contains(kind)) return;
    WorstMoment& moment = continued({kind, row.id, 0}, row);
    (kind == MomentKind::missed ? moment.true_id : moment.id) = row.id;
    moment.amount += 1;
  }
  void matched(const TrackRow& truth, const TrackRow& given) {
    if (const auto held = held_.find(truth.id); held != held_.end()) {
      if (moments_[held->second].id == given.id) {
        moments_[held->second].amount += 1;
        moments_[held->second].last_frame = frame_;
      } else {
        held_.erase(held);
      }
    }
    if (!kinds_.contains(MomentKind::apart)) return;
    const double apart_m = std::hypot(truth.x_m - given.x_m, truth.y_m - given.y_m);
    WorstMoment& moment = continued({MomentKind::apart, truth.id, given.id}, truth);
    moment.true_id = truth.id, moment.id = given.id;
    if (apart_m <= moment.amount) return;
    moment.amount = apart_m, moment.frame = frame_;
    moment.x_m = truth.x_m, moment.y_m = truth.y_m;
  }
  // Before the match of its frame.
  void swapped(const TrackSwitch& change, const TrackRow& truth) {
    if (!kinds_.contains(MomentKind::swapped)) return;
    WorstMoment moment;
    moment.kind = MomentKind::swapped;
    moment.frame = moment.first_frame = moment.last_frame = frame_;
    moment.true_id = change.true_id, moment.id = change.after, moment.id_before = change.before;
    moment.x_m = truth.x_m, moment.y_m = truth.y_m;
    held_[change.true_id] = moments_.size();
    moments_.push_back(std::move(moment));
  }
  std::vector<WorstMoment> take() && { return std::move(moments_); }

 private:
  using Key = std::tuple<MomentKind, int64_t, int64_t>;
  struct Open {
    size_t moment = 0;
    int64_t index = 0;  // the last frame's
  };

  WorstMoment& continued(const Key& key, const TrackRow& row) {
    const auto found = open_.find(key);
    if (found == open_.end() || found->second.index + 1 != index_) {
      open_[key] = {moments_.size(), index_};
      WorstMoment moment;
      moment.kind = std::get<0>(key);
      moment.frame = moment.first_frame = frame_;
      moment.x_m = row.x_m, moment.y_m = row.y_m;
      moments_.push_back(std::move(moment));
    } else {
      found->second.index = index_;
    }
    WorstMoment& moment = moments_[open_[key].moment];
    moment.last_frame = frame_;
    return moment;
  }

  const std::set<MomentKind>& kinds_;
  int64_t frame_ = 0, index_ = -1;
  std::map<Key, Open> open_;
  std::map<int64_t, size_t> held_;  // keyed by true person: the instant of the identity it has since
  std::vector<WorstMoment> moments_;
};

void add_frame(const Frame& frame, ClearCount* count, MomentJoiner* joiner) {
  joiner->begin_frame(frame.number);
  const size_t switches = count->switches().size();
  std::vector<char> true_met(frame.true_rows.size()), given_met(frame.given_rows.size());
  const std::vector<ClearCount::Match> matches = count->add(frame);
  for (size_t i = switches; i < count->switches().size(); ++i) {
    const TrackSwitch& change = count->switches()[i];
    const auto row = std::ranges::find(frame.true_rows, change.true_id, &TrackRow::id);
    joiner->swapped(change, **row);
  }
  for (const auto& [i, j] : matches) {
    const auto t = static_cast<size_t>(i), g = static_cast<size_t>(j);
    true_met[t] = given_met[g] = 1;
    joiner->matched(*frame.true_rows[t], *frame.given_rows[g]);
  }
  for (size_t i = 0; i < true_met.size(); ++i)
    if (!true_met[i]) joiner->alone(MomentKind::missed, *frame.true_rows[i]);
  for (size_t j = 0; j < given_met.size(); ++j)
    if (!given_met[j]) joiner->alone(MomentKind::false_found, *frame.given_rows[j]);
}

std::string frames_text(double amount) {
  return fmt::format("{:.0f} frame{}", amount, amount == 1 ? "" : "s");
}

}  // namespace

std::string_view moment_kind_name(MomentKind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"missed", "false", "swapped", "apart", "mask", "slow"};
  return kNames[static_cast<size_t>(kind)];
}

std::string moment_text(const WorstMoment& m) {
  const auto number = [](int64_t id) { return std::to_string(id); };
  switch (m.kind) {
    case MomentKind::missed:
      return "person " + number(m.true_id) + " missed, " + frames_text(m.amount);
    case MomentKind::false_found:
      return "ID " + number(m.id) + " where no one is, " + frames_text(m.amount);
    case MomentKind::swapped:
      return "person " + number(m.true_id) + ": ID " + number(m.id_before) + " becomes " + number(m.id) +
             ", for " + frames_text(m.amount);
    case MomentKind::apart:
      return "person " + number(m.true_id) + fmt::format(" found {:.2f} m off", m.amount);
    case MomentKind::mask:
      return m.camera + fmt::format(": IoU {:.3f}", m.amount);
    case MomentKind::slow:
      return fmt::format("{:.1f} ms", m.amount);
  }
  return {};
}

Result<std::vector<WorstMoment>> worst_moments(const std::vector<TrackRow>& truth,
                                               const std::vector<TrackRow>& given,
                                               const EvaluationOptions& options,
                                               const std::set<MomentKind>& kinds) {
  VANTAGE_ASSIGN(const Sequence sequence, metrics_detail::make_sequence(truth, given, options));
  PlaceMetrics places;
  ClearCount count(sequence, min_similarity(options), &places);
  MomentJoiner joiner(kinds);
  for (const Frame& frame : sequence.frames) add_frame(frame, &count, &joiner);
  std::vector<WorstMoment> moments = std::move(joiner).take();
  std::stable_sort(moments.begin(), moments.end(), [](const WorstMoment& a, const WorstMoment& b) {
    return std::make_tuple(-a.amount, a.first_frame) < std::make_tuple(-b.amount, b.first_frame);
  });
  return moments;
}

}  // namespace vantage
