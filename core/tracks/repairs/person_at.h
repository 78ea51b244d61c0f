// The person whom a repair means.
#pragma once

#include <optional>
#include <span>

#include "core/people/paths_by_frame.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

// Which path is there in that frame, the nearest within kRepairReach_m; nothing: no one stood there.
std::optional<size_t> person_at(std::span<const PersonPath> paths, const PlaceInTime& place);
// The same; `by_frame` of these paths spares looking at all of them.
std::optional<size_t> person_at(std::span<const PersonPath> paths, const PathsByFrame& by_frame,
                                const PlaceInTime& place);

}  // namespace vantage
