#include "core/batch/join_tracks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "core/base/assignment.h"

namespace vantage {
namespace {

constexpr double kHeightWeight = 1.5;

// The places of IDs in a list of those there are, ascending.
std::map<int64_t, int> places_of(std::span<const TrackRow> rows) {
  std::map<int64_t, int> places;
  for (const TrackRow& row : rows) places.emplace(row.id, 0);
  int next = 0;
  for (auto& [id, place] : places) place = next++;
  return places;
}

double nearness(const TrackRow& a, const TrackRow& b) {
  const double height = kHeightWeight * (a.height_m - b.height_m);
  return 1 - std::hypot(a.x_m - b.x_m, a.y_m - b.y_m, height) / kJoin_m;
}

}  // namespace

std::vector<std::pair<int64_t, int64_t>> join_tracks(std::span<const TrackRow> before,
                                                     std::span<const TrackRow> after, int64_t begin,
                                                     int64_t end) {
  if (before.empty() || after.empty()) return {};
  const std::map<int64_t, int> rows = places_of(before), columns = places_of(after);
  ScoreMatrix scores(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  std::multimap<int64_t, const TrackRow*> by_frame;
  for (const TrackRow& row : after) by_frame.emplace(row.frame, &row);
  const double halved_after = std::max(1.0, kHalvedAfter * static_cast<double>(end - begin));
  for (const TrackRow& row : before) {
    const double weight = std::exp2(-static_cast<double>(std::abs(row.frame - begin)) / halved_after);
    const auto [first, last] = by_frame.equal_range(row.frame);
    for (auto other = first; other != last; ++other)
      if (const double near = nearness(row, *other->second); near > 0)
        scores.at(rows.at(row.id), columns.at(other->second->id)) += weight * near;
  }
  const std::vector<int> assigned = assign_maximum(scores);
  std::vector<int64_t> ids_after;
  for (const auto& [id, place] : columns) ids_after.push_back(id);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (const auto& [id, place] : rows) {
    const int column = assigned[static_cast<size_t>(place)];
    if (column >= 0 && scores.at(place, column) > 0)
      pairs.emplace_back(id, ids_after[static_cast<size_t>(column)]);
  }
  return pairs;
}

}  // namespace vantage
