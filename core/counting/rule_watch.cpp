#include "core/counting/rule_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage {

Result<RuleWatch> RuleWatch::make(std::vector<FloorRule> rules, std::vector<FloorZone> zones,
                                  std::vector<FloorLine> lines, double frame_rate) {
  VANTAGE_TRY(find_events({{}, {}, frame_rate}, rules, zones, lines));
  RuleWatch watch;
  watch.rules_ = std::move(rules), watch.zones_ = std::move(zones), watch.lines_ = std::move(lines);
  watch.frame_rate_ = frame_rate;
  return watch;
}

std::vector<FloorEvent> RuleWatch::add(int64_t frame, std::span<const FloorPerson> people) {
  frames_.push_back(frame);
  for (const FloorPerson& person : people) {
    if (person.id <= 0) continue;
    PersonPath& path = paths_[person.id];
    path.id = person.id;
    path.points.push_back({frame, person.x_m, person.y_m, person.height_m, person.confidence, true});
  }
  if (frame < next_look_) return {};
  next_look_ = frame + std::max<int64_t>(std::llround(kEvery_s * frame_rate_), 1);
  forget_before(frame - std::llround(kMemory_s * frame_rate_));
  return look(frame);
}

void RuleWatch::forget_before(int64_t frame) {
  frames_.erase(frames_.begin(), std::lower_bound(frames_.begin(), frames_.end(), frame));
  for (auto path = paths_.begin(); path != paths_.end();) {
    auto& points = path->second.points;
    const auto kept =
        std::find_if(points.begin(), points.end(), [&](const PathPoint& p) { return p.frame >= frame; });
    // An eighth at once: each way is moved seldom.
    if (kept - points.begin() > static_cast<ptrdiff_t>(points.size() / 8)) points.erase(points.begin(), kept);
    path = points.empty() ? paths_.erase(path) : std::next(path);
  }
  std::erase_if(told_, [&](const Key& key) { return std::get<2>(key) < frame; });
}

std::vector<FloorEvent> RuleWatch::look(int64_t frame) {
  std::vector<PersonPath> paths;
  for (const auto& [id, path] : paths_) paths.push_back(path);
  const auto found = find_events({paths, frames_, frame_rate_}, rules_, zones_, lines_);
  std::vector<FloorEvent> news;
  if (!found) return news;  // the names were looked at in make()
  // What began before the memory was told then.
  const int64_t known_since = frame - std::llround(kMemory_s / 2 * frame_rate_);
  std::map<std::pair<std::string, int64_t>, FloorEvent> open;
  for (const FloorEvent& event : *found) {
    const auto who = std::make_pair(event.rule, event.id);
    const bool fresh =
        event.raised_frame >= known_since && told_.insert({event.rule, event.id, event.first_frame}).second;
    const auto before = open_.find(who);
    const bool ended = event.last_frame.has_value();
    if (fresh) news.push_back(event), ++raised_;
    if (!ended) open[who] = before != open_.end() ? before->second : event;
    if (ended && before != open_.end() && !fresh && before->second.first_frame == event.first_frame) {
      news.push_back(event);
      open_.erase(before);
    }
  }
  open_ = std::move(open);
  return news;
}

}  // namespace vantage
