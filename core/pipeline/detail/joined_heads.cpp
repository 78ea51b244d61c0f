#include "core/pipeline/detail/joined_heads.h"

#include "core/tracking/association.h"

namespace vantage {
namespace {

constexpr double kPersonReach_m = 0.5, kHeadReach_m = 0.25;

}  // namespace

std::vector<JoinedHead> join_heads(std::span<const HeightMapHead> heads, std::span<const FoundPerson> people,
                                   std::span<const SceneHead> detected) {
  std::vector<FloorDetection> places;
  for (const HeightMapHead& head : heads) places.push_back({head.x_m, head.y_m, head.z_m});
  std::vector<ExpectedTrack> bodies, others;
  for (const FoundPerson& person : people) bodies.push_back({person.x_m, person.y_m, 0, kPersonReach_m});
  for (const SceneHead& head : detected) others.push_back({head.x_m, head.y_m, head.z_m, kHeadReach_m});
  constexpr double kOnTheFloor = 0, kInSpace = 1;  // weights of height
  const std::vector<int32_t> person_of = associate_greedily({bodies, places, kOnTheFloor});
  const std::vector<int32_t> detected_of = associate_greedily({others, places, kInSpace});
  std::vector<JoinedHead> joined(heads.size());
  for (size_t i = 0; i < heads.size(); ++i) joined[i] = {person_of[i], detected_of[i]};
  return joined;
}

}  // namespace vantage
