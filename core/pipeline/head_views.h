// Heads that no camera is sure of but several support: hysteresis over views.
//
// In each view faint heads are found from windows whose scores alone are too low (core/heads/heads.h). Their
// log-likelihoods add up where independent views see the same thing, so they are triangulated with their
// scores as weights: within 8 cm of a point, at a height where heads are searched for, of one size, a head's,
// and less for every camera that sees the position and finds nothing. People do not stand above one another:
// of two points nearer than 35 cm across the floor the better one is kept.
//
// A point whose sum over the views reaches `together` times what a head in one view needs is a head. In each
// view that sees it, its box is that of the highest-scoring windows there, among those that share more than
// half of the union with a head of 0.24 m at the point; a view without such a window has no box. Boxes found
// so are marked as guided; their score is the point's, divided by `together`: one threshold holds for all
// boxes. Boxes that a view found alone keep their position and get the point's score if that is higher.
#pragma once

#include <span>
#include <vector>

#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/heads/heads.h"
#include "core/pipeline/frame_result.h"

namespace vantage {

// Detection::class_id of a head's box: found by its view alone, or with the help of the others.
inline constexpr int32_t kHeadAlone = 0, kHeadGuided = 1;

// A head's centre is so far below the top of the person.
inline constexpr double kHeadBelowTop_m = 0.12;
inline double person_height_m(const SceneHead& head) {
  return head.z_m + kHeadBelowTop_m;
}

// Heads found by each view, in hundredths of a pixel as results write it, so that people found again by
// results are the same. Empty where heads were not searched for; null: likewise.
std::vector<std::vector<HeadBox>> head_boxes(const HeadsArtifact* heads);

// The boxes of each view, the best first. `cameras` is empty without a calibration: then they are those that
// each view found alone.
std::vector<std::vector<Detection>> join_head_views(std::span<const Camera> cameras,
                                                    std::span<const HeadsInView> views,
                                                    const HeadModel& model, const HeadParameters& parameters);

// Heads of the height map joined with what else was found of the same people.

// One for each of `heads`. A person gets one head of the map and a detected head too: pairs are made from the
// nearest on (core/tracking/association.h).
std::vector<JoinedHead> join_heads(std::span<const HeightMapHead> heads, std::span<const FoundPerson> people,
                                   std::span<const SceneHead> detected);

}  // namespace vantage
