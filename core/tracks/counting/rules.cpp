#include "core/tracks/counting/rules.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <utility>

#include "core/tracks/counting/counting.h"

namespace vantage {
namespace {

// One condition over frames: raises an event after `delay` frames, which is over after `clear`.
class Condition {
 public:
  Condition(const FloorRule& rule, int64_t id, double frame_rate)
      : rule_(rule),
        id_(id),
        delay_(std::llround(rule.delay_s * frame_rate)),
        clear_(std::llround(rule.clear_s * frame_rate)) {}

  void update(int64_t frame, bool holds, const Eigen::Vector2d& place_m, double value) {
    if (holds) {
      if (since_ < 0) since_ = frame;
      last_ = frame;
      if (!event_ && frame - since_ >= delay_)
        event_ = FloorEvent{rule_.name, id_, since_, frame, {}, place_m.x(), place_m.y(), value};
    } else if (since_ >= 0 && (!event_ || frame - last_ > clear_)) {
      close(last_);
    }
  }
  // The condition cannot hold after this frame.
  void end(int64_t frame) {
    if (since_ >= 0) close(frame);
  }
  std::vector<FloorEvent> events() {
    if (event_) events_.push_back(*event_);
    return std::move(events_);
  }

 private:
  void close(int64_t frame) {
    if (event_) {
      event_->last_frame = frame;
      events_.push_back(*event_);
    }
    event_.reset();
    since_ = -1;
  }

  const FloorRule& rule_;
  const int64_t id_, delay_, clear_;
  int64_t since_ = -1, last_ = -1;
  std::optional<FloorEvent> event_;
  std::vector<FloorEvent> events_;
};

class RuleRun {
 public:
  RuleRun(const TrackedRange& range, const FloorRule& rule, const FloorZone* zone)
      : range_(range), rule_(rule), zone_(zone) {}

  std::vector<FloorEvent> events() {
    if (rule_.kind == RuleKind::more_than)
      count_zone();
    else
      for (const PersonPath& path : range_.paths) follow(path);
    return std::move(events_);
  }

 private:
  bool ends_with_range(const PersonPath& path) const {
    return !range_.frames.empty() && path.points.back().frame >= range_.frames.back();
  }
  void take(Condition& condition) {
    for (FloorEvent& event : condition.events()) events_.push_back(std::move(event));
  }

  std::vector<Visit> visits_of(const PersonPath& path) const { return visits({&path, 1}, *zone_); }

  void follow(const PersonPath& path) {
    if (path.points.empty()) return;
    const std::vector<Visit> inside = zone_ ? visits_of(path) : std::vector<Visit>{};
    if (zone_ && inside.empty()) return;  // no condition of a zone holds for a person who was never in it
    Condition condition(rule_, path.id, range_.frame_rate);
    auto known = std::lower_bound(range_.frames.begin(), range_.frames.end(), path.points.frame(0));
    for (size_t i = 0; i < path.points.size(); ++i) {
      const PathPoint point = path.points[i];
      while (known != range_.frames.end() && *known < point.frame) ++known;
      if (known == range_.frames.end()) break;
      if (*known != point.frame) continue;
      const Visit* visit = nullptr;
      bool been_inside = false;
      for (const Visit& one : inside) {
        if (one.first_frame <= point.frame && point.frame <= one.last_frame) visit = &one;
        been_inside = been_inside || one.last_frame < point.frame;
      }
      const auto [holds, value] = condition_of(path, i, visit, been_inside);
      condition.update(point.frame, holds, {point.x_m, point.y_m}, value);
    }
    if (!ends_with_range(path)) condition.end(path.points.back().frame);
    take(condition);
  }

  std::pair<bool, double> condition_of(const PersonPath& path, size_t i, const Visit* visit,
                                       bool been_inside) const {
    const int64_t frame = path.points.frame(i);
    switch (rule_.kind) {
      case RuleKind::enters:
        return {visit != nullptr && visit->first_frame > path.points.frame(0), 0};
      case RuleKind::leaves:
        return {visit == nullptr && been_inside, 0};
      case RuleKind::stays_longer: {
        const double stay_s = visit ? static_cast<double>(frame - visit->first_frame) / range_.frame_rate : 0;
        return {visit != nullptr && stay_s > rule_.limit, stay_s};
      }
      case RuleKind::faster_than: {
        const double speed = speed_m_per_s(path, i, range_.frame_rate);
        return {speed > rule_.limit && (!zone_ || visit), speed};
      }
      case RuleKind::more_than:
      case RuleKind::crosses:
        break;
    }
    return {false, 0};
  }

  void count_zone() {
    Eigen::Vector2d middle(0, 0);
    for (const Eigen::Vector2d& corner : zone_->corners_m)
      middle += corner / static_cast<double>(zone_->corners_m.size());
    Condition condition(rule_, 0, range_.frame_rate);
    VisitCount inside(visits(range_.paths, *zone_));
    for (const int64_t frame : range_.frames) {
      const int64_t count = inside.at(frame);
      condition.update(frame, static_cast<double>(count) > rule_.limit, middle, static_cast<double>(count));
    }
    take(condition);
  }

