#include "core/display/lanes.h"

#include <algorithm>

namespace vantage {
namespace {

Lane lane_of(const PersonPath& path, std::span<const int64_t> frames) {
  Lane lane;
  lane.id = path.id;
  for (const PathPoint& point : path.points) {
    if (!point.seen) continue;
    if (lane.seen.empty()) {
      lane.seen.emplace_back(point.frame, point.frame);
      continue;
    }
    const bool adjacent = point.frame == lane.last() + 1;  // as nearly always
    const auto next = adjacent ? frames.end() : std::upper_bound(frames.begin(), frames.end(), lane.last());
    if (next != frames.end() && *next < point.frame)
      lane.seen.emplace_back(point.frame, point.frame);
    else
      lane.seen.back().second = point.frame;
  }
  if (lane.seen.empty() || frames.empty()) return lane;
  lane.born = lane.first() > frames.front();
  lane.lost = lane.last() < frames.back();
  return lane;
}

}  // namespace

std::vector<Lane> lanes_of(std::span<const PersonPath> paths, std::span<const int64_t> frames) {
  std::vector<Lane> lanes;
  for (const PersonPath& path : paths)
    if (Lane lane = lane_of(path, frames); !lane.seen.empty()) lanes.push_back(std::move(lane));
  return lanes;
}

}  // namespace vantage
