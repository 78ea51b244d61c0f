// What is asked of a day's tracks, as window and command line both ask it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tracks/find/track_index.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

// Who was there at all, was in a zone, crossed a line, met whom.
enum class FindKind : uint8_t { present, visits, crossings, meetings };

struct FindQuestion {
  FindKind kind = FindKind::present;
  FloorZone zone = {};  // of visits
  FloorLine line = {};  // of crossings, with the next
  CrossingWay way = CrossingWay::either;
  double closer_m = 1;  // of meetings
  FindFilter filter = {};
};

// The answer by first frame, then by person.
std::vector<FoundMoment> answer(const TrackIndex& index, const FindQuestion& question);

// The people of one word: who has that name, else who has that ID. Errors (invalid_argument): neither.
Result<std::vector<int64_t>> people_called(const std::string& text, const PersonNames& names);

}  // namespace vantage
