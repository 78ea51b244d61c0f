// People of results files as trackers see them, and the numbers they get.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage::project_detail {

// What paths say of the people of frames.
struct PathPeople {
  struct Between {
    int64_t id = 0;
    PathPoint point;
  };
  std::map<std::pair<int64_t, int32_t>, int64_t> numbers;  // by frame and place among its people
  std::map<int64_t, std::vector<Between>> between;         // by frame: on the way from a sighting to the next
  std::map<int64_t, std::vector<Between>> kept;            // by frame: where a rejected peak bridges a gap
};

// Why the search rejected a person whom a path keeps: a key of theirs, who come last.
inline constexpr std::string_view kKeptByPath = "kept_by_path";
PathPeople people_on(const std::vector<PersonPath>& paths);

// A row of tracks.csv, with its newline; of who was not seen there with a confidence of 0.
std::string path_row(int64_t id, const PathPoint& point);

}  // namespace vantage::project_detail
