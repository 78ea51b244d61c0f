// The people of a frame: everything that the stages know about each person, in one place. The stages'
// artifacts list it apart, in the order of PeopleArtifact's people; no other code joins those lists.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/pipeline/frame_result.h"

namespace vantage {

// A person nearer than this to where one was found before is the same.
inline constexpr double kSamePerson_m = 0.3;

// All that the stages know about one person of a frame. The pointers are into the frame's artifacts and last
// as long as those.
struct FramePerson {
  FoundPerson found;
  std::optional<TrackedPerson> track;  // nothing: the chain tracks no one
  const FusedPerson* fused = nullptr;  // its evidence; null: people do not come from detections
  // Null: no flow was estimated; nothing: too little of the person was seen moving.
  const std::optional<PersonMotion>* motion = nullptr;
  const std::vector<BodyColor>* colors = nullptr;  // by camera; null: none were measured
  const PersonSkeleton* skeleton = nullptr;        // null: no camera has joints of the person
  bool carried = false;  // no detector examined the frame: from an earlier frame, along the track

  int64_t id() const { return track ? track->id : 0; }  // 0: not known
};

// In the order of PeopleArtifact's people; where no detector examined the frame, those carried from the last
// examined one; none where no one was searched for.
std::vector<FramePerson> people_of(const FrameResult& result);
// The same with these IDs, one for each person, 0: none, in place of the tracker's.
std::vector<FramePerson> people_of(const FrameResult& result, const std::vector<int64_t>& ids);

// The person below a head: the nearest within 0.5 m across the floor; -1: no one.
int person_below(const SceneHead& head, const std::vector<FoundPerson>& people);

// Number of people in the frame, carried ones included; nothing: unknown, or no one was searched for.
std::optional<size_t> people_count(const FrameResult& result);
// True when its people are carried from an earlier examined frame.
bool are_carried(const FrameResult& result);

}  // namespace vantage
