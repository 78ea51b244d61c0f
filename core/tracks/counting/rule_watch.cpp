#include "core/tracks/counting/rule_watch.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace vantage {

Result<RuleWatch> RuleWatch::make(std::vector<FloorRule> rules, std::vector<FloorZone> zones,
                                  std::vector<FloorLine> lines, double frame_rate) {
  VANTAGE_TRY(find_events({{}, {}, frame_rate}, rules, zones, lines));
  RuleWatch watch;
  watch.rules_ = std::move(rules), watch.zones_ = std::move(zones), watch.lines_ = std::move(lines);
  watch.frame_rate_ = frame_rate;
  for (const FloorRule& rule : watch.rules_) {
    const double stay_s = rule.kind == RuleKind::stays_longer ? rule.limit : 0;
    watch.memory_s_ = std::max(watch.memory_s_, kMemoryOfLongest * (stay_s + rule.delay_s + rule.clear_s));
  }
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
  forget_before(frame - memory_frames());
  return look(frame);
}

int64_t RuleWatch::memory_frames() const {
  return std::llround(memory_s_ * frame_rate_);
}

void RuleWatch::forget_before(int64_t frame) {
  frames_.erase(frames_.begin(), std::lower_bound(frames_.begin(), frames_.end(), frame));
  for (auto path = paths_.begin(); path != paths_.end();) {
    auto& points = path->second.points;
    // An eighth at once: each way is moved seldom.
    if (const size_t first = points.first_from(frame); first > points.size() / 8)
      points.keep(first, points.size());
    path = points.empty() ? paths_.erase(path) : std::next(path);
  }
  std::erase_if(told_, [&](const Key& key) { return std::get<2>(key) < frame; });
}

bool RuleWatch::still_here(int64_t id) const {
  const auto path = paths_.find(id);
  return path != paths_.end() && path->second.points.back().frame >= last_look_;
}

// Events that have ended since the last frame.
std::vector<FloorEvent> RuleWatch::follow_open(const std::vector<FloorEvent>& found, int64_t frame) {
  std::map<Who, const FloorEvent*> of_then;  // the latest of each that had begun at the last look
  for (const FloorEvent& event : found)
    if (event.first_frame <= last_look_) of_then[{event.rule, event.id}] = &event;
  // The beginning of what lasts longer than this moves with the memory's.
  const auto whole = static_cast<int64_t>(static_cast<double>(memory_frames()) * (1 - 1 / kMemoryOfLongest));
  std::vector<FloorEvent> ended;
  for (auto open = open_.begin(); open != open_.end();) {
    FloorEvent& event = open->second;
    const auto now = of_then.find(open->first);
    const bool older_than_memory = event.first_frame <= frame - whole;
    bool goes_on = false;
    if (now != of_then.end() && (older_than_memory || now->second->first_frame == event.first_frame)) {
      event.last_frame = now->second->last_frame;
      goes_on = !event.last_frame;
    } else if (now == of_then.end() && older_than_memory) {
      goes_on = still_here(event.id);
      if (!goes_on) event.last_frame = last_look_;
    }
    if (event.last_frame) ended.push_back(event);
    open = goes_on ? std::next(open) : open_.erase(open);
  }
  return ended;
}

std::vector<FloorEvent> RuleWatch::look(int64_t frame) {
  std::vector<PersonPath> paths;
  for (const auto& [id, path] : paths_) paths.push_back(path);
  const auto found = find_events({paths, frames_, frame_rate_}, rules_, zones_, lines_);
  if (!found) return {};  // the names were checked in make()
  std::vector<FloorEvent> news = follow_open(*found, frame);
  // Events that began before the memory were reported then.
  const int64_t known_since = frame - memory_frames() / 2;
  for (const FloorEvent& event : *found) {
    if (event.raised_frame < known_since || !told_.insert({event.rule, event.id, event.first_frame}).second)
      continue;
    news.push_back(event);
    ++raised_;
    if (!event.last_frame) open_[{event.rule, event.id}] = event;
  }
  last_look_ = frame;
  return news;
}

}  // namespace vantage
