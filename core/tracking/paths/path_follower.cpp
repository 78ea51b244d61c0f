#include "core/tracking/paths/path_follower.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/tracking/paths/detail/path_windows.h"
#include "core/tracking/paths/smoothing.h"

namespace vantage::path_detail {
namespace {

// A person's positions, from all sightings of their path: the filter of motion_state.h run forwards and back.
// H. E. Rauch, F. Tung, C. T. Striebel, "Maximum likelihood estimates of linear dynamic systems", AIAA
// Journal 1965.

// Per node of the path its position in metres. A first node that carries a path of the window before begins
// as that one ended.
std::vector<std::array<double, 2>> smoothed_way(std::span<const int32_t> path, std::span<const Node> nodes,
                                                double frame_rate, const PathParameters& parameters) {
  std::vector<MotionState> states;
  for (const int32_t number : path) {
    const Node& node = nodes[number];
    if (states.empty()) {
      const bool carries = node.carries >= 0 && node.motion.started;
      states.push_back(carries ? node.motion : motion_start(node.person, node.frame, parameters));
    } else {
      states.push_back(states.back());
      motion_step(states.back(), node.person, node.frame, frame_rate, parameters);
    }
  }
  for (size_t i = states.size(); i-- > 1;) {
    const MotionState& after = states[i];
    MotionState& at = states[i - 1];
    const Lapse lapse = lapse_of(static_cast<double>(after.frame - at.frame) / frame_rate, parameters);
    // The prediction from `at`, and its covariance with `at`.
    const MotionState next = expected_after(at, lapse);
    const double place = next.place_variance, mixed = next.covariance, speed = next.speed_variance;
    const double place_place = at.place_variance + lapse.leads_s * at.covariance,
                 place_speed = lapse.kept * at.covariance;
    const double speed_place = at.covariance + lapse.leads_s * at.speed_variance,
                 speed_speed = lapse.kept * at.speed_variance;
    const double determinant = place * speed - mixed * mixed;
    const double g00 = (place_place * speed - place_speed * mixed) / determinant;
    const double g01 = (place_speed * place - place_place * mixed) / determinant;
    const double g10 = (speed_place * speed - speed_speed * mixed) / determinant;
    const double g11 = (speed_speed * place - speed_place * mixed) / determinant;
    const double x_m = after.x_m - next.x_m, vx = after.speed_x - next.speed_x;
    const double y_m = after.y_m - next.y_m, vy = after.speed_y - next.speed_y;
    at.x_m += g00 * x_m + g01 * vx, at.speed_x += g10 * x_m + g11 * vx;
    at.y_m += g00 * y_m + g01 * vy, at.speed_y += g10 * y_m + g11 * vy;
  }
  std::vector<std::array<double, 2>> places;
  for (const MotionState& state : states) places.push_back({state.x_m, state.y_m});
  return places;
}

// The answer of smoothing to an impulse in the middle sighting.
std::vector<double> impulse_answer(double interval_s, const PathParameters& parameters) {
  std::vector<Node> nodes(2 * kSmoothingReach + 1);
  std::vector<int32_t> path;
  for (Node& node : nodes) node.frame = std::ssize(path), path.push_back(static_cast<int32_t>(node.frame));
  nodes[kSmoothingReach].person.x_m = 1;
  std::vector<double> answer;
  for (const auto& [x_m, y_m] : smoothed_way(path, nodes, 1 / interval_s, parameters)) answer.push_back(x_m);
  return answer;
}

}  // namespace

}  // namespace vantage::path_detail