  const TrackedRange& range_;
  const FloorRule& rule_;
  const FloorZone* zone_;
  std::vector<FloorEvent> events_;
};

std::vector<FloorEvent> line_events(const TrackedRange& range, const FloorRule& rule, const FloorLine& line) {
  std::vector<FloorEvent> events;
  for (const Crossing& c : crossings(range.paths, line))
    if (rule.way == CrossingWay::either || (rule.way == CrossingWay::to_left) == c.to_left)
      events.push_back({rule.name, c.id, c.frame, c.frame, c.frame, c.x_m, c.y_m, 0});
  return events;
}

template <typename Shape>
const Shape* named(std::span<const Shape> shapes, const std::string& name) {
  const auto found =
      std::find_if(shapes.begin(), shapes.end(), [&](const Shape& shape) { return shape.name == name; });
  return found == shapes.end() ? nullptr : &*found;
}

}  // namespace

Result<FloorRule> parse_rule(const std::string& text) {
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorKind::invalid_argument, what, text,
                "Write it as NAME=KIND,where=ZONE,limit=NUMBER,delay=SECONDS,clear=SECONDS,way=to_left.");
  };
  const auto place = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  FloorRule rule;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) return wrong("a part of the rule has no value");
    const std::string key = part.substr(0, equals), value = part.substr(equals + 1);
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool is_number = !value.empty() && *end == 0 && number >= 0;
    if (rule.name.empty()) {
      const auto kind = place(kRuleKindNames, value);
      if (kind == std::ssize(kRuleKindNames)) return wrong("unknown kind of rule '" + value + "'");
      rule.name = key, rule.kind = static_cast<RuleKind>(kind);
    } else if (key == "where") {
      rule.where = value;
    } else if (key == "way" && place(kCrossingWayNames, value) < std::ssize(kCrossingWayNames)) {
      rule.way = static_cast<CrossingWay>(place(kCrossingWayNames, value));
    } else if (is_number && (key == "limit" || key == "delay" || key == "clear")) {
      (key == "limit" ? rule.limit : key == "delay" ? rule.delay_s : rule.clear_s) = number;
    } else {
      return wrong("'" + part + "' is not understood");
    }
  }
  if (rule.name.empty()) return wrong("the rule is empty");
  return rule;
}

Result<std::vector<FloorEvent>> find_events(const TrackedRange& range, std::span<const FloorRule> rules,
                                            std::span<const FloorZone> zones,
                                            std::span<const FloorLine> lines) {
  std::vector<FloorEvent> events;
  for (const FloorRule& rule : rules) {
    const FloorLine* line = rule.kind == RuleKind::crosses ? named(lines, rule.where) : nullptr;
    const FloorZone* zone = rule.kind == RuleKind::crosses ? nullptr : named(zones, rule.where);
    const bool everywhere = rule.kind == RuleKind::faster_than && rule.where.empty();
    if (!line && !zone && !everywhere) {
      const std::string shape = rule.kind == RuleKind::crosses ? "line" : "zone";
      return fail(ErrorKind::invalid_argument,
                  rule.where.empty() ? "no " + shape + " is chosen"
                                     : "there is no " + shape + " named '" + rule.where + "'",
                  "rule \"" + rule.name + "\"", "Draw it, or name an existing one.");
    }
    std::vector<FloorEvent> found =
        line ? line_events(range, rule, *line) : RuleRun(range, rule, zone).events();
    events.insert(events.end(), found.begin(), found.end());
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const FloorEvent& a, const FloorEvent& b) { return a.raised_frame < b.raised_frame; });
  return events;
}

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
    // Removes at least an eighth at once, so that paths are moved seldom.
    if (const size_t first = points.first_from(frame); first > points.size() / 8)
      points.keep(first, points.size());
    path = points.empty() ? paths_.erase(path) : std::next(path);
  }
  std::erase_if(reported_, [&](const Key& key) { return std::get<2>(key) < frame; });
}

bool RuleWatch::still_here(int64_t id) const {
  const auto path = paths_.find(id);
  return path != paths_.end() && path->second.points.back().frame >= last_look_;
}

// Events that have ended since the last frame.
std::vector<FloorEvent> RuleWatch::follow_open(const std::vector<FloorEvent>& found, int64_t frame) {
  std::map<Who, const FloorEvent*> of_then;  // the latest of each that had begun at the last pass
  for (const FloorEvent& event : found)
    if (event.first_frame <= last_look_) of_then[{event.rule, event.id}] = &event;
  // The beginning of a condition that lasts longer moves with the memory's beginning.
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
  if (!found) return {};  // cannot fail: make() checked the names
  std::vector<FloorEvent> news = follow_open(*found, frame);
  // Events that began before the memory were reported earlier.
  const int64_t known_since = frame - memory_frames() / 2;
  for (const FloorEvent& event : *found) {
    if (event.raised_frame < known_since ||
        !reported_.insert({event.rule, event.id, event.first_frame}).second)
      continue;
    news.push_back(event);
    ++raised_;
    if (!event.last_frame) open_[{event.rule, event.id}] = event;
  }
  last_look_ = frame;
  return news;
}

}  // namespace vantage
