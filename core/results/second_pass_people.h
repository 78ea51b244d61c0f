// People of results found again where their paths expect them (FindAgain, path_tracker.h): from the
// detections that stand in the frames' lines, by the project's calibrations. What is found goes into the
// lines (results_people.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/fusion/deviations.h"
#include "core/fusion/fusion.h"
#include "core/geometry/floor_shapes.h"
#include "core/people/skeletons/skeletons.h"
#include "core/project/project.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage {

// Deviations learnt of sightings, by frame and ID.
using PathDeviations = std::map<std::pair<int64_t, int64_t>, SightingDeviation>;

// Threads may add frames, and ask for their first people, while another one finds people in them.
class SecondPassPeople {
 public:
  // `grid`: of the chain. Null where no one is found again: people do not come from detections, the cameras
  // have no calibration, or fusion.track_prior is 0.
  static std::shared_ptr<SecondPassPeople> of(const Project& project, const VoxelGrid& grid);

  // A frame line as frame_line() makes it; one that is not understood, or whose people are unknown, is left
  // as it is.
  void add(const std::string& line);
  // The people of a frame as found without paths, where its line has those found with paths. Empty for
  // other frames.
  std::optional<std::vector<FloorPerson>> first_people(int64_t frame);
  // Keeps `again` alive; empty where it is null. Leaves frames that were not added as they are.
  static FindAgain finder(std::shared_ptr<SecondPassPeople> again);

  // The people found in the frame the last time; empty: it was not searched again.
  std::optional<std::vector<FusedPerson>> people_at(int64_t frame) const;
  // Their skeletons, one each; empty where skeletons.enabled is off.
  std::vector<PersonSkeleton> skeletons_at(int64_t frame) const;
  // Deviations of the people found the last time, on these paths. Empty where it cannot be learnt: paths do
  // not smooth (method motion), or too few people are seen by two cameras.
  PathDeviations deviations(const std::vector<PersonPath>& paths, double frame_rate,
                            const PathParameters& parameters) const;
  void forget_before(int64_t frame);

 private:
  struct Seen {
    std::vector<CameraDetections> cameras;
    std::vector<std::vector<HeadBox>> heads;
    std::vector<MaskAtPlace> masks;
  };
  struct Frame {
    Seen seen;
    // The people before paths were known, where the line's are those found with them.
    std::optional<std::vector<FloorPerson>> first;
    bool found_again = false;  // by an earlier run of this
    std::optional<std::vector<FusedPerson>> people;
  };
  // Valid from a frame on until the next one's.
  struct Span {
    int64_t begin = 0;
    std::vector<Camera> cameras;
    PeopleFusion fusion;  // guarded by finding_
  };
  SecondPassPeople(std::vector<Span> spans, std::vector<FloorZone> areas, SkeletonParameters skeletons)
      : spans_(std::move(spans)), areas_(std::move(areas)), skeletons_(skeletons) {}
  std::optional<Seen> seen_in(int64_t frame) const;
  std::vector<FusedPerson> find(int64_t frame, const FusionInput& input);
  size_t span_at(int64_t frame) const;

  std::mutex finding_;
  std::vector<Span> spans_;  // in the order of time
  const std::vector<FloorZone> areas_;
  const SkeletonParameters skeletons_;
  mutable std::mutex mutex_;
  std::map<int64_t, Frame> frames_;  // guarded by mutex_
};

}  // namespace vantage