namespace vantage {
namespace {

using path_detail::Node;
using path_detail::NodePaths;

PathPoint point_of(int64_t frame, const FloorPerson& person, int32_t number) {
  return {frame, person.x_m, person.y_m, person.height_m, person.confidence, true, number};
}

// The frames between two points, on the straight line.
template <typename Points>
void add_bridge(PathPoint from, const PathPoint& to, double frame_rate, Points* points) {
  const auto gap = static_cast<double>(to.frame - from.frame);
  for (int64_t frame = from.frame + 1; frame < to.frame; ++frame) {
    const double w = static_cast<double>(frame - from.frame) / gap;
    const PathPoint& nearer = w <= 0.5 ? from : to;
    const auto away = static_cast<double>(std::llabs(frame - nearer.frame));
    points->push_back({frame, std::lerp(from.x_m, to.x_m, w), std::lerp(from.y_m, to.y_m, w),
                       std::lerp(from.height_m, to.height_m, w),
                       carried_confidence(nearer.confidence, away / frame_rate), false});
  }
}

}  // namespace

Result<PathFollower> PathFollower::make(double frame_rate, const PathParameters& parameters,
                                        std::vector<FloorZone> entrances, FindAgain find_again) {
  if (!(frame_rate > 0)) return fail(ErrorKind::invalid_argument, "the frame rate is not known", "paths");
  return PathFollower(frame_rate, parameters, std::move(entrances), std::move(find_again));
}

PathFollower::PathFollower(double frame_rate, const PathParameters& parameters,
                           std::vector<FloorZone> entrances, FindAgain find_again)
    : frame_rate_(frame_rate),
      parameters_(parameters),
      entrances_(std::move(entrances)),
      find_again_(std::move(find_again)),
      returning_(frame_rate, parameters),
      length_(std::llround(parameters.window_s * frame_rate)),
      overlap_(std::clamp<int64_t>(std::llround(parameters.overlap_s * frame_rate), 0, length_ / 2)),
      longest_gap_(std::llround(kLongestGap_s * frame_rate)),
      // After so long to end and to start again costs no more.
      carry_reach_s_(2 * parameters.entry_cost / parameters.missed_cost_per_s + kIndependent_s) {}

Result<FinalPaths> PathFollower::add(SeenFrame frame) {
  if (!frames_.empty() && frame.frame <= frames_.back().frame)
    return fail(ErrorKind::invalid_argument, "frames do not ascend", "frame " + std::to_string(frame.frame));
  if (frames_.empty()) begin_ = frame.frame;
  const int64_t number = frame.frame;
  observe(number);
  frames_.push_back(std::move(frame));
  while (length_ > 0 && number >= begin_ + length_)
    VANTAGE_TRY(follow_in({begin_, begin_ + length_ - overlap_, begin_ + length_}));
  return taken();
}

Result<FinalPaths> PathFollower::finish() {
  if (frames_.empty()) return taken();
  const int64_t end = frames_.back().frame + 1;
  VANTAGE_TRY(follow_in({begin_, end, end}));
  settled_.bridged_end = end;
  return taken();
}

Status PathFollower::follow_in(const Window& window) {
  std::vector<Node> nodes = nodes_of(frames_, window);
  VANTAGE_ASSIGN(NodePaths found, solved(nodes, window));
  if (find_again_) {
    nodes = nodes_of(found_again(found, nodes, window), window);
    VANTAGE_ASSIGN(found, solved(nodes, window));
  }
  // Numbers rise with the first frame; paths that go on come first.
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return nodes[a.front()].frame < nodes[b.front()].frame;
  });
  settle_all(found, nodes, window);
  begin_ = window.settled, in_first_window_ = false;
  while (!frames_.empty() && frames_.front().frame < begin_) frames_.pop_front();
  forget_ended(begin_);
  settled_.end = settled_.bridged_end = begin_;
  for (const Open& open : open_) settled_.bridged_end = std::min(settled_.bridged_end, open.last_frame + 1);
  return {};
}

// Settles the paths, those of people who come back under their old IDs.
void PathFollower::settle_all(const NodePaths& paths, const std::vector<Node>& nodes, const Window& window) {
  std::vector<std::optional<path_detail::ShownPath>> shown(paths.size());
  std::vector<path_detail::Return> returns;
  if (returning_.concerns(nodes)) {
    for (size_t i = 0; i < paths.size(); ++i) {
      shown[i] = returning_.shown(paths[i], nodes, window.end);
      const int32_t carries = nodes[paths[i].front()].carries;
      if (shown[i] && carries >= 0) shown[i]->person = open_[carries].id;
    }
    returning_.learn(shown);
    returns = returning_.find(shown, window.settled);
  }
  std::vector<int64_t> ids(paths.size());
  const auto left_id = [&](const path_detail::Return& one) {
    return one.person > 0 ? one.person : ids[one.from];
  };
  for (size_t i = 0; i < paths.size(); ++i) {
    const auto sure = std::ranges::find_if(
        returns, [i](const path_detail::Return& one) { return one.path == i && one.sure(); });
    ids[i] = settle(paths[i], nodes, window, sure == returns.end() ? 0 : left_id(*sure));
    if (ids[i] == 0 || !shown[i]) continue;
    if (const auto known = returning_.shown(paths[i], nodes, window.settled))
      returning_.add(ids[i], *shown[i], *known);
  }
  for (const path_detail::Return& one : returns) {
    const path_detail::ShownPath& path = *shown[one.path];
    settled_.returns.push_back({left_id(one),
                                ids[one.path],
                                {one.left_frame, one.left_m[0], one.left_m[1]},
                                {path.first_frame, path.first_m[0], path.first_m[1]},
                                one.probability});
  }
  std::ranges::stable_sort(settled_.returns, {}, [](const PersonReturn& one) { return one.came.frame; });
}

