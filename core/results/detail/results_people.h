// People of a frame line, as they are first written and as paths change them in the end.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/fusion/deviations.h"
#include "core/people/skeletons/skeletons.h"
#include "core/pipeline/frame_result.h"
#include "core/results/second_pass_people.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage::project_detail {

// People of results files as trackers see them, and the numbers they get.

// What paths say of the people of frames.
struct PathPeople {
  struct Between {
    int64_t id = 0;
    PathPoint point;
  };
  std::map<std::pair<int64_t, int32_t>, int64_t> numbers;  // by frame and place among its people
  std::map<int64_t, std::vector<Between>> between;         // by frame: on the way from a sighting to the next
  std::map<int64_t, std::vector<Between>> kept;            // by frame: where a rejected peak bridges a gap
  PathDeviations deviations;
};

// Why the search rejected a person whom a path keeps: a key of theirs, who come last.
inline constexpr std::string_view kKeptByPath = "kept_by_path";
PathPeople people_on(const std::vector<PersonPath>& paths);

// A row of tracks.csv, with its newline; of who was not seen there with a confidence of 0. `deviation`: null
// where it is unknown.
std::string path_row(int64_t id, const PathPoint& point, const PersonDeviation* deviation = nullptr);

// Without a number where `tracked` is null; without a volume where it is not `measured`.
nlohmann::ordered_json person_json(const FoundPerson& person, const TrackedPerson* tracked, bool measured);
// What only people from detections have.
void put_fused(const FusedPerson& fused, nlohmann::ordered_json* person);
// Only of a skeleton with a layout.
nlohmann::ordered_json skeleton_json(const PersonSkeleton& skeleton);

// The frame line with whom `again` found in it last (null: no one is found again) and with these numbers, or
// none; what people had before becomes `provisional_id`, where there is none yet. Who was found again has the
// volume, the motion, the colours, the provisional number and the heads of the one who was found there
// before, and joints of the cameras that carry them now. A rejected peak on a path is a person, the last of
// them, with why it was rejected. Lines that are not understood stay as they are. A line whose people are
// carried, or could be, gets those who are on their way between two sightings there; where there are none it
// keeps the chain's, without IDs.
std::string finished_line(const std::string& line, const SecondPassPeople* again, const PathPeople& paths);

}  // namespace vantage::project_detail

namespace vantage {

// heads.csv of a results folder: the boxes of heads as `vantage-cli heads --out` writes them.

// camera,frame,x,y,w,h,score,guided of every head that the frames of results.jsonl hold; without any frame
// that was searched for heads the file goes.
Status write_head_rows(const std::filesystem::path& folder);

}  // namespace vantage
