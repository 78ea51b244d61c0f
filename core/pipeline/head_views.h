// Detects heads that several cameras support but none is sure of: hysteresis over views.
//
// Faint heads are found in each view from windows whose scores alone are too low (core/heads/heads.h). Their
// log-likelihoods add up where independent views see the same thing, so they are triangulated with their
// scores as weights: within 8 cm of a point, at a height where heads are searched for, of one size, that of a
// head, with a penalty for every camera that sees the position and finds nothing. People are not above one
// another: of two points closer than 35 cm on the floor the better one is kept.
//
// A point is a head if its sum over the views reaches `together` times the threshold of a head in one view.
// In each view that sees it, its box is that of the highest-scoring windows there which share more than half
// of the union with a head of 0.24 m at the point; a view without such a window has no box. These boxes are
// marked as guided, with the point's score divided by `together`: one threshold applies to all boxes. Boxes
// that a view found alone keep their position and get the point's score if that is higher.
#pragma once

#include <span>
#include <vector>

#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/heads/heads.h"
#include "core/pipeline/frame_result.h"

namespace vantage {

// Detection::class_id of a head's box: found by its view alone, or with the help of others.
inline constexpr int32_t kHeadAlone = 0, kHeadGuided = 1;

// Distance of a head's centre below the top of the person.
inline constexpr double kHeadBelowTop_m = 0.12;
inline double person_height_m(const SceneHead& head) {
  return head.z_m + kHeadBelowTop_m;
}

// Heads found by each view, rounded to hundredths of a pixel as in results, so that people found again from
// results are the same. Empty where heads were not searched for, or null.
std::vector<std::vector<HeadBox>> head_boxes(const HeadsArtifact* heads);

// The boxes of each view, best first. `cameras`: empty without a calibration; then the boxes are those that
// each view found alone.
std::vector<std::vector<Detection>> join_head_views(std::span<const Camera> cameras,
                                                    std::span<const HeadsInView> views,
                                                    const HeadModel& model, const HeadParameters& parameters);

// Joins heads of the height map with other findings about the same people.

// One per head of `heads`. A person gets at most one head of the map, as does a detected head: pairs are
// formed from the nearest on (core/tracking/association.h).
std::vector<JoinedHead> join_heads(std::span<const HeightMapHead> heads, std::span<const FoundPerson> people,
                                   std::span<const SceneHead> detected);

}  // namespace vantage
