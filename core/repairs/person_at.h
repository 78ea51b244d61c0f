// The person whom a repair means.
#pragma once

#include <optional>
#include <span>

#include "core/repairs/repairs.h"

namespace vantage {

// Which path is there in that frame, the nearest within kRepairReach_m; nothing: nobody stood there.
std::optional<size_t> person_at(std::span<const PersonPath> paths, const PlaceInTime& place);

}  // namespace vantage