Result<NodePaths> PathFollower::solved(const std::vector<Node>& nodes, const Window& window) const {
  constexpr std::array kMethods = {path_detail::paths_on_graph, path_detail::paths_on_grid,
                                   path_detail::paths_by_motion, path_detail::paths_on_graph};
  const auto follow = kMethods[static_cast<size_t>(parameters_.method)];
  const std::optional<int64_t> begin = in_first_window_ ? std::optional(window.begin) : std::nullopt;
  return follow({nodes, looked_, frame_rate_, parameters_, entrances_, begin,
                 window.settled == window.end ? std::optional(window.end) : std::nullopt});
}

// The window's frames with the people who are found where the paths expect some.
std::deque<SeenFrame> PathFollower::found_again(const NodePaths& paths, const std::vector<Node>& nodes,
                                                const Window& window) const {
  std::map<int64_t, std::vector<ExpectedPlace>> expected;
  for (const std::vector<int32_t>& path : paths) {
    std::vector<std::array<double, 2>> way;
    if (parameters_.method == PathMethod::motion)
      way = path_detail::smoothed_way(path, nodes, frame_rate_, parameters_);
    std::vector<PathPoint> points;
    for (size_t i = 0; i < path.size(); ++i) {
      const Node& node = nodes[path[i]];
      PathPoint point = point_of(node.frame, node.person, node.number);
      if (!way.empty()) point.x_m = way[i][0], point.y_m = way[i][1];
      if (i > 0) add_bridge(points.back(), point, frame_rate_, &points);
      points.push_back(point);
    }
    for (const PathPoint& point : points) expected[point.frame].push_back({point.x_m, point.y_m});
  }
  std::deque<SeenFrame> again;
  const auto apart = [&](size_t i) {
    return i >= frames_.size() ||
           std::ranges::lower_bound(looked_, frames_[i].frame, {}, &path_detail::Look::frame)->apart;
  };
  for (size_t i = 0; i < frames_.size() && frames_[i].frame < window.end; ++i) {
    again.push_back(frames_[i]);
    // The paths of a single instant know no more than its people.
    const bool single = (apart(i) || (i == 0 && in_first_window_)) && apart(i + 1);
    if (!single) find_again_(expected[frames_[i].frame], &again.back());
  }
  return again;
}

void PathFollower::observe(int64_t frame) {
  const double power = parameters_.method == PathMethod::motion ? 1 : path_detail::kMaskLooks;
  const bool apart =
      last_examined_ && frame - *last_examined_ > path_detail::longest_gap(frame_rate_, parameters_);
  last_examined_ = frame;
  const auto look = [&](int64_t at, bool examined) {
    const double since_s = static_cast<double>(looked_.empty() ? 1 : at - looked_.back().frame) / frame_rate_;
    looked_.push_back({at, path_detail::looked_s(looked_, at), since_s,
                       std::pow(path_detail::look_weight(since_s), power), examined, examined && apart});
  };
  // A long gap counts only as much as ends every path.
  if (!looked_.empty() && frame - looked_.back().frame > longest_gap_) {
    const double ended_s = looked_.back().before_s + carry_reach_s_;
    for (int64_t at = looked_.back().frame + 1; at < frame && looked_.back().before_s <= ended_s; ++at)
      look(at, false);
  }
  look(frame, true);
}

void PathFollower::forget_ended(int64_t begin) {
  const double looked_s = path_detail::looked_s(looked_, begin);
  std::erase_if(open_, [&](const Open& open) { return looked_s - open.last_look.before_s > carry_reach_s_; });
  int64_t needed = begin;
  for (const Open& open : open_) needed = std::min(needed, open.last_frame);
  looked_.erase(looked_.begin(), std::ranges::lower_bound(looked_, needed, {}, &path_detail::Look::frame));
}

// With the last points of paths that may go on, by frame.
std::vector<Node> PathFollower::nodes_of(const std::deque<SeenFrame>& frames, const Window& window) const {
  std::vector<Node> nodes;
  for (size_t i = 0; i < open_.size(); ++i)
    nodes.push_back({open_[i].last, open_[i].last_frame, open_[i].last_number, open_[i].last_look,
                     static_cast<int32_t>(i), open_[i].motion, open_[i].heights});
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const Node& a, const Node& b) { return a.frame < b.frame; });
  for (const SeenFrame& frame : frames) {
    if (frame.frame >= window.end) break;
    int32_t number = 0;
    const auto& look = *std::ranges::lower_bound(looked_, frame.frame, {}, &path_detail::Look::frame);
    for (const FloorPerson& person : frame.people) nodes.push_back({person, frame.frame, number++, look});
    for (const FloorPerson& peak : frame.rejected) nodes.push_back({peak, frame.frame, -1, look});
  }
  return nodes;
}

