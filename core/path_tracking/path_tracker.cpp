#include "core/path_tracking/path_tracker.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/path_tracking/path_windows.h"

namespace vantage {
namespace path_detail {
namespace {

constexpr double kLeastRejectedCost = 0.05;  // nats

}  // namespace

int64_t quantised(double nats) {
  return std::llround(1000 * nats);
}

int64_t detection_cost(const Node& node, const PathParameters& parameters) {
  if (node.carries >= 0) return kCarriedCost;
  const bool rejected = node.number < 0;
  const double weight = rejected ? parameters.rejected_weight : 1;
  const double p = std::clamp(weight * node.person.confidence, 0.01, 0.99);
  const double cost = -std::log(p / (1 - p));
  return quantised(rejected ? std::max(cost, kLeastRejectedCost) : cost);
}

}  // namespace path_detail

namespace {

using path_detail::Node;
using path_detail::NodePaths;

struct Window {
  int64_t begin = 0, settled = 0, end = 0;  // frames; what lies before `settled` is final
};

class Follower {
 public:
  Follower(std::span<const SeenFrame> frames, double frame_rate, const PathParameters& parameters,
           std::span<const FloorZone> entrances)
      : frames_(frames), frame_rate_(frame_rate), parameters_(parameters), entrances_(entrances) {}

  Result<std::vector<PersonPath>> follow() {
    if (frames_.empty()) return std::vector<PersonPath>{};
    for (Window window = first_window(); window.begin < window.end; window = window_after(window))
      VANTAGE_TRY(follow_in(window));
    return finished();
  }

 private:
  int64_t end_of_range() const { return frames_.back().frame + 1; }

  Window first_window() const { return window_from(frames_.front().frame); }
  Window window_from(int64_t begin) const {
    const auto length = std::llround(parameters_.window_s * frame_rate_);
    const auto overlap =
        std::clamp<int64_t>(std::llround(parameters_.overlap_s * frame_rate_), 0, length / 2);
    if (length == 0 || begin + length >= end_of_range()) return {begin, end_of_range(), end_of_range()};
    return {begin, begin + length - overlap, begin + length};
  }
  Window window_after(const Window& window) const {
    if (window.settled == end_of_range()) return {};
    return window_from(window.settled);
  }

  Status follow_in(const Window& window) {
    std::vector<Node> nodes = carried_into(window);
    const auto first = std::partition_point(
        frames_.begin(), frames_.end(), [&](const SeenFrame& frame) { return frame.frame < window.begin; });
    for (auto frame = first; frame != frames_.end() && frame->frame < window.end; ++frame) {
      int32_t number = 0;
      for (const FloorPerson& person : frame->people) nodes.push_back({person, frame->frame, number++});
      for (const FloorPerson& peak : frame->rejected) nodes.push_back({peak, frame->frame});
    }
    const auto follow =
        parameters_.method == PathMethod::graph ? path_detail::paths_on_graph : path_detail::paths_on_grid;
    VANTAGE_ASSIGN(const NodePaths found, follow(nodes, frame_rate_, parameters_, entrances_));
    for (const std::vector<int32_t>& path : found) settle(path, nodes, window);
    return {};
  }

  // The last points of paths that may go on in the window, by frame.
  std::vector<Node> carried_into(const Window& window) const {
    std::vector<Node> nodes;
    for (size_t i = 0; i < paths_.size(); ++i) {
      const PathPoint& last = paths_[i].points.back();
      if (window.begin - last.frame > carry_reach()) continue;
      nodes.push_back({{0, last.x_m, last.y_m, last.height_m, last.confidence},
                       last.frame,
                       last.person,
                       static_cast<int32_t>(i)});
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const Node& a, const Node& b) { return a.frame < b.frame; });
    return nodes;
  }

  // Frames after which a path that was not seen is never taken up again: restarting costs no more.
  int64_t carry_reach() const {
    return static_cast<int64_t>(2 * parameters_.entry_cost / parameters_.missed_cost) + 1;
  }

  void settle(const std::vector<int32_t>& path, const std::vector<Node>& nodes, const Window& window) {
    PersonPath* target = nullptr;
    for (const int32_t index : path) {
      const auto& [person, frame, number, carries] = nodes[static_cast<size_t>(index)];
      if (carries >= 0) {
        target = &paths_[static_cast<size_t>(carries)];
        continue;
      }
      if (frame >= window.settled) return;
      if (!target) target = &paths_.emplace_back();
      target->points.push_back(
          {frame, person.x_m, person.y_m, person.height_m, person.confidence, true, number});
    }
  }

  std::vector<PersonPath> finished() {
    std::stable_sort(paths_.begin(), paths_.end(), [](const PersonPath& a, const PersonPath& b) {
      return a.points.front().frame < b.points.front().frame;
    });
    int64_t id = 0;
    for (PersonPath& path : paths_) {
      path.id = ++id;
      path.points = without_gaps(path.points);
    }
    return std::move(paths_);
  }

