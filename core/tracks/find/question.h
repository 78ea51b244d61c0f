// Questions about a day's tracks, common to window and command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tracks/find/track_index.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

// People present, in a zone, across a line, or near someone.
enum class FindKind : uint8_t { present, visits, crossings, meetings };

struct FindQuestion {
  FindKind kind = FindKind::present;
  FloorZone zone = {};  // used by visits
  FloorLine line = {};  // used by crossings, with the next
  CrossingWay way = CrossingWay::either;
  double closer_m = 1;  // used by meetings
  FindFilter filter = {};
};

// Sorted by first frame, then by person.
std::vector<FoundMoment> answer(const TrackIndex& index, const FindQuestion& question);

// The people with that name, else the person with that ID. Errors (invalid_argument): neither exists.
Result<std::vector<int64_t>> people_called(const std::string& text, const PersonNames& names);

}  // namespace vantage