int64_t PathFollower::settle(const std::vector<int32_t>& path, const std::vector<Node>& nodes,
                             const Window& window, int64_t returning) {
  std::vector<std::array<double, 2>> way;
  if (parameters_.method == PathMethod::motion)
    way = path_detail::smoothed_way(path, nodes, frame_rate_, parameters_);
  int32_t open = -1;
  for (size_t i = 0; i < path.size(); ++i) {
    const Node& node = nodes[path[i]];
    if (node.carries >= 0) {
      open = node.carries;
      continue;
    }
    if (node.frame >= window.settled) break;
    PathPoint point = point_of(node.frame, node.person, node.number);
    if (!way.empty()) point.x_m = way[i][0], point.y_m = way[i][1];
    if (open >= 0) {
      go_on(open_[open], node, point);
    } else {
      open = start(returning > 0 ? returning : ++last_id_, node, point);
    }
  }
  return open < 0 ? 0 : open_[open].id;
}

// A person whose path may still be open keeps its place among them: nodes refer to it.
int32_t PathFollower::start(int64_t id, const Node& node, const PathPoint& point) {
  auto open = std::ranges::find(open_, id, &Open::id);
  if (open == open_.end()) open = open_.insert(open, Open{});
  *open = {id, node.frame, node.look, node.person, node.number, point};
  part_of(id).points.push_back(point);
  move(*open, node);
  return static_cast<int32_t>(open - open_.begin());
}

PersonPath& PathFollower::part_of(int64_t id) {
  const auto by_id = [](const PersonPath& part, int64_t id) { return part.id < id; };
  auto part = std::lower_bound(settled_.parts.begin(), settled_.parts.end(), id, by_id);
  if (part == settled_.parts.end() || part->id != id) part = settled_.parts.insert(part, {id, {}});
  return *part;
}

void PathFollower::move(Open& open, const Node& node) const {
  if (open.motion.started)
    path_detail::motion_step(open.motion, node.person, node.frame, frame_rate_, parameters_);
  else
    open.motion = path_detail::motion_start(node.person, node.frame, parameters_);
  if (node.number >= 0) open.heights.add(node.person.height_m, node.look.weight);
}

void PathFollower::go_on(Open& open, const Node& node, const PathPoint& point) {
  PersonPath& part = part_of(open.id);
  add_bridge(open.last_point, point, frame_rate_, &part.points);
  part.points.push_back(point);
  open.last_frame = node.frame, open.last_look = node.look;
  open.last = node.person, open.last_number = node.number, open.last_point = point;
  move(open, node);
}

int64_t error_step(int64_t gap, double frame_rate) {
  if (gap <= 0 || static_cast<double>(gap) > kMaxUnturned_s * frame_rate) return 0;
  return gap * std::max<int64_t>(1, std::llround(kIndependent_s * frame_rate / static_cast<double>(gap)));
}

// Walks are sums of the changes of position and velocity between sightings (Lapse), each of which leads on.
PathSmoothing path_smoothing(double interval_s, const PathParameters& parameters) {
  PathSmoothing smoothing{path_detail::impulse_answer(interval_s, parameters),
                          std::vector<double>(kSmoothingLags)};
  std::vector<double> removed = smoothing.weights;
  removed[kSmoothingReach] -= 1;
  const path_detail::Lapse lapse = path_detail::lapse_of(interval_s, parameters);
  const double place = std::sqrt(lapse.place_variance), mixed = lapse.covariance / place,
               speed = std::sqrt(std::max(0.0, lapse.speed_variance - mixed * mixed));
  const int count = 2 * kSmoothingReach + 1;
  for (const auto& [moved_m, speed_m_per_s] : {std::array{place, mixed}, std::array{0.0, speed}}) {
    // Share removed in the middle, of a change before each sighting.
    std::vector<double> answer(count);
    for (int from = 0; from < count; ++from) {
      double away_m = moved_m, velocity = speed_m_per_s;
      for (int to = from; to < count; ++to) {
        answer[from] += removed[to] * away_m;
        away_m += lapse.leads_s * velocity, velocity *= lapse.kept;
      }
    }
    for (int lag = 0; lag < kSmoothingLags; ++lag)
      for (int i = lag; i < count; ++i) smoothing.removed_m2[lag] += answer[i] * answer[i - lag];
  }
  return smoothing;
}

FinalPaths PathFollower::taken() {
  return std::exchange(settled_, {settled_.end, settled_.bridged_end, {}});
}

}  // namespace vantage