  static std::vector<PathPoint> without_gaps(const std::vector<PathPoint>& seen) {
    std::vector<PathPoint> points;
    for (const PathPoint& point : seen) {
      if (!points.empty()) {
        const PathPoint before = points.back();
        const auto gap = static_cast<double>(point.frame - before.frame);
        for (int64_t frame = before.frame + 1; frame < point.frame; ++frame) {
          const double w = static_cast<double>(frame - before.frame) / gap;
          points.push_back({frame, std::lerp(before.x_m, point.x_m, w), std::lerp(before.y_m, point.y_m, w),
                            std::lerp(before.height_m, point.height_m, w), 0, false});
        }
      }
      points.push_back(point);
    }
    return points;
  }

  const std::span<const SeenFrame> frames_;
  const double frame_rate_;
  const PathParameters& parameters_;
  const std::span<const FloorZone> entrances_;
  std::vector<PersonPath> paths_;  // points seen, as far as they are settled
};

}  // namespace

Result<std::vector<PersonPath>> follow_paths(std::span<const SeenFrame> frames, double frame_rate,
                                             const PathParameters& parameters,
                                             std::span<const FloorZone> entrances) {
  if (!(frame_rate > 0)) return fail(ErrorKind::invalid_argument, "the frame rate is not known", "paths");
  for (size_t i = 1; i < frames.size(); ++i)
    if (frames[i].frame <= frames[i - 1].frame)
      return fail(ErrorKind::invalid_argument, "frames do not ascend",
                  "frame " + std::to_string(frames[i].frame));
  return Follower(frames, frame_rate, parameters, entrances).follow();
}

template <>
const ParameterTable& parameter_table<PathParameters>() {
  using P = PathParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "paths", "Paths",
      {choice<&P::method>({.name = "method",
                           .display_name = "Method",
                           .unit = "",
                           .help = "graph joins detections; grid runs through every cell of the floor",
                           .choices = {"graph", "grid"}}),
       real<&P::entry_cost>({.name = "entry_cost",
                             .display_name = "Cost of appearing",
                             .unit = "nats",
                             .help = "What a path pays where it starts, and again where it ends",
                             .minimum = 0.5,
                             .maximum = 100}),
       real<&P::missed_cost>({.name = "missed_cost",
                              .display_name = "Cost of a missed frame",
                              .unit = "nats",
                              .help = "What a path pays for each frame in which nobody was found there",
                              .minimum = 0.05,
                              .maximum = 20}),
       real<&P::max_speed_m_per_s>({.name = "max_speed_m_per_s",
                                    .display_name = "Highest speed",
                                    .unit = "m/s",
                                    .help = "Nobody moves faster",
                                    .minimum = 0.5,
                                    .maximum = 12,
                                    .level = ParameterLevel::expert}),
       real<&P::rejected_weight>(
           {.name = "rejected_weight",
            .display_name = "Weight of rejected peaks",
            .unit = "",
            .help = "How much of its confidence a rejected peak keeps; it may bridge a gap",
            .minimum = 0,
            .maximum = 1,
            .level = ParameterLevel::expert}),
       real<&P::jitter_m>({.name = "jitter_m",
                           .display_name = "Jitter",
                           .unit = "m",
                           .help = "Standard deviation of a place on the floor",
                           .minimum = 0.01,
                           .maximum = 1,
                           .level = ParameterLevel::expert}),
       real<&P::wander_m_per_s>({.name = "wander_m_per_s",
                                 .display_name = "Usual speed",
                                 .unit = "m/s",
                                 .help = "Standard deviation of the speed",
                                 .minimum = 0.1,
                                 .maximum = 10,
                                 .level = ParameterLevel::expert}),
       real<&P::height_jitter_m>({.name = "height_jitter_m",
                                  .display_name = "Jitter of heights",
                                  .unit = "m",
                                  .help = "Standard deviation of a height",
                                  .minimum = 0.01,
                                  .maximum = 2,
                                  .level = ParameterLevel::expert}),
       real<&P::color_jitter>(
           {.name = "color_jitter",
            .display_name = "Jitter of colours",
            .unit = "",
            .help = "Standard deviation of a mean colour, of 255, where colours were measured",
            .minimum = 0.5,
            .maximum = 100,
            .level = ParameterLevel::expert}),
       real<&P::color_cap>({.name = "color_cap",
                            .display_name = "Most that colours say",
                            .unit = "nats",
                            .help = "The most that other colours cost; 0 leaves colours out",
                            .minimum = 0,
                            .maximum = 50,
                            .level = ParameterLevel::expert}),
       real<&P::cell_m>({.name = "cell_m",
                         .display_name = "Cell",
                         .unit = "m",
                         .help = "Side of a cell of the grid",
                         .minimum = 0.02,
                         .maximum = 1,
                         .level = ParameterLevel::expert}),
       real<&P::window_s>({.name = "window_s",
                           .display_name = "Window",
                           .unit = "s",
                           .help = "Follow in windows of this length; 0 takes the whole range at once",
                           .minimum = 0,
                           .maximum = 3600,
                           .level = ParameterLevel::expert}),
       real<&P::overlap_s>({.name = "overlap_s",
                            .display_name = "Overlap",
                            .unit = "s",
                            .help = "Part of a window that the next one decides again, at most half of it",
                            .minimum = 0,
                            .maximum = 600,
                            .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
