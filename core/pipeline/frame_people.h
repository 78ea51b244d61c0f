// The people of a frame with everything that the stages know about each. The stages' artifacts have it
// separately, in the order of PeopleArtifact's people; only this file joins those lists.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/pipeline/frame_result.h"

namespace vantage {

// Maximum distance of a person from an earlier one who counts as the same.
inline constexpr double kSamePerson_m = 0.3;

// Everything the stages know about one person of a frame. The pointers are valid as long as the frame's
// artifacts.
struct FramePerson {
  FoundPerson found;
  std::optional<TrackedPerson> track;  // nothing: the chain does not track people
  const FusedPerson* fused = nullptr;  // evidence; null: people do not come from detections
  // Null: no flow was estimated; nothing: too little of the person was seen moving.
  const std::optional<PersonMotion>* motion = nullptr;
  const std::vector<BodyColor>* colors = nullptr;  // one per camera; null: none were measured
  const PersonSkeleton* skeleton = nullptr;        // null: no camera has joints of the person
  bool carried = false;  // no detector examined the frame: from an earlier frame, along the track

  int64_t id() const { return track ? track->id : 0; }  // 0: not known
};

// In the order of PeopleArtifact's people; those carried from the last examined frame where no detector
// examined this one; empty where people were not searched for.
std::vector<FramePerson> people_of(const FrameResult& result);
// The same with these IDs instead of the tracker's, one per person, 0: none.
std::vector<FramePerson> people_of(const FrameResult& result, const std::vector<int64_t>& ids);

// The index of the nearest person within 0.5 m of a head on the floor; -1: none.
int person_below(const SceneHead& head, const std::vector<FoundPerson>& people);

// Number of people in the frame, including carried ones; nothing: unknown or not searched for.
std::optional<size_t> people_count(const FrameResult& result);
// True when its people are carried from an earlier examined frame.
bool are_carried(const FrameResult& result);

}  // namespace vantage
